package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Group.SET;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.store.Entry;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.SetValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Unions, intersections and differences of sets. Stateless. */
public final class SetAlgebraCommands {

    /*
     * Small results are built as a set, so that members come in the order and the form that Redis has them in, which a client can see.
     * For large ones, of which the order is nobody's business, nothing is built that is not kept: a reply is written while walking
     * the sets, a stored union begins as a copy of its largest set.
     */

    /** Sets with more members than this altogether are large. */
    private static final int SMALL = 1024;
    /** How many members SINTERCARD looks at before it checks its limit. */
    private static final int STEP = 256;

    private SetAlgebraCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.read("SINTER", atLeast(1), SetAlgebraCommands::sinter)
                .allKeys(Access.RO)
                .tips("nondeterministic_output_order")
                .docs(
                        SET,
                        "1.0.0",
                        "O(N*M) for N members of the smallest set and M sets",
                        "key [key ...]",
                        "Answers the members that all sets have in common.");
        t.read("SINTERCARD", atLeast(2), SetAlgebraCommands::sintercard)
                .countedKeys(1, Access.RO)
                .docs(
                        SET,
                        "7.0.0",
                        "O(N*M) for N members of the smallest set and M sets",
                        "numkeys key [key ...] [LIMIT limit]",
                        "Counts the members that all sets have in common.");
        t.write("SINTERSTORE", atLeast(2), SetAlgebraCommands::sinterstore, DENYOOM)
                .keys(1, 1, 1, Access.RW)
                .keys(2, -1, 1, Access.RO)
                .docs(
                        SET,
                        "1.0.0",
                        "O(N*M) for N members of the smallest set and M sets",
                        "destination key [key ...]",
                        "Stores the members that all sets have in common.");
        t.read("SUNION", atLeast(1), SetAlgebraCommands::sunion)
                .allKeys(Access.RO)
                .tips("nondeterministic_output_order")
                .docs(
                        SET,
                        "1.0.0",
                        "O(N) for N members in all sets",
                        "key [key ...]",
                        "Answers the members of any of the sets.");
        t.write("SUNIONSTORE", atLeast(2), SetAlgebraCommands::sunionstore, DENYOOM)
                .keys(1, 1, 1, Access.OW)
                .keys(2, -1, 1, Access.RO)
                .docs(
                        SET,
                        "1.0.0",
                        "O(N) for N members in all sets",
                        "destination key [key ...]",
                        "Stores the members of any of the sets.");
        t.read("SDIFF", atLeast(1), SetAlgebraCommands::sdiff)
                .allKeys(Access.RO)
                .tips("nondeterministic_output_order")
                .docs(
                        SET,
                        "1.0.0",
                        "O(N) for N members in all sets",
                        "key [key ...]",
                        "Answers the members of the first set that none of the others has.");
        t.write("SDIFFSTORE", atLeast(2), SetAlgebraCommands::sdiffstore, DENYOOM)
                .keys(1, 1, 1, Access.OW)
                .keys(2, -1, 1, Access.RO)
                .docs(
                        SET,
                        "1.0.0",
                        "O(N) for N members in all sets",
                        "destination key [key ...]",
                        "Stores the members of the first set that none of the others has.");
    }

    /** The sets of some keys; a key that is not there leads to null. */
    private static List<@Nullable SetValue> read(Call call, int from, int to) {
        List<@Nullable SetValue> sets = new ArrayList<>(to - from);
        for (int i = from; i < to; i++) {
            sets.add(call.read(i, SetValue.class));
        }
        return sets;
    }

    private static List<SetValue> present(List<@Nullable SetValue> sets) {
        List<SetValue> present = new ArrayList<>(sets.size());
        for (SetValue set : sets) {
            if (set != null) {
                present.add(set);
            }
        }
        return present;
    }

    private static boolean isLarge(List<SetValue> sets) {
        long members = 0;
        for (SetValue set : sets) {
            members += set.size();
        }
        return members > SMALL;
    }

    /** Stores a result, or deletes the destination if there is none. */
    private static void store(Call call, @Nullable SetValue result, String event) {
        if (result != null && result.size() > 0) {
            call.set(1, result);
            call.changed(1, EventClass.SET, event);
            call.reply().integer(result.size());
            return;
        }
        Entry old = call.findForWrite(1);
        if (old != null) {
            call.remove(1, old);
            call.changed(1, EventClass.GENERIC, "del");
        }
        call.reply().integer(0);
    }

    private static void replySet(Call call, SetValue result) {
        call.reply().set(result.size());
        result.forEach(new BulkReplies(call.reply()));
    }

    // ---- intersections

    /** The sets by size, the smallest first; null if one of them is empty. */
    private static @Nullable List<SetValue> bySize(List<@Nullable SetValue> sets) {
        List<SetValue> present = present(sets);
        if (present.size() < sets.size()) {
            return null;
        }
        present.sort(Comparator.comparingInt(SetValue::size));
        return present;
    }

    /** {@code SINTER key [key ...]} */
    private static void sinter(Call call) {
        List<SetValue> present = bySize(read(call, 1, call.argc()));
        if (present == null) {
            call.reply().set(0);
            return;
        }
        List<SetValue> sets = Snapshots.of(call, present, present.getFirst().size());
        int mark = call.reply().deferred();
        MemberFilter common = new MemberFilter(sets.subList(1, sets.size()), true, new BulkReplies(call.reply()));
        sets.getFirst().forEach(Patience.before(call, common));
        call.reply().closeSet(mark, (int) common.passed());
    }

    /** {@code SINTERCARD numkeys key [key ...] [LIMIT limit]} */
    private static void sintercard(Call call) {
        long keys = Counts.inRange(call, 1, 1, Long.MAX_VALUE, "numkeys should be greater than 0");
        if (keys > call.argc() - 2) {
            throw CommandException.err("Number of keys can't be greater than number of args");
        }
        long limit = 0;
        for (int i = 2 + (int) keys; i < call.argc(); i += 2) {
            if (!call.is(i, "LIMIT") || i + 1 == call.argc()) {
                throw CommandException.SYNTAX;
            }
            limit = Counts.inRange(call, i + 1, 0, Long.MAX_VALUE, "LIMIT can't be negative");
        }
        List<SetValue> present = bySize(read(call, 2, 2 + (int) keys));
        if (present == null) {
            call.reply().integer(0);
            return;
        }
        long most = limit == 0 ? Long.MAX_VALUE : limit;
        List<SetValue> sets =
                Snapshots.of(call, present, Math.min(most, present.getFirst().size()));
        MemberFilter common = new MemberFilter(sets.subList(1, sets.size()), true, null);
        long cursor = 0;
        do {
            cursor = sets.getFirst().scan(cursor, STEP, common);
        } while (cursor != 0 && common.passed() < most);
        call.reply().integer(Math.min(common.passed(), most));
    }

    /** {@code SINTERSTORE destination key [key ...]} */
    private static void sinterstore(Call call) {
        List<SetValue> sets = bySize(read(call, 2, call.argc()));
        if (sets == null) {
            store(call, null, "sinterstore");
            return;
        }
        CompactLimits limits = Compactness.ofSets(call);
        SetValue smallest = sets.getFirst();
        SetValue result = smallest.isIntegers() ? SetValue.ofIntegers() : SetValue.packed();
        smallest.forEach(new MemberFilter(sets.subList(1, sets.size()), true, new SetBuilder(result, limits)));
        result.compactIntegers(limits);
        store(call, result, "sinterstore");
    }

    // ---- unions

    private static SetValue union(List<SetValue> sets, CompactLimits limits) {
        SetValue largest = null;
        for (SetValue set : sets) {
            largest = largest == null || set.size() > largest.size() ? set : largest;
        }
        // A large table is copied whole rather than member by member.
        SetValue copied = largest != null
                        && largest.isTable()
                        && largest.size() > Math.max(SMALL, Math.max(limits.integers(), limits.entries()))
                ? largest
                : null;
        SetValue result = copied == null ? SetValue.ofIntegers() : copied.copy();
        SetBuilder builder = new SetBuilder(result, limits);
        for (SetValue set : sets) {
            if (copied == null || !isSame(set, copied)) {
                set.forEach(builder);
            }
        }
        return result;
    }

    @SuppressWarnings("ReferenceEquality") // one of the sets is meant, not one like it
    private static boolean isSame(SetValue one, @Nullable SetValue other) {
        return one == other;
    }

    /** {@code SUNION key [key ...]} */
    private static void sunion(Call call) {
        List<SetValue> present = present(read(call, 1, call.argc()));
        if (!isLarge(present)) {
            replySet(call, union(present, Compactness.ofSets(call)));
            return;
        }
        List<SetValue> sets = Snapshots.of(call, present, Long.MAX_VALUE);
        int mark = call.reply().deferred();
        long members = 0;
        for (int i = 0; i < sets.size(); i++) {
            MemberFilter fresh = new MemberFilter(sets.subList(0, i), false, new BulkReplies(call.reply()));
            sets.get(i).forEach(Patience.before(call, fresh));
            members += fresh.passed();
        }
        call.reply().closeSet(mark, (int) members);
    }

    /** {@code SUNIONSTORE destination key [key ...]} */
    private static void sunionstore(Call call) {
        store(call, union(present(read(call, 2, call.argc())), Compactness.ofSets(call)), "sunionstore");
    }

    // ---- differences

    private static SetValue difference(SetValue first, List<SetValue> others, CompactLimits limits) {
        SetValue result = SetValue.ofIntegers();
        first.forEach(new MemberFilter(others, false, new SetBuilder(result, limits)));
        return result;
    }

    private static List<SetValue> others(List<@Nullable SetValue> sets) {
        List<SetValue> others = present(sets.subList(1, sets.size()));
        others.sort(Comparator.comparingInt(SetValue::size).reversed());
        return others;
    }

    /** {@code SDIFF key [key ...]} */
    private static void sdiff(Call call) {
        List<@Nullable SetValue> sets = read(call, 1, call.argc());
        SetValue first = sets.getFirst();
        if (first == null) {
            call.reply().set(0);
        } else if (first.size() <= SMALL) {
            replySet(call, difference(first, others(sets), Compactness.ofSets(call)));
        } else {
            List<SetValue> all = others(sets);
            all.addFirst(first);
            all = Snapshots.of(call, all, first.size());
            int mark = call.reply().deferred();
            MemberFilter rest = new MemberFilter(all.subList(1, all.size()), false, new BulkReplies(call.reply()));
            all.getFirst().forEach(Patience.before(call, rest));
            call.reply().closeSet(mark, (int) rest.passed());
        }
    }

    /** {@code SDIFFSTORE destination key [key ...]} */
    private static void sdiffstore(Call call) {
        List<@Nullable SetValue> sets = read(call, 2, call.argc());
        SetValue first = sets.getFirst();
        SetValue result = first == null ? null : difference(first, others(sets), Compactness.ofSets(call));
        store(call, result, "sdiffstore");
    }
}
