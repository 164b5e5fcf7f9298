package dev.heddle.store.value;

import dev.heddle.store.base.SipHash;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A hash table from byte strings to values, or a set of byte strings: what lies behind large sets and hashes.
 *
 * <p>Keys are never changed once they are in, so that replies and other tables may go on referring to them. Guarded by the stripe's lock;
 * readers that share it may look things up at the same time.
 *
 * @param <V> what keys lead to; a set has {@link Void} here and no values at all
 */
public final class BytesTable<V> {

    /*
     * Problem. A set of a million members must be found in constant time, must never stall a command while it grows, must shrink when
     * it is emptied, must hand out a fair random member, must be scanned by a client who holds nothing but a number, and should cost
     * little more than its members.
     *
     * The usual answers fall short of one or another: one array with open addressing stalls when it doubles and needs tombstones or
     * loses SCAN's guarantee when it shifts; chains cost a node of 24 bytes per member.
     *
     * The idea: keep the members sorted by their hash. Hashes are uniform, so a member's rank can be guessed from its hash (the hash as a
     * fraction of its range, times the number of members), and the guess is off by a few places only: the standard deviation is
     * sqrt(n)/2 at most, eight for the 256 members of a full segment. Looking up is that guess and a short walk over ints that lie side by
     * side; an array of byte strings is touched only where the hash is equal. (Interpolation search; Peterson 1957. Ordered hash tables:
     * Amble and Knuth 1974.)
     *
     * One sorted array would make insertion linear, so it is cut into segments by the leading bits of the hash, with a directory that
     * those bits index (extendible hashing: Fagin, Nievergelt, Pippenger, Strong 1979). A segment of depth d holds all members whose
     * first d bits are its own; the directory has 2^depth slots, of which 2^(depth-d) lead to it. A full segment splits in two; only when
     * it was as deep as the directory does the directory double, and that is one reference per some hundred members: 8,192 of them at a
     * million members, a few microseconds. So no insertion ever touches more than one segment and the directory.
     *
     * What follows from the order:
     *   - SCAN's cursor is a hash: everything below it has been seen. Splitting, merging, growing and removing do not move a hash, so a
     *     member that is there for the whole scan is seen exactly once, and a step visits as many members as asked for.
     *   - Removing closes the gap: no tombstones, nothing decays. Two neighbours that have become small merge again, and the directory
     *     is halved when no segment is as deep as it is.
     *   - Copying a table is copying arrays; keys are shared.
     *   - A fair random member: a random directory slot and a random place, drawn again unless a member stands there.
     *
     * Cost per member: an int and a reference (and a second reference for the value), and an eighth of that in spare room on average:
     * 9 bytes for a set, 13.5 for a hash, beside the byte strings themselves.
     *
     * The hash is a keyed one because strangers choose the members; its key is drawn once per process for all tables. Nothing that a
     * client can see tells it, except the order of replies, from which SipHash's key cannot be computed. A key of its own for each table
     * would cost memory and the cheap copies.
     *
     * Members with equal hashes stand side by side, in no order. With 31 bits that is rare. If they ever filled a segment it could not be
     * split, and grows instead.
     */

    private static final SipHash HASHER = new SipHash(new SecureRandom());

    private static final int HASH_BITS = 31;
    /** The least hash that is none: hashes are ints from 0 on, so that their order is the order of ints. */
    private static final long HASH_END = 1L << HASH_BITS;

    private static final int SMALLEST = 8;
    /** Members of a segment that will split rather than grow. */
    private static final int FULL = 256;
    /** Two neighbours with this many members together become one: well below a full one, so that it does not split again at once. */
    private static final int MERGED = 96;

    private static final int MAX_DEPTH = 24;

    /** Heap bytes of a segment's object and of its arrays' headers. */
    private static final int SEGMENT_BYTES = 32 + 2 * 16;

    private final boolean set;
    private Segment<V>[] directory;
    private int depth;
    /** How many segments are as deep as the directory. */
    private int deepest = 1;

    private int size;
    /** The most members that any segment has had room for, at least {@link #FULL}. */
    private int largest = FULL;
    /** Heap bytes of segments and keys. */
    private long heldBytes;

    private BytesTable(boolean set, Segment<V>[] directory) {
        this.set = set;
        this.directory = directory;
    }

    /** An empty set of byte strings. */
    public static BytesTable<Void> set() {
        return empty(true);
    }

    /** An empty table from byte strings to values. */
    public static <V> BytesTable<V> map() {
        return empty(false);
    }

    private static <V> BytesTable<V> empty(boolean set) {
        Segment<V>[] directory = newDirectory(1);
        BytesTable<V> table = new BytesTable<>(set, directory);
        directory[0] = table.newSegment(0, SMALLEST);
        return table;
    }

    /** A table of its own with the same content; keys and values are shared. */
    public BytesTable<V> copy() {
        Segment<V>[] slots = newDirectory(directory.length);
        BytesTable<V> copy = new BytesTable<>(set, slots);
        long spare = 0;
        for (int i = 0; i < slots.length; i += slotsOf(directory[i])) {
            Segment<V> trimmed = directory[i].copy();
            spare += directory[i].bytes() - trimmed.bytes();
            Arrays.fill(slots, i, i + slotsOf(directory[i]), trimmed);
        }
        copy.depth = depth;
        copy.deepest = deepest;
        copy.size = size;
        copy.largest = largest;
        copy.heldBytes = heldBytes - spare;
        return copy;
    }

    public int size() {
        return size;
    }

    /** Heap bytes of the table and its keys, without the values. */
    public long bytes() {
        return 48 + 16 + 4L * directory.length + heldBytes;
    }

    // ---- one member

    public boolean contains(byte[] array, int offset, int length) {
        int hash = hash(array, offset, length);
        return segmentOf(hash).find(hash, array, offset, length) >= 0;
    }

    /** The value of a key, or null if the key is not there (or this is a set). */
    public @Nullable V get(byte[] array, int offset, int length) {
        int hash = hash(array, offset, length);
        Segment<V> segment = segmentOf(hash);
        int index = segment.find(hash, array, offset, length);
        return index < 0 ? null : segment.value(index);
    }

    /** Adds a member to a set, as a copy of these bytes. @return whether it was not there yet */
    public boolean add(byte[] array, int offset, int length) {
        int hash = hash(array, offset, length);
        int index = segmentOf(hash).find(hash, array, offset, length);
        if (index >= 0) {
            return false;
        }
        insert(hash, -index - 1, Arrays.copyOfRange(array, offset, offset + length), null);
        return true;
    }

    /** Adds a member to a set; the array belongs to the table from now on. @return whether it was not there yet */
    public boolean add(byte[] key) {
        int hash = hash(key, 0, key.length);
        int index = segmentOf(hash).find(hash, key, 0, key.length);
        if (index >= 0) {
            return false;
        }
        insert(hash, -index - 1, key, null);
        return true;
    }

    /** Sets the value of a key; a new key is a copy of these bytes. @return the value before, or null if the key is new */
    public @Nullable V put(byte[] array, int offset, int length, V value) {
        int hash = hash(array, offset, length);
        Segment<V> segment = segmentOf(hash);
        int index = segment.find(hash, array, offset, length);
        if (index >= 0) {
            return segment.replace(index, value);
        }
        insert(hash, -index - 1, Arrays.copyOfRange(array, offset, offset + length), value);
        return null;
    }

    /** Sets the value of a key, whose array belongs to the table if it is new. @return the value before, or null if the key is new */
    public @Nullable V put(byte[] key, V value) {
        int hash = hash(key, 0, key.length);
        Segment<V> segment = segmentOf(hash);
        int index = segment.find(hash, key, 0, key.length);
        if (index >= 0) {
            return segment.replace(index, value);
        }
        insert(hash, -index - 1, key, value);
        return null;
    }

    /** Takes a member out of a set. @return whether it was there */
    public boolean discard(byte[] array, int offset, int length) {
        int before = size;
        remove(array, offset, length);
        return size < before;
    }

    /** Takes a key out. @return its value, or null if it was not there */
    public @Nullable V remove(byte[] array, int offset, int length) {
        int hash = hash(array, offset, length);
        Segment<V> segment = segmentOf(hash);
        int index = segment.find(hash, array, offset, length);
        if (index < 0) {
            return null;
        }
        V value = segment.value(index);
        heldBytes -= keyBytes(length) + segment.remove(index);
        size--;
        if (segment.depth > 0 && segment.size <= MERGED / 2) {
            merge(hash, segment);
        }
        return value;
    }

    /** The key itself that equals these bytes, or null: an array that nobody will ever change. */
    public byte @Nullable [] key(byte[] array, int offset, int length) {
        int hash = hash(array, offset, length);
        Segment<V> segment = segmentOf(hash);
        int index = segment.find(hash, array, offset, length);
        return index < 0 ? null : segment.keys[index];
    }

    /** A key of a table that is not empty, each equally likely. */
    public byte[] random(RandomGenerator random) {
        while (true) {
            int slot = random.nextInt(directory.length);
            Segment<V> segment = directory[slot];
            // A segment with several slots would have as many chances: only its first one counts.
            int index = random.nextInt(depth == 0 ? size : largest);
            if (index < segment.size && slot % slotsOf(segment) == 0) {
                return segment.keys[index];
            }
        }
    }

    // ---- all members

    public void forEach(Consumer<? super byte[]> action) {
        for (int slot = 0; slot < directory.length; slot += slotsOf(directory[slot])) {
            Segment<V> segment = directory[slot];
            for (int i = 0; i < segment.size; i++) {
                action.accept(segment.keys[i]);
            }
        }
    }

    /** Visits all keys of a table that is not a set, with their values. */
    @SuppressWarnings("NullAway") // where there is a key, there is a value
    public void forEach(BiConsumer<? super byte[], ? super V> action) {
        for (int slot = 0; slot < directory.length; slot += slotsOf(directory[slot])) {
            Segment<V> segment = directory[slot];
            for (int i = 0; i < segment.size; i++) {
                action.accept(segment.keys[i], segment.value(i));
            }
        }
    }

    /**
     * Visits the next {@code count} keys (a few more if their hashes are equal). A scan starts with cursor 0 and ends when 0 comes back;
     * a key that is there for all of it is visited exactly once.
     *
     * @param cursor 0 or what the last call returned; of other values the low 31 bits count
     * @return the next cursor, below 2^31
     */
    public long scan(long cursor, long count, Consumer<? super byte[]> action) {
        long from = cursor & (HASH_END - 1);
        long left = Math.max(count, 1);
        while (from < HASH_END && left > 0) {
            Segment<V> segment = segmentOf((int) from);
            int i = segment.lowerBound((int) from);
            for (; i < segment.size && (left > 0 || segment.hashes[i] == segment.hashes[i - 1]); i++, left--) {
                action.accept(segment.keys[i]);
            }
            if (i < segment.size) {
                return segment.hashes[i];
            }
            long width = HASH_END >>> segment.depth;
            from = (from / width + 1) * width;
        }
        return from < HASH_END ? from : 0;
    }

    // ---- segments

    private static int hash(byte[] array, int offset, int length) {
        return (int) (HASHER.hash(array, offset, length) >>> (64 - HASH_BITS));
    }

    private Segment<V> segmentOf(int hash) {
        return directory[hash >>> (HASH_BITS - depth)];
    }

    private int slotsOf(Segment<V> segment) {
        return 1 << (depth - segment.depth);
    }

    private static int keyBytes(int length) {
        return (16 + length + 7) & ~7;
    }

    private void insert(int hash, int index, byte[] key, @Nullable V value) {
        Segment<V> segment = segmentOf(hash);
        int at = index;
        if (segment.size == segment.hashes.length) {
            if (segment.size >= FULL && segment.depth < MAX_DEPTH) {
                do {
                    split(hash, segment);
                    segment = segmentOf(hash);
                } while (segment.size >= FULL && segment.depth < MAX_DEPTH);
                at = segment.lowerBound(hash);
            }
            if (segment.size == segment.hashes.length) {
                heldBytes += segment.makeRoom();
                largest = Math.max(largest, segment.hashes.length);
            }
        }
        segment.insert(at, hash, key, value);
        heldBytes += keyBytes(key.length);
        size++;
    }

    /** Cuts the segment, in which this hash belongs, into two. */
    private void split(int hash, Segment<V> segment) {
        if (segment.depth == depth) {
            Segment<V>[] twice = newDirectory(directory.length * 2);
            for (int i = 0; i < twice.length; i++) {
                twice[i] = directory[i >>> 1];
            }
            directory = twice;
            depth++;
            deepest = 0;
        }
        int slots = slotsOf(segment);
        int first = (hash >>> (HASH_BITS - depth)) & -slots;
        int middle = first + slots / 2;
        int boundary = segment.lowerBound(middle << (HASH_BITS - depth));
        heldBytes -= segment.bytes();
        Segment<V> low = newSegment(segment.depth + 1, boundary);
        Segment<V> high = newSegment(segment.depth + 1, segment.size - boundary);
        low.append(segment, 0, boundary);
        high.append(segment, boundary, segment.size);
        Arrays.fill(directory, first, middle, low);
        Arrays.fill(directory, middle, first + slots, high);
        if (low.depth == depth) {
            deepest += 2;
        }
    }

    /** Joins the segment, in which this hash belongs, with its neighbour if both are small. */
    private void merge(int hash, Segment<V> segment) {
        int slots = slotsOf(segment);
        int first = (hash >>> (HASH_BITS - depth)) & -slots;
        Segment<V> buddy = directory[first ^ slots];
        if (buddy.depth != segment.depth || buddy.size + segment.size > MERGED) {
            return;
        }
        heldBytes -= segment.bytes() + buddy.bytes();
        boolean isLow = (first & slots) == 0;
        Segment<V> low = isLow ? segment : buddy;
        Segment<V> high = isLow ? buddy : segment;
        Segment<V> both = newSegment(segment.depth - 1, low.size + high.size);
        both.append(low, 0, low.size);
        both.append(high, 0, high.size);
        int from = first & -(2 * slots);
        Arrays.fill(directory, from, from + 2 * slots, both);
        if (segment.depth == depth) {
            deepest -= 2;
            if (deepest == 0) {
                halve();
            }
        }
    }

    private void halve() {
        Segment<V>[] half = newDirectory(directory.length / 2);
        depth--;
        for (int i = 0; i < half.length; i++) {
            half[i] = directory[2 * i];
            if (half[i].depth == depth) {
                deepest++;
            }
        }
        directory = half;
    }

    private Segment<V> newSegment(int segmentDepth, int room) {
        int capacity = Math.max(SMALLEST, room + room / 8);
        Segment<V> segment = new Segment<>(segmentDepth, capacity, set);
        heldBytes += segment.bytes();
        return segment;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type cannot be made otherwise
    private static <V> Segment<V>[] newDirectory(int length) {
        return (Segment<V>[]) new Segment[length];
    }

    /** The members whose hashes begin with the same {@link #depth} bits, in the order of their hashes. */
    private static final class Segment<V> {

        final int depth;
        int[] hashes;
        byte[][] keys;
        /** Of the same length; null in a set. */
        @Nullable
        Object @Nullable [] values;

        int size;

        Segment(int depth, int capacity, boolean set) {
            this.depth = depth;
            this.hashes = new int[capacity];
            this.keys = new byte[capacity][];
            this.values = set ? null : new Object[capacity];
        }

        Segment<V> copy() {
            Segment<V> copy = new Segment<>(depth, Math.max(SMALLEST, size), values == null);
            copy.append(this, 0, size);
            return copy;
        }

        long bytes() {
            return values == null ? SEGMENT_BYTES + 8L * hashes.length : SEGMENT_BYTES + 16 + 12L * hashes.length;
        }

        @SuppressWarnings("unchecked") // only V goes in
        @Nullable
        V value(int index) {
            return (V) (values == null ? null : values[index]);
        }

        @Nullable
        V replace(int index, V value) {
            V old = value(index);
            if (values != null) {
                values[index] = value;
            }
            return old;
        }

        /** Where the key stands, or {@code -(place to insert it) - 1}. */
        int find(int hash, byte[] array, int offset, int length) {
            int index = lowerBound(hash);
            for (int i = index; i < size && hashes[i] == hash; i++) {
                byte[] key = keys[i];
                if (key.length == length && Arrays.equals(key, 0, length, array, offset, offset + length)) {
                    return i;
                }
            }
            return -index - 1;
        }

        /** The place of the first hash that is not below this one. */
        int lowerBound(int hash) {
            // The bits below the segment's own, as a fraction of their range, times the size: where the hash would
            // stand if they were
            // spread evenly.
            long fraction = ((long) hash << depth) & (HASH_END - 1);
            int i = (int) ((fraction * size) >>> HASH_BITS);
            if (i < size && hashes[i] < hash) {
                do {
                    i++;
                } while (i < size && hashes[i] < hash);
            } else {
                while (i > 0 && hashes[i - 1] >= hash) {
                    i--;
                }
            }
            return i;
        }

        /** @return by how many bytes the arrays have grown */
        int makeRoom() {
            return resize(size + Math.max(size / 4, 2));
        }

        void insert(int index, int hash, byte[] key, @Nullable V value) {
            int behind = size - index;
            System.arraycopy(hashes, index, hashes, index + 1, behind);
            System.arraycopy(keys, index, keys, index + 1, behind);
            hashes[index] = hash;
            keys[index] = key;
            if (values != null) {
                System.arraycopy(values, index, values, index + 1, behind);
                values[index] = value;
            }
            size++;
        }

        /** @return by how many bytes the arrays have shrunk */
        @SuppressWarnings("NullAway") // places behind the last key hold nothing and are never read
        int remove(int index) {
            int behind = --size - index;
            System.arraycopy(hashes, index + 1, hashes, index, behind);
            System.arraycopy(keys, index + 1, keys, index, behind);
            keys[size] = null;
            if (values != null) {
                System.arraycopy(values, index + 1, values, index, behind);
                values[size] = null;
            }
            boolean roomy = hashes.length > SMALLEST && size < hashes.length / 2;
            return roomy ? -resize(Math.max(SMALLEST, size + size / 8)) : 0;
        }

        private int resize(int capacity) {
            int before = (int) bytes();
            hashes = Arrays.copyOf(hashes, capacity);
            keys = Arrays.copyOf(keys, capacity);
            values = values == null ? null : Arrays.copyOf(values, capacity);
            return (int) bytes() - before;
        }

        /** Adds members of another segment, all of whose hashes are above those here. */
        void append(Segment<V> other, int from, int to) {
            System.arraycopy(other.hashes, from, hashes, size, to - from);
            System.arraycopy(other.keys, from, keys, size, to - from);
            if (values != null && other.values != null) {
                System.arraycopy(other.values, from, values, size, to - from);
            }
            size += to - from;
        }
    }
}
