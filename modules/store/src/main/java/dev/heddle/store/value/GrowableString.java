package dev.heddle.store.value;

import java.util.Arrays;

/**
 * A string that is changed in place: what APPEND, SETRANGE and SETBIT leave behind.
 *
 * <p>Guarded by the lock of the stripe that its key lies in: the array must not be handed out beyond it, only copies.
 */
public final class GrowableString implements Value {

    /*
     * A plain byte[] value is never changed, so that replies may go on referring to it after the lock is released. A string that
     * grows byte by byte cannot afford a copy each time: this one has room at its end, doubled when used up (by 1 MiB at a
     * time from there on, as Redis does), so that n appends cost O(n) in all. What it loses is the free reference: readers copy.
     */

    private static final int LARGEST_STEP = 1 << 20;

    private byte[] bytes;
    private int length;

    /** A growable copy of these bytes. */
    public GrowableString(byte[] initial, int capacity) {
        this.bytes = Arrays.copyOf(initial, Math.max(initial.length, capacity));
        this.length = initial.length;
    }

    public int length() {
        return length;
    }

    /** The bytes, of which the first {@link #length()} count; valid under the lock only. */
    public byte[] array() {
        return bytes;
    }

    public byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    public void append(byte[] source, int offset, int count) {
        ensureLength(length + count);
        System.arraycopy(source, offset, bytes, length - count, count);
    }

    /** Overwrites from {@code at} on, with zero bytes before it if the string was shorter. */
    public void write(int at, byte[] source, int offset, int count) {
        ensureLength(Math.max(length, at + count));
        System.arraycopy(source, offset, bytes, at, count);
    }

    /** Makes the string at least this long; new bytes are zero. */
    public void ensureLength(int newLength) {
        if (newLength > bytes.length) {
            int spare = Math.min(newLength, LARGEST_STEP);
            bytes = Arrays.copyOf(bytes, (int) Math.min((long) newLength + spare, Integer.MAX_VALUE - 16));
        }
        length = Math.max(length, newLength);
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
    public long bytes() {
        return 24L + 16 + bytes.length;
    }
}
