package dev.heddle.store.value;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A list: packed into one array while it is small, a deque of arrays when it is not.
 *
 * <p>Indexes count from the head, from 0 on; negative ones are the commands' matter. Whoever adds elements calls {@link #growing} before and
 * whoever takes some away {@link #shrunk} after, with the setting {@code list-max-listpack-size}: a positive limit is a number of
 * elements, -1 to -5 are 4, 8, 16, 32, 64 KiB.
 *
 * <p>Guarded by the lock of the stripe that its key lies in.
 */
public final class ListValue extends Value {

    /*
     * When the form changes, which OBJECT ENCODING shows, follows Redis 7.2:
     *
     *   - to a deque before elements are added with which the limit would be exceeded. What is added counts by its bytes without heads,
     *     so that a packed list may come out a little above the limit and stays packed until the next addition.
     *   - back when elements have gone and what is left takes no more than half the limit. Half, so that a list that goes back and
     *     forth around the limit does not change its form each time.
     *
     * A limit in elements has a limit of 8 KiB beside it; only a single element may be longer.
     */

    private static final int SAFE_BYTES = 8 * 1024;
    private static final int LARGEST_LEVEL = 5;
    private static final long OBJECT_BYTES = 24;

    /** One of the two is there, the other null. */
    private @Nullable PackedList packed = new PackedList();

    private @Nullable RingDeque deque;

    /** An empty list: to be filled before anybody else sees it. */
    public ListValue() {}

    // ---- the form

    /** Gets ready for elements to be added. */
    public void growing(long addedBytes, int addedCount, int limit) {
        PackedList list = packed;
        if (list != null && exceeds(limit, list.listpackBytes() + addedBytes, (long) list.count() + addedCount)) {
            unpack(list);
        }
    }

    /** Takes note that elements have gone. */
    public void shrunk(int limit) {
        RingDeque all = deque;
        if (all == null) {
            return;
        }
        long bytes = all.packedBytes() + PackedList.LISTPACK_FRAME;
        boolean small = limit < 0
                ? bytes <= levelBytes(limit) / 2
                : all.size() <= Math.max(limit, 1) / 2 && (bytes <= SAFE_BYTES || all.size() == 1);
        if (small) {
            pack(all);
        }
    }

    private static boolean exceeds(int limit, long bytes, long count) {
        return limit < 0 ? bytes > levelBytes(limit) : bytes > SAFE_BYTES || count > Math.max(limit, 1);
    }

    private static int levelBytes(int limit) {
        return 2048 << Math.min(-(long) limit, LARGEST_LEVEL);
    }

    private void unpack(PackedList list) {
        RingDeque all = new RingDeque();
        for (int pos = list.first(); pos != PackedList.NONE; pos = list.next(pos)) {
            all.addLast(list.copy(pos));
        }
        deque = all;
        packed = null;
    }

    private void pack(RingDeque all) {
        PackedList list = new PackedList(Math.toIntExact(all.packedBytes()));
        for (int i = 0; i < all.size(); i++) {
            byte[] element = all.get(i);
            list.append(element, 0, element.length);
        }
        packed = list;
        deque = null;
    }

    private RingDeque deque() {
        RingDeque all = deque;
        if (all == null) {
            throw new IllegalStateException("neither packed nor a deque");
        }
        return all;
    }

    /** Whether the list has its packed form: then {@link #push(ListEnd, byte[], int, int)} needs no array of its own. */
    public boolean isPacked() {
        return packed != null;
    }

    /** The packed form: not to be changed. Null if the list is a deque. */
    public @Nullable PackedList packed() {
        return packed;
    }

    // ---- reading

    public int size() {
        PackedList list = packed;
        return list != null ? list.count() : deque().size();
    }

    /** Hands over one element. */
    public void give(int index, ElementSink visitor) {
        PackedList list = packed;
        if (list != null) {
            list.give(list.seek(index), visitor);
        } else {
            visitor.whole(deque().get(index));
        }
    }

    /**
     * Hands over elements in order.
     *
     * @param from the index of the first one
     * @param count how many, all of which must exist
     * @param backward whether to go towards the head
     */
    public void give(int from, int count, boolean backward, ElementSink visitor) {
        PackedList list = packed;
        if (list == null) {
            RingDeque all = deque();
            for (int i = 0; i < count; i++) {
                visitor.whole(all.get(backward ? from - i : from + i));
            }
            return;
        }
        int pos = list.seek(from);
        for (int i = 0; i < count; i++) {
            list.give(pos, visitor);
            pos = backward ? list.previous(pos) : list.next(pos);
        }
    }

    /** Some elements, which nobody will ever change: cheap unless the list is packed. */
    public byte[][] copyRange(int from, int count) {
        PackedList list = packed;
        if (list == null) {
            return deque().copyRange(from, count);
        }
        byte[][] range = new byte[count][];
        int pos = list.seek(from);
        for (int i = 0; i < count; i++) {
            range[i] = list.copy(pos);
            pos = list.next(pos);
        }
        return range;
    }

    /** An element: perhaps the list's own array, not to be changed. */
    public byte[] get(int index) {
        PackedList list = packed;
        return list != null ? list.copy(list.seek(index)) : deque().get(index);
    }

    /**
     * Looks for elements with these bytes.
     *
     * @param start the end to begin at
     * @param most how many elements to look at
     * @param found is given the index of each such element; false ends the search
     */
    public void search(byte[] a, int offset, int length, ListEnd start, int most, IntPredicate found) {
        int size = size();
        boolean forward = start == ListEnd.HEAD;
        PackedList list = packed;
        int pos = list == null ? PackedList.NONE : forward ? list.first() : list.last();
        for (int seen = 0; seen < size && seen < most; seen++) {
            int index = forward ? seen : size - 1 - seen;
            boolean equal;
            if (list != null) {
                equal = list.equals(pos, a, offset, length);
                pos = forward ? list.next(pos) : list.previous(pos);
            } else {
                byte[] element = deque().get(index);
                equal = Arrays.equals(element, 0, element.length, a, offset, offset + length);
            }
            if (equal && !found.test(index)) {
                return;
            }
        }
    }

    // ---- changing

    /** Adds an element, copying its bytes. */
    public void push(ListEnd end, byte[] a, int offset, int length) {
        PackedList list = packed;
        if (list == null) {
            push(end, Arrays.copyOfRange(a, offset, offset + length));
        } else if (end == ListEnd.HEAD) {
            list.prepend(a, offset, length);
        } else {
            list.append(a, offset, length);
        }
    }

    /** Adds an element that nobody will change from now on. */
    public void push(ListEnd end, byte[] element) {
        if (packed != null) {
            push(end, element, 0, element.length);
        } else if (end == ListEnd.HEAD) {
            deque().addFirst(element);
        } else {
            deque().addLast(element);
        }
    }

    /** Takes the element at an end away; the list must not be empty. */
    public byte[] pop(ListEnd end) {
        PackedList list = packed;
        if (list == null) {
            return end == ListEnd.HEAD ? deque().removeFirst() : deque().removeLast();
        }
        int pos = end == ListEnd.HEAD ? list.first() : list.last();
        byte[] element = list.copy(pos);
        list.remove(pos, 1);
        return element;
    }

    /** Drops all elements but {@code count} from {@code from} on. */
    public void retain(int from, int count) {
        PackedList list = packed;
        if (list == null) {
            deque().retain(from, count);
            return;
        }
        if (from + count < list.count()) {
            list.remove(list.seek(from + count), list.count());
        }
        if (from > 0) {
            list.remove(list.first(), from);
        }
    }

    /** Replaces an element by one that nobody will change from now on. */
    public void set(int index, byte[] element) {
        PackedList list = packed;
        if (list != null) {
            list.replace(list.seek(index), element, 0, element.length);
        } else {
            deque().set(index, element);
        }
    }

    /** Inserts an element that nobody will change from now on before the one with this index; at the size, as the last one. */
    public void insert(int index, byte[] element) {
        PackedList list = packed;
        if (list != null) {
            list.insertBefore(list.seek(index), element, 0, element.length);
        } else {
            deque().insert(index, element);
        }
    }

    /** Removes at most so many elements with these bytes, beginning at one end; returns how many. */
    public int removeEqual(byte[] a, int offset, int length, int most, ListEnd start) {
        PackedList list = packed;
        if (list == null) {
            return deque().removeEqual(a, offset, length, most, start);
        }
        int removed = 0;
        int pos = start == ListEnd.HEAD ? list.first() : list.last();
        while (pos != PackedList.NONE && removed < most) {
            boolean equal = list.equals(pos, a, offset, length);
            int before = list.previous(pos);
            if (equal) {
                removed++;
                list.remove(pos, 1);
            }
            if (start == ListEnd.TAIL) {
                pos = before;
            } else if (!equal) {
                pos = list.next(pos);
            } else {
                pos = before == PackedList.NONE ? list.first() : list.next(before);
            }
        }
        return removed;
    }

    // ---- as a value

    /** A list of its own with the same elements in the same form. */
    @Override
    public ListValue copy() {
        ListValue copy = new ListValue();
        copy.packed = packed == null ? null : packed.copy();
        copy.deque = deque == null ? null : deque.copy();
        return copy;
    }

    @Override
    public ValueType type() {
        return ValueType.LIST;
    }

    @Override
    public String encoding() {
        return packed != null ? "listpack" : "quicklist";
    }

    @Override
    public long bytes() {
        PackedList list = packed;
        return OBJECT_BYTES + (list != null ? list.bytes() : deque().bytes());
    }
}
