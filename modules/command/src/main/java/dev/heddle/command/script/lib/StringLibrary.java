package dev.heddle.command.script.lib;

import java.util.Arrays;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** The table "string" of Lua 5.1. Searching and formatting are in classes of their own. */
final class StringLibrary {

    /** Slots of Lua's stack that one C function may use, arguments and results together. */
    static final int STACK_SLOTS = 8_000;

    private StringLibrary() {}

    static LuaTable table() {
        LuaTable table = new ReadOnlyTable();
        LibraryFunction.define(table, "byte", StringLibrary::bytes);
        LibraryFunction.define(table, "char", StringLibrary::fromBytes);
        LibraryFunction.define(table, "dump", StringLibrary::dump);
        LibraryFunction.define(table, "format", StringFormat::format);
        LibraryFunction.define(table, "len", args -> LuaValue.valueOf(args.string(1).m_length));
        LibraryFunction.define(table, "lower", StringLibrary::lower);
        LibraryFunction.define(table, "rep", StringLibrary::rep);
        LibraryFunction.define(table, "reverse", StringLibrary::reverse);
        LibraryFunction.define(table, "sub", StringLibrary::sub);
        LibraryFunction.define(table, "upper", StringLibrary::upper);
        StringSearch.define(table);
        return table;
    }

    /** A position that may count from the end (-1 is the last byte) as one from the start, at least 0. */
    static long fromStart(long position, int length) {
        long result = position < 0 ? position + length + 1 : position;
        return Math.max(result, 0);
    }

    private static Varargs bytes(Args args) {
        LuaString text = args.string(1);
        long first = fromStart(args.integer(2, 1), text.m_length);
        long last = fromStart(args.integer(3, first), text.m_length);
        first = Math.max(first, 1);
        last = Math.min(last, text.m_length);
        if (first > last) {
            return LuaValue.NONE;
        }
        if (last - first + 1 + args.count() > STACK_SLOTS) {
            throw new LibraryError("stack overflow (string slice too long)");
        }
        LuaValue[] values = new LuaValue[(int) (last - first + 1)];
        for (int i = 0; i < values.length; i++) {
            values[i] = LuaValue.valueOf(text.luaByte((int) first - 1 + i));
        }
        return LuaValue.varargsOf(values);
    }

    private static Varargs fromBytes(Args args) {
        byte[] bytes = new byte[args.count()];
        for (int i = 0; i < bytes.length; i++) {
            int value = args.int32(i + 1);
            if ((value & 0xff) != value) {
                throw args.bad(i + 1, "invalid value");
            }
            bytes[i] = (byte) value;
        }
        return LuaString.valueUsing(bytes);
    }

    /** Byte code is never handed out: nothing could load it again. */
    private static Varargs dump(Args args) {
        args.function(1);
        throw new LibraryError("unable to dump given function");
    }

    private static Varargs lower(Args args) {
        byte[] bytes = copy(args.string(1));
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) CTypes.toLower(bytes[i]);
        }
        return LuaString.valueUsing(bytes);
    }

    private static Varargs upper(Args args) {
        byte[] bytes = copy(args.string(1));
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) CTypes.toUpper(bytes[i]);
        }
        return LuaString.valueUsing(bytes);
    }

    private static Varargs reverse(Args args) {
        LuaString text = args.string(1);
        byte[] bytes = new byte[text.m_length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = text.m_bytes[text.m_offset + bytes.length - 1 - i];
        }
        return LuaString.valueUsing(bytes);
    }

    private static Varargs rep(Args args) {
        LuaString text = args.string(1);
        int count = args.int32(2);
        if (count <= 0 || text.m_length == 0) {
            return LuaValue.EMPTYSTRING;
        }
        long length = (long) text.m_length * count;
        if (length > ByteBuilder.LIMIT) {
            throw new LibraryError("not enough memory");
        }
        byte[] bytes = new byte[(int) length];
        System.arraycopy(text.m_bytes, text.m_offset, bytes, 0, text.m_length);
        for (int done = text.m_length; done < bytes.length; done *= 2) {
            System.arraycopy(bytes, 0, bytes, done, Math.min(done, bytes.length - done));
        }
        return LuaString.valueUsing(bytes);
    }

    private static Varargs sub(Args args) {
        LuaString text = args.string(1);
        long first = Math.max(fromStart(args.integer(2), text.m_length), 1);
        long last = Math.min(fromStart(args.integer(3, -1), text.m_length), text.m_length);
        if (first > last) {
            return LuaValue.EMPTYSTRING;
        }
        return LuaString.valueOf(text.m_bytes, text.m_offset + (int) first - 1, (int) (last - first + 1));
    }

    private static byte[] copy(LuaString text) {
        return Arrays.copyOfRange(text.m_bytes, text.m_offset, text.m_offset + text.m_length);
    }
}
