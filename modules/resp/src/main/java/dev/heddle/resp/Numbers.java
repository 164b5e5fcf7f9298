package dev.heddle.resp;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Numbers as Redis reads and writes them, from bytes and to bytes.
 *
 * <p>Thread-safe: it has no state.
 */
public final class Numbers {
    /**
     * What {@link #parseLong} returns for bytes that are no number. It is a number too, but the syntax is so strict
     * that only one text means it, so that {@link #isLong} can tell the two apart, and only after this value came up.
     */
    public static final long NOT_A_LONG = Long.MIN_VALUE + 1;

    /** The most bytes {@link #write} needs. */
    public static final int MAX_LONG_BYTES = 20;

    private static final byte[] NOT_A_LONG_TEXT = ascii(Long.toString(NOT_A_LONG));
    private static final byte[] MIN_VALUE_TEXT = ascii(Long.toString(Long.MIN_VALUE));

    /** The tens and ones of 00 to 99. */
    private static final byte[] TENS = new byte[100];

    private static final byte[] ONES = new byte[100];

    static {
        for (int i = 0; i < 100; i++) {
            TENS[i] = (byte) ('0' + i / 10);
            ONES[i] = (byte) ('0' + i % 10);
        }
    }

    private Numbers() {}

    /**
     * The signed 64-bit number that these bytes are, exactly as {@link Long#toString(long)} would print it: no plus,
     * no leading zeros, no blanks, no {@code -0}. {@link #NOT_A_LONG} if they are none:
     *
     * <pre>{@code
     * long n = Numbers.parseLong(bytes, offset, length);
     * if (n == Numbers.NOT_A_LONG && !Numbers.isLong(bytes, offset, length)) { ... not a number ... }
     * }</pre>
     */
    public static long parseLong(byte[] b, int offset, int length) {
        if (length <= 0 || length > MAX_LONG_BYTES) {
            return NOT_A_LONG;
        }
        int i = offset;
        int end = offset + length;
        boolean negative = b[i] == '-';
        if (negative && ++i == end) {
            return NOT_A_LONG;
        }
        int first = b[i] - '0';
        if (first < 1 || first > 9) {
            return first == 0 && length == 1 ? 0 : NOT_A_LONG;
        }
        if (end - i > 19) {
            return NOT_A_LONG;
        }
        long n = first;
        while (++i < end) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9) {
                return NOT_A_LONG;
            }
            n = 10 * n + digit;
        }
        // Nineteen digits are less than 2^64, so that one overflow shows as a negative number.
        if (n < 0) {
            return negative && n == Long.MIN_VALUE ? n : NOT_A_LONG;
        }
        return negative ? -n : n;
    }

    /** Whether {@link #parseLong} of these bytes is a number. */
    public static boolean isLong(byte[] b, int offset, int length) {
        return parseLong(b, offset, length) != NOT_A_LONG
                || (length == NOT_A_LONG_TEXT.length && same(b, offset, NOT_A_LONG_TEXT));
    }

    /**
     * The number of at most nine digits that stands at {@code from}, with a carriage return and one more byte behind
     * it; -1 if that is not what stands there, or not yet. It is {@link #digits(int)} long.
     */
    static int parseLine(byte[] b, int from, int to) {
        int last = Math.min(to - 1, from + 10);
        if (from + 1 >= to) {
            return -1;
        }
        int n = b[from] - '0';
        if (n < 0 || n > 9) {
            return -1;
        }
        for (int i = from + 1; i < last; i++) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9) {
                return b[i] == '\r' ? n : -1;
            }
            if (n == 0) {
                return -1;
            }
            n = 10 * n + digit;
        }
        return -1;
    }

    private static boolean same(byte[] b, int offset, byte[] text) {
        for (int i = 0; i < text.length; i++) {
            if (b[offset + i] != text[i]) {
                return false;
            }
        }
        return true;
    }

    /** How many decimal digits a number from 0 on has. */
    public static int digits(int n) {
        if (n < 10) {
            return 1;
        }
        if (n < 100) {
            return 2;
        }
        return n < 1000 ? 3 : manyDigits(n);
    }

    private static int manyDigits(long n) {
        int digits = 4;
        for (long power = 10_000; digits < 19 && n >= power; power *= 10) {
            digits++;
        }
        return digits;
    }

    private static int digits(long n) {
        return n < 1000 ? digits((int) n) : manyDigits(n);
    }

    /** How many bytes {@link #write} takes for a number. */
    public static int length(long n) {
        if (n >= 0) {
            return digits(n);
        }
        return n == Long.MIN_VALUE ? MAX_LONG_BYTES : 1 + digits(-n);
    }

    /** Writes a number in decimal digits and returns the index behind its last one. */
    public static int write(long n, byte[] to, int offset) {
        if (n >= 0 && n < 10) {
            to[offset] = (byte) ('0' + n);
            return offset + 1;
        }
        return writeLong(n, to, offset);
    }

    private static int writeLong(long n, byte[] to, int offset) {
        int at = offset;
        long rest = n;
        if (n < 0) {
            if (n == Long.MIN_VALUE) {
                System.arraycopy(MIN_VALUE_TEXT, 0, to, at, MIN_VALUE_TEXT.length);
                return at + MIN_VALUE_TEXT.length;
            }
            to[at++] = '-';
            rest = -n;
        }
        int end = at + digits(rest);
        int i = end;
        while (rest >= 100) {
            long hundreds = rest / 100;
            int two = (int) (rest - hundreds * 100);
            to[--i] = ONES[two];
            to[--i] = TENS[two];
            rest = hundreds;
        }
        to[--i] = ONES[(int) rest];
        if (i > at) {
            to[--i] = TENS[(int) rest];
        }
        return end;
    }

    /** The decimal digits of a number. */
    public static byte[] toBytes(long n) {
        var bytes = new byte[length(n)];
        write(n, bytes, 0);
        return bytes;
    }

    /**
     * The floating-point number that these bytes are, in the syntax of C's strtod without blanks: decimal or
     * hexadecimal, or {@code inf} or {@code infinity} in any case. NaN if they are none, if they say {@code nan}, or if
     * the number is too large or too small for a double.
     */
    public static double parseDouble(byte[] b, int offset, int length) {
        return Doubles.parse(b, offset, length);
    }

    /** A double as {@link #format} prints it. */
    public static byte[] toBytes(double value) {
        return ascii(format(value));
    }

    /**
     * A double in the form of Redis 7.2's scores: {@code 3}, {@code 0.1}, {@code 1e+21}, {@code inf}, {@code -inf},
     * {@code nan}; reading it gives the same double.
     */
    public static String format(double value) {
        return Doubles.format(value);
    }

    /** A double in the form of INCRBYFLOAT: never an exponent, at most 17 decimals, no zeros at their end. */
    public static byte[] formatHuman(double value) {
        return ascii(Double.isFinite(value) ? plain(new BigDecimal(value)) : format(value));
    }

    /**
     * The number that these bytes are to INCRBYFLOAT: the syntax of {@link #parseDouble}, the range and precision of
     * C's 80-bit long double. Null if they are none, are infinite ({@link #isInfinite} tells), or are out of range.
     */
    public static @Nullable BigDecimal parseDecimal(byte[] b, int offset, int length) {
        return LongDouble.parse(b, offset, length);
    }

    /** Whether these bytes are the word for an infinite number, with or without a sign. */
    public static boolean isInfinite(byte[] b, int offset, int length) {
        return Doubles.infinity(b, offset, length) != 0;
    }

    /** The sum of two numbers as 80-bit long doubles have it; null if it is infinite. */
    public static @Nullable BigDecimal addDecimals(BigDecimal a, BigDecimal b) {
        return LongDouble.round(a.add(b));
    }

    /** A decimal in the form of INCRBYFLOAT: never an exponent, at most 17 decimals, no zeros at their end. */
    public static String plain(BigDecimal value) {
        return LongDouble.plain(value);
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
