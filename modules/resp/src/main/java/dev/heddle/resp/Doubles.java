package dev.heddle.resp;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads doubles as C's strtod does and prints them as Redis 7.2 does.
 *
 * <p>Thread-safe: it has no state.
 */
final class Doubles {
    /** Doubles up to here that are whole are printed as integers (half of the largest long). */
    private static final double LARGEST_INTEGER = 0x1p62;

    /** Below this one digit can be enough where Java prints two: 5e-324 against 4.9E-324. */
    private static final double FEW_BITS = 1e-321;

    private Doubles() {}

    static double parse(byte[] b, int offset, int length) {
        if (length > 0 && length < 16) {
            double small = shortDecimal(b, offset, offset + length);
            if (!Double.isNaN(small)) {
                return small;
            }
        }
        int infinite = infinity(b, offset, length);
        if (infinite != 0) {
            return infinite * Double.POSITIVE_INFINITY;
        }
        boolean hexadecimal = isHexadecimal(b, offset, length);
        if (!hexadecimal && !isDecimal(b, offset, length)) {
            return Double.NaN;
        }
        var text = new String(b, offset, length, StandardCharsets.ISO_8859_1);
        boolean exponent = !hexadecimal || text.indexOf('p') >= 0 || text.indexOf('P') >= 0;
        double value = Double.parseDouble(exponent ? text : text + "p0");
        boolean vanished = value == 0 && hasNonZeroDigit(text, hexadecimal);
        return Double.isInfinite(value) || vanished ? Double.NaN : value;
    }

    /**
     * A number of at most fifteen digits with an optional point, computed without allocation; NaN if it is not one.
     * Both the digits and the power of ten are exact doubles, so that their quotient is rounded once and correctly.
     */
    private static double shortDecimal(byte[] b, int from, int end) {
        int i = from;
        boolean negative = b[i] == '-';
        if (negative) {
            i++;
        }
        long digits = 0;
        int seen = 0;
        double scale = 0;
        for (; i < end; i++) {
            int digit = b[i] - '0';
            if (digit >= 0 && digit <= 9) {
                digits = 10 * digits + digit;
                scale *= 10;
                seen++;
            } else if (b[i] == '.' && scale == 0) {
                scale = 1;
            } else {
                return Double.NaN;
            }
        }
        if (seen == 0) {
            return Double.NaN;
        }
        double value = scale == 0 ? digits : digits / scale;
        return negative ? -value : value;
    }

    /** 1 or -1 if the bytes are a word for infinity, else 0. */
    static int infinity(byte[] b, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        boolean signed = b[offset] == '-' || b[offset] == '+';
        int from = signed ? offset + 1 : offset;
        int letters = offset + length - from;
        if ((letters == 3 && sameWord(b, from, "inf")) || (letters == 8 && sameWord(b, from, "infinity"))) {
            return b[offset] == '-' ? -1 : 1;
        }
        return 0;
    }

    private static boolean sameWord(byte[] b, int from, String lowerCase) {
        for (int i = 0; i < lowerCase.length(); i++) {
            if ((b[from + i] | 0x20) != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the bytes are {@code [+-] digits [. digits] [e [+-] digits]} with a digit before or after the point. */
    static boolean isDecimal(byte[] b, int offset, int length) {
        int end = offset + length;
        int i = afterSign(b, offset, end);
        return isNumber(b, i, end, 10, 'e');
    }

    /** Whether the bytes are {@code [+-] 0x digits [. digits] [p [+-] digits]}, digits hexadecimal. */
    static boolean isHexadecimal(byte[] b, int offset, int length) {
        int end = offset + length;
        int i = afterSign(b, offset, end);
        return end - i > 2 && b[i] == '0' && (b[i + 1] | 0x20) == 'x' && isNumber(b, i + 2, end, 16, 'p');
    }

    private static boolean isNumber(byte[] b, int from, int end, int radix, char exponentMark) {
        int i = skipDigits(b, from, end, radix);
        int digits = i - from;
        if (i < end && b[i] == '.') {
            int fraction = skipDigits(b, i + 1, end, radix);
            digits += fraction - (i + 1);
            i = fraction;
        }
        if (digits == 0) {
            return false;
        }
        if (i < end && (b[i] | 0x20) == exponentMark) {
            int first = afterSign(b, i + 1, end);
            i = skipDigits(b, first, end, 10);
            return i > first && i == end;
        }
        return i == end;
    }

    private static int afterSign(byte[] b, int i, int end) {
        return i < end && (b[i] == '+' || b[i] == '-') ? i + 1 : i;
    }

    private static int skipDigits(byte[] b, int from, int end, int radix) {
        int i = from;
        while (i < end && b[i] >= 0 && Character.digit(b[i], radix) >= 0) {
            i++;
        }
        return i;
    }

    /** Whether the digits before the exponent of a valid number are not all zeros. */
    private static boolean hasNonZeroDigit(String text, boolean hexadecimal) {
        int from = hexadecimal ? text.toLowerCase(Locale.ROOT).indexOf('x') + 1 : 0;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c | 0x20) == (hexadecimal ? 'p' : 'e')) {
                return false;
            }
            if (Character.digit(c, 16) > 0) {
                return true;
            }
        }
        return false;
    }

    static String format(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value < 0 ? "-inf" : "inf";
        }
        if (Math.abs(value) <= LARGEST_INTEGER && value == (long) value) {
            return Long.toString((long) value);
        }
        if (Math.abs(value) < FEW_BITS) {
            var oneDigit = new BigDecimal(value).round(new MathContext(1));
            if (oneDigit.doubleValue() == value) {
                return arrange(value < 0, oneDigit.unscaledValue().abs().toString(), -oneDigit.scale());
            }
        }
        return layOut(Double.toString(value));
    }

    /*
     * Double.toString finds the shortest digits that give the double back but arranges them in Java's manner. This
     * takes the digits d of its text, and the power of ten k of the last one, and arranges them as Redis does:
     * digits and zeros if there are at most six zeros, a plain fraction if k > -7 or the number lies between 0.001 and
     * 9999, otherwise with an exponent that always has a sign and never a leading zero.
     */
    private static String layOut(String java) {
        boolean negative = java.charAt(0) == '-';
        int mark = java.indexOf('E');
        var mantissa = java.substring(negative ? 1 : 0, mark < 0 ? java.length() : mark);
        int point = mantissa.indexOf('.');
        var all = mantissa.substring(0, point) + mantissa.substring(point + 1);
        int k = (mark < 0 ? 0 : Integer.parseInt(java.substring(mark + 1))) - (mantissa.length() - point - 1);
        int from = 0;
        int to = all.length();
        while (from < to - 1 && all.charAt(from) == '0') {
            from++;
        }
        while (to > from + 1 && all.charAt(to - 1) == '0') {
            to--;
            k++;
        }
        return arrange(negative, all.substring(from, to), k);
    }

    private static String arrange(boolean negative, String digits, int k) {
        int n = digits.length();
        int exponent = k + n - 1;
        var text = new StringBuilder(28);
        if (negative) {
            text.append('-');
        }
        if (k >= 0 && Math.abs(exponent) < n + 7) {
            return text.append(digits).repeat('0', k).toString();
        }
        if (k < 0 && (k > -7 || Math.abs(exponent) < 4)) {
            int whole = n + k;
            if (whole <= 0) {
                return text.append("0.").repeat('0', -whole).append(digits).toString();
            }
            return text.append(digits, 0, whole)
                    .append('.')
                    .append(digits, whole, n)
                    .toString();
        }
        text.append(digits.charAt(0));
        if (n > 1) {
            text.append('.').append(digits, 1, n);
        }
        text.append('e').append(exponent < 0 ? '-' : '+').append(Math.abs(exponent));
        return text.toString();
    }
}
