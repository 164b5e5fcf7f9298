package dev.heddle.resp;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of C's 80-bit {@code long double}, in which Redis computes INCRBYFLOAT, on top of BigDecimal.
 *
 * <p>Thread-safe: it has no state.
 */
final class LongDouble {
    /*
     * Clients see this format: 1234.1 + 0.1 is 1234.19999999999999996 there, because 64 bits of mantissa hold about
     * 19.2 digits and Redis prints 17 decimals. An exact decimal sum would print 1234.2 and differ from Redis in
     * replies and in stored values. So every value is rounded to m * 2^e with a 64-bit m, half to even, which a
     * BigDecimal then holds exactly.
     */

    private static final int MANTISSA = 64;

    /** Exponents of the least bit: of denormal numbers, and of the largest numbers. */
    private static final int LEAST_EXPONENT = -16445;

    private static final int LARGEST_EXPONENT = 16383 - 63;

    /** Texts this long and longer are refused, as Redis does. */
    private static final int TEXT_LIMIT = 5 * 1024;

    /** Decimal exponents beyond this are out of range whatever the digits are. */
    private static final int EXPONENT_LIMIT = 12_000;

    private static final int DECIMALS = 17;

    private LongDouble() {}

    static @Nullable BigDecimal parse(byte[] b, int offset, int length) {
        if (length == 0 || length >= TEXT_LIMIT) {
            return null;
        }
        var text = new String(b, offset, length, StandardCharsets.ISO_8859_1);
        BigDecimal exact;
        if (Doubles.isHexadecimal(b, offset, length)) {
            exact = hexadecimal(text);
        } else if (Doubles.isDecimal(b, offset, length)) {
            exact = decimal(text);
        } else {
            return null;
        }
        var rounded = exact == null ? null : round(exact);
        boolean vanished = rounded != null && exact != null && rounded.signum() == 0 && exact.signum() != 0;
        return vanished ? null : rounded;
    }

    private static @Nullable BigDecimal decimal(String text) {
        int mark = Math.max(text.indexOf('e'), text.indexOf('E'));
        var mantissa = new BigDecimal(mark < 0 ? text : text.substring(0, mark));
        if (mark < 0 || mantissa.signum() == 0) {
            return mantissa;
        }
        Integer exponent = exponent(text.substring(mark + 1));
        return exponent == null ? null : mantissa.scaleByPowerOfTen(exponent);
    }

    private static @Nullable BigDecimal hexadecimal(String text) {
        boolean negative = text.charAt(0) == '-';
        int from = text.indexOf('0') + 2;
        int mark = Math.max(text.indexOf('p'), text.indexOf('P'));
        var digits = text.substring(from, mark < 0 ? text.length() : mark);
        int point = digits.indexOf('.');
        int fraction = point < 0 ? 0 : digits.length() - point - 1;
        var whole = new BigInteger(digits.replace(".", ""), 16);
        Integer exponent = mark < 0 ? Integer.valueOf(0) : exponent(text.substring(mark + 1));
        if (whole.signum() == 0) {
            return BigDecimal.ZERO;
        }
        if (exponent == null) {
            return null;
        }
        var value = timesPowerOfTwo(whole, exponent - 4 * fraction);
        return negative ? value.negate() : value;
    }

    /** An exponent that is a valid number; null if it is out of every range. */
    private static @Nullable Integer exponent(String text) {
        var value = new BigInteger(text.startsWith("+") ? text.substring(1) : text);
        return value.bitLength() > 31 || Math.abs(value.longValue()) > 2L * EXPONENT_LIMIT ? null : value.intValue();
    }

    /** The nearest value that a long double can have, or null if that is infinite. */
    static @Nullable BigDecimal round(BigDecimal exact) {
        if (exact.signum() == 0) {
            return BigDecimal.ZERO;
        }
        BigInteger digits = exact.unscaledValue().abs();
        int scale = exact.scale();
        if (scale <= 0 && scale > -MANTISSA && digits.bitLength() <= MANTISSA) {
            var whole = scale == 0 ? exact : exact.setScale(0);
            if (whole.unscaledValue().abs().bitLength() <= MANTISSA) {
                return whole;
            }
        }
        if (Math.abs((long) exact.precision() - scale) > EXPONENT_LIMIT) {
            return scale > 0 ? BigDecimal.ZERO : null;
        }
        BigInteger numerator = scale > 0 ? digits : digits.multiply(BigInteger.TEN.pow(-scale));
        BigInteger denominator = scale > 0 ? BigInteger.TEN.pow(scale) : BigInteger.ONE;
        int e = Math.max(LEAST_EXPONENT, numerator.bitLength() - denominator.bitLength() - MANTISSA);
        BigInteger m = quotient(numerator, denominator, e);
        if (m.bitLength() > MANTISSA) {
            e++;
            m = quotient(numerator, denominator, e);
        }
        if (m.bitLength() > MANTISSA) {
            // Rounding up carried into a 65th bit: the mantissa is a power of two now.
            e++;
            m = m.shiftRight(1);
        }
        if (e > LARGEST_EXPONENT) {
            return null;
        }
        var value = timesPowerOfTwo(m, e);
        return exact.signum() < 0 ? value.negate() : value;
    }

    /** numerator / (denominator * 2^e), rounded half to even. */
    private static BigInteger quotient(BigInteger numerator, BigInteger denominator, int e) {
        BigInteger n = e < 0 ? numerator.shiftLeft(-e) : numerator;
        BigInteger d = e > 0 ? denominator.shiftLeft(e) : denominator;
        BigInteger[] parts = n.divideAndRemainder(d);
        int half = parts[1].shiftLeft(1).compareTo(d);
        boolean up = half > 0 || (half == 0 && parts[0].testBit(0));
        return up ? parts[0].add(BigInteger.ONE) : parts[0];
    }

    private static BigDecimal timesPowerOfTwo(BigInteger m, int e) {
        if (e >= 0) {
            return new BigDecimal(m.shiftLeft(e));
        }
        int zeros = Math.min(m.getLowestSetBit(), -e);
        int left = -e - zeros;
        // m / 2^left = m * 5^left / 10^left
        return new BigDecimal(m.shiftRight(zeros).multiply(BigInteger.valueOf(5).pow(left)), left);
    }

    static String plain(BigDecimal value) {
        var rounded = value.scale() > DECIMALS ? value.setScale(DECIMALS, RoundingMode.HALF_EVEN) : value;
        if (rounded.signum() == 0) {
            return "0";
        }
        return rounded.stripTrailingZeros().toPlainString();
    }
}
