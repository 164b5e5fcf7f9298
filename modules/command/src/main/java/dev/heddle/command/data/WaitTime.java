package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;
import java.math.BigDecimal;
import java.math.RoundingMode;

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
        byte[] array = request.array(index);
        int offset = request.offset(index);
        int length = request.length(index);
        if (Numbers.isInfinite(array, offset, length)) {
            throw array[offset] == '-' ? NEGATIVE : OUT_OF_RANGE;
        }
        BigDecimal seconds = Numbers.parseDecimal(array, offset, length);
        if (seconds == null) {
            throw NOT_FLOAT;
        }
        BigDecimal millis = seconds.movePointRight(3).setScale(0, RoundingMode.CEILING);
        if (millis.signum() < 0) {
            throw NEGATIVE;
        }
        if (millis.compareTo(BigDecimal.valueOf(Long.MAX_VALUE - call.now())) > 0) {
            throw OUT_OF_RANGE;
        }
        return millis.longValueExact();
    }
}
