package dev.heddle.command.config;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whole numbers with a range: plain, octal, or amounts of memory. Immutable.
 *
 * <p>Memory takes the units {@code b k kb m mb g gb} in any case; {@code k}, {@code m}, {@code g} are powers of 1000,
 * {@code kb}, {@code mb}, {@code gb} powers of 1024. Where a share of the memory limit is allowed too, {@code 5%} is
 * kept as -5. An amount beyond 2^63-1 counts as 2^63-1 if the range is unlimited.
 */
record NumberCodec(Form form, long min, long max) implements Codec<Long> {

    /** How the number is written. */
    enum Form {
        INTEGER,
        OCTAL,
        MEMORY,
        MEMORY_OR_PERCENT
    }

    /** The upper end of a range that stands for "as much as the machine has". */
    static final long UNLIMITED = Long.MAX_VALUE;

    private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,19}");
    private static final Pattern OCTAL = Pattern.compile("[+-]?[0-7]{1,21}");
    private static final Pattern MEMORY =
            Pattern.compile("([0-9]{0,127})(b|k|kb|m|mb|g|gb)?", Pattern.CASE_INSENSITIVE);
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    @Override
    public Long parse(List<String> words, Long current) {
        long number = switch (form) {
            case INTEGER -> plain(words.get(0));
            case OCTAL -> octal(words.get(0));
            case MEMORY -> memory(words.get(0), "argument must be a memory value");
            case MEMORY_OR_PERCENT -> memoryOrPercent(words.get(0));
        };
        if (number < min || number > max) {
            throw new ConfigException(outOfRange());
        }
        return number;
    }

    @Override
    public String text(Long value) {
        return switch (form) {
            case INTEGER, MEMORY -> Long.toString(value);
            case OCTAL -> Long.toOctalString(value);
            case MEMORY_OR_PERCENT -> value < 0 ? -value + "%" : Long.toString(value);
        };
    }

    @Override
    public String fileText(Long value) {
        return switch (form) {
            case INTEGER, OCTAL -> text(value);
            case MEMORY, MEMORY_OR_PERCENT -> value < 0 ? text(value) : withUnit(value);
        };
    }

    /** The amount in the largest unit that divides it. */
    static String withUnit(long bytes) {
        if (bytes == 0 || bytes % 1024 != 0) {
            return Long.toString(bytes);
        }
        if (bytes % (1L << 30) == 0) {
            return (bytes >> 30) + "gb";
        }
        if (bytes % (1L << 20) == 0) {
            return (bytes >> 20) + "mb";
        }
        return (bytes >> 10) + "kb";
    }

    /**
     * Reads an amount of memory.
     *
     * @return bytes, at most 2^63-1
     * @throws ConfigException with {@code error}, if the text is no amount
     */
    static long memory(String text, String error) {
        Matcher matcher = MEMORY.matcher(text);
        if (!matcher.matches()) {
            throw new ConfigException(error);
        }
        String digits = matcher.group(1);
        BigInteger amount = digits.isEmpty() ? BigInteger.ZERO : new BigInteger(digits);
        return amount.multiply(BigInteger.valueOf(unit(matcher.group(2))))
                .min(LARGEST)
                .longValue();
    }

    private static long unit(@Nullable String name) {
        if (name == null) {
            return 1;
        }
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "k" -> 1_000;
            case "kb" -> 1L << 10;
            case "m" -> 1_000_000;
            case "mb" -> 1L << 20;
            case "g" -> 1_000_000_000;
            case "gb" -> 1L << 30;
            default -> 1;
        };
    }

    private long memoryOrPercent(String text) {
        if (text.endsWith("%")) {
            String share = text.substring(0, text.length() - 1);
            if (INTEGER.matcher(share).matches() && !share.startsWith("-")) {
                BigInteger percent = new BigInteger(share);
                if (percent.compareTo(BigInteger.valueOf(-min)) > 0) {
                    throw new ConfigException("percentage argument must be less or equal to " + -min);
                }
                return -percent.longValue();
            }
        }
        return memory(text, "argument must be a memory or percent value");
    }

    private static long plain(String text) {
        if (INTEGER.matcher(text).matches()) {
            BigInteger number = new BigInteger(text);
            if (number.bitLength() <= 63) {
                return number.longValue();
            }
        }
        throw new ConfigException("argument couldn't be parsed into an integer");
    }

    private static long octal(String text) {
        if (!OCTAL.matcher(text).matches()) {
            throw new ConfigException("argument couldn't be parsed as an octal number");
        }
        return Long.parseLong(text, 8);
    }

    private String outOfRange() {
        return form == Form.OCTAL
                ? "argument must be between " + Long.toOctalString(min) + " and " + Long.toOctalString(max)
                        + " inclusive"
                : "argument must be between " + min + " and " + max + " inclusive";
    }
}
