package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;

/** Whole numbers in a base from 2 to 36, read as C's strtoul does. */
final class WholeNumbers {
    private WholeNumbers() {}

    /** The number, or nil if the text is none. Too large ones are the largest 64-bit number; minus wraps around. */
    static LuaValue parse(LuaString text, int base) {
        int end = LuaPattern.cLength(text);
        int i = skipSpaces(text, 0, end);
        boolean negative = i < end && text.luaByte(i) == '-';
        if (negative || i < end && text.luaByte(i) == '+') {
            i++;
        }
        if (base == 16
                && i + 2 < end
                && text.luaByte(i) == '0'
                && CTypes.toLower(text.luaByte(i + 1)) == 'x'
                && digit(text.luaByte(i + 2), base) >= 0) {
            i += 2;
        }
        int start = i;
        long value = 0;
        boolean overflow = false;
        for (; i < end && digit(text.luaByte(i), base) >= 0; i++) {
            int digit = digit(text.luaByte(i), base);
            long most = Long.divideUnsigned(-1L - digit, base);
            overflow |= Long.compareUnsigned(value, most) > 0;
            value = value * base + digit;
        }
        if (i == start || skipSpaces(text, i, end) < end) {
            return LuaValue.NIL;
        }
        long result = overflow ? -1L : negative ? -value : value;
        return LuaValue.valueOf(CNumbers.fromUnsigned(result));
    }

    private static int skipSpaces(LuaString text, int from, int end) {
        int i = from;
        while (i < end && CTypes.isSpace(text.luaByte(i))) {
            i++;
        }
        return i;
    }

    private static int digit(int c, int base) {
        int value = CTypes.isDigit(c) ? c - '0' : CTypes.isAlpha(c) ? CTypes.toLower(c) - 'a' + 10 : base;
        return value < base ? value : -1;
    }
}
