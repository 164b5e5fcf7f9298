package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;
import java.util.ArrayList;
import java.util.List;

/**
 * One operation of BITFIELD: what it does to which number.
 *
 * <p>Immutable.
 *
 * @param operand the value to set, or the increment
 */
record BitField(Kind kind, Overflow overflow, boolean signed, int width, long offset, long operand) {

    enum Kind {
        GET,
        SET,
        INCRBY
    }

    /** What becomes of a number that does not fit. */
    enum Overflow {
        /** Its lowest bits. */
        WRAP,
        /** The greatest or least number that fits. */
        SAT,
        /** Nothing is written, and nil answered. */
        FAIL
    }

    /**
     * What an operation comes to.
     *
     * @param failed whether nothing is to be written; then the rest means nothing
     * @param value what to write
     * @param answer what to reply
     */
    record Outcome(boolean failed, long value, long answer) {}

    private static final CommandException BAD_TYPE = CommandException.err(
            "Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.");
    private static final CommandException BAD_OVERFLOW = CommandException.err("Invalid OVERFLOW type specified");

    /** All operations of a request. @throws CommandException if one of them is no good */
    static List<BitField> parse(Call call) {
        List<BitField> fields = new ArrayList<>();
        Overflow overflow = Overflow.WRAP;
        for (int i = 2; i < call.argc(); ) {
            int rest = call.argc() - i - 1;
            if (call.is(i, "OVERFLOW") && rest >= 1) {
                overflow = overflowAt(call, i + 1);
                i += 2;
            } else if (call.is(i, "GET") && rest >= 2) {
                fields.add(fieldAt(call, i, Kind.GET, overflow));
                i += 3;
            } else if (call.is(i, "SET") && rest >= 3) {
                fields.add(fieldAt(call, i, Kind.SET, overflow));
                i += 4;
            } else if (call.is(i, "INCRBY") && rest >= 3) {
                fields.add(fieldAt(call, i, Kind.INCRBY, overflow));
                i += 4;
            } else {
                throw CommandException.SYNTAX;
            }
        }
        return fields;
    }

    private static Overflow overflowAt(Call call, int index) {
        for (Overflow overflow : Overflow.values()) {
            if (call.is(index, overflow.name())) {
                return overflow;
            }
        }
        throw BAD_OVERFLOW;
    }

    private static BitField fieldAt(Call call, int index, Kind kind, Overflow overflow) {
        Request request = call.request();
        byte[] array = request.array(index + 1);
        int from = request.offset(index + 1);
        int length = request.length(index + 1);
        boolean signed = length > 0 && array[from] == 'i';
        if (!signed && (length == 0 || array[from] != 'u')) {
            throw BAD_TYPE;
        }
        long width = Numbers.parseLong(array, from + 1, length - 1); // what is no number is negative
        if (width < 1 || width > (signed ? 64 : 63)) {
            throw BAD_TYPE;
        }
        long offset = offsetAt(call, index + 2, (int) width);
        long operand = kind == Kind.GET ? 0 : call.longArg(index + 3);
        return new BitField(kind, overflow, signed, (int) width, offset, operand);
    }

    /** An offset in bits, or after a {@code #} in numbers of this width. */
    private static long offsetAt(Call call, int index, int width) {
        Request request = call.request();
        byte[] array = request.array(index);
        int from = request.offset(index);
        int length = request.length(index);
        int sign = length > 0 && array[from] == '#' ? 1 : 0;
        long offset = Numbers.parseLong(array, from + sign, length - sign);
        int unit = sign == 1 ? width : 1;
        if (offset < 0 || offset > Long.MAX_VALUE / unit || !BitCommands.isAddressable(call, offset * unit)) {
            throw BitCommands.BAD_OFFSET;
        }
        return offset * unit;
    }

    boolean writes() {
        return kind != Kind.GET;
    }

    long lastBit() {
        return offset + width - 1;
    }

    /** The number as it stands in a string, of which the first {@code length} bytes count. */
    long read(byte[] bytes, int length) {
        long raw = Bits.field(bytes, length, offset, width);
        return signed ? extended(raw) : raw;
    }

    /** What the operation makes of the number that is there. */
    Outcome apply(long old) {
        return switch (kind) {
            case GET -> new Outcome(false, old, old);
            case SET -> {
                int excess = excess(operand);
                yield new Outcome(fails(excess), fitted(operand, excess), old);
            }
            case INCRBY -> {
                int excess = excess(old, operand);
                long value = fitted(old + operand, excess);
                yield new Outcome(fails(excess), value, value);
            }
        };
    }

    private boolean fails(int excess) {
        return excess != 0 && overflow == Overflow.FAIL;
    }

    private long max() {
        return signed ? ~least() : (1L << width) - 1;
    }

    private long least() {
        return signed ? -1L << (width - 1) : 0;
    }

    /**
     * 1 if a value is too great, -1 if too small, 0 if it fits. To an unsigned number, a negative value is a very great one; so are to a
     * signed one the most negative values of all, those whose distance from the greatest that fits is no long: Redis's clients know
     * it so.
     */
    private int excess(long value) {
        if (value > max() || (!signed && value < 0) || (width < Long.SIZE && max() - value < 0)) {
            return 1;
        }
        return value < least() ? -1 : 0;
    }

    /** The same for a sum, which may not even fit a long; {@code old} itself fits. */
    private int excess(long old, long increment) {
        if (increment >= 0) {
            return increment > max() - old && !(max() - old < 0) ? 1 : 0;
        }
        return increment < least() - old && !(least() - old > 0) ? -1 : 0;
    }

    private long fitted(long value, int excess) {
        if (excess == 0) {
            return value;
        }
        if (overflow == Overflow.SAT) {
            return excess > 0 ? max() : least();
        }
        return signed ? extended(value) : value & max();
    }

    /** The lowest bits as a signed number. */
    private long extended(long value) {
        int unused = Long.SIZE - width;
        return value << unused >> unused;
    }
}
