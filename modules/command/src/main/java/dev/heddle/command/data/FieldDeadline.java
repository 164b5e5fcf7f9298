package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;

/** Reads when fields expire. Stateless. */
final class FieldDeadline {

    /** The last moment at which a field can expire, in milliseconds since the epoch: 46 bits, as in Redis. */
    private static final long LAST = (1L << 46) - 1;

    private static final CommandException NEGATIVE = CommandException.err("invalid expire time, must be >= 0");

    private FieldDeadline() {}

    /**
     * The moment that an argument means, in milliseconds since the epoch: perhaps one in the past.
     *
     * @param unit how many milliseconds the argument's unit has
     * @param relative whether it counts from now on
     * @throws CommandException "value is not an integer or out of range", "invalid expire time, must be &gt;= 0", "invalid expire time in
     *     'hexpire' command"
     */
    static long read(Call call, int index, int unit, boolean relative) {
        long given = call.longArg(index);
        if (given < 0) {
            throw NEGATIVE;
        }
        long base = relative ? call.clockMillis() : 0;
        if (given > LAST / unit || given * unit > LAST - base) {
            throw Deadline.invalid(call);
        }
        return base + given * unit;
    }

    /** As {@link #read(Call, int, int, boolean)}, for an option such as EX. */
    static long read(Call call, int index, Deadline option) {
        return switch (option) {
            case EX -> read(call, index, 1000, true);
            case PX -> read(call, index, 1, true);
            case EXAT -> read(call, index, 1000, false);
            case PXAT -> read(call, index, 1, false);
        };
    }
}
