package dev.heddle.store.value;

import java.util.Arrays;

/**
 * A string that is changed in place: what APPEND, SETRANGE and SETBIT leave behind.
 *
 * <p>Guarded by the lock of the stripe that its key lies in: the array must not be handed out beyond it, only copies.
 */
public final class GrowableString extends Value {

    /*
     * A plain byte[] value is never changed, so that replies may go on referring to it after the lock is released. A string that
     * grows byte by byte cannot afford a copy each time: this one has room at its end. Up to a mebibyte the room doubles the
     * string, beyond that it is an eighth of it: growing always by a fraction of the length keeps n appends at O(n) in all (a
     * fixed step, however large, would make them O(n^2)), and an eighth wastes little of a bitmap of hundreds of mebibytes.
     * What this form loses is the free reference: readers copy.
     */

    private static final int DOUBLED = 1 << 20;
    /** The longest array that every JVM can make. */
    private static final int LONGEST = Integer.MAX_VALUE - 16;

    private byte[] bytes;
    private int length;

    private GrowableString(byte[] bytes, int length) {
        this.bytes = bytes;
        this.length = length;
    }

    /** The first {@code length} of these bytes, copied, with room to grow to {@code newLength} and beyond. */
    public static GrowableString growing(byte[] initial, int length, int newLength) {
        byte[] copy = new byte[newLength + spare(newLength)];
        System.arraycopy(initial, 0, copy, 0, length);
        return new GrowableString(copy, length);
    }

    /** These bytes themselves, which belong to the string from now on, without room to grow. */
    public static GrowableString of(byte[] bytes) {
        return new GrowableString(bytes, bytes.length);
    }

    public int length() {
        return length;
    }

    /** The bytes, of which the first {@link #length()} count; valid under the lock only. */
    public byte[] array() {
        return bytes;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    public void append(byte[] source, int offset, int count) {
        write(length, source, offset, count);
    }

    /** Overwrites from {@code at} on, with zero bytes before it if the string was shorter. */
    public void write(int at, byte[] source, int offset, int count) {
        ensureLength(at + count);
        System.arraycopy(source, offset, bytes, at, count);
    }

    /** Makes the string at least this long; new bytes are zero. */
    public void ensureLength(int newLength) {
        if (newLength > bytes.length) {
            bytes = Arrays.copyOf(bytes, newLength + spare(newLength));
        }
        length = Math.max(length, newLength);
    }

    private static int spare(int newLength) {
        int spare = newLength < DOUBLED ? newLength : Math.max(DOUBLED, newLength / 8);
        return Math.clamp(LONGEST - (long) newLength, 0, spare);
    }

    @Override
    public ValueType type() {
        return ValueType.STRING;
    }

    @Override
    public String encoding() {
        return "raw";
    }

    @Override
    public GrowableString copy() {
        return of(toByteArray());
    }

    @Override
    public long bytes() {
        return 24L + 16 + bytes.length;
    }
}
