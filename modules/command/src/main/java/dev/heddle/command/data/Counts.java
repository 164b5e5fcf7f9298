package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;

/** Reads arguments that say how many elements are wanted. Stateless. */
final class Counts {

    /** More elements than this do not fit into one reply: its header, or what it costs, would be beyond any memory. */
    private static final long MOST = 1 << 30;

    private static final CommandException BEYOND_LONG = CommandException.err(
            "value is out of range, value must between -" + Long.MAX_VALUE + " and " + Long.MAX_VALUE);
    private static final CommandException OUT_OF_RANGE = CommandException.err("value is out of range");

    private Counts() {}

    /**
     * A count whose sign says whether an element may come more than once; with repetition at most 2^30.
     *
     * @throws CommandException "value is not an integer or out of range", "value is out of range" (with or without the range)
     */
    static long signed(Call call, int index) {
        long count = call.longArg(index);
        if (count == Long.MIN_VALUE) {
            throw BEYOND_LONG;
        }
        if (count < -MOST) {
            throw OUT_OF_RANGE;
        }
        return count;
    }

    /** @throws CommandException the error text given, also if the argument is no integer */
    static long inRange(Call call, int index, long least, long most, String error) {
        Request request = call.request();
        byte[] array = request.array(index);
        int offset = request.offset(index);
        int length = request.length(index);
        long value = Numbers.parseLong(array, offset, length);
        if (value < least || value > most || !Numbers.isLong(array, offset, length)) {
            throw CommandException.err(error);
        }
        return value;
    }
}
