package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;

/** How long a blocking command waits, given in seconds and fractions of them. Stateless. */
final class WaitTime {

    private static final CommandException NOT_FLOAT = CommandException.err("timeout is not a float or out of range");
    private static final CommandException NEGATIVE = CommandException.err("timeout is negative");
    private static final CommandException OUT_OF_RANGE = CommandException.err("timeout is out of range");

    private WaitTime() {}

    /**
     * Whole milliseconds, rounded up; 0 for ever.
     *
     * @throws CommandException "timeout is not a float or out of range", "timeout is negative", "timeout is out of range"
     */
    static long millis(Call call, int index) {
        Request request = call.request();
        double seconds = Numbers.parseDouble(request.array(index), request.offset(index), request.length(index));
        if (Double.isNaN(seconds)) {
            throw NOT_FLOAT;
        }
        double millis = Math.ceil(seconds * 1000);
        if (millis < 0) {
            throw NEGATIVE;
        }
        if (millis > Long.MAX_VALUE - call.now()) {
            throw OUT_OF_RANGE;
        }
        return (long) millis;
    }
}
