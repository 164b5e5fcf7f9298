package dev.heddle.command.script.lib;

import java.nio.charset.StandardCharsets;
import org.luaj.vm2.LuaString;

/**
 * Reads numbers from text as C's strtod does: white space, sign, decimal or hexadecimal digits with exponent, "inf",
 * "infinity", "nan", in either case. Confined to one call of a library function.
 */
final class NumberScanner {
    private byte[] bytes = new byte[0];
    private int limit;
    private double value;
    private int end;

    double value() {
        return value;
    }

    /** The index behind the number that was read. */
    int end() {
        return end;
    }

    /** Reads a string that is a number from its start to its end (or to its first zero byte), white space around it. */
    boolean wholeString(LuaString text) {
        int to = text.m_offset + text.m_length;
        for (int i = text.m_offset; i < to; i++) {
            if (text.m_bytes[i] == 0) {
                to = i;
                break;
            }
        }
        if (!scan(text.m_bytes, text.m_offset, to)) {
            return false;
        }
        int i = end;
        while (i < to && CTypes.isSpace(text.m_bytes[i])) {
            i++;
        }
        return i == to;
    }

    /** Reads the number that begins at {@code from}; false if none does. */
    boolean scan(byte[] data, int from, int to) {
        bytes = data;
        limit = to;
        int i = from;
        while (CTypes.isSpace(at(i))) {
            i++;
        }
        boolean negative = at(i) == '-';
        if (negative || at(i) == '+') {
            i++;
        }
        if (!magnitude(i)) {
            return false;
        }
        if (negative) {
            value = -value;
        }
        return true;
    }

    private boolean magnitude(int from) {
        if (at(from) == '0' && lower(from + 1) == 'x' && hexadecimal(from + 2)) {
            return true;
        }
        if (word(from, "inf")) {
            value = Double.POSITIVE_INFINITY;
            end = from + (word(from + 3, "inity") ? 8 : 3);
            return true;
        }
        if (word(from, "nan")) {
            value = Double.NaN;
            end = behindPayload(from + 3);
            return true;
        }
        return decimal(from);
    }

    private boolean decimal(int from) {
        int i = from;
        long small = 0;
        while (CTypes.isDigit(at(i))) {
            small = small * 10 + at(i) - '0';
            i++;
        }
        int digits = i - from;
        boolean whole = true;
        if (at(i) == '.') {
            int point = i++;
            while (CTypes.isDigit(at(i))) {
                i++;
                digits++;
                whole = false;
            }
            if (digits == 0) {
                return false;
            }
            if (i == point + 1) {
                whole = true;
            }
        }
        if (digits == 0) {
            return false;
        }
        int exponent = behindExponent(i, 'e');
        if (whole && exponent == i && digits <= 18) {
            value = small;
        } else {
            value = Double.parseDouble(text(from, exponent));
        }
        end = exponent;
        return true;
    }

    private boolean hexadecimal(int from) {
        int i = from;
        int digits = 0;
        while (CTypes.hexDigit(at(i)) >= 0) {
            i++;
            digits++;
        }
        if (at(i) == '.') {
            i++;
            while (CTypes.hexDigit(at(i)) >= 0) {
                i++;
                digits++;
            }
        }
        if (digits == 0) {
            return false;
        }
        int exponent = behindExponent(i, 'p');
        value = Double.parseDouble("0x" + text(from, exponent) + (exponent == i ? "p0" : ""));
        end = exponent;
        return true;
    }

    private int behindExponent(int from, char letter) {
        if (lower(from) != letter) {
            return from;
        }
        int i = from + 1;
        if (at(i) == '-' || at(i) == '+') {
            i++;
        }
        if (!CTypes.isDigit(at(i))) {
            return from;
        }
        while (CTypes.isDigit(at(i))) {
            i++;
        }
        return i;
    }

    /** glibc reads "nan(letters_and_digits)" as one number. */
    private int behindPayload(int from) {
        if (at(from) != '(') {
            return from;
        }
        int i = from + 1;
        while (CTypes.isAlnum(at(i)) || at(i) == '_') {
            i++;
        }
        return at(i) == ')' ? i + 1 : from;
    }

    private String text(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private boolean word(int from, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (lower(from + i) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private int lower(int i) {
        return CTypes.toLower(at(i));
    }

    private int at(int i) {
        return i < limit ? bytes[i] & 0xff : 0;
    }
}
