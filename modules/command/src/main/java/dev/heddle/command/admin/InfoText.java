package dev.heddle.command.admin;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** The text of INFO while it is being written: sections with a headline, lines of name and value. Confined to one call. */
final class InfoText {

    private static final String UNITS = "BKMGTP";

    private final StringBuilder text = new StringBuilder();

    void section(String headline) {
        if (!text.isEmpty()) {
            text.append("\r\n");
        }
        text.append("# ").append(headline).append("\r\n");
    }

    void line(String name, Object value) {
        text.append(name).append(':').append(value).append("\r\n");
    }

    void line(String name, boolean yes) {
        line(name, yes ? 1 : 0);
    }

    /** A number with two decimals. */
    void decimal(String name, double value) {
        line(name, decimals(value, 2));
    }

    /** A number of bytes, and the same for people. */
    void bytes(String name, long bytes) {
        line(name, bytes);
        line(name + "_human", human(bytes));
    }

    /** A number with a fixed count of digits behind the point. */
    static String decimals(double value, int digits) {
        return BigDecimal.valueOf(value)
                .setScale(digits, RoundingMode.HALF_EVEN)
                .toPlainString();
    }

    /** A number of bytes in the largest unit that leaves something before the point: {@code 1.30M}. */
    static String human(long bytes) {
        if (bytes < 1024) {
            return bytes + "B";
        }
        int unit = Math.min((Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes)) / 10, UNITS.length() - 1);
        return decimals(bytes / (double) (1L << (10 * unit)), 2) + UNITS.charAt(unit);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
