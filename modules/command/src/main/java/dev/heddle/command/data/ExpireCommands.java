package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.GENERIC;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.store.Entry;

/** Times to live. Stateless. */
public final class ExpireCommands {

    private static final int SECOND = 1000;
    private static final int MILLISECOND = 1;

    private static final int NO_KEY = -2;
    private static final int NO_DEADLINE = -1;

    private static final String CONDITION = " [NX | XX | GT | LT]";

    private ExpireCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.write("EXPIRE", atLeast(2), call -> expire(call, SECOND, call.clockMillis()), FAST)
                .key(Access.RW)
                .docs(GENERIC, "1.0.0", "O(1)", "key seconds" + CONDITION, "Gives a key some seconds to live.");
        t.write("PEXPIRE", atLeast(2), call -> expire(call, MILLISECOND, call.clockMillis()), FAST)
                .key(Access.RW)
                .docs(
                        GENERIC,
                        "2.6.0",
                        "O(1)",
                        "key milliseconds" + CONDITION,
                        "Gives a key some milliseconds to live.");
        t.write("EXPIREAT", atLeast(2), call -> expire(call, SECOND, 0), FAST)
                .key(Access.RW)
                .docs(
                        GENERIC,
                        "1.2.0",
                        "O(1)",
                        "key unix-time-seconds" + CONDITION,
                        "Says when a key expires, in seconds since the epoch.");
        t.write("PEXPIREAT", atLeast(2), call -> expire(call, MILLISECOND, 0), FAST)
                .key(Access.RW)
                .docs(
                        GENERIC,
                        "2.6.0",
                        "O(1)",
                        "key unix-time-milliseconds" + CONDITION,
                        "Says when a key expires, in milliseconds since the epoch.");
        t.write("PERSIST", exactly(1), ExpireCommands::persist, FAST)
                .key(Access.RW)
                .docs(GENERIC, "2.2.0", "O(1)", "key", "Lets a key live on for ever.");
        t.read("TTL", exactly(1), call -> timeLeft(call, SECOND, call.now()), FAST)
                .key(Access.RO)
                .tips("nondeterministic_output")
                .docs(GENERIC, "1.0.0", "O(1)", "key", "Answers how many seconds a key has to live.");
        t.read("PTTL", exactly(1), call -> timeLeft(call, MILLISECOND, call.now()), FAST)
                .key(Access.RO)
                .tips("nondeterministic_output")
                .docs(GENERIC, "2.6.0", "O(1)", "key", "Answers how many milliseconds a key has to live.");
        t.read("EXPIRETIME", exactly(1), call -> timeLeft(call, SECOND, 0), FAST)
                .key(Access.RO)
                .docs(GENERIC, "7.0.0", "O(1)", "key", "Answers when a key expires, in seconds since the epoch.");
        t.read("PEXPIRETIME", exactly(1), call -> timeLeft(call, MILLISECOND, 0), FAST)
                .key(Access.RO)
                .docs(GENERIC, "7.0.0", "O(1)", "key", "Answers when a key expires, in milliseconds since the epoch.");
    }

    /**
     * {@code EXPIRE key time [NX | XX] [GT | LT]} and its three relatives.
     *
     * @param unit milliseconds per unit of the argument
     * @param base what the argument counts from, in milliseconds since the epoch
     */
    private static void expire(Call call, int unit, long base) {
        Condition condition = Condition.of(call);
        long at = call.longArg(2);
        if (at > Long.MAX_VALUE / unit || at < Long.MIN_VALUE / unit) {
            throw Deadline.invalid(call);
        }
        at *= unit;
        if (at > Long.MAX_VALUE - base) {
            throw Deadline.invalid(call);
        }
        at += base;
        Entry entry = call.findForWrite(1);
        if (entry == null || !condition.allows(entry.expireAt(), at)) {
            call.reply().integer(0);
            return;
        }
        if (at <= call.now()) {
            call.remove(1, entry);
            call.changed(1, EventClass.GENERIC, "del");
            if (call.recorded()) {
                call.effect("DEL", call.arg(1));
            }
        } else {
            call.expireAt(1, entry, at);
            call.changed(1, EventClass.GENERIC, "expire");
            if (call.recorded()) {
                call.effect("PEXPIREAT", call.arg(1), Numbers.toBytes(at));
            }
        }
        call.reply().integer(1);
    }

    /** {@code TTL key} and its three relatives; parameters as for {@link #expire}. */
    private static void timeLeft(Call call, int unit, long base) {
        Entry entry = call.look(1);
        long answer;
        if (entry == null) {
            answer = NO_KEY;
        } else if (entry.expireAt() == Entry.NEVER) {
            answer = NO_DEADLINE;
        } else {
            long millis = Math.max(0, entry.expireAt() - base);
            answer = unit == MILLISECOND ? millis : rounded(millis);
        }
        call.reply().integer(answer);
    }

    /** Whole seconds: to the nearest, so that a key that was just given ten seconds has ten. */
    private static long rounded(long millis) {
        return millis / SECOND + (millis % SECOND >= SECOND / 2 ? 1 : 0);
    }

    /** {@code PERSIST key} */
    private static void persist(Call call) {
        Entry entry = call.findForWrite(1);
        boolean persists = entry != null && entry.expireAt() != Entry.NEVER;
        if (entry != null && persists) {
            call.expireAt(1, entry, Entry.NEVER);
            call.changed(1, EventClass.GENERIC, "persist");
        }
        call.reply().integer(persists ? 1 : 0);
    }

    /** When a new deadline may take the place of the old one; a key that stays for ever has the greatest deadline of all. */
    private record Condition(boolean ifNone, boolean ifAny, boolean ifGreater, boolean ifLess) {

        static Condition of(Call call) {
            boolean ifNone = false;
            boolean ifAny = false;
            boolean ifGreater = false;
            boolean ifLess = false;
            for (int i = 3; i < call.argc(); i++) {
                if (call.is(i, "NX")) {
                    ifNone = true;
                } else if (call.is(i, "XX")) {
                    ifAny = true;
                } else if (call.is(i, "GT")) {
                    ifGreater = true;
                } else if (call.is(i, "LT")) {
                    ifLess = true;
                } else {
                    throw CommandException.err("Unsupported option " + call.text(i));
                }
            }
            if (ifNone && (ifAny || ifGreater || ifLess)) {
                throw CommandException.err("NX and XX, GT or LT options at the same time are not compatible");
            }
            if (ifGreater && ifLess) {
                throw CommandException.err("GT and LT options at the same time are not compatible");
            }
            return new Condition(ifNone, ifAny, ifGreater, ifLess);
        }

        boolean allows(long current, long at) {
            boolean none = current == Entry.NEVER;
            return !(ifNone && !none)
                    && !(ifAny && none)
                    && !(ifGreater && (none || at <= current))
                    && !(ifLess && !none && at >= current);
        }
    }
}
