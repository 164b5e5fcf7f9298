package dev.heddle.command.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bits of byte arrays, numbered from the highest bit of the first byte on. Stateless.
 *
 * <p>Long stretches are done eight bytes at a time.
 */
final class Bits {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** What BITOP can do to several strings. */
    enum Operation {
        AND,
        OR,
        XOR
    }

    private Bits() {}

    static int get(byte[] bytes, long bit) {
        return (bytes[(int) (bit >>> 3)] >>> (7 - (int) (bit & 7))) & 1;
    }

    static void set(byte[] bytes, long bit, int value) {
        int index = (int) (bit >>> 3);
        int mask = 0x80 >>> (int) (bit & 7);
        bytes[index] = (byte) (value == 0 ? bytes[index] & ~mask : bytes[index] | mask);
    }

    /** How many bits from {@code first} to {@code last}, both inclusive, are set. */
    static long count(byte[] bytes, long first, long last) {
        int from = (int) (first >>> 3);
        int to = (int) (last >>> 3);
        long count = 0;
        int at = from;
        for (; at + Long.BYTES <= to + 1; at += Long.BYTES) {
            count += Long.bitCount((long) LONGS.get(bytes, at));
        }
        for (; at <= to; at++) {
            count += Integer.bitCount(bytes[at] & 0xff);
        }
        // Whole bytes have been counted: take off what lies before the first bit and behind the last.
        int before = bytes[from] & 0xff & ~(0xff >>> (int) (first & 7));
        int behind = bytes[to] & (0x7f >>> (int) (last & 7));
        return count - Integer.bitCount(before) - Integer.bitCount(behind);
    }

    /** The first bit from {@code first} to {@code last}, both inclusive, that has this value; -1 if none has. */
    static long find(byte[] bytes, int value, long first, long last) {
        long skipped = value == 0 ? -1L : 0L; // a word that holds none
        long bit = first;
        while (bit <= last) {
            int index = (int) (bit >>> 3);
            if ((bit & 7) == 0 && bit + Long.SIZE - 1 <= last) {
                long word = (long) LONGS.get(bytes, index);
                if (word != skipped) {
                    return bit + Long.numberOfLeadingZeros(word ^ skipped);
                }
                bit += Long.SIZE;
            } else if (get(bytes, bit) == value) {
                return bit;
            } else {
                bit++;
            }
        }
        return -1;
    }

    /** {@code target = target op source}; the source counts as filled up with zeros. */
    static void combine(Operation operation, byte[] target, byte[] source, int sourceLength) {
        // One loop for each operation: a choice inside the loop would cost as much as the work.
        switch (operation) {
            case AND -> and(target, source, sourceLength);
            case OR -> or(target, source, sourceLength);
            case XOR -> xor(target, source, sourceLength);
        }
    }

    private static void and(byte[] target, byte[] source, int length) {
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            LONGS.set(target, at, (long) LONGS.get(target, at) & (long) LONGS.get(source, at));
        }
        for (; at < length; at++) {
            target[at] &= source[at];
        }
        Arrays.fill(target, length, target.length, (byte) 0);
    }

    private static void or(byte[] target, byte[] source, int length) {
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            LONGS.set(target, at, (long) LONGS.get(target, at) | (long) LONGS.get(source, at));
        }
        for (; at < length; at++) {
            target[at] |= source[at];
        }
    }

    private static void xor(byte[] target, byte[] source, int length) {
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            LONGS.set(target, at, (long) LONGS.get(target, at) ^ (long) LONGS.get(source, at));
        }
        for (; at < length; at++) {
            target[at] ^= source[at];
        }
    }

    static void invert(byte[] bytes) {
        int at = 0;
        for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
            LONGS.set(bytes, at, ~(long) LONGS.get(bytes, at));
        }
        for (; at < bytes.length; at++) {
            bytes[at] = (byte) ~bytes[at];
        }
    }

    /** The number of 1 to 64 bits that begins at a bit; bits behind the first {@code length} bytes are zero. */
    static long field(byte[] bytes, int length, long bit, int width) {
        long value = 0;
        int left = width;
        long at = bit;
        while (left > 0) {
            long index = at >>> 3;
            int taken = Math.min(left, 8 - (int) (at & 7));
            int b = index < length ? bytes[(int) index] & 0xff : 0;
            int part = (b >>> (8 - (int) (at & 7) - taken)) & ((1 << taken) - 1);
            value = (value << taken) | part;
            at += taken;
            left -= taken;
        }
        return value;
    }

    /** Writes the lowest 1 to 64 bits of a number from a bit on; the array must be long enough. */
    static void field(byte[] bytes, long bit, int width, long value) {
        int left = width;
        long at = bit;
        while (left > 0) {
            int index = (int) (at >>> 3);
            int taken = Math.min(left, 8 - (int) (at & 7));
            int shift = 8 - (int) (at & 7) - taken;
            int mask = (1 << taken) - 1;
            left -= taken;
            int part = (int) (value >>> left) & mask;
            bytes[index] = (byte) ((bytes[index] & ~(mask << shift)) | (part << shift));
            at += taken;
        }
    }
}
