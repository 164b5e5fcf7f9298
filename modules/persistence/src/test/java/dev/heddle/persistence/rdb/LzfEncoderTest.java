package dev.heddle.persistence.rdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LzfEncoderTest {

    private static byte[] there(LzfEncoder encoder, byte[] in) {
        int length = encoder.compress(in, 0, in.length);
        return Arrays.copyOf(encoder.output(), length);
    }

    private static void assertRoundTrip(LzfEncoder encoder, byte[] in) {
        byte[] compressed = there(encoder, in);
        if (compressed.length > 0) {
            byte[] back = new byte[in.length];
            assertThat(compressed.length).isLessThanOrEqualTo(in.length - 4);
            assertThat(LzfDecoder.decode(compressed, back)).isTrue();
            assertThat(back).isEqualTo(in);
        }
    }

    @Property(tries = 300)
    void whatIsCompressedComesBack(
            @ForAll long seed,
            @ForAll @IntRange(max = 20_000) int length,
            @ForAll @IntRange(min = 1, max = 256) int letters) {
        Random random = new Random(seed);
        byte[] in = new byte[length];
        for (int i = 0; i < length; i++) {
            // now and then a piece is repeated from somewhere before
            int distance = random.nextInt(20) == 0 && i > 10 ? 1 + random.nextInt(i) : 0;
            for (int end = Math.min(length, i + random.nextInt(300)); distance > 0 && i < end - 1; i++) {
                in[i] = in[i - distance];
            }
            in[i] = (byte) random.nextInt(letters);
        }
        assertRoundTrip(new LzfEncoder(length), in);
    }

    @Property(tries = 100)
    void oneStringDoesNotReachIntoAnother(@ForAll @Size(min = 1, max = 20) List<@IntRange(max = 500) Integer> lengths) {
        LzfEncoder encoder = new LzfEncoder(1 << 16);
        for (int length : lengths) {
            byte[] in = new byte[length];
            for (int i = 0; i < length; i++) {
                in[i] = (byte) (i % 7 + length % 3);
            }
            assertRoundTrip(encoder, in);
        }
    }

    @Test
    void compressesWhatRepeatsItself() {
        byte[] in = "hello world ".repeat(1000).getBytes(StandardCharsets.US_ASCII);
        assertThat(there(new LzfEncoder(in.length), in)).hasSizeLessThan(200);
    }

    @Test
    void givesUpOnNoise() {
        byte[] in = new byte[10_000];
        new Random(1).nextBytes(in);
        assertThat(new LzfEncoder(in.length).compress(in, 0, in.length)).isZero();
        assertThat(new LzfEncoder(4).compress(in, 0, 4)).isZero();
        assertThat(new LzfEncoder(0).compress(in, 0, 0)).isZero();
    }

    @Test
    void matchesAreAtMostAsFarAndAsLongAsTheFormCanSay() {
        byte[] in = new byte[40_000];
        new Random(2).nextBytes(in);
        for (int distance : new int[] {1, 2, 31, 255, 256, 8191, 8192, 8193, 16_384}) {
            for (int length : new int[] {3, 8, 9, 10, 263, 264, 265, 600}) {
                byte[] copy = in.clone();
                for (int i = 0; i < length; i++) {
                    copy[20_000 + i] = copy[20_000 + i - distance];
                }
                Arrays.fill(copy, 30_000, 40_000, (byte) 7); // so that it shrinks at all
                assertRoundTrip(new LzfEncoder(copy.length), copy);
            }
        }
    }

    @Test
    void compressesAPartOfAnArray() {
        byte[] in = "xyzabcabcabcabcabcabcabcabcabcabcabcxyz".getBytes(StandardCharsets.US_ASCII);
        LzfEncoder encoder = new LzfEncoder(in.length);
        int length = encoder.compress(in, 3, in.length - 6);
        byte[] back = new byte[in.length - 6];
        assertThat(LzfDecoder.decode(Arrays.copyOf(encoder.output(), length), back))
                .isTrue();
        assertThat(back).isEqualTo(Arrays.copyOfRange(in, 3, in.length - 3));
    }
}
