package dev.heddle.store.value;

import dev.heddle.resp.Numbers;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A set of byte strings in one of three forms: sorted integers, a packed list in the order of insertion, or a hash table.
 *
 * <p>Guarded by the lock of the stripe that its key lies in.
 */
public final class SetValue extends Value {

    /*
     * Which form when, is Redis's rule, because OBJECT ENCODING shows it: a set begins as integers if its first member is one, otherwise
     * packed; it leaves a form when a member comes that does not suit it, and never comes back from a larger form on its own. A set of
     * integers that grows too large becomes a table at once, even where a packed list would still be allowed.
     *
     *     IntSet  --a member that is no integer, few members-->  PackedList
     *     IntSet, PackedList  --too many members, or too long a one-->  BytesTable
     *
     * One field holds the form; the switches over it are the whole dispatch. Three classes behind an interface would make every call
     * go through one more object, in the smallest sets of all.
     */

    private Object form;

    private SetValue(Object form) {
        this.form = form;
    }

    /**
     * An empty set, in the form that suits its first member.
     *
     * @param expected about how many members it will have
     */
    public static SetValue suiting(byte[] array, int offset, int length, long expected, CompactLimits limits) {
        if (expected <= limits.integers() && Numbers.isLong(array, offset, length)) {
            return ofIntegers();
        }
        return expected <= limits.entries() ? packed() : new SetValue(BytesTable.set());
    }

    /** An empty set of integers: also the beginning of a set of which nothing is known yet. */
    public static SetValue ofIntegers() {
        return new SetValue(new IntSet());
    }

    /** An empty set that begins as a packed list. */
    public static SetValue packed() {
        return new SetValue(new PackedList());
    }

    /** A set with these integers, which the caller hands over. */
    public static SetValue of(IntSet integers) {
        return new SetValue(integers);
    }

    @Override
    public ValueType type() {
        return ValueType.SET;
    }

    @Override
    public String encoding() {
        return switch (form) {
            case IntSet integers -> "intset";
            case PackedList list -> "listpack";
            default -> "hashtable";
        };
    }

    /** Whether the set is in the form of sorted integers. */
    public boolean isIntegers() {
        return form instanceof IntSet;
    }

    /** The form of sorted integers: not to be changed. Null if the set has another. */
    public @Nullable IntSet integers() {
        return form instanceof IntSet integers ? integers : null;
    }

    /** Whether the set is in its largest form, where walking it may take long. */
    public boolean isTable() {
        return form instanceof BytesTable;
    }

    @Override
    public long bytes() {
        return 16
                + switch (form) {
                    case IntSet integers -> integers.bytes();
                    case PackedList list -> list.bytes();
                    default -> table().bytes();
                };
    }

    @Override
    public SetValue copy() {
        return new SetValue(
                switch (form) {
                    case IntSet integers -> integers.copy();
                    case PackedList list -> list.copy();
                    default -> table().copy();
                });
    }

    public int size() {
        return switch (form) {
            case IntSet integers -> integers.size();
            case PackedList list -> list.count();
            default -> table().size();
        };
    }

    public boolean contains(byte[] array, int offset, int length) {
        return switch (form) {
            case IntSet integers ->
                Numbers.isLong(array, offset, length) && integers.contains(Numbers.parseLong(array, offset, length));
            case PackedList list -> list.find(array, offset, length, list.first(), 0) != PackedList.NONE;
            default -> table().contains(array, offset, length);
        };
    }

    public boolean contains(long member) {
        if (form instanceof IntSet integers) {
            return integers.contains(member);
        }
        byte[] digits = Numbers.toBytes(member);
        return contains(digits, 0, digits.length);
    }

    /** Prepares for many members to come: a compact form that would not hold them is left at once. */
    public void expect(long members, CompactLimits limits) {
        boolean tooMany = switch (form) {
            case IntSet integers -> members > limits.integers();
            case PackedList list -> members > limits.entries();
            default -> false;
        };
        if (tooMany) {
            toTable();
        }
    }

    /** Adds a member, as a copy. @return whether it was not there yet */
    public boolean add(byte[] array, int offset, int length, CompactLimits limits) {
        return switch (form) {
            case IntSet integers -> addTo(integers, array, offset, length, limits);
            case PackedList list -> addTo(list, array, offset, length, limits);
            default -> table().add(array, offset, length);
        };
    }

    private boolean addTo(IntSet integers, byte[] array, int offset, int length, CompactLimits limits) {
        if (Numbers.isLong(array, offset, length)) {
            return addNumber(integers, Numbers.parseLong(array, offset, length), limits);
        }
        if (integers.size() < limits.entries() && length <= limits.bytes() && longest(integers) <= limits.bytes()) {
            toPacked(integers).append(array, offset, length);
        } else {
            toTable().add(array, offset, length);
        }
        return true;
    }

    private boolean addTo(PackedList list, byte[] array, int offset, int length, CompactLimits limits) {
        if (list.find(array, offset, length, list.first(), 0) != PackedList.NONE) {
            return false;
        }
        if (list.count() < limits.entries() && length <= limits.bytes()) {
            list.append(array, offset, length);
        } else {
            toTable().add(array, offset, length);
        }
        return true;
    }

    /** As {@link #add(byte[], int, int, CompactLimits)}, for an array that nobody will ever change: it need not be copied. */
    public boolean add(byte[] immutable, CompactLimits limits) {
        return form instanceof BytesTable ? table().add(immutable) : add(immutable, 0, immutable.length, limits);
    }

    /** Adds the digits of a number. @return whether it was not there yet */
    public boolean add(long member, CompactLimits limits) {
        return form instanceof IntSet integers
                ? addNumber(integers, member, limits)
                : add(Numbers.toBytes(member), limits);
    }

    private boolean addNumber(IntSet integers, long member, CompactLimits limits) {
        boolean added = integers.add(member);
        if (added && integers.size() > Math.min(limits.integers(), 1 << 27)) {
            toTable();
        }
        return added;
    }

    /** @return whether the member was there */
    public boolean remove(byte[] array, int offset, int length) {
        return switch (form) {
            case IntSet integers ->
                Numbers.isLong(array, offset, length) && integers.remove(Numbers.parseLong(array, offset, length));
            case PackedList list -> {
                int pos = list.find(array, offset, length, list.first(), 0);
                if (pos != PackedList.NONE) {
                    list.remove(pos, 1);
                }
                yield pos != PackedList.NONE;
            }
            default -> table().discard(array, offset, length);
        };
    }

    /** Shows all members: integers in ascending order, a packed list in the order of insertion, a table in its own. */
    public void forEach(ElementSink sink) {
        switch (form) {
            case IntSet integers -> {
                for (int i = 0; i < integers.size(); i++) {
                    sink.number(integers.at(i));
                }
            }
            case PackedList list -> {
                for (int pos = list.first(); pos != PackedList.NONE; pos = list.next(pos)) {
                    show(list, pos, sink);
                }
            }
            default -> table().forEach(sink::whole);
        }
    }

    /**
     * Shows the next members; the compact forms show all at once. See {@link BytesTable#scan}.
     *
     * @return the next cursor, 0 at the end
     */
    public long scan(long cursor, long count, ElementSink sink) {
        if (form instanceof BytesTable) {
            return table().scan(cursor, count, sink::whole);
        }
        forEach(sink);
        return 0;
    }

    /** A member of a set that is not empty, each equally likely: an array that nobody will ever change. */
    public byte[] random(RandomGenerator random) {
        return switch (form) {
            case IntSet integers -> Numbers.toBytes(integers.at(random.nextInt(integers.size())));
            case PackedList list -> list.copy(list.seek(random.nextInt(list.count())));
            default -> table().random(random);
        };
    }

    /** Whether all members are integers. */
    private boolean allIntegers() {
        if (form instanceof PackedList list) {
            int pos = list.first();
            while (pos != PackedList.NONE && list.isLong(pos)) {
                pos = list.next(pos);
            }
            return pos == PackedList.NONE;
        }
        boolean[] all = {true};
        table().forEach(member -> all[0] &= Numbers.isLong(member, 0, member.length));
        return all[0];
    }

    /** Turns a finished set into integers, if all members are and they are few enough: the one way back to a smaller form. */
    public void compactIntegers(CompactLimits limits) {
        if (form instanceof IntSet || size() > limits.integers() || !allIntegers()) {
            return;
        }
        IntSet integers = new IntSet();
        forEach(new ElementSink() {
            @Override
            public void slice(byte[] array, int offset, int length) {
                integers.add(Numbers.parseLong(array, offset, length));
            }

            @Override
            public void whole(byte[] immutable) {
                slice(immutable, 0, immutable.length);
            }

            @Override
            public void number(long value) {
                integers.add(value);
            }
        });
        form = integers;
    }

    private static void show(PackedList list, int pos, ElementSink sink) {
        if (list.isLong(pos)) {
            sink.number(list.longAt(pos));
        } else {
            sink.slice(list.array(), list.dataOffset(pos), list.length(pos));
        }
    }

    private static int longest(IntSet integers) {
        int last = integers.size() - 1;
        return last < 0 ? 0 : Math.max(Numbers.length(integers.at(0)), Numbers.length(integers.at(last)));
    }

    private PackedList toPacked(IntSet integers) {
        PackedList list = new PackedList();
        for (int i = 0; i < integers.size(); i++) {
            list.append(integers.at(i));
        }
        form = list;
        return list;
    }

    private BytesTable<Void> toTable() {
        BytesTable<Void> table = BytesTable.set();
        switch (form) {
            case IntSet integers -> {
                for (int i = 0; i < integers.size(); i++) {
                    table.add(Numbers.toBytes(integers.at(i)));
                }
            }
            case PackedList list -> {
                for (int pos = list.first(); pos != PackedList.NONE; pos = list.next(pos)) {
                    table.add(list.copy(pos));
                }
            }
            default -> throw new IllegalStateException("already a table");
        }
        form = table;
        return table;
    }

    @SuppressWarnings("unchecked") // the only tables that become a form are sets
    private BytesTable<Void> table() {
        return (BytesTable<Void>) form;
    }
}
