package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.HASH;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.Handler;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.store.value.FieldDeadlines;
import dev.heddle.store.value.HashValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Fields that expire: setting, asking for and clearing their deadlines. Stateless. */
public final class HashFieldExpiryCommands {

    private static final int NO_FIELD = -2;
    private static final int NO_DEADLINE = -1;
    private static final int CONDITION_NOT_MET = 0;
    private static final int DONE = 1;
    private static final int DELETED = 2;

    private static final String ASKING = "key FIELDS numfields field [field ...]";

    private HashFieldExpiryCommands() {}

    public static void declare(CommandTable.Builder t) {
        expiring(t, "HEXPIRE", "seconds", call -> expire(call, 1000, true), "Makes fields expire after some seconds.");
        expiring(
                t,
                "HPEXPIRE",
                "milliseconds",
                call -> expire(call, 1, true),
                "Makes fields expire after some milliseconds.");
        expiring(
                t,
                "HEXPIREAT",
                "unix-time-seconds",
                call -> expire(call, 1000, false),
                "Makes fields expire at a time in seconds since the epoch.");
        expiring(
                t,
                "HPEXPIREAT",
                "unix-time-milliseconds",
                call -> expire(call, 1, false),
                "Makes fields expire at a time in milliseconds since the epoch.");
        asking(t, "HTTL", call -> ask(call, 1000, true), "Answers in how many seconds fields expire.");
        asking(t, "HPTTL", call -> ask(call, 1, true), "Answers in how many milliseconds fields expire.");
        asking(
                t,
                "HEXPIRETIME",
                call -> ask(call, 1000, false),
                "Answers when fields expire, in seconds since the epoch.");
        asking(
                t,
                "HPEXPIRETIME",
                call -> ask(call, 1, false),
                "Answers when fields expire, in milliseconds since the epoch.");
        t.write("HPERSIST", atLeast(4), HashFieldExpiryCommands::hpersist, FAST)
                .key(Access.RW)
                .docs(HASH, "7.4.0", "O(N) for N fields", ASKING, "Makes fields stay that would expire.");
    }

    private static void expiring(CommandTable.Builder t, String name, String unit, Handler handler, String summary) {
        t.write(name, atLeast(5), handler, DENYOOM, FAST)
                .key(Access.RW)
                .docs(
                        HASH,
                        "7.4.0",
                        "O(N) for N fields",
                        "key " + unit + " [NX | XX | GT | LT] FIELDS numfields field [field ...]",
                        summary);
    }

    private static void asking(CommandTable.Builder t, String name, Handler handler, String summary) {
        t.read(name, atLeast(4), handler, FAST)
                .key(Access.RO)
                .docs(HASH, "7.4.0", "O(N) for N fields", ASKING, summary);
    }

    /** When a deadline is set; the field that has none counts as one that expires never. */
    private enum Condition {
        ALWAYS,
        NX,
        XX,
        GT,
        LT;

        static Condition at(Call call, int index) {
            for (Condition condition : values()) {
                if (condition != ALWAYS && call.is(index, condition.name().toUpperCase(Locale.ROOT))) {
                    return condition;
                }
            }
            return ALWAYS;
        }

        boolean allows(long present, long wanted) {
            return switch (this) {
                case ALWAYS -> true;
                case NX -> present == FieldDeadlines.NONE;
                case XX -> present != FieldDeadlines.NONE;
                case GT -> present != FieldDeadlines.NONE && wanted > present;
                case LT -> present == FieldDeadlines.NONE || wanted < present;
            };
        }
    }

    /** {@code HEXPIRE key seconds [NX | XX | GT | LT] FIELDS numfields field [field ...]}, and its three relatives. */
    private static void expire(Call call, int unit, boolean relative) {
        call.write(1, HashValue.class);
        long at = FieldDeadline.read(call, 2, unit, relative);
        Condition condition = Condition.at(call, 3);
        int first = FieldArguments.first(
                call, condition == Condition.ALWAYS ? 3 : 4, "Parameter `numFields` should be greater than 0");
        HashValue hash = HashFields.forWrite(call, first, call.argc(), 1);
        if (hash == null) {
            replyNoFields(call, first);
            return;
        }
        List<byte[]> set = new ArrayList<>();
        List<byte[]> deleted = new ArrayList<>();
        call.reply().array(call.argc() - first);
        for (int i = first; i < call.argc(); i++) {
            int code = expire(call, hash, i, at, condition);
            if (code == DONE) {
                set.add(call.arg(i));
            } else if (code == DELETED) {
                deleted.add(call.arg(i));
            }
            call.reply().integer(code);
        }
        tellExpire(call, hash, at, set, deleted);
    }

    private static int expire(Call call, HashValue hash, int index, long at, Condition condition) {
        if (!HashFields.contains(call, hash, index)) {
            return NO_FIELD;
        }
        if (!condition.allows(HashFields.deadline(call, hash, index), at)) {
            return CONDITION_NOT_MET;
        }
        if (at <= call.now()) {
            HashFields.remove(call, hash, index);
            return DELETED;
        }
        HashFields.expireAt(call, hash, index, at);
        return DONE;
    }

    /** Sees to the consequences of deadlines: of one in the future, or of one that has passed, by which the fields are gone. */
    static void tellExpire(Call call, HashValue hash, long at, List<byte[]> set, List<byte[]> deleted) {
        if (!set.isEmpty()) {
            call.changed(1, EventClass.HASH, "hexpire");
            call.countChanges(set.size() - 1);
            FieldEffects.expireAt(call, at, set);
        }
        if (!deleted.isEmpty()) {
            call.changed(1, EventClass.HASH, "hdel");
            call.countChanges(deleted.size() - 1);
            FieldEffects.delete(call, deleted);
        }
        HashFields.settle(call, hash, false);
    }

    private static void replyNoFields(Call call, int first) {
        call.reply().array(call.argc() - first);
        for (int i = first; i < call.argc(); i++) {
            call.reply().integer(NO_FIELD);
        }
    }

    /** {@code HTTL key FIELDS numfields field [field ...]}, and its three relatives. */
    private static void ask(Call call, int unit, boolean relative) {
        HashValue hash = call.read(1, HashValue.class);
        int first = FieldArguments.first(call, 2);
        if (hash == null) {
            replyNoFields(call, first);
            return;
        }
        call.reply().array(call.argc() - first);
        for (int i = first; i < call.argc(); i++) {
            if (!HashFields.contains(call, hash, i)) {
                call.reply().integer(NO_FIELD);
                continue;
            }
            long at = HashFields.deadline(call, hash, i);
            if (at == FieldDeadlines.NONE) {
                call.reply().integer(NO_DEADLINE);
            } else {
                call.reply().integer((at - (relative ? call.now() : 0) + unit - 1) / unit);
            }
        }
    }

    /** {@code HPERSIST key FIELDS numfields field [field ...]} */
    private static void hpersist(Call call) {
        call.write(1, HashValue.class);
        int first = FieldArguments.first(call, 2);
        HashValue hash = HashFields.forWrite(call, first, call.argc(), 1);
        if (hash == null) {
            replyNoFields(call, first);
            return;
        }
        List<byte[]> persisted = new ArrayList<>();
        call.reply().array(call.argc() - first);
        for (int i = first; i < call.argc(); i++) {
            if (!HashFields.contains(call, hash, i)) {
                call.reply().integer(NO_FIELD);
            } else if (HashFields.persist(call, hash, i)) {
                persisted.add(call.arg(i));
                call.reply().integer(DONE);
            } else {
                call.reply().integer(NO_DEADLINE);
            }
        }
        tellPersist(call, hash, persisted);
    }

    /** Sees to the consequences of fields having lost their deadlines. */
    static void tellPersist(Call call, HashValue hash, List<byte[]> persisted) {
        if (!persisted.isEmpty()) {
            call.changed(1, EventClass.HASH, "hpersist");
            call.countChanges(persisted.size() - 1);
            FieldEffects.persist(call, persisted);
        }
        HashFields.settle(call, hash, false);
    }

    /** The words "FIELDS numfields field ..." that end a command. Stateless. */
    static final class FieldArguments {

        private FieldArguments() {}

        /** As {@link #first(Call, int, String)}, with the error text that most commands have. */
        static int first(Call call, int at) {
            return first(call, at, "Number of fields must be a positive integer");
        }

        /**
         * Checks that the word FIELDS stands at an index, then a number, then so many fields and nothing else.
         *
         * @return where the first field stands
         */
        static int first(Call call, int at, String numberError) {
            if (at >= call.argc() || !call.is(at, "FIELDS")) {
                throw CommandException.err("Mandatory argument FIELDS is missing or not at the right position");
            }
            if (at + 1 >= call.argc()) {
                throw CommandException.err(numberError);
            }
            long fields = Counts.inRange(call, at + 1, 1, Long.MAX_VALUE, numberError);
            if (fields != call.argc() - at - 2) {
                throw CommandException.err("The `numfields` parameter must match the number of arguments");
            }
            return at + 2;
        }
    }
}
