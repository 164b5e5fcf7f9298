package dev.heddle.store.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A set of integers in ascending order, each in 2, 4 or 8 bytes: the compact form of sets of numbers.
 *
 * <p>Guarded by the lock of the stripe that its key lies in.
 */
public final class IntSet {

    /*
     * Members lie side by side in one array, sorted, all as wide as the widest of them needs; they are found by binary search, which
     * for the few hundred members that this form is for touches a handful of cache lines. Adding moves what is above. A member
     * that does not fit widens all of them; since it lies beyond all others, it goes to one of the ends. Removing never narrows: whoever
     * had a large number once will likely have one again, and finding out would cost a walk.
     *
     * Invariant: [0, size) in units of `width` bytes is strictly ascending. After growth the array has an eighth to spare, and it is cut
     * when half of it is empty.
     */

    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final byte[] NOTHING = {};

    private byte[] array = NOTHING;
    private int width = 2;
    private int size;

    public IntSet copy() {
        IntSet copy = new IntSet();
        copy.array = Arrays.copyOf(array, size * width);
        copy.width = width;
        copy.size = size;
        return copy;
    }

    public int size() {
        return size;
    }

    /** How many bytes each member takes: 2, 4 or 8. */
    public int width() {
        return width;
    }

    /** Heap bytes, this object included. */
    public long bytes() {
        return 24 + 16 + ((array.length + 7L) & ~7L);
    }

    /** The member with this rank, 0 being the least. */
    public long at(int index) {
        return switch (width) {
            case 2 -> (short) SHORTS.get(array, index * 2);
            case 4 -> (int) INTS.get(array, index * 4);
            default -> (long) LONGS.get(array, index * 8);
        };
    }

    public boolean contains(long member) {
        return widthOf(member) <= width && indexOf(member) >= 0;
    }

    /** @return whether the member was not there yet */
    public boolean add(long member) {
        if (widthOf(member) > width) {
            widen(widthOf(member));
        }
        int index = indexOf(member);
        if (index >= 0) {
            return false;
        }
        index = -index - 1;
        if ((size + 1) * width > array.length) {
            array = Arrays.copyOf(array, Math.multiplyExact(size + 1 + size / 8, width));
        }
        System.arraycopy(array, index * width, array, (index + 1) * width, (size - index) * width);
        size++;
        set(index, member);
        return true;
    }

    /** @return whether the member was there */
    public boolean remove(long member) {
        int index = widthOf(member) <= width ? indexOf(member) : -1;
        if (index < 0) {
            return false;
        }
        removeAt(index);
        return true;
    }

    /** Removes the member with this rank. */
    public void removeAt(int index) {
        size--;
        System.arraycopy(array, (index + 1) * width, array, index * width, (size - index) * width);
        if (size * width < array.length / 2) {
            array = Arrays.copyOf(array, (size + size / 8) * width);
        }
    }

    /** The rank of a member, or {@code -(rank it would have) - 1}. */
    private int indexOf(long member) {
        int low = 0;
        int high = size - 1;
        if (high >= 0 && member > at(high)) { // numbers often come in ascending order
            return -size - 1;
        }
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long there = at(middle);
            if (there < member) {
                low = middle + 1;
            } else if (there > member) {
                high = middle - 1;
            } else {
                return middle;
            }
        }
        return -low - 1;
    }

    private void set(int index, long member) {
        switch (width) {
            case 2 -> SHORTS.set(array, index * 2, (short) member);
            case 4 -> INTS.set(array, index * 4, (int) member);
            default -> LONGS.set(array, index * 8, member);
        }
    }

    private void widen(int newWidth) {
        IntSet wider = new IntSet();
        wider.width = newWidth;
        wider.array = new byte[Math.multiplyExact(size + 1, newWidth)];
        for (int i = 0; i < size; i++) {
            wider.set(i, at(i));
        }
        array = wider.array;
        width = newWidth;
    }

    private static int widthOf(long member) {
        if (member == (short) member) {
            return 2;
        }
        return member == (int) member ? 4 : 8;
    }
}
