package dev.heddle.command.admin;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;

/** Time limits given as whole milliseconds. Stateless. */
final class Timeouts {

    private Timeouts() {}

    /**
     * When a limit is over, in milliseconds since the epoch; 0 if the argument is 0.
     *
     * @throws CommandException "timeout is not an integer or out of range", "timeout is negative", "timeout is out of range"
     */
    static long end(Call call, int index) {
        long millis;
        try {
            millis = call.longArg(index);
        } catch (CommandException notANumber) {
            throw CommandException.err("timeout is not an integer or out of range");
        }
        if (millis < 0) {
            throw CommandException.err("timeout is negative");
        }
        if (millis > Long.MAX_VALUE - call.now()) {
            throw CommandException.err("timeout is out of range");
        }
        return millis == 0 ? 0 : call.now() + millis;
    }
}
