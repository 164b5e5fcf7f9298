package dev.heddle.store.value;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A deque of byte arrays, none of which is ever changed, with every element at hand by its index: the form of long lists.
 *
 * <p>Guarded by the lock of the stripe that its key lies in.
 */
final class RingDeque {

    /*
     * Problem: a list is pushed and popped at both ends and read by index, all in O(1); it may hold ten million elements; and no
     * push may take longer than a moment, since every client of the stripe waits for it.
     *
     * A ring buffer (an array whose first element may stand anywhere, and whose end continues at its start) gives O(1) for
     * all of these, but on average only: the push that finds it full copies it all, and with ten million elements that is a stall of tens of
     * milliseconds. So the ring is cut into chunks of 256 slots. The directory is itself a ring, of chunks, and only the directory is
     * copied when it is full: 40,000 references for ten million elements, some tens of microseconds. Elements never move.
     *
     * The slots of all chunks, in the order of the directory, count as one ring of `directory.length * 256` slots. Element i stands in
     * slot (head + i) modulo that size; both factors are powers of two, so that finding it is one addition, two masks and a shift.
     *
     *     directory   [ c5 | c6 | -- | -- | c1 | c2 | c3 | c4 ]        head = 4 * 256 + offset in c1
     *                   last ^              ^ first chunk
     *
     * Invariants:
     *   - a chunk exists exactly if one of its slots holds an element; slots that hold none are null, so nothing dead is kept;
     *   - the first and the last element stand in the same chunk only if all others do too: the ring never bites its tail within a
     *     chunk. It follows from counting the room before the head in its chunk as used when deciding whether to grow.
     *   - the directory is at least a quarter full (or as small as it gets), so that memory falls as the list does.
     *
     * The chunks' size weighs two costs: both chunks at the ends may be nearly empty, which a list of a hundred elements feels, and the
     * copy of the directory, the larger part of which is not the copying but the first touch of fresh memory.
     *
     * Why not a linked list of packed blocks, as Redis has: an index is O(n) there, and popping from a block moves its bytes.
     * Its memory per small element is lower; lists that are small altogether have the packed form here too.
     *
     * In the middle nothing is O(1): insertion moves the shorter side by one, LREM moves only what it has looked at.
     *
     * Reference: the tiered vector of Goodrich and Kloss (1999), with one tier.
     */

    private static final int CHUNK_BITS = 8;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int CHUNK_MASK = CHUNK - 1;
    private static final int SMALLEST_DIRECTORY = 4;

    private static final long OBJECT_BYTES = 48;
    private static final long CHUNK_BYTES = 16 + 4L * CHUNK;

    private byte[] @Nullable [] @Nullable [] directory;
    private int head;
    private int size;
    /** What the elements' arrays take on the heap, and what the elements would take in a {@link PackedList}. */
    private long elementHeap;

    private long elementPacked;

    RingDeque() {
        directory = new byte[SMALLEST_DIRECTORY][][];
    }

    /** A deque of its own with the same elements; the elements themselves are shared. */
    RingDeque copy() {
        RingDeque copy = new RingDeque();
        for (int i = 0; i < size; i++) {
            copy.addLast(get(i));
        }
        return copy;
    }

    int size() {
        return size;
    }

    /** About how many bytes of heap this takes. */
    long bytes() {
        return OBJECT_BYTES + 16 + 4L * directory.length + usedChunks() * CHUNK_BYTES + elementHeap;
    }

    /** How many bytes the elements would take in a {@link PackedList}. */
    long packedBytes() {
        return elementPacked;
    }

    byte[] get(int index) {
        int slot = slot(index);
        byte[] element = chunk(slot)[slot & CHUNK_MASK];
        if (element == null) {
            throw new IndexOutOfBoundsException(index);
        }
        return element;
    }

    /** An array of some elements: copies references only, a chunk at a time. */
    byte[][] copyRange(int from, int count) {
        byte[][] range = new byte[count][];
        int done = 0;
        while (done < count) {
            int slot = slot(from + done);
            int run = Math.min(CHUNK - (slot & CHUNK_MASK), count - done);
            System.arraycopy(chunk(slot), slot & CHUNK_MASK, range, done, run);
            done += run;
        }
        return range;
    }

    void set(int index, byte[] element) {
        account(get(index), -1);
        account(element, 1);
        put(index, element);
    }

    void addFirst(byte[] element) {
        if ((head & CHUNK_MASK) == 0 && usedChunks() == directory.length) {
            resizeDirectory(directory.length * 2);
        }
        head = (head - 1) & ringMask();
        size++;
        store(head, element);
        account(element, 1);
    }

    void addLast(byte[] element) {
        if ((head & CHUNK_MASK) + size == directory.length * CHUNK) {
            resizeDirectory(directory.length * 2);
        }
        size++;
        store(slot(size - 1), element);
        account(element, 1);
    }

    byte[] removeFirst() {
        byte[] element = get(0);
        account(element, -1);
        clear(0, 1);
        head = slot(1);
        size--;
        shrinkDirectory();
        return element;
    }

    byte[] removeLast() {
        byte[] element = get(size - 1);
        account(element, -1);
        clear(size - 1, size);
        size--;
        shrinkDirectory();
        return element;
    }

    /** Inserts before the element with this index, moving the side that has fewer elements. */
    void insert(int index, byte[] element) {
        if (index < size / 2) {
            addFirst(element);
            for (int i = 0; i < index; i++) {
                put(i, get(i + 1));
            }
        } else {
            addLast(element);
            for (int i = size - 1; i > index; i--) {
                put(i, get(i - 1));
            }
        }
        put(index, element);
    }

    /** Drops all elements but {@code count} from {@code from} on. Costs as much as the smaller part has elements. */
    void retain(int from, int count) {
        int end = from + count;
        if (count < size - count) {
            elementHeap = 0;
            elementPacked = 0;
            account(from, end, 1);
        } else {
            account(0, from, -1);
            account(end, size, -1);
        }
        clear(end, size);
        size = end;
        clear(0, from);
        head = slot(from);
        size = count;
        shrinkDirectory();
    }

    /**
     * Removes elements with these bytes, beginning at one end, and returns how many it has removed.
     *
     * @param most when to stop
     */
    int removeEqual(byte[] a, int offset, int length, int most, ListEnd end) {
        // First pass: take the elements out, leaving holes. Second pass: close the holes by moving what was passed over
        // towards the
        // part that has not been looked at, so that the latter need not move.
        boolean forward = end == ListEnd.HEAD;
        int seen = 0;
        int removed = 0;
        for (; seen < size && removed < most; seen++) {
            int index = forward ? seen : size - 1 - seen;
            byte[] element = get(index);
            if (Arrays.equals(element, 0, element.length, a, offset, offset + length)) {
                account(element, -1);
                int slot = slot(index);
                chunk(slot)[slot & CHUNK_MASK] = null;
                removed++;
            }
        }
        if (removed == 0) {
            return 0;
        }
        int to = forward ? seen - 1 : size - seen;
        for (int i = seen - 1; i >= 0; i--) {
            int slot = slot(forward ? i : size - 1 - i);
            byte[] element = chunk(slot)[slot & CHUNK_MASK];
            if (element != null) {
                put(to, element);
                to += forward ? -1 : 1;
            }
        }
        if (forward) {
            clear(0, removed);
            head = slot(removed);
        } else {
            clear(size - removed, size);
        }
        size -= removed;
        shrinkDirectory();
        return removed;
    }

    // ---- slots

    private int ringMask() {
        return (directory.length << CHUNK_BITS) - 1;
    }

    private int slot(int index) {
        return (head + index) & ringMask();
    }

    private int usedChunks() {
        return size == 0 ? 0 : ((head & CHUNK_MASK) + size + CHUNK_MASK) >>> CHUNK_BITS;
    }

    private byte[] @Nullable [] chunk(int slot) {
        byte[] @Nullable [] chunk = directory[slot >>> CHUNK_BITS];
        if (chunk == null) {
            throw new IndexOutOfBoundsException(slot);
        }
        return chunk;
    }

    /** Puts an element where one is or has just been. */
    private void put(int index, byte[] element) {
        int slot = slot(index);
        chunk(slot)[slot & CHUNK_MASK] = element;
    }

    /** Puts an element at an end, into a new chunk if need be. */
    private void store(int slot, byte[] element) {
        byte[] @Nullable [] chunk = directory[slot >>> CHUNK_BITS];
        if (chunk == null) {
            chunk = new byte[CHUNK][];
            directory[slot >>> CHUNK_BITS] = chunk;
        }
        chunk[slot & CHUNK_MASK] = element;
    }

    /** Empties the slots of a run of elements at either end; chunks with no other elements go as a whole. */
    private void clear(int from, int to) {
        int i = from;
        while (i < to) {
            int slot = slot(i);
            int offset = slot & CHUNK_MASK;
            int run = Math.min(CHUNK - offset, to - i);
            boolean nothingBefore = offset == 0 || i == 0;
            boolean nothingBehind = offset + run == CHUNK || i + run == size;
            if (nothingBefore && nothingBehind) {
                directory[slot >>> CHUNK_BITS] = null;
            } else {
                Arrays.fill(chunk(slot), offset, offset + run, null);
            }
            i += run;
        }
    }

    private void shrinkDirectory() {
        if (directory.length > SMALLEST_DIRECTORY && usedChunks() <= directory.length / 4) {
            resizeDirectory(directory.length / 2);
        }
    }

    private void resizeDirectory(int length) {
        byte[] @Nullable [] @Nullable [] old = directory;
        byte[] @Nullable [] @Nullable [] fresh = new byte[length][][];
        int chunks = usedChunks();
        int first = head >>> CHUNK_BITS;
        int beforeWrap = Math.min(chunks, old.length - first);
        System.arraycopy(old, first, fresh, 0, beforeWrap);
        System.arraycopy(old, 0, fresh, beforeWrap, chunks - beforeWrap);
        directory = fresh;
        head &= CHUNK_MASK;
    }

    private void account(int from, int to, int sign) {
        for (int i = from; i < to; i++) {
            account(get(i), sign);
        }
    }

    private void account(byte[] element, int sign) {
        elementHeap += sign * ((16L + element.length + 7) & ~7L);
        elementPacked += (long) sign * PackedList.elementBytes(element, 0, element.length);
    }
}
