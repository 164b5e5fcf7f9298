package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.SET;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.store.Entry;
import dev.heddle.store.value.BytesTable;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.SetValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random members of sets. Stateless. */
public final class SetRandomCommands {

    /** So many members go into one SREM of the record of an SPOP. */
    private static final int MEMBERS_PER_EFFECT = 1024;

    private SetRandomCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.write("SPOP", atLeast(1), SetRandomCommands::spop, FAST)
                .key(Access.RW_POP)
                .tips("nondeterministic_output")
                .docs(
                        SET,
                        "1.0.0",
                        "O(N) for N members to pop",
                        "key [count]",
                        "Removes random members from a set and answers them; an empty set is deleted.");
        t.read("SRANDMEMBER", atLeast(1), SetRandomCommands::srandmember)
                .key(Access.RO)
                .tips("nondeterministic_output")
                .docs(
                        SET,
                        "1.0.0",
                        "O(N) for N members to answer",
                        "key [count]",
                        "Answers random members of a set; with a negative count, members may come more than once.");
    }

    /** {@code SPOP key [count]} */
    private static void spop(Call call) {
        if (call.argc() > 3) {
            throw CommandException.SYNTAX;
        }
        if (call.argc() == 3) {
            popSeveral(call, call.positiveArg(2));
            return;
        }
        SetValue set = call.write(1, SetValue.class);
        if (set == null) {
            call.reply().nil();
            return;
        }
        byte[] member = popOne(call, set);
        call.changed(1, EventClass.SET, "spop");
        recordPops(call, List.of(member));
        SetCommands.removeIfEmpty(call, 1, set);
        call.reply().bulkShared(member);
    }

    private static byte[] popOne(Call call, SetValue set) {
        byte[] member = set.random(call.engine().random());
        set.remove(member, 0, member.length);
        return member;
    }

    private static void popSeveral(Call call, long count) {
        Entry entry = call.findForWrite(1);
        SetValue set = call.write(1, SetValue.class);
        if (entry == null || set == null || count == 0) {
            call.reply().set(0);
            return;
        }
        int size = set.size();
        if (count >= size) {
            call.reply().set(size);
            set.forEach(new BulkReplies(call.reply()));
            call.changed(1, EventClass.SET, "spop");
            call.countChanges(size - 1L);
            call.effect("DEL", call.arg(1));
            call.removeEmptied(1, entry);
            return;
        }
        List<byte[]> popped = pop(call, entry, set, (int) count);
        call.reply().set(popped.size());
        for (byte[] member : popped) {
            call.reply().bulkShared(member);
        }
        call.changed(1, EventClass.SET, "spop");
        call.countChanges(count - 1);
        recordPops(call, popped);
    }

    /**
     * Takes some of a set's members, fewer than all. Few of a table are drawn one by one; otherwise one walk tells those that go from
     * those that stay, and the latter are a new set: drawing nearly all members at random would take ever longer.
     */
    private static List<byte[]> pop(Call call, Entry entry, SetValue set, int count) {
        List<byte[]> popped = new ArrayList<>(count);
        int remaining = set.size() - count;
        if (set.isTable() && remaining > count / 5) {
            for (int i = 0; i < count; i++) {
                popped.add(popOne(call, set));
            }
            return popped;
        }
        SetValue staying = set.isIntegers() ? SetValue.ofIntegers() : SetValue.packed();
        Selection selection = new Selection(call.engine().random(), count, set.size());
        set.forEach(new Parting(selection, popped, staying, Compactness.ofSets(call)));
        call.value(1, entry, staying);
        return popped;
    }

    private static void recordPops(Call call, List<byte[]> members) {
        if (!call.recorded()) {
            return;
        }
        byte[] key = call.arg(1);
        for (int from = 0; from < members.size(); from += MEMBERS_PER_EFFECT) {
            int to = Math.min(from + MEMBERS_PER_EFFECT, members.size());
            byte[][] arguments = new byte[1 + to - from][];
            arguments[0] = key;
            for (int i = from; i < to; i++) {
                arguments[1 + i - from] = members.get(i);
            }
            call.effect("SREM", arguments);
        }
    }

    /** {@code SRANDMEMBER key [count]} */
    private static void srandmember(Call call) {
        if (call.argc() > 3) {
            throw CommandException.SYNTAX;
        }
        long count = call.argc() == 3 ? Counts.signed(call, 2) : 0;
        SetValue set = call.read(1, SetValue.class);
        RandomGenerator random = call.engine().random();
        if (call.argc() == 2) {
            if (set == null) {
                call.reply().nil();
            } else {
                call.reply().bulkShared(set.random(random));
            }
            return;
        }
        if (set == null) {
            call.reply().array(0);
            return;
        }
        if (count < 0) {
            call.reply().array((int) -count);
            for (long i = count; i < 0 && !call.replyTooLarge(); i++) {
                call.reply().bulkShared(set.random(random));
            }
            return;
        }
        int size = set.size();
        int different = (int) Math.min(count, size);
        call.reply().array(different);
        if (different == size) {
            set.forEach(new BulkReplies(call.reply()));
        } else if (set.isTable() && different < size / 3) {
            replyDrawn(call, set, different);
        } else {
            set.forEach(new Chosen(new Selection(random, different, size), new BulkReplies(call.reply())));
        }
    }

    private static void replyDrawn(Call call, SetValue set, int count) {
        BytesTable<Void> drawn = BytesTable.set();
        while (drawn.size() < count) {
            byte[] member = set.random(call.engine().random());
            if (drawn.add(member)) {
                call.reply().bulkShared(member);
            }
        }
    }

    /** Passes on the elements that a selection takes. */
    private record Chosen(Selection selection, ElementSink sink) implements ElementSink {
        @Override
        public void slice(byte[] array, int offset, int length) {
            if (selection.takes()) {
                sink.slice(array, offset, length);
            }
        }

        @Override
        public void number(long value) {
            if (selection.takes()) {
                sink.number(value);
            }
        }

        @Override
        public void whole(byte[] array) {
            if (selection.takes()) {
                sink.whole(array);
            }
        }
    }

    /** Parts the members that are popped from those that stay. */
    private static final class Parting implements ElementSink {

        private final Selection selection;
        private final List<byte[]> popped;
        private final CompactLimits limits;
        private final SetValue staying;

        Parting(Selection selection, List<byte[]> popped, SetValue staying, CompactLimits limits) {
            this.selection = selection;
            this.popped = popped;
            this.staying = staying;
            this.limits = limits;
        }

        @Override
        public void slice(byte[] array, int offset, int length) {
            if (selection.takes()) {
                popped.add(Arrays.copyOfRange(array, offset, offset + length));
            } else {
                staying.add(array, offset, length, limits);
            }
        }

        @Override
        public void number(long value) {
            if (selection.takes()) {
                popped.add(Numbers.toBytes(value));
            } else {
                staying.add(value, limits);
            }
        }

        @Override
        public void whole(byte[] array) {
            if (selection.takes()) {
                popped.add(array);
            } else {
                staying.add(array, limits);
            }
        }
    }
}
