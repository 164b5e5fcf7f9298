package dev.heddle.store.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The hash against a plain implementation, which itself is held against the published values of SipHash-2-4. */
class SipHashTest {

    private static final long K0 = 0x0706050403020100L;
    private static final long K1 = 0x0f0e0d0c0b0a0908L;

    /** SipHash as its paper words it, with its state in an array and any numbers of rounds. */
    private static long reference(int rounds, int last, long k0, long k1, byte[] message) {
        long[] v = {
            k0 ^ 0x736f6d6570736575L, k1 ^ 0x646f72616e646f6dL, k0 ^ 0x6c7967656e657261L, k1 ^ 0x7465646279746573L
        };
        int words = message.length / 8 + 1;
        byte[] padded = Arrays.copyOf(message, words * 8);
        padded[padded.length - 1] = (byte) message.length;
        for (int w = 0; w < words; w++) {
            long m = 0;
            for (int i = 0; i < 8; i++) {
                m |= (padded[w * 8 + i] & 0xffL) << (8 * i);
            }
            v[3] ^= m;
            rounds(v, rounds);
            v[0] ^= m;
        }
        v[2] ^= 0xff;
        rounds(v, last);
        return v[0] ^ v[1] ^ v[2] ^ v[3];
    }

    private static void rounds(long[] v, int count) {
        for (int i = 0; i < count; i++) {
            half(v, 0, 1, 13);
            v[0] = Long.rotateLeft(v[0], 32);
            half(v, 2, 3, 16);
            half(v, 0, 3, 21);
            half(v, 2, 1, 17);
            v[2] = Long.rotateLeft(v[2], 32);
        }
    }

    private static void half(long[] v, int a, int b, int by) {
        v[a] += v[b];
        v[b] = Long.rotateLeft(v[b], by) ^ v[a];
    }

    private static byte[] counting(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    @Test
    void theReferenceGivesThePublishedValuesOfSipHash24() {
        assertThat(reference(2, 4, K0, K1, counting(0))).isEqualTo(0x726fdb47dd0e0e31L);
        assertThat(reference(2, 4, K0, K1, counting(1))).isEqualTo(0x74f839c593dc67fdL);
        assertThat(reference(2, 4, K0, K1, counting(8))).isEqualTo(0x93f5f5799a932462L);
        assertThat(reference(2, 4, K0, K1, counting(15))).isEqualTo(0xa129ca6149be45e5L);
    }

    @Test
    void allLengthsOfThePublishedMessages() {
        SipHash hash = new SipHash(K0, K1);
        for (int length = 0; length < 64; length++) {
            byte[] message = counting(length);
            assertThat(hash.hash(message, 0, length))
                    .as("%d bytes", length)
                    .isEqualTo(reference(1, 3, K0, K1, message));
        }
    }

    @Property(tries = 500)
    void anySliceUnderAnyKey(
            @ForAll long k0,
            @ForAll long k1,
            @ForAll @Size(max = 300) byte[] bytes,
            @ForAll @IntRange(max = 20) int before,
            @ForAll @IntRange(max = 20) int behind) {
        byte[] around = new byte[before + bytes.length + behind];
        new Random(k0).nextBytes(around);
        System.arraycopy(bytes, 0, around, before, bytes.length);
        assertThat(new SipHash(k0, k1).hash(around, before, bytes.length)).isEqualTo(reference(1, 3, k0, k1, bytes));
    }

    @Test
    void theSeedComesFromTheGenerator() {
        byte[] key = {1, 2, 3};
        long one = new SipHash(new Random(1)).hash(key, 0, 3);
        assertThat(new SipHash(new Random(1)).hash(key, 0, 3)).isEqualTo(one);
        assertThat(new SipHash(new Random(2)).hash(key, 0, 3)).isNotEqualTo(one);
    }
}
