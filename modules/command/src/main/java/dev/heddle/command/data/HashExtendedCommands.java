package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.HASH;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.command.data.HashFieldExpiryCommands.FieldArguments;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.FieldDeadlines;
import dev.heddle.store.value.HashValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reading or setting fields together with their deadlines, and reading fields that go. Stateless. */
public final class HashExtendedCommands {

    private HashExtendedCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.write("HGETDEL", atLeast(4), HashExtendedCommands::hgetdel, FAST)
                .key(Access.RW_POP)
                .docs(
                        HASH,
                        "8.0.0",
                        "O(N) for N fields",
                        "key FIELDS numfields field [field ...]",
                        "Answers the values of fields and removes them.");
        t.write("HGETEX", atLeast(4), HashExtendedCommands::hgetex, FAST)
                .key(Access.RW_ACCESS)
                .docs(
                        HASH,
                        "8.0.0",
                        "O(N) for N fields",
                        "key [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds | PERSIST]"
                                + " FIELDS numfields field [field ...]",
                        "Answers the values of fields and sets or clears when they expire.");
        t.write("HSETEX", atLeast(5), HashExtendedCommands::hsetex, DENYOOM, FAST)
                .key(Access.RW)
                .docs(
                        HASH,
                        "8.0.0",
                        "O(N) for N fields",
                        "key [FNX | FXX] [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds |"
                                + " KEEPTTL] FIELDS numfields field value [field value ...]",
                        "Sets fields of a hash and when they expire.");
    }

    private static @Nullable Deadline deadlineOption(Call call, int index) {
        for (Deadline option : Deadline.values()) {
            if (call.is(index, option.name())) {
                return option;
            }
        }
        return null;
    }

    /** {@code HGETDEL key FIELDS numfields field [field ...]} */
    private static void hgetdel(Call call) {
        call.write(1, HashValue.class);
        int first = FieldArguments.first(call, 2);
        HashValue hash = HashFields.forWrite(call, first, call.argc(), 1);
        List<byte[]> removed = new ArrayList<>();
        BulkReplies replies = new BulkReplies(call.reply());
        call.reply().array(call.argc() - first);
        for (int i = first; i < call.argc(); i++) {
            HashFields.reply(call, hash, i, replies);
            if (hash != null && HashFields.remove(call, hash, i)) {
                removed.add(call.arg(i));
            }
        }
        if (!removed.isEmpty()) {
            call.changed(1, EventClass.HASH, "hdel");
            call.countChanges(removed.size() - 1);
            FieldEffects.delete(call, removed);
        }
        if (hash != null) {
            HashFields.settle(call, hash, false);
        }
    }

    /** {@code HGETEX key [EX seconds | PX ... | EXAT ... | PXAT ... | PERSIST] FIELDS numfields field [field ...]} */
    private static void hgetex(Call call) {
        call.write(1, HashValue.class);
        Deadline option = deadlineOption(call, 2);
        boolean persist = call.is(2, "PERSIST");
        long at = option == null ? FieldDeadlines.NONE : FieldDeadline.read(call, 3, option);
        int first = FieldArguments.first(call, option != null ? 4 : persist ? 3 : 2);
        HashValue hash = HashFields.forWrite(call, first, call.argc(), 1);
        BulkReplies replies = new BulkReplies(call.reply());
        call.reply().array(call.argc() - first);
        List<byte[]> set = new ArrayList<>();
        List<byte[]> deleted = new ArrayList<>();
        List<byte[]> persisted = new ArrayList<>();
        for (int i = first; i < call.argc(); i++) {
            HashFields.reply(call, hash, i, replies);
            if (hash == null || !HashFields.contains(call, hash, i)) {
                continue;
            }
            if (persist && HashFields.persist(call, hash, i)) {
                persisted.add(call.arg(i));
            } else if (option != null && at <= call.now()) {
                HashFields.remove(call, hash, i);
                deleted.add(call.arg(i));
            } else if (option != null) {
                HashFields.expireAt(call, hash, i, at);
                set.add(call.arg(i));
            }
        }
        if (hash != null && persist) {
            HashFieldExpiryCommands.tellPersist(call, hash, persisted);
        } else if (hash != null) {
            HashFieldExpiryCommands.tellExpire(call, hash, at, set, deleted);
        }
    }

    /** {@code HSETEX key [FNX | FXX] [EX seconds | ... | KEEPTTL] FIELDS numfields field value [field value ...]} */
    private static void hsetex(Call call) {
        Options options = new Options(call);
        HashValue present = HashFields.forWrite(call, options.first, call.argc(), 2);
        if (!options.isMet(call, present)) {
            if (present != null) {
                HashFields.settle(call, present, false);
            }
            call.reply().integer(0);
            return;
        }
        HashValue hash = present == null ? new HashValue() : present;
        CompactLimits limits = HashCommands.prepare(call, hash, options.first, call.argc());
        for (int i = options.first; i < call.argc(); i += 2) {
            HashFields.put(call, hash, i, call.take(i + 1), limits);
            if (!options.keepsDeadlines) {
                HashFields.persist(call, hash, i);
            }
        }
        int fields = (call.argc() - options.first) / 2;
        if (options.at != FieldDeadlines.NONE && options.at <= call.now()) {
            setAndGone(call, options.first, hash, present == null);
        } else {
            for (int i = options.first; options.at != FieldDeadlines.NONE && i < call.argc(); i += 2) {
                HashFields.expireAt(call, hash, i, options.at);
            }
            HashFields.settle(call, hash, present == null);
            tellSet(call, options, hash);
        }
        call.countChanges(fields - 1L);
        call.reply().integer(1);
    }

    /** Sees to the consequences of fields having been set, perhaps with deadlines. */
    private static void tellSet(Call call, Options options, HashValue hash) {
        call.changed(1, EventClass.HASH, "hset");
        if (options.at != FieldDeadlines.NONE) {
            call.event(1, EventClass.HASH, "hexpire");
        }
        if (!call.recorded()) {
            return;
        }
        byte[][] arguments = new byte[1 + call.argc() - options.first][];
        arguments[0] = call.arg(1);
        for (int i = options.first; i < call.argc(); i++) {
            arguments[1 + i - options.first] = call.arg(i);
        }
        call.effect("HSET", arguments);
        if (options.at != FieldDeadlines.NONE) {
            FieldEffects.expireAt(call, options.at, options.first, call.argc(), 2);
        } else if (options.keepsDeadlines) {
            for (int i = options.first; i < call.argc(); i += 2) {
                long kept = HashFields.deadline(call, hash, i);
                if (kept != FieldDeadlines.NONE) {
                    FieldEffects.expireAt(call, kept, i, i + 1, 1);
                }
            }
        }
    }

    /** Removes fields that were set to expire in the past. */
    private static void setAndGone(Call call, int first, HashValue hash, boolean isNew) {
        List<byte[]> deleted = new ArrayList<>();
        for (int i = first; i < call.argc(); i += 2) {
            if (HashFields.remove(call, hash, i)) {
                deleted.add(call.arg(i));
            }
        }
        call.changed(1, EventClass.HASH, "hset");
        call.event(1, EventClass.HASH, "hdel");
        FieldEffects.delete(call, deleted);
        if (isNew) {
            call.event(1, EventClass.GENERIC, "del");
        } else {
            HashFields.settle(call, hash, false);
        }
    }

    /** The options of an HSETEX. Confined to one call. */
    private static final class Options {

        final int first;
        private @Nullable Boolean mustExist;
        private boolean keepsDeadlines;
        private long at = FieldDeadlines.NONE;

        Options(Call call) {
            int i = 2;
            for (; i < call.argc() && !call.is(i, "FIELDS"); i++) {
                Deadline option = deadlineOption(call, i);
                if (option != null || call.is(i, "KEEPTTL")) {
                    i = readDeadline(call, i, option);
                } else if (call.is(i, "FNX") || call.is(i, "FXX")) {
                    if (mustExist != null) {
                        throw CommandException.err("Only one of FXX or FNX arguments can be specified");
                    }
                    mustExist = call.is(i, "FXX");
                } else {
                    throw CommandException.err("unknown argument: " + call.text(i));
                }
            }
            if (i == call.argc()) {
                throw CommandException.err("missing FIELDS argument");
            }
            if (i + 1 == call.argc()) {
                throw CommandException.err("wrong number of arguments for 'hsetex' command");
            }
            long fields = Counts.inRange(call, i + 1, 1, Integer.MAX_VALUE, "invalid number of fields");
            if (2 * fields != call.argc() - i - 2) {
                throw CommandException.err("wrong number of arguments for 'hsetex' command");
            }
            first = i + 2;
        }

        /** @return the last argument that belongs to the option */
        private int readDeadline(Call call, int index, @Nullable Deadline option) {
            if (keepsDeadlines || at != FieldDeadlines.NONE) {
                throw CommandException.err("Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified");
            }
            if (option == null) {
                keepsDeadlines = true;
                return index;
            }
            if (index + 1 == call.argc()) {
                throw CommandException.err("missing expire time");
            }
            at = FieldDeadline.read(call, index + 1, option);
            return index + 1;
        }

        boolean isMet(Call call, @Nullable HashValue hash) {
            if (mustExist == null) {
                return true;
            }
            for (int i = first; i < call.argc(); i += 2) {
                if ((hash != null && HashFields.contains(call, hash, i)) != mustExist) {
                    return false;
                }
            }
            return true;
        }
    }
}
