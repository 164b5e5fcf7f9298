package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/**
 * Lua values as MessagePack: numbers that are whole as the shortest integer, others as a float if that is exact; tables
 * with exactly the keys 1 to n as arrays, others as maps; what has no form in MessagePack, and tables nested deeper
 * than 16, as nil. Confined to one call.
 */
final class MessagePackEncoder {
    private static final int MAX_NESTING = 16;
    private static final long UNSIGNED_32 = 0xffffffffL;

    private final ByteBuilder out = new ByteBuilder(64);

    LuaString toLuaString() {
        return out.toLuaString();
    }

    void add(LuaValue value, int level) {
        if (value instanceof LuaString text) {
            addString(text);
        } else if (value instanceof LuaNumber) {
            addNumber(value.todouble());
        } else if (value.isboolean()) {
            out.add(value.toboolean() ? 0xc3 : 0xc2);
        } else if (value instanceof LuaTable table && level < MAX_NESTING) {
            if (isArray(table)) {
                addArray(table, level);
            } else {
                addMap(table, level);
            }
        } else {
            out.add(0xc0);
        }
    }

    private void addString(LuaString text) {
        int length = text.m_length;
        if (length < 32) {
            out.add(0xa0 | length);
        } else if (length <= 0xff) {
            tagged(0xd9, length, 1);
        } else if (length <= 0xffff) {
            tagged(0xda, length, 2);
        } else {
            tagged(0xdb, length, 4);
        }
        out.add(text);
    }

    private void addNumber(double value) {
        long whole = CNumbers.toLong(value);
        if (whole == value && value != 0x1p63) {
            addInteger(whole);
        } else if ((double) (float) value == value) {
            tagged(0xca, Float.floatToRawIntBits((float) value) & UNSIGNED_32, 4);
        } else {
            /* The NaN that x86 makes has its sign set. */
            long bits = Double.doubleToRawLongBits(value);
            tagged(0xcb, Double.isNaN(value) ? bits | Long.MIN_VALUE : bits, 8);
        }
    }

    private void addInteger(long value) {
        if (value >= 0) {
            if (value <= 127) {
                out.add((int) value);
            } else if (value <= 0xff) {
                tagged(0xcc, value, 1);
            } else if (value <= 0xffff) {
                tagged(0xcd, value, 2);
            } else if (value <= UNSIGNED_32) {
                tagged(0xce, value, 4);
            } else {
                tagged(0xcf, value, 8);
            }
        } else if (value >= -32) {
            out.add((int) value);
        } else if (value >= Byte.MIN_VALUE) {
            tagged(0xd0, value, 1);
        } else if (value >= Short.MIN_VALUE) {
            tagged(0xd1, value, 2);
        } else if (value >= Integer.MIN_VALUE) {
            tagged(0xd2, value, 4);
        } else {
            tagged(0xd3, value, 8);
        }
    }

    private void addArray(LuaTable table, int level) {
        int length = table.rawlen();
        header(0x90, 0xdc, length);
        for (int i = 1; i <= length; i++) {
            add(table.get(i), level + 1);
        }
    }

    private void addMap(LuaTable table, int level) {
        int count = 0;
        for (Varargs pair = table.next(LuaValue.NIL); !pair.isnil(1); pair = table.next(pair.arg1())) {
            count++;
        }
        header(0x80, 0xde, count);
        for (Varargs pair = table.next(LuaValue.NIL); !pair.isnil(1); pair = table.next(pair.arg1())) {
            add(pair.arg1(), level + 1);
            add(pair.arg(2), level + 1);
        }
    }

    /** Whether the keys are exactly 1 to n. */
    private static boolean isArray(LuaTable table) {
        int count = 0;
        int most = 0;
        for (Varargs pair = table.next(LuaValue.NIL); !pair.isnil(1); pair = table.next(pair.arg1())) {
            if (!(pair.arg1() instanceof LuaNumber key)
                    || key.todouble() <= 0
                    || (int) key.todouble() != key.todouble()) {
                return false;
            }
            most = Math.max(most, key.toint());
            count++;
        }
        return most == count;
    }

    private void header(int small, int large, int count) {
        if (count <= 15) {
            out.add(small | count);
        } else if (count <= 0xffff) {
            tagged(large, count, 2);
        } else {
            tagged(large + 1, count, 4);
        }
    }

    private void tagged(int tag, long value, int size) {
        out.add(tag);
        out.bigEndian(value, size);
    }
}
