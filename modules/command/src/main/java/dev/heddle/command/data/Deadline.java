package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;

/** The four ways to say when a key expires. Immutable. */
enum Deadline {
    /** In some seconds. */
    EX(1000, true),
    /** In some milliseconds. */
    PX(1, true),
    /** At a time in seconds since the epoch. */
    EXAT(1000, false),
    /** At a time in milliseconds since the epoch. */
    PXAT(1, false);

    private final int unitMillis;
    private final boolean relative;

    Deadline(int unitMillis, boolean relative) {
        this.unitMillis = unitMillis;
        this.relative = relative;
    }

    boolean relative() {
        return relative;
    }

    /**
     * The moment that an argument means, in milliseconds since the epoch; always positive.
     *
     * @throws CommandException "value is not an integer or out of range", "invalid expire time in 'set' command"
     */
    long read(Call call, int index) {
        long given = call.longArg(index);
        if (given <= 0 || given > Long.MAX_VALUE / unitMillis) {
            throw invalid(call);
        }
        long at = given * unitMillis + (relative ? call.clockMillis() : 0);
        if (at <= 0) {
            throw invalid(call);
        }
        return at;
    }

    /** The error about a time that cannot be. */
    static CommandException invalid(Call call) {
        return CommandException.err("invalid expire time in '" + call.spec().fullName() + "' command");
    }
}
