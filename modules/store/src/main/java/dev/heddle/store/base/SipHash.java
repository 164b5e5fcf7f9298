package dev.heddle.store.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;

/**
 * Seeded 64-bit hash of byte strings (SipHash-1-3).
 *
 * <p>Immutable. The seed is drawn once per process, so that nobody outside can prepare keys that all fall into one bucket.
 */
public final class SipHash {

    /*
     * A hash table that strangers can write to needs a hash that they cannot predict. A seed alone is not enough: for
     * multiply-and-xor hashes there are inputs that collide whatever the seed is. SipHash (Aumasson and Bernstein, 2012) is
     * a keyed pseudo-random function; its variant with one round per 8 bytes and three at the end is what Rust's and
     * Redis's tables use, and costs some 10 ns for a short key.
     */

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long k0;
    private final long k1;

    public SipHash(RandomGenerator random) {
        this(random.nextLong(), random.nextLong());
    }

    SipHash(long k0, long k1) {
        this.k0 = k0;
        this.k1 = k1;
    }

    /** The hash of {@code length} bytes from {@code offset}. */
    public long hash(byte[] bytes, int offset, int length) {
        long v0 = k0 ^ 0x736f6d6570736575L;
        long v1 = k1 ^ 0x646f72616e646f6dL;
        long v2 = k0 ^ 0x6c7967656e657261L;
        long v3 = k1 ^ 0x7465646279746573L;
        int end = offset + length;
        int at = offset;
        for (int last = end - 7; at < last; at += 8) {
            long word = (long) LONGS.get(bytes, at);
            v3 ^= word;
            // one round
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
            v0 ^= word;
        }
        long word = tail(bytes, at, end) | ((long) length << 56);
        v3 ^= word;
        for (int round = 0; round < 4; round++) {
            if (round == 1) { // the last word is in: from here on the three finishing rounds
                v0 ^= word;
                v2 ^= 0xff;
            }
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private static long tail(byte[] bytes, int from, int end) {
        long word = 0;
        for (int i = end - 1; i >= from; i--) {
            word = (word << 8) | (bytes[i] & 0xff);
        }
        return word;
    }
}
