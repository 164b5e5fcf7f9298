package dev.heddle.command.script.lib;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/**
 * Lua values as JSON. Tables whose keys are all positive integers become arrays with null in the gaps, if not too
 * sparse; all others, and empty ones, become objects. Strings pass byte for byte, only controls, quote, backslash,
 * slash and DEL are escaped. Open tables are kept in a stack of our own; their depth is bounded by the setting and by
 * the slots that the same work takes on Lua's stack. Confined to one call.
 */
final class JsonEncoder {
    /** Slots that the encoder wants free on Lua's stack before it enters a table. */
    private static final int SLOTS_TO_ENTER = 3;

    private static final byte[] @Nullable [] ESCAPES = escapes();

    private final JsonSettings settings;
    private final ByteBuilder out = new ByteBuilder(256);
    private final Deque<Open> open = new ArrayDeque<>();
    private int slots = 1;

    /** A table of which the elements are being written. */
    private static final class Open {
        final LuaTable table;
        /** Number of elements, or 0 for an object. */
        final int length;

        int index;
        LuaValue key = LuaValue.NIL;

        Open(LuaTable table, int length) {
            this.table = table;
            this.length = length;
        }
    }

    JsonEncoder(JsonSettings settings) {
        this.settings = settings;
    }

    LuaString encode(LuaValue value) {
        add(value);
        while (!open.isEmpty()) {
            Open innermost = open.getFirst();
            if (innermost.length > 0) {
                nextElement(innermost);
            } else {
                nextMember(innermost);
            }
        }
        return out.toLuaString();
    }

    private void nextElement(Open array) {
        if (array.index == array.length) {
            close(']', 1);
            return;
        }
        if (array.index > 0) {
            out.add(',');
        }
        add(array.table.rawget(++array.index));
    }

    private void nextMember(Open object) {
        Varargs pair = object.table.next(object.key);
        LuaValue key = pair.arg1();
        if (key.isnil()) {
            close('}', 2);
            return;
        }
        if (!object.key.isnil()) {
            out.add(',');
        }
        object.key = key;
        if (key instanceof LuaNumber) {
            out.add('"');
            addNumber(key.todouble());
            out.ascii("\":");
        } else if (key instanceof LuaString text) {
            addString(text);
            out.add(':');
        } else {
            throw refused(key, "table key must be a number or string");
        }
        add(pair.arg(2));
    }

    private void add(LuaValue value) {
        if (value instanceof LuaString text) {
            addString(text);
        } else if (value instanceof LuaNumber) {
            addNumber(value.todouble());
        } else if (value.isboolean()) {
            out.ascii(value.toboolean() ? "true" : "false");
        } else if (value instanceof LuaTable table) {
            enter(table);
        } else if (value.isnil() || value == NullPointer.NULL) {
            out.ascii("null");
        } else {
            throw refused(value, "type not supported");
        }
    }

    private void enter(LuaTable table) {
        int depth = open.size() + 1;
        if (depth > settings.encodeMaxDepth || slots + SLOTS_TO_ENTER > StringLibrary.STACK_SLOTS) {
            throw new LibraryError("Cannot serialise, excessive nesting (" + depth + ")");
        }
        int length = Math.max(arrayLength(table), 0);
        out.add(length > 0 ? '[' : '{');
        slots += length > 0 ? 1 : 2;
        open.addFirst(new Open(table, length));
    }

    private void close(char bracket, int freed) {
        out.add(bracket);
        slots -= freed;
        open.removeFirst();
    }

    /** The largest index if the table is to be an array, else less than 1. */
    private int arrayLength(LuaTable table) {
        int most = 0;
        int items = 0;
        for (Varargs pair = table.next(LuaValue.NIL); !pair.isnil(1); pair = table.next(pair.arg1())) {
            if (!(pair.arg1() instanceof LuaNumber number)) {
                return -1;
            }
            double key = number.todouble();
            if (key < 1 || Math.floor(key) != key) {
                return -1;
            }
            if (key > most) {
                most = key > Integer.MAX_VALUE ? Integer.MIN_VALUE : (int) key;
            }
            items++;
        }
        if (settings.sparseRatio > 0 && most > items * settings.sparseRatio && most > settings.sparseSafe) {
            if (settings.sparseConvert == JsonSettings.OFF) {
                throw refused(table, "excessively sparse array");
            }
            return -1;
        }
        return most;
    }

    private void addNumber(double value) {
        boolean invalid = Double.isNaN(value) || Double.isInfinite(value);
        if (invalid && settings.encodeInvalidNumbers == JsonSettings.OFF) {
            throw new LibraryError("Cannot serialise number: must not be NaN or Inf");
        }
        if (invalid && settings.encodeInvalidNumbers == JsonSettings.AS_NULL) {
            out.ascii("null");
        } else if (Double.isNaN(value)) {
            out.ascii("nan");
        } else {
            CNumbers.appendText(out, value, settings.numberPrecision);
        }
    }

    private void addString(LuaString text) {
        out.add('"');
        int end = text.m_offset + text.m_length;
        int plain = text.m_offset;
        for (int i = plain; i < end; i++) {
            byte[] escape = ESCAPES[text.m_bytes[i] & 0xff];
            if (escape != null) {
                out.add(text.m_bytes, plain, i - plain);
                out.add(escape, 0, escape.length);
                plain = i + 1;
            }
        }
        out.add(text.m_bytes, plain, end - plain);
        out.add('"');
    }

    private static LibraryError refused(LuaValue value, String reason) {
        return new LibraryError("Cannot serialise " + value.typename() + ": " + reason);
    }

    private static byte[] @Nullable [] escapes() {
        byte[] @Nullable [] table = new byte[256][];
        for (int c = 0; c < ' '; c++) {
            table[c] = ascii(String.format("\\u%04x", c));
        }
        table['\b'] = ascii("\\b");
        table['\t'] = ascii("\\t");
        table['\n'] = ascii("\\n");
        table['\f'] = ascii("\\f");
        table['\r'] = ascii("\\r");
        table['"'] = ascii("\\\"");
        table['/'] = ascii("\\/");
        table['\\'] = ascii("\\\\");
        table[127] = ascii("\\u007f");
        return table;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }
}
