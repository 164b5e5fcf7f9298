package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.BITMAP;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.GrowableString;
import org.jspecify.annotations.Nullable;

/** Strings as arrays of bits. Stateless. */
public final class BitCommands {

    static final CommandException BAD_OFFSET = CommandException.err("bit offset is not an integer or out of range");
    private static final CommandException BAD_BIT = CommandException.err("bit is not an integer or out of range");
    private static final CommandException BAD_SOUGHT = CommandException.err("The bit argument must be 1 or 0.");

    private static final int FIRST_SOURCE = 3;

    private BitCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.write("SETBIT", exactly(3), BitCommands::setBit, DENYOOM)
                .key(Access.RW_ACCESS)
                .docs(
                        BITMAP,
                        "2.2.0",
                        "O(1)",
                        "key offset value:integer",
                        "Sets or clears a bit; the string grows if need be.");
        t.read("GETBIT", exactly(2), BitCommands::getBit, FAST)
                .key(Access.RO)
                .docs(BITMAP, "2.2.0", "O(1)", "key offset", "Answers a bit.");
        t.read("BITCOUNT", atLeast(1), BitCommands::bitCount)
                .key(Access.RO)
                .docs(BITMAP, "2.6.0", "O(N)", "key [start end [BYTE | BIT]]", "Counts the bits that are set.");
        t.read("BITPOS", atLeast(2), BitCommands::bitPos)
                .key(Access.RO)
                .docs(
                        BITMAP,
                        "2.8.7",
                        "O(N)",
                        "key bit [start [end [BYTE | BIT]]]",
                        "Finds the first bit that is set or clear.");
        t.write("BITOP", atLeast(3), BitCommands::bitOp, DENYOOM)
                .keys(2, 2, 1, Access.OW)
                .keys(FIRST_SOURCE, -1, 1, Access.RO)
                .docs(
                        BITMAP,
                        "2.6.0",
                        "O(N)",
                        "<AND | OR | XOR | NOT> destkey key [key ...]",
                        "Combines strings bit by bit and keeps the result.");
    }

    /** {@code SETBIT key offset value} */
    private static void setBit(Call call) {
        long offset = offset(call, call.request(), 2);
        int bit = bit(call, 3, BAD_BIT, BAD_BIT);
        Entry entry = call.findForWrite(1);
        Object value = StringValues.valueOf(entry);
        int length = (int) (offset >>> 3) + 1;
        boolean grows = value == null || StringValues.length(value) < length;
        GrowableString string = StringValues.growable(call, 1, entry, length);
        int old = Bits.get(string.array(), offset);
        if (grows || old != bit) {
            Bits.set(string.array(), offset, bit);
            call.changed(1, EventClass.STRING, "setbit");
        }
        call.reply().integer(old);
    }

    /** {@code GETBIT key offset} */
    private static void getBit(Call call) {
        long offset = offset(call, call.request(), 2);
        Object value = StringValues.valueOf(call.find(1));
        if (value == null || offset >>> 3 >= StringValues.length(value)) {
            call.reply().integer(0);
        } else {
            call.reply().integer(Bits.get(StringValues.array(value), offset));
        }
    }

    /** {@code BITCOUNT key [start end [BYTE | BIT]]} */
    private static void bitCount(Call call) {
        Object value = StringValues.valueOf(call.find(1));
        if (value == null) {
            call.reply().integer(0);
            return;
        }
        Range range = Range.all(value);
        if (call.argc() == 4 || call.argc() == 5) {
            long start = call.longArg(2);
            long end = call.longArg(3);
            if (start < 0 && end < 0 && start > end) {
                call.reply().integer(0);
                return;
            }
            range = Range.of(value, start, end, call.argc() == 5 && unitIsBit(call, 4));
        } else if (call.argc() != 2) {
            throw CommandException.SYNTAX;
        }
        call.reply().integer(range.isEmpty() ? 0 : Bits.count(StringValues.array(value), range.first, range.last));
    }

    /** {@code BITPOS key bit [start [end [BYTE | BIT]]]} */
    private static void bitPos(Call call) {
        int bit = bit(call, 2, CommandException.NOT_INTEGER, BAD_SOUGHT);
        Object value = StringValues.valueOf(call.find(1));
        if (value == null) {
            call.reply().integer(bit == 0 ? 0 : -1);
            return;
        }
        if (call.argc() > 6) {
            throw CommandException.SYNTAX;
        }
        Range range = Range.all(value);
        if (call.argc() > 3) {
            long start = call.longArg(3);
            boolean bits = call.argc() == 6 && unitIsBit(call, 5);
            range = Range.of(value, start, call.argc() > 4 ? call.longArg(4) : -1, bits);
        }
        long found = range.isEmpty() ? -1 : Bits.find(StringValues.array(value), bit, range.first, range.last);
        if (found < 0 && bit == 0 && call.argc() < 5 && !range.isEmpty()) {
            // Without an end, a string of ones goes on with zeros.
            found = range.last + 1;
        }
        call.reply().integer(found);
    }

    private static boolean unitIsBit(Call call, int index) {
        if (call.is(index, "BIT")) {
            return true;
        }
        if (call.is(index, "BYTE")) {
            return false;
        }
        throw CommandException.SYNTAX;
    }

    /** {@code BITOP <AND | OR | XOR | NOT> destkey key [key ...]} */
    private static void bitOp(Call call) {
        Bits.Operation operation = operation(call);
        if (operation == null && call.argc() != FIRST_SOURCE + 1) {
            throw CommandException.err("BITOP NOT must be called with a single source key.");
        }
        Object[] sources = new Object[call.argc() - FIRST_SOURCE];
        int longest = 0;
        for (int i = 0; i < sources.length; i++) {
            Object value = StringValues.valueOf(call.find(FIRST_SOURCE + i));
            sources[i] = value == null ? new byte[0] : value;
            longest = Math.max(longest, StringValues.length(sources[i]));
        }
        if (longest == 0) {
            Entry entry = call.findForWrite(2);
            if (entry != null) {
                call.remove(2, entry);
                call.changed(2, EventClass.GENERIC, "del");
            }
        } else {
            call.set(2, GrowableString.of(combine(operation, sources, longest)));
            call.changed(2, EventClass.STRING, "set");
        }
        call.reply().integer(longest);
    }

    private static byte[] combine(Bits.@Nullable Operation operation, Object[] sources, int longest) {
        byte[] result = new byte[longest];
        System.arraycopy(StringValues.array(sources[0]), 0, result, 0, StringValues.length(sources[0]));
        if (operation == null) {
            Bits.invert(result);
        } else {
            for (int i = 1; i < sources.length; i++) {
                Bits.combine(operation, result, StringValues.array(sources[i]), StringValues.length(sources[i]));
            }
        }
        return result;
    }

    /** The operation, or null for NOT. */
    private static Bits.@Nullable Operation operation(Call call) {
        for (Bits.Operation operation : Bits.Operation.values()) {
            if (call.is(1, operation.name())) {
                return operation;
            }
        }
        if (call.is(1, "NOT")) {
            return null;
        }
        throw CommandException.SYNTAX;
    }

    /** The number of a bit. @throws CommandException if it is none, or lies beyond the longest string */
    private static long offset(Call call, Request request, int index) {
        byte[] array = request.array(index);
        int from = request.offset(index);
        int length = request.length(index);
        long offset = Numbers.parseLong(array, from, length);
        if (offset < 0 || !isAddressable(call, offset)) { // what is no number is negative too
            throw BAD_OFFSET;
        }
        return offset;
    }

    static boolean isAddressable(Call call, long bit) {
        return bit >>> 3 < StringValues.maxLength(call);
    }

    /** 0 or 1. */
    private static int bit(Call call, int index, CommandException noNumber, CommandException noBit) {
        Request request = call.request();
        byte[] array = request.array(index);
        int offset = request.offset(index);
        int length = request.length(index);
        if (!Numbers.isLong(array, offset, length)) {
            throw noNumber;
        }
        long bit = Numbers.parseLong(array, offset, length);
        if (bit != 0 && bit != 1) {
            throw noBit;
        }
        return (int) bit;
    }

    /** Bits of a string, both ends inclusive. */
    private record Range(long first, long last) {

        static Range all(Object value) {
            return new Range(0, StringValues.length(value) * 8L - 1);
        }

        /** From one byte or bit to another; negative ones count from the end, -1 is the last. */
        static Range of(Object value, long start, long end, boolean bits) {
            long unit = bits ? 1 : 8;
            long length = StringValues.length(value) * 8L / unit;
            long from = Math.max(0, start < 0 ? length + start : start);
            long to = Math.min(length - 1, Math.max(0, end < 0 ? length + end : end));
            return from > to ? new Range(0, -1) : new Range(from * unit, to * unit + unit - 1);
        }

        boolean isEmpty() {
            return first > last;
        }
    }
}
