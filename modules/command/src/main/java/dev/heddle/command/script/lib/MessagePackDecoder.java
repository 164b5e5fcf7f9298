package dev.heddle.command.script.lib;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/**
 * MessagePack from untrusted bytes. Containers that are still open are kept in a stack of our own, so depth costs heap
 * and never overflows the thread's stack; how deep they may go is counted in the slots that the same work takes on
 * Lua's stack, of which a C function has 8000. A length that the data cannot fulfil costs nothing: elements are made as
 * their bytes come. Confined to one call.
 */
final class MessagePackDecoder {
    private final byte[] bytes;
    private final int end;
    private final List<LuaValue> values = new ArrayList<>();
    private final Deque<Container> open = new ArrayDeque<>();
    private int at;
    /** Slots of Lua's stack that would be in use by arguments, results, open containers and their pending keys. */
    private int slots;

    /** A table that is being filled. */
    private static final class Container {
        final LuaTable table = new LuaTable();
        final boolean map;
        long left;
        int index;

        @Nullable
        LuaValue key;

        Container(boolean map, long left) {
            this.map = map;
            this.left = left;
        }
    }

    MessagePackDecoder(LuaString data, int offset) {
        bytes = data.m_bytes;
        at = data.m_offset + offset;
        end = data.m_offset + data.m_length;
    }

    int remaining() {
        return end - at;
    }

    LuaValue[] values() {
        return values.toArray(new LuaValue[0]);
    }

    /** Decodes one value with all that it contains. */
    void decodeOne(int arguments) {
        slots = arguments + values.size();
        open.clear();
        LuaValue value = element();
        while (true) {
            if (value != null) {
                if (open.isEmpty()) {
                    values.add(value);
                    return;
                }
                put(open.getFirst(), value);
            }
            Container inner = open.getFirst();
            if (inner.left == 0) {
                open.removeFirst();
                slots--;
                value = inner.table;
            } else {
                if (!inner.map) {
                    slots++;
                }
                value = element();
            }
        }
    }

    private void put(Container container, LuaValue value) {
        if (!container.map) {
            slots--;
            container.table.rawset(++container.index, value);
            container.left--;
        } else if (container.key == null) {
            slots++;
            container.key = value;
        } else {
            slots--;
            LuaValue key = container.key;
            container.key = null;
            if (key.isnil() || !key.isvalidkey()) {
                throw new LibraryError(key.isnil() ? "table index is nil" : "table index is NaN");
            }
            container.table.rawset(key, value);
            container.left--;
        }
    }

    /** The next value, or null if a container was opened. */
    private @Nullable LuaValue element() {
        need(1);
        needSlots("too many return values at once; use unpack_one or unpack_limit instead.");
        int tag = bytes[at] & 0xff;
        if (tag < 0x80) {
            at++;
            return LuaValue.valueOf(tag);
        }
        if (tag >= 0xe0) {
            at++;
            return LuaValue.valueOf((byte) tag);
        }
        if (tag < 0x90) {
            at++;
            return container(true, tag & 0x0f);
        }
        if (tag < 0xa0) {
            at++;
            return container(false, tag & 0x0f);
        }
        if (tag < 0xc0) {
            return string(1, tag & 0x1f);
        }
        return tagged(tag);
    }

    private @Nullable LuaValue tagged(int tag) {
        return switch (tag) {
            case 0xc0 -> constant(LuaValue.NIL);
            case 0xc2 -> constant(LuaValue.FALSE);
            case 0xc3 -> constant(LuaValue.TRUE);
            case 0xca -> LuaValue.valueOf((double) Float.intBitsToFloat((int) number(4)));
            case 0xcb -> LuaValue.valueOf(Double.longBitsToDouble(number(8)));
            case 0xcc -> LuaValue.valueOf((int) number(1));
            case 0xcd -> LuaValue.valueOf((int) number(2));
            case 0xce -> LuaValue.valueOf((double) number(4));
            /* Lua 5.1 has no unsigned integers: the upper half comes out negative. */
            case 0xcf, 0xd3 -> LuaValue.valueOf((double) number(8));
            case 0xd0 -> LuaValue.valueOf((byte) number(1));
            case 0xd1 -> LuaValue.valueOf((short) number(2));
            case 0xd2 -> LuaValue.valueOf((int) number(4));
            case 0xd9 -> string(2, peek(1));
            case 0xda -> string(3, peek(2));
            case 0xdb -> string(5, peek(4));
            case 0xdc -> container(false, number(2));
            case 0xdd -> container(false, number(4));
            case 0xde -> container(true, number(2));
            case 0xdf -> container(true, number(4));
            default -> throw new LibraryError("Bad data format in input.");
        };
    }

    private LuaValue constant(LuaValue value) {
        at++;
        return value;
    }

    private @Nullable LuaValue container(boolean map, long count) {
        open.addFirst(new Container(map, count));
        slots++;
        if (!map) {
            needSlots("in function mp_decode_to_lua_array");
        }
        return null;
    }

    private LuaValue string(int header, long length) {
        need(header + length);
        int from = at + header;
        at = from + (int) length;
        return LuaString.valueUsing(Arrays.copyOfRange(bytes, from, at));
    }

    /** The unsigned number behind the tag; moves behind it. */
    private long number(int size) {
        long value = peek(size);
        at += 1 + size;
        return value;
    }

    private long peek(int size) {
        need(1 + size);
        long value = 0;
        for (int i = 1; i <= size; i++) {
            value = value << 8 | bytes[at + i] & 0xff;
        }
        return value;
    }

    private void need(long count) {
        if (count > end - at) {
            throw new LibraryError("Missing bytes in input.");
        }
    }

    private void needSlots(String what) {
        if (slots + 1 > StringLibrary.STACK_SLOTS) {
            throw new LibraryError("stack overflow (" + what + ")");
        }
    }
}
