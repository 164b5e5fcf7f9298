package dev.heddle.store.base;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What expires next: a heap ordered by deadline, in which every element knows its own place.
 *
 * <p>Guarded by the stripe's lock.
 */
public final class ExpiryHeap<T extends Expiring> {

    /*
     * Redis finds expired keys by sampling and accepts that some stay. A heap finds exactly those that are due, in order,
     * without looking at any other key; it costs one reference in the heap and one index in the element. Because the
     * element stores its index, a deadline can be changed or withdrawn in O(log n) without a search.
     *
     * Four children per node instead of two: half the levels, and the four children lie in one cache line of references.
     * Invariant: deadline(parent) <= deadline(child).
     */

    private static final int ARITY = 4;
    private static final int SMALLEST = 8;

    private @Nullable Expiring[] items = new Expiring[SMALLEST];
    private int size;

    public int size() {
        return size;
    }

    /** The element with the earliest deadline, or null if there is none. */
    @SuppressWarnings("unchecked") // only T goes in
    public @Nullable T first() {
        return (T) items[0];
    }

    /** The element at a place from 0 (inclusive) to size (exclusive): for sampling. */
    @SuppressWarnings("unchecked") // only T goes in
    public T at(int index) {
        Expiring item = items[index];
        if (index >= size || item == null) {
            throw new IndexOutOfBoundsException(index);
        }
        return (T) item;
    }

    /** How many elements have a deadline up to this time; looks at no more than four times as many. */
    public int countUntil(long time) {
        return countUntil(time, 0);
    }

    private int countUntil(long time, int index) {
        if (index >= size || deadline(index) > time) {
            return 0;
        }
        int count = 1;
        for (int child = index * ARITY + 1; child <= index * ARITY + ARITY; child++) {
            count += countUntil(time, child);
        }
        return count;
    }

    public void add(T item) {
        if (size == items.length) {
            items = Arrays.copyOf(items, size * 2);
        }
        siftUp(size++, item);
    }

    public void remove(T item) {
        int hole = item.heapIndex();
        item.heapIndex(-1);
        Expiring last = items[--size];
        items[size] = null;
        if (hole != size && last != null) {
            place(hole, last);
        }
        if (size < items.length / 4 && items.length > SMALLEST) {
            items = Arrays.copyOf(items, items.length / 2);
        }
    }

    /** Puts {@code item}, whose deadline may differ, into the place of {@code old}. */
    public void replace(T old, T item) {
        int index = old.heapIndex();
        old.heapIndex(-1);
        place(index, item);
    }

    /** Restores the order after the deadline of {@code item} has changed. */
    public void moved(T item) {
        place(item.heapIndex(), item);
    }

    private void place(int index, Expiring item) {
        int parent = (index - 1) / ARITY;
        if (index > 0 && item.deadline() < deadline(parent)) {
            siftUp(index, item);
        } else {
            siftDown(index, item);
        }
    }

    private void siftUp(int from, Expiring item) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) / ARITY;
            if (deadline(parent) <= item.deadline()) {
                break;
            }
            put(index, items[parent]);
            index = parent;
        }
        put(index, item);
    }

    private void siftDown(int from, Expiring item) {
        int index = from;
        while (true) {
            int child = index * ARITY + 1;
            if (child >= size) {
                break;
            }
            int least = child;
            int end = Math.min(child + ARITY, size);
            for (int c = child + 1; c < end; c++) {
                if (deadline(c) < deadline(least)) {
                    least = c;
                }
            }
            if (item.deadline() <= deadline(least)) {
                break;
            }
            put(index, items[least]);
            index = least;
        }
        put(index, item);
    }

    private long deadline(int index) {
        return Objects.requireNonNull(items[index]).deadline();
    }

    private void put(int index, @Nullable Expiring item) {
        Expiring moved = Objects.requireNonNull(item);
        items[index] = moved;
        moved.heapIndex(index);
    }
}
