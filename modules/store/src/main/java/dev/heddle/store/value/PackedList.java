package dev.heddle.store.value;

import dev.heddle.resp.Numbers;
import java.util.Arrays;

/**
 * A sequence of short byte strings in one byte array: the compact form of small lists, hashes, sets and sorted sets.
 *
 * <p>An element is named by its position, an offset into the array that is valid until the next change; {@link #NONE} is none.
 *
 * <p>Guarded by the lock of the stripe that its key lies in.
 */
public final class PackedList {

    /*
     * Problem: a hash of five short fields as objects (a table, nodes, arrays with 16 bytes of header each) takes 500 bytes for 50 bytes
     * of data. Most collections in a store are that small.
     *
     * So the elements lie one behind the other in one array, with no room between them:
     *
     *     head  data  back
     *
     * `head` tells what the data is and how long; `back` tells how many bytes head and data are, in a form that reads from its
     * end, so that the list can be walked from both ends. The forms are those of Redis's listpack, for two reasons: the
     * settings that bound compact collections by bytes (list-max-listpack-size) then mean the same here, byte for byte, and a
     * snapshot file can hold the elements as they are.
     *
     *     head byte   data
     *     0nnnnnnn    none: the number 0 to 127
     *     10llllll    l bytes
     *     110nnnnn    1 byte: a number of 13 bits, the high ones in the head
     *     1110llll    the low 8 bits of the length l (12 bits), then l bytes
     *     F0          4 bytes length, low byte first, then so many bytes
     *     F1 F2 F3 F4 a number in 2, 3, 4, 8 bytes, low byte first
     *
     *     back: 7 bits per byte, the low ones in the last byte; every byte but the first of them has its top bit set.
     *
     * Numbers are two's complement. A string is stored as a number exactly if it is what the number prints as; so two equal strings
     * always have the same form, and comparing with a number never needs its digits.
     *
     * Invariants: [0, used) is a run of `count` whole elements. The array has at most a sixteenth and a few bytes to spare after growth, and is
     * cut when more than about a quarter lies idle. Doubling would be the usual way, but the list is bounded by a few kilobytes and lives
     * for its size: a copy of that much costs less than the memory would.
     *
     * Everything but the two ends is O(n); that is why the types leave this form when they grow.
     *
     * Reference: Redis, "Listpack specification" (antirez, 2017).
     */

    /** No position. */
    public static final int NONE = -1;

    /** What a listpack has besides its elements: total size, count, end mark. Counts towards the limits in bytes. */
    public static final int LISTPACK_FRAME = 7;

    private static final byte[] NOTHING = {};
    private static final long OBJECT_BYTES = 24;
    private static final long ARRAY_HEADER = 16;

    private static final int BYTES_6 = 0x80;
    private static final int LONG_13 = 0xc0;
    private static final int BYTES_12 = 0xe0;
    private static final int BYTES_32 = 0xf0;
    private static final int LONG_16 = 0xf1;
    private static final int LONG_24 = 0xf2;
    private static final int LONG_32 = 0xf3;
    private static final int LONG_64 = 0xf4;

    private byte[] array;
    private int used;
    private int count;

    public PackedList() {
        array = NOTHING;
    }

    /** An empty list with room for this many bytes, heads and all. */
    public PackedList(int capacity) {
        array = new byte[capacity];
    }

    private PackedList(PackedList other) {
        array = Arrays.copyOf(other.array, other.used);
        used = other.used;
        count = other.count;
    }

    /** A list of its own with the same elements. */
    public PackedList copy() {
        return new PackedList(this);
    }

    /** How many elements there are. */
    public int count() {
        return count;
    }

    /** About how many bytes of heap the list takes. */
    public long bytes() {
        return OBJECT_BYTES + ARRAY_HEADER + ((array.length + 7L) & ~7L);
    }

    /** How many bytes a Redis listpack of these elements has: what the limits in bytes are about. */
    public int listpackBytes() {
        return used + LISTPACK_FRAME;
    }

    /** How many bytes of the {@link #array} the elements take, which begin at index 0: those of a Redis listpack without its frame. */
    public int used() {
        return used;
    }

    /** How many bytes an element takes, head and back length included. */
    public static int elementBytes(byte[] a, int offset, int length) {
        if (isCanonical(a, offset, length)) {
            return 2 + longSize(longHead(Numbers.parseLong(a, offset, length)));
        }
        int size = headSize(length) + length;
        return size + backSize(size);
    }

    // ---- walking

    /** The first element, or {@link #NONE}. */
    public int first() {
        return used == 0 ? NONE : 0;
    }

    /** The last element, or {@link #NONE}. */
    public int last() {
        return previous(used);
    }

    /** The element behind, or {@link #NONE}. */
    public int next(int pos) {
        int next = end(pos);
        return next < used ? next : NONE;
    }

    /** The element before, or {@link #NONE}. */
    public int previous(int pos) {
        if (pos == 0) {
            return NONE;
        }
        int at = pos - 1;
        int size = array[at] & 0x7f;
        for (int shift = 7; array[at] < 0; shift += 7) {
            at--;
            size |= (array[at] & 0x7f) << shift;
        }
        return at - size;
    }

    /** The element with this index, walking from the nearer end; {@link #NONE} outside of 0 to count - 1. */
    public int seek(int index) {
        if (index < 0 || index >= count) {
            return NONE;
        }
        int pos;
        if (index <= count / 2) {
            pos = 0;
            for (int i = index; i > 0; i--) {
                pos = end(pos);
            }
        } else {
            pos = used;
            for (int i = count - index; i > 0; i--) {
                pos = previous(pos);
            }
        }
        return pos;
    }

    // ---- reading

    /** Whether the element is stored as a number: then {@link #longAt} has it, and {@link #dataOffset} has nothing. */
    public boolean isLong(int pos) {
        int head = array[pos] & 0xff;
        return head < BYTES_6 || (head >= LONG_13 && head < BYTES_12) || head >= LONG_16;
    }

    /** The number that the element is; for an element that {@link #isLong} only. */
    public long longAt(int pos) {
        int head = array[pos] & 0xff;
        if (head < BYTES_6) {
            return head;
        }
        if (head < BYTES_12) {
            int signed = (head << 27) >> 19; // the five bits of the head, sign and all, above eight more
            return signed | (array[pos + 1] & 0xff);
        }
        int size = longSize(head);
        long value = array[pos + size];
        for (int i = size - 1; i > 0; i--) {
            value = value << 8 | (array[pos + i] & 0xff);
        }
        return value;
    }

    /** The array that the elements lie in: not to be changed, and valid until the next change. */
    public byte[] array() {
        return array;
    }

    /** Where in the {@link #array} the bytes of an element begin that is stored as such, not as a number. */
    public int dataOffset(int pos) {
        int head = array[pos] & 0xff;
        if (head < LONG_13) {
            return pos + 1;
        }
        return head < BYTES_32 ? pos + 2 : pos + 5;
    }

    /** How many bytes the element has; for a number, its digits. */
    public int length(int pos) {
        return isLong(pos) ? Numbers.length(longAt(pos)) : stringLength(pos);
    }

    /** The element's bytes. */
    public byte[] copy(int pos) {
        if (isLong(pos)) {
            return Numbers.toBytes(longAt(pos));
        }
        int from = dataOffset(pos);
        return Arrays.copyOfRange(array, from, from + stringLength(pos));
    }

    /** Writes the element's bytes and returns the index behind them. */
    public int write(int pos, byte[] to, int at) {
        if (isLong(pos)) {
            return Numbers.write(longAt(pos), to, at);
        }
        int length = stringLength(pos);
        System.arraycopy(array, dataOffset(pos), to, at, length);
        return at + length;
    }

    /** Hands the element over in its form: as a number or as a slice of the array. */
    public void give(int pos, ElementSink visitor) {
        if (isLong(pos)) {
            visitor.number(longAt(pos));
        } else {
            visitor.slice(array, dataOffset(pos), stringLength(pos));
        }
    }

    /** Whether the element has these bytes. */
    public boolean equals(int pos, byte[] a, int offset, int length) {
        if (isLong(pos)) {
            return Numbers.isLong(a, offset, length) && Numbers.parseLong(a, offset, length) == longAt(pos);
        }
        return equalsString(pos, a, offset, length);
    }

    /** Compares the element's bytes with these, as unsigned numbers from the first on; a prefix is less. */
    public int compare(int pos, byte[] a, int offset, int length) {
        if (isLong(pos)) {
            byte[] digits = Numbers.toBytes(longAt(pos));
            return Arrays.compareUnsigned(digits, 0, digits.length, a, offset, offset + length);
        }
        int from = dataOffset(pos);
        return Arrays.compareUnsigned(array, from, from + stringLength(pos), a, offset, offset + length);
    }

    /**
     * The next element with these bytes.
     *
     * @param from where to begin; {@link #NONE} finds nothing
     * @param skip how many elements to pass over after each that was compared: 1 looks at the fields of field-value pairs only
     */
    public int find(byte[] a, int offset, int length, int from, int skip) {
        boolean number = isCanonical(a, offset, length);
        long value = number ? Numbers.parseLong(a, offset, length) : 0;
        int pos = from == NONE ? used : from;
        while (pos < used) {
            if (number ? isLong(pos) && longAt(pos) == value : equalsString(pos, a, offset, length)) {
                return pos;
            }
            for (int i = skip; i >= 0 && pos < used; i--) {
                pos = end(pos);
            }
        }
        return NONE;
    }

    // ---- changing

    public void append(byte[] a, int offset, int length) {
        put(used, 0, a, offset, length);
        count++;
    }

    /** Appends the digits of a number. */
    public void append(long value) {
        put(used, 0, value);
        count++;
    }

    public void prepend(byte[] a, int offset, int length) {
        put(0, 0, a, offset, length);
        count++;
    }

    /** Inserts before an element; the new one has its position afterwards. At {@link #NONE} it appends. */
    public void insertBefore(int pos, byte[] a, int offset, int length) {
        put(pos == NONE ? used : pos, 0, a, offset, length);
        count++;
    }

    /** Gives an element other bytes; it keeps its position. */
    public void replace(int pos, byte[] a, int offset, int length) {
        put(pos, end(pos) - pos, a, offset, length);
    }

    /** Gives an element the digits of a number; it keeps its position. */
    public void replace(int pos, long value) {
        put(pos, end(pos) - pos, value);
    }

    /** Removes this many elements from a position on, at most to the end; what came behind them has the position afterwards. */
    public void remove(int pos, int howMany) {
        int end = pos;
        int removed = 0;
        for (; removed < howMany && end < used; removed++) {
            end = end(end);
        }
        resize(pos, end - pos, 0);
        count -= removed;
    }

    /** Gives back what was kept for further elements. */
    public void trimToSize() {
        if (array.length > used + 7) {
            array = Arrays.copyOf(array, used);
        }
    }

    private void put(int pos, int oldSize, byte[] a, int offset, int length) {
        if (isCanonical(a, offset, length)) {
            put(pos, oldSize, Numbers.parseLong(a, offset, length));
            return;
        }
        int headSize = headSize(length);
        int size = Math.addExact(headSize, length);
        resize(pos, oldSize, Math.addExact(size, backSize(size)));
        if (headSize == 1) {
            array[pos] = (byte) (BYTES_6 | length);
        } else if (headSize == 2) {
            array[pos] = (byte) (BYTES_12 | length >> 8);
            array[pos + 1] = (byte) length;
        } else {
            array[pos] = (byte) BYTES_32;
            writeLow(length, 4, pos + 1);
        }
        System.arraycopy(a, offset, array, pos + headSize, length);
        writeBack(size, pos + size);
    }

    private void put(int pos, int oldSize, long value) {
        int head = longHead(value);
        int dataSize = longSize(head);
        resize(pos, oldSize, dataSize + 2);
        array[pos] = (byte) head;
        writeLow(value, dataSize, pos + 1);
        writeBack(1 + dataSize, pos + 1 + dataSize);
    }

    /** Makes {@code newSize} bytes of the {@code oldSize} at a position. */
    private void resize(int pos, int oldSize, int newSize) {
        int newUsed = Math.addExact(used - oldSize, newSize);
        byte[] old = array;
        if (newUsed == 0 || newUsed > old.length || old.length - newUsed > 24 + newUsed / 4) {
            array = newUsed == 0 ? NOTHING : new byte[capacityFor(newUsed)];
            System.arraycopy(old, 0, array, 0, pos);
        }
        System.arraycopy(old, pos + oldSize, array, pos + newSize, used - pos - oldSize);
        used = newUsed;
    }

    private static int capacityFor(int bytes) {
        return (int) Math.min((bytes + bytes / 16L + 7) & ~7L, Integer.MAX_VALUE - 16);
    }

    // ---- the layout

    /** Where the next element begins. */
    private int end(int pos) {
        int head = array[pos] & 0xff;
        if (head < BYTES_6) {
            return pos + 2;
        }
        int size = isLong(pos) ? 1 + longSize(head) : dataOffset(pos) - pos + stringLength(pos);
        return pos + size + backSize(size);
    }

    private int stringLength(int pos) {
        int head = array[pos] & 0xff;
        if (head < LONG_13) {
            return head & 0x3f;
        }
        if (head < BYTES_32) {
            return (head & 0x0f) << 8 | (array[pos + 1] & 0xff);
        }
        return (array[pos + 1] & 0xff)
                | (array[pos + 2] & 0xff) << 8
                | (array[pos + 3] & 0xff) << 16
                | (array[pos + 4] & 0xff) << 24;
    }

    private boolean equalsString(int pos, byte[] a, int offset, int length) {
        if (isLong(pos) || stringLength(pos) != length) {
            return false;
        }
        int from = dataOffset(pos);
        return Arrays.equals(array, from, from + length, a, offset, offset + length);
    }

    /** Whether these bytes are stored as a number. */
    private static boolean isCanonical(byte[] a, int offset, int length) {
        return length > 0 && length <= Numbers.MAX_LONG_BYTES && a[offset] <= '9' && Numbers.isLong(a, offset, length);
    }

    private static int headSize(int length) {
        if (length < 1 << 6) {
            return 1;
        }
        return length < 1 << 12 ? 2 : 5;
    }

    private static int longHead(long value) {
        if (value >= 0 && value <= 127) {
            return (int) value;
        }
        if (value >= -4096 && value <= 4095) {
            return LONG_13 | (int) (value >> 8 & 0x1f);
        }
        if (value == (short) value) {
            return LONG_16;
        }
        if (value >= -(1 << 23) && value < 1 << 23) {
            return LONG_24;
        }
        return value == (int) value ? LONG_32 : LONG_64;
    }

    /** How many bytes of data follow the head of a number. */
    private static int longSize(int head) {
        if (head < BYTES_6) {
            return 0;
        }
        if (head < BYTES_12) {
            return 1;
        }
        return head == LONG_64 ? 8 : head - LONG_16 + 2;
    }

    private void writeLow(long value, int size, int at) {
        for (int i = 0; i < size; i++) {
            array[at + i] = (byte) (value >> (8 * i));
        }
    }

    /** How many bytes tell a size; the limits are listpack's, which are one below what would fit. */
    private static int backSize(int size) {
        if (size <= 127) {
            return 1;
        }
        if (size < (1 << 14) - 1) {
            return 2;
        }
        if (size < (1 << 21) - 1) {
            return 3;
        }
        return size < (1 << 28) - 1 ? 4 : 5;
    }

    private void writeBack(int size, int at) {
        int bytes = backSize(size);
        for (int i = 0; i < bytes; i++) {
            int bits = (size >>> (7 * (bytes - 1 - i))) & 0x7f;
            array[at + i] = (byte) (i == 0 ? bits : bits | 0x80);
        }
    }
}
