package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.SET;

import dev.heddle.command.Call;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.SetValue;
import org.jspecify.annotations.Nullable;

/** Sets and their members; see {@link SetRandomCommands} and {@link SetAlgebraCommands} for the rest. Stateless. */
public final class SetCommands {

    private SetCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.write("SADD", atLeast(2), SetCommands::sadd, DENYOOM, FAST)
                .key(Access.RW_INSERT)
                .docs(
                        SET,
                        "1.0.0",
                        "O(1) for each member",
                        "key member [member ...]",
                        "Adds members to a set, which is made if need be.");
        t.write("SREM", atLeast(2), SetCommands::srem, FAST)
                .key(Access.RW_DELETE)
                .docs(
                        SET,
                        "1.0.0",
                        "O(N) for N members to remove",
                        "key member [member ...]",
                        "Removes members from a set; an empty set is deleted.");
        t.write("SMOVE", exactly(3), SetCommands::smove, FAST)
                .keys(1, 1, 1, Access.RW_POP)
                .keys(2, 2, 1, Access.RW_INSERT)
                .docs(SET, "1.0.0", "O(1)", "source destination member", "Moves a member from one set to another.");
        t.read("SMEMBERS", exactly(1), SetCommands::smembers)
                .key(Access.RO)
                .tips("nondeterministic_output_order")
                .docs(SET, "1.0.0", "O(N) for N members", "key", "Answers all members of a set.");
        t.read("SISMEMBER", exactly(2), SetCommands::sismember, FAST)
                .key(Access.RO_META)
                .docs(SET, "1.0.0", "O(1)", "key member", "Tells whether a member is in a set.");
        t.read("SMISMEMBER", atLeast(2), SetCommands::smismember, FAST)
                .key(Access.RO)
                .docs(
                        SET,
                        "6.2.0",
                        "O(N) for N members to check",
                        "key member [member ...]",
                        "Tells of several members whether they are in a set.");
        t.read("SCARD", exactly(1), SetCommands::scard, FAST)
                .key(Access.RO_META)
                .docs(SET, "1.0.0", "O(1)", "key", "Answers how many members a set has.");
        t.read("SSCAN", atLeast(2), SetCommands::sscan)
                .key(Access.RO)
                .tips("nondeterministic_output")
                .docs(
                        SET,
                        "2.8.0",
                        "O(1) for every call, O(N) for a whole scan of N members",
                        "key cursor [MATCH pattern] [COUNT count]",
                        "Walks through the members of a set, some at each call.");
    }

    /** Removes the key of a set that has become empty. */
    static void removeIfEmpty(Call call, int index, SetValue set) {
        if (set.size() == 0) {
            Entry entry = call.findForWrite(index);
            if (entry != null) {
                call.removeEmptied(index, entry);
            }
        }
    }

    private static boolean add(Call call, SetValue set, int index, CompactLimits limits) {
        Request request = call.request();
        return set.add(request.array(index), request.offset(index), request.length(index), limits);
    }

    private static boolean remove(Call call, SetValue set, int index) {
        Request request = call.request();
        return set.remove(request.array(index), request.offset(index), request.length(index));
    }

    private static boolean contains(Call call, @Nullable SetValue set, int index) {
        Request request = call.request();
        return set != null && set.contains(request.array(index), request.offset(index), request.length(index));
    }

    private static SetValue suiting(Call call, int index, int expected, CompactLimits limits) {
        Request request = call.request();
        return SetValue.suiting(request.array(index), request.offset(index), request.length(index), expected, limits);
    }

    /** {@code SADD key member [member ...]} */
    private static void sadd(Call call) {
        CompactLimits limits = Compactness.ofSets(call);
        int given = call.argc() - 2;
        SetValue present = call.write(1, SetValue.class);
        SetValue set = present == null ? suiting(call, 2, given, limits) : present;
        if (present != null) {
            set.expect(given, limits);
        }
        int added = 0;
        for (int i = 2; i < call.argc(); i++) {
            added += add(call, set, i, limits) ? 1 : 0;
        }
        if (present == null) {
            call.add(1, set);
        }
        if (added > 0) {
            call.changed(1, EventClass.SET, "sadd");
            call.countChanges(added - 1);
        }
        call.reply().integer(added);
    }

    /** {@code SREM key member [member ...]} */
    private static void srem(Call call) {
        SetValue set = call.write(1, SetValue.class);
        int removed = 0;
        for (int i = 2; set != null && i < call.argc(); i++) {
            removed += remove(call, set, i) ? 1 : 0;
        }
        if (set != null && removed > 0) {
            call.changed(1, EventClass.SET, "srem");
            call.countChanges(removed - 1);
            removeIfEmpty(call, 1, set);
        }
        call.reply().integer(removed);
    }

    /** {@code SMOVE source destination member} */
    private static void smove(Call call) {
        SetValue source = call.write(1, SetValue.class);
        if (source == null) {
            call.reply().integer(0);
            return;
        }
        SetValue destination = call.write(2, SetValue.class);
        if (isSame(source, destination)) {
            call.reply().integer(contains(call, source, 3) ? 1 : 0);
            return;
        }
        if (!remove(call, source, 3)) {
            call.reply().integer(0);
            return;
        }
        call.changed(1, EventClass.SET, "srem");
        removeIfEmpty(call, 1, source);
        CompactLimits limits = Compactness.ofSets(call);
        SetValue target = destination == null ? suiting(call, 3, 1, limits) : destination;
        boolean added = add(call, target, 3, limits);
        if (destination == null) {
            call.add(2, target);
        }
        if (added) {
            call.changed(2, EventClass.SET, "sadd");
        }
        call.reply().integer(1);
    }

    @SuppressWarnings("ReferenceEquality") // whether both keys are one
    private static boolean isSame(SetValue source, @Nullable SetValue destination) {
        return source == destination;
    }

    /** {@code SMEMBERS key} */
    private static void smembers(Call call) {
        SetValue present = call.read(1, SetValue.class);
        SetValue set = present == null ? null : Snapshots.of(call, present);
        call.reply().set(set == null ? 0 : set.size());
        if (set != null) {
            set.forEach(Patience.before(call, new BulkReplies(call.reply())));
        }
    }

    /** {@code SISMEMBER key member} */
    private static void sismember(Call call) {
        call.reply().integer(contains(call, call.read(1, SetValue.class), 2) ? 1 : 0);
    }

    /** {@code SMISMEMBER key member [member ...]} */
    private static void smismember(Call call) {
        SetValue set = call.read(1, SetValue.class);
        call.reply().array(call.argc() - 2);
        for (int i = 2; i < call.argc(); i++) {
            call.reply().integer(contains(call, set, i) ? 1 : 0);
        }
    }

    /** {@code SCARD key} */
    private static void scard(Call call) {
        SetValue set = call.read(1, SetValue.class);
        call.reply().integer(set == null ? 0 : set.size());
    }

    /** {@code SSCAN key cursor [MATCH pattern] [COUNT count]} */
    private static void sscan(Call call) {
        long cursor = Cursors.parse(call, 2);
        SetValue set = call.read(1, SetValue.class);
        if (set == null) {
            ElementScan.replyEmpty(call);
            return;
        }
        ElementScan scan = new ElementScan(call, false);
        scan.reply(call, set.scan(cursor, scan.count(), scan));
    }
}
