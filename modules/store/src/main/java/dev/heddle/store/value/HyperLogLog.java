package dev.heddle.store.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts how many different elements it has seen, with a standard error of 0.81 %, in the string form that Redis has: such a value is an
 * ordinary string of at most 12,304 bytes.
 *
 * <p>Confined to one thread. Works on an array of its own.
 */
public final class HyperLogLog {

    /*
     * Problem: counting different elements exactly means remembering them. Flajolet's idea: hash each element, and remember only the longest
     * run of zero bits seen. A run of n suggests about 2^n different elements; one such guess is poor, so the hash's first 14 bits choose one
     * of 16,384 registers, each with a run of its own, and the estimate is made of all of them (by Otmar Ertl's formula, which
     * needs no correction for small or large counts: "New cardinality estimation algorithms for HyperLogLog sketches", 2017).
     *
     * Form (Redis's): "HYLL", a byte for the encoding, three unused, eight for the last estimate (little-endian; the top bit set means that it
     * is outdated), then the registers:
     *   dense:  6 bits each, the lowest bits first;
     *   sparse: runs. 00xxxxxx: x+1 zeros. 01xxxxxx yyyyyyyy: xy+1 zeros. 1vvvvvxx: x+1 registers of value v+1.
     *
     * An update of the sparse form splits a run in up to three and then joins neighbours of equal value again, over at most five runs: not all
     * that could be joined, but exactly what Redis joins, so that both turn dense at the same element. Dense is also the
     * end of it when a register exceeds 32, which a run cannot say, or when it would outgrow hll-sparse-max-bytes.
     */

    public static final int REGISTERS = 1 << 14;
    private static final int HEADER = 16;
    private static final int DENSE_BYTES = HEADER + REGISTERS * 6 / 8;
    private static final int ENCODING_AT = 4;
    private static final int CACHE_AT = 8;
    private static final byte DENSE = 0;
    private static final byte SPARSE = 1;
    private static final byte[] MAGIC = "HYLL".getBytes(StandardCharsets.US_ASCII);
    private static final int INDEX_BITS = 14;
    /** Bits of the hash in which zeros are counted. */
    private static final int RUN_BITS = 64 - INDEX_BITS;

    private static final int REGISTER_MASK = 63;
    private static final int LARGEST_SPARSE = 32;
    private static final int LONGEST_ZERO = 64;
    private static final int LONGEST_VALUE = 4;
    private static final int RUNS_TO_JOIN = 5;
    private static final int OUTDATED = 0x80;
    private static final double ALPHA = 0.7213475204444817; // 0.5 / ln 2

    private byte[] data;

    private HyperLogLog(byte[] data) {
        this.data = data;
    }

    /** One that has seen nothing. */
    public static HyperLogLog empty() {
        byte[] data = new byte[HEADER + 2];
        System.arraycopy(MAGIC, 0, data, 0, MAGIC.length);
        data[ENCODING_AT] = SPARSE;
        data[HEADER] = (byte) (0x40 | (REGISTERS - 1) >> 8);
        data[HEADER + 1] = (byte) (REGISTERS - 1);
        return new HyperLogLog(data);
    }

    /** The one that a string holds; the bytes are copied. Null if it is none. */
    public static @Nullable HyperLogLog of(byte[] bytes, int length) {
        if (length < HEADER
                || !Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
                || bytes[ENCODING_AT] < DENSE
                || bytes[ENCODING_AT] > SPARSE
                || (bytes[ENCODING_AT] == DENSE && length != DENSE_BYTES)) {
            return null;
        }
        return new HyperLogLog(Arrays.copyOf(bytes, length));
    }

    /** The string form: this object's own array, not to be changed while the object is used. */
    public byte[] bytes() {
        return data;
    }

    public boolean isDense() {
        return data[ENCODING_AT] == DENSE;
    }

    // ---- adding

    /**
     * Sees an element.
     *
     * @param sparseMax how many bytes the sparse form may have
     * @return whether that has changed anything
     * @throws IllegalStateException if the string is damaged
     */
    public boolean add(byte[] array, int offset, int length, int sparseMax) {
        long hash = Murmur.hash(array, offset, length);
        int index = (int) hash & (REGISTERS - 1);
        int run = Long.numberOfTrailingZeros(hash >>> INDEX_BITS | 1L << RUN_BITS) + 1;
        return raise(index, run, sparseMax);
    }

    /** Makes a register at least this large. @return whether it was smaller @throws IllegalStateException if the string is damaged */
    public boolean raise(int index, int value, int sparseMax) {
        if (!isDense()) {
            int changed = raiseSparse(index, value, sparseMax);
            if (changed >= 0) {
                return changed > 0;
            }
            makeDense();
        }
        if (dense(data, index) >= value) {
            return false;
        }
        setDense(data, index, value);
        return true;
    }

    private static int dense(byte[] data, int index) {
        int bit = index * 6;
        int at = HEADER + (bit >>> 3);
        int shift = bit & 7;
        int low = (data[at] & 0xff) >>> shift;
        int high = shift > 2 ? (data[at + 1] & 0xff) << (8 - shift) : 0;
        return (low | high) & REGISTER_MASK;
    }

    private static void setDense(byte[] data, int index, int value) {
        int bit = index * 6;
        int at = HEADER + (bit >>> 3);
        int shift = bit & 7;
        data[at] = (byte) (data[at] & ~(REGISTER_MASK << shift) | value << shift);
        if (shift > 2) {
            data[at + 1] = (byte) (data[at + 1] & ~(REGISTER_MASK >>> (8 - shift)) | value >>> (8 - shift));
        }
    }

    /** Changes the form to the one that has room for everything. @throws IllegalStateException if the string is damaged */
    public void makeDense() {
        if (isDense()) {
            return;
        }
        byte[] dense = new byte[DENSE_BYTES];
        System.arraycopy(data, 0, dense, 0, HEADER);
        dense[ENCODING_AT] = DENSE;
        forEachRun((index, value, length) -> {
            for (int i = index; value > 0 && i < index + length; i++) {
                setDense(dense, i, value);
            }
        });
        data = dense;
    }

    // ---- the sparse form

    /** Takes the runs of registers with equal values. */
    @FunctionalInterface
    public interface RunVisitor {
        void run(int index, int value, int length);
    }

    private static boolean isValue(int code) {
        return (code & 0x80) != 0;
    }

    private static boolean isLongZero(int code) {
        return (code & 0xc0) == 0x40;
    }

    private int lengthAt(int at) {
        int code = data[at];
        if (isValue(code)) {
            return (code & 3) + 1;
        }
        if (!isLongZero(code)) {
            return (code & 0x3f) + 1;
        }
        if (at + 1 >= data.length) {
            throw damaged();
        }
        return ((code & 0x3f) << 8 | data[at + 1] & 0xff) + 1;
    }

    private static int valueOf(int code) {
        return isValue(code) ? (code >> 2 & 0x1f) + 1 : 0;
    }

    private static IllegalStateException damaged() {
        return new IllegalStateException("damaged");
    }

    /** Visits the runs of the sparse form in order. @throws IllegalStateException if the string is damaged */
    public void forEachRun(RunVisitor visitor) {
        int index = 0;
        for (int at = HEADER; at < data.length; at += isLongZero(data[at]) ? 2 : 1) {
            int length = lengthAt(at);
            if (index + length > REGISTERS) {
                throw damaged();
            }
            visitor.run(index, valueOf(data[at]), length);
            index += length;
        }
        if (index != REGISTERS) {
            throw damaged();
        }
    }

    /** @return 1 if the register was smaller, 0 if not, -1 if the sparse form cannot say it: then nothing has changed */
    private int raiseSparse(int index, int value, int sparseMax) {
        if (value > LARGEST_SPARSE) {
            return -1;
        }
        int at = HEADER;
        int previous = -1;
        int first = 0;
        int length = 0;
        while (at < data.length) {
            length = lengthAt(at);
            if (index < first + length) {
                break;
            }
            previous = at;
            at += isLongZero(data[at]) ? 2 : 1;
            first += length;
        }
        if (at >= data.length) {
            throw damaged();
        }
        int old = valueOf(data[at]);
        if (old >= value) {
            return 0;
        }
        if (length == 1 && !isLongZero(data[at])) {
            data[at] = valueCode(value, 1);
        } else if (!split(at, first, length, index, value, sparseMax)) {
            return -1;
        }
        join(previous < 0 ? HEADER : previous);
        return 1;
    }

    /** Cuts a run into what is before a register, the register, and what is behind it. */
    private boolean split(int at, int first, int length, int index, int value, int sparseMax) {
        int old = valueOf(data[at]);
        byte[] parts = new byte[5];
        int size = code(parts, 0, old, index - first);
        parts[size] = valueCode(value, 1);
        size = code(parts, size + 1, old, first + length - 1 - index);
        int oldSize = isLongZero(data[at]) ? 2 : 1;
        int growth = size - oldSize;
        if (growth > 0 && data.length + growth > sparseMax) {
            return false;
        }
        byte[] changed = new byte[data.length + growth];
        System.arraycopy(data, 0, changed, 0, at);
        System.arraycopy(parts, 0, changed, at, size);
        System.arraycopy(data, at + oldSize, changed, at + size, data.length - at - oldSize);
        data = changed;
        return true;
    }

    /** Writes a run, unless it is empty. @return where the next one goes */
    private static int code(byte[] to, int at, int value, int length) {
        if (length == 0) {
            return at;
        }
        if (value > 0) {
            to[at] = valueCode(value, length);
            return at + 1;
        }
        if (length <= LONGEST_ZERO) {
            to[at] = (byte) (length - 1);
            return at + 1;
        }
        to[at] = (byte) (0x40 | (length - 1) >> 8);
        to[at + 1] = (byte) (length - 1);
        return at + 2;
    }

    private static byte valueCode(int value, int length) {
        return (byte) (0x80 | (value - 1) << 2 | length - 1);
    }

    /** Joins neighbours of the same value, from here on. */
    private void join(int from) {
        int at = from;
        int end = data.length;
        for (int runs = RUNS_TO_JOIN; at < end && runs > 0; runs--) {
            if (isLongZero(data[at])) {
                at += 2;
                continue;
            }
            if (isValue(data[at])
                    && at + 1 < end
                    && isValue(data[at + 1])
                    && valueOf(data[at]) == valueOf(data[at + 1])) {
                int length = lengthAt(at) + lengthAt(at + 1);
                if (length <= LONGEST_VALUE) {
                    data[at + 1] = valueCode(valueOf(data[at]), length);
                    System.arraycopy(data, at + 1, data, at, end - at - 1);
                    end--;
                    continue; // the joined one may be joined with the next
                }
            }
            at++;
        }
        if (end < data.length) {
            data = Arrays.copyOf(data, end);
        }
    }

    // ---- counting

    /** The last estimate, or -1 if it is outdated. */
    public long cached() {
        if ((data[CACHE_AT + 7] & OUTDATED) != 0) {
            return -1;
        }
        long count = 0;
        for (int i = 7; i >= 0; i--) {
            count = count << 8 | data[CACHE_AT + i] & 0xff;
        }
        return count;
    }

    /** Keeps an estimate until the next change. */
    public void cache(long count) {
        for (int i = 0; i < 8; i++) {
            data[CACHE_AT + i] = (byte) (count >>> 8 * i);
        }
    }

    /** Notes that the kept estimate is outdated. */
    public void outdate() {
        data[CACHE_AT + 7] |= (byte) OUTDATED;
    }

    /** About how many different elements it has seen. @throws IllegalStateException if the string is damaged */
    public long estimate() {
        byte[] registers = new byte[REGISTERS];
        maximum(registers);
        return estimate(registers);
    }

    /** Makes each of these registers at least as large as the one here. @throws IllegalStateException if the string is damaged */
    public void maximum(byte[] registers) {
        if (isDense()) {
            for (int i = 0; i < REGISTERS; i++) {
                registers[i] = (byte) Math.max(registers[i], dense(data, i));
            }
        } else {
            forEachRun((index, value, length) -> {
                for (int i = index; value > 0 && i < index + length; i++) {
                    registers[i] = (byte) Math.max(registers[i], value);
                }
            });
        }
    }

    /** About how many different elements have led to these registers. */
    public static long estimate(byte[] registers) {
        int[] histogram = new int[REGISTER_MASK + 1];
        for (byte register : registers) {
            histogram[register]++;
        }
        double m = REGISTERS;
        double z = m * tau((m - histogram[RUN_BITS + 1]) / m);
        for (int i = RUN_BITS; i >= 1; i--) {
            z = 0.5 * (z + histogram[i]);
        }
        z += m * sigma(histogram[0] / m);
        return Math.round(ALPHA * m * m / z);
    }

    private static double sigma(double start) {
        if (start == 1) {
            return Double.POSITIVE_INFINITY;
        }
        double x = start;
        double y = 1;
        double z = x;
        double before;
        do {
            x *= x;
            before = z;
            z += x * y;
            y += y;
        } while (before != z);
        return z;
    }

    private static double tau(double start) {
        if (start == 0 || start == 1) {
            return 0;
        }
        double x = start;
        double y = 1;
        double z = 1 - x;
        double before;
        do {
            x = Math.sqrt(x);
            before = z;
            y *= 0.5;
            z -= (1 - x) * (1 - x) * y;
        } while (before != z);
        return z / 3;
    }

    /** Austin Appleby's MurmurHash64A with Redis's seed: both must find the same registers. */
    private static final class Murmur {

        private static final long SEED = 0xadc83b19L;
        private static final long M = 0xc6a4a7935bd1e995L;
        private static final int R = 47;

        static long hash(byte[] array, int offset, int length) {
            long h = SEED ^ length * M;
            int end = offset + (length & ~7);
            int at = offset;
            for (; at < end; at += 8) {
                long k = word(array, at, 8) * M;
                h = (h ^ (k ^ k >>> R) * M) * M;
            }
            if (at < offset + length) {
                h = (h ^ word(array, at, offset + length - at)) * M;
            }
            h = (h ^ h >>> R) * M;
            return h ^ h >>> R;
        }

        private static long word(byte[] array, int at, int count) {
            long word = 0;
            for (int i = count - 1; i >= 0; i--) {
                word = word << 8 | array[at + i] & 0xff;
            }
            return word;
        }
    }
}
