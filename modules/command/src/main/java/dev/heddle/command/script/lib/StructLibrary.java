package dev.heddle.command.script.lib;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** The table "struct": numbers and strings to and from the bytes of C structures. */
final class StructLibrary {

    private StructLibrary() {}

    static LuaTable table() {
        LuaTable table = new ReadOnlyTable();
        LibraryFunction.define(table, "pack", StructLibrary::pack);
        LibraryFunction.define(table, "unpack", StructLibrary::unpack);
        LibraryFunction.define(table, "size", StructLibrary::size);
        return table;
    }

    private static Varargs pack(Args given) {
        StructFormat format = new StructFormat(given);
        /* A missing argument is read as the nil that marks where the results begin, so it is "nil", not "no value". */
        Args args = given.withNilBehind();
        ByteBuilder out = new ByteBuilder(64);
        int argument = 2;
        while (format.next()) {
            int size = format.size();
            out.repeat(0, format.padding(out.length()));
            switch (format.option()) {
                case 'x' -> out.add(0);
                case 'f' -> {
                    float value = (float) args.number(argument++);
                    putBits(out, format, Float.floatToRawIntBits(value) & 0xffffffffL, Float.isNaN(value));
                }
                case 'd' -> {
                    double value = args.number(argument++);
                    putBits(out, format, Double.doubleToRawLongBits(value), Double.isNaN(value));
                }
                case 'c', 's' -> {
                    LuaString text = args.string(argument++);
                    int count = size == 0 ? text.m_length : size;
                    if (text.m_length < count) {
                        throw args.bad(argument, "string too short");
                    }
                    out.add(text.m_bytes, text.m_offset, count);
                    if (format.option() == 's') {
                        out.add(0);
                    }
                }
                default -> {
                    if (format.isInteger()) {
                        double value = args.number(argument++);
                        long bits = value < 0 ? CNumbers.toLong(value) : CNumbers.toUnsignedLong(value);
                        put(out, format, bits);
                    } else {
                        format.control();
                    }
                }
            }
        }
        return out.toLuaString();
    }

    /** The sign of a NaN that arithmetic makes is set on x86. */
    private static void putBits(ByteBuilder out, StructFormat format, long bits, boolean nan) {
        put(out, format, nan ? bits | 1L << format.size() * 8 - 1 : bits);
    }

    private static void put(ByteBuilder out, StructFormat format, long value) {
        if (format.bigEndian()) {
            out.bigEndian(value, format.size());
        } else {
            out.littleEndian(value, format.size());
        }
    }

    private static Varargs unpack(Args args) {
        StructFormat format = new StructFormat(args);
        LuaString data = args.string(2);
        long position = args.integer(3, 1);
        if (position == 0) {
            throw args.bad(3, "offset must be 1 or greater");
        }
        position--;
        List<LuaValue> results = new ArrayList<>();
        while (format.next()) {
            int size = format.size();
            position += format.padding(position);
            checkRoom(args, data, position, size);
            if (args.count() + results.size() + 2 > StringLibrary.STACK_SLOTS) {
                throw new LibraryError("stack overflow (too many results)");
            }
            int from = data.m_offset + (int) position;
            switch (format.option()) {
                case 'x' -> {}
                case 'f' ->
                    results.add(LuaValue.valueOf(Float.intBitsToFloat((int) number(data.m_bytes, from, format))));
                case 'd' -> results.add(LuaValue.valueOf(Double.longBitsToDouble(number(data.m_bytes, from, format))));
                case 'c' -> {
                    if (size == 0) {
                        size = takeSize(args, results, data, position);
                    }
                    results.add(slice(data, from, size));
                }
                case 's' -> {
                    int length = stringLength(data, from);
                    results.add(slice(data, from, length));
                    size = length + 1;
                }
                default -> {
                    if (format.isInteger()) {
                        results.add(integer(data.m_bytes, from, format));
                    } else {
                        format.control();
                    }
                }
            }
            position += size;
        }
        results.add(LuaValue.valueOf((double) (position + 1)));
        return LuaValue.varargsOf(results.toArray(new LuaValue[0]));
    }

    private static void checkRoom(Args args, LuaString data, long position, long size) {
        if (Long.compareUnsigned(size, data.m_length) > 0 || Long.compareUnsigned(position, data.m_length - size) > 0) {
            throw args.bad(2, "data string too short");
        }
    }

    /** "c0" takes its length from the number before it, which then is no result of its own. */
    private static int takeSize(Args args, List<LuaValue> results, LuaString data, long position) {
        LuaValue last = results.isEmpty() ? LuaValue.NIL : results.get(results.size() - 1);
        double size;
        if (last instanceof LuaNumber) {
            size = last.todouble();
        } else {
            NumberScanner scanner = new NumberScanner();
            if (!(last instanceof LuaString text) || !scanner.wholeString(text)) {
                throw new LibraryError("format 'c0' needs a previous size");
            }
            size = scanner.value();
        }
        results.remove(results.size() - 1);
        long bytes = CNumbers.toUnsignedLong(size);
        checkRoom(args, data, position, bytes);
        return (int) bytes;
    }

    private static int stringLength(LuaString data, int from) {
        int end = data.m_offset + data.m_length;
        for (int i = from; i < end; i++) {
            if (data.m_bytes[i] == 0) {
                return i - from;
            }
        }
        throw new LibraryError("unfinished string in data");
    }

    /** The bytes as one number; of more than eight, the lowest eight. */
    private static long number(byte[] bytes, int from, StructFormat format) {
        long value = 0;
        int size = format.size();
        for (int i = 0; i < size; i++) {
            int index = format.bigEndian() ? i : size - 1 - i;
            value = value << 8 | bytes[from + index] & 0xff;
        }
        return value;
    }

    private static LuaValue integer(byte[] bytes, int from, StructFormat format) {
        long value = number(bytes, from, format);
        if (!format.isSigned()) {
            return LuaValue.valueOf(CNumbers.fromUnsigned(value));
        }
        /* Java, like the processor, takes a shift distance modulo 64, so sizes of 0 and beyond 8 bytes fit in. */
        long mask = -1L << format.size() * 8 - 1;
        return LuaValue.valueOf((double) ((value & mask) != 0 ? value | mask : value));
    }

    private static LuaString slice(LuaString data, int from, int length) {
        return LuaString.valueUsing(Arrays.copyOfRange(data.m_bytes, from, from + length));
    }

    private static Varargs size(Args args) {
        StructFormat format = new StructFormat(args);
        long position = 0;
        while (format.next()) {
            position += format.padding(position);
            if (format.option() == 's') {
                throw args.bad(1, "option 's' has no fixed size");
            }
            if (format.option() == 'c' && format.size() == 0) {
                throw args.bad(1, "option 'c0' has no fixed size");
            }
            if (!CTypes.isAlnum(format.option())) {
                format.control();
            }
            position += format.size();
        }
        return LuaValue.valueOf((double) position);
    }
}
