package dev.heddle.command.script.lib;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * C's printf for one value, correctly rounded from the exact binary value as glibc does it. Java's own formatter
 * rounds half up, writes exponents otherwise and knows no %g with stripped zeros.
 */
final class CFormat {
    static final int LEFT = 1;
    static final int PLUS = 2;
    static final int SPACE = 4;
    static final int ALTERNATE = 8;
    static final int ZERO = 16;

    /** Below this a double has so few bits left that its shortest text is no longer near its exact value. */
    private static final double NEARLY_SUBNORMAL = 1e-290;

    private CFormat() {}

    /**
     * One conversion.
     *
     * @param flags LEFT and so on, or'ed
     * @param width least number of bytes
     * @param precision digits, -1 if not given
     * @param conversion the letter
     */
    record Spec(int flags, int width, int precision, char conversion) {
        boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }

    static void appendReal(ByteBuilder out, Spec spec, double value) {
        boolean upper = Character.isUpperCase(spec.conversion);
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            /* The processor's own NaN, which arithmetic makes, has its sign set; this is what C prints of it. */
            boolean negative = Double.isNaN(value) || value < 0;
            String word = Double.isNaN(value) ? "nan" : "inf";
            pad(
                    out,
                    new Spec(spec.flags & ~ZERO, spec.width, -1, spec.conversion),
                    sign(spec, negative),
                    upper ? word.toUpperCase(java.util.Locale.ROOT) : word);
            return;
        }
        boolean negative = Double.doubleToRawLongBits(value) < 0;
        int precision = spec.precision < 0 ? 6 : spec.precision;
        double magnitude = Math.abs(value);
        String body = switch (Character.toLowerCase(spec.conversion)) {
            case 'e' -> exponential(magnitude, precision, spec);
            case 'f' -> fixed(new BigDecimal(magnitude).setScale(precision, RoundingMode.HALF_EVEN), spec);
            default -> general(magnitude, Math.max(precision, 1), spec);
        };
        pad(out, spec, sign(spec, negative), upper ? body.toUpperCase(java.util.Locale.ROOT) : body);
    }

    static void appendSigned(ByteBuilder out, Spec spec, long value) {
        String digits = value < 0 ? Long.toString(value).substring(1) : Long.toString(value);
        appendDigits(out, spec, sign(spec, value < 0), digits, value == 0);
    }

    static void appendUnsigned(ByteBuilder out, Spec spec, long value) {
        String digits = switch (spec.conversion) {
            case 'o' -> Long.toOctalString(value);
            case 'x' -> Long.toHexString(value);
            case 'X' -> Long.toHexString(value).toUpperCase(java.util.Locale.ROOT);
            default -> Long.toUnsignedString(value);
        };
        String prefix = "";
        int precision = spec.precision;
        if (spec.has(ALTERNATE)) {
            if (spec.conversion == 'o') {
                precision = value == 0 ? Math.max(precision, 1) : Math.max(precision, digits.length() + 1);
            } else if (value != 0 && spec.conversion != 'u') {
                prefix = "0" + spec.conversion;
            }
        }
        appendDigits(out, new Spec(spec.flags, spec.width, precision, spec.conversion), prefix, digits, value == 0);
    }

    /** A string cut to the precision and filled to the width. */
    static void appendBytes(ByteBuilder out, Spec spec, byte[] bytes, int offset, int length) {
        int count = spec.precision >= 0 ? Math.min(spec.precision, length) : length;
        if (!spec.has(LEFT)) {
            out.repeat(' ', spec.width - count);
        }
        out.add(bytes, offset, count);
        if (spec.has(LEFT)) {
            out.repeat(' ', spec.width - count);
        }
    }

    private static void appendDigits(ByteBuilder out, Spec spec, String prefix, String digits, boolean isZero) {
        String body = digits;
        int flags = spec.flags;
        if (spec.precision >= 0) {
            flags &= ~ZERO;
            body = isZero && spec.precision == 0
                    ? ""
                    : "0".repeat(Math.max(0, spec.precision - digits.length())) + digits;
        }
        pad(out, new Spec(flags, spec.width, spec.precision, spec.conversion), prefix, body);
    }

    private static void pad(ByteBuilder out, Spec spec, String prefix, String body) {
        int fill = spec.width - prefix.length() - body.length();
        if (!spec.has(LEFT) && !spec.has(ZERO)) {
            out.repeat(' ', fill);
        }
        out.ascii(prefix);
        if (!spec.has(LEFT) && spec.has(ZERO)) {
            out.repeat('0', fill);
        }
        out.ascii(body);
        if (spec.has(LEFT)) {
            out.repeat(' ', fill);
        }
    }

    private static String sign(Spec spec, boolean negative) {
        if (negative) {
            return "-";
        }
        return spec.has(PLUS) ? "+" : spec.has(SPACE) ? " " : "";
    }

    private static String fixed(BigDecimal value, Spec spec) {
        String text = value.toPlainString();
        return value.scale() <= 0 && spec.has(ALTERNATE) ? text + "." : text;
    }

    private static String exponential(double value, int precision, Spec spec) {
        String digits = digits(value, precision + 1);
        return mantissa(digits, precision, spec.has(ALTERNATE)) + exponentText(exponent(value, precision + 1));
    }

    private static String general(double value, int precision, Spec spec) {
        int exponent = exponent(value, precision);
        boolean keepZeros = spec.has(ALTERNATE);
        String digits = digits(value, precision);
        if (exponent < -4 || exponent >= precision) {
            String kept = keepZeros ? digits : withoutTrailingZeros(digits, 1);
            return mantissa(kept, kept.length() - 1, keepZeros) + exponentText(exponent);
        }
        if (exponent < 0) {
            String kept = keepZeros ? digits : withoutTrailingZeros(digits, 1);
            return value == 0 ? kept : "0." + "0".repeat(-exponent - 1) + kept;
        }
        String kept = keepZeros ? digits : withoutTrailingZeros(digits, exponent + 1);
        String whole = kept.substring(0, exponent + 1);
        return kept.length() > exponent + 1 || keepZeros ? whole + "." + kept.substring(exponent + 1) : whole;
    }

    private static String mantissa(String digits, int precision, boolean point) {
        return digits.charAt(0) + (precision > 0 || point ? "." : "") + digits.substring(1);
    }

    private static String exponentText(int exponent) {
        int magnitude = Math.abs(exponent);
        return (exponent < 0 ? "e-" : "e+") + (magnitude < 10 ? "0" : "") + magnitude;
    }

    private static String withoutTrailingZeros(String digits, int atLeast) {
        int end = digits.length();
        while (end > atLeast && digits.charAt(end - 1) == '0') {
            end--;
        }
        return digits.substring(0, end);
    }

    private static BigDecimal rounded(double value, int digits) {
        if (digits <= 15 && value >= NEARLY_SUBNORMAL) {
            /* If the shortest text that reads back as this value fits, it is what rounding the exact value gives:
             * the two differ by far less than half a unit of the fifteenth digit. */
            BigDecimal shortest = BigDecimal.valueOf(value);
            if (shortest.precision() <= digits) {
                return shortest;
            }
        }
        return new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
    }

    /** Exactly {@code count} significant digits. */
    private static String digits(double value, int count) {
        if (value == 0) {
            return "0".repeat(count);
        }
        String text = rounded(value, count).unscaledValue().toString();
        return text.length() < count ? text + "0".repeat(count - text.length()) : text.substring(0, count);
    }

    /** The decimal exponent of the first digit after rounding to {@code count} digits. */
    private static int exponent(double value, int count) {
        if (value == 0) {
            return 0;
        }
        BigDecimal rounded = rounded(value, count);
        return rounded.precision() - 1 - rounded.scale();
    }
}
