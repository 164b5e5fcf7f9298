package dev.heddle.persistence.rdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.heddle.command.config.Settings;
import dev.heddle.persistence.rdb.RdbBytes.Sample;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Damaged values and files: an {@link RdbException} or a value, and nothing else. */
class RdbFuzzTest {

    private final ValueReader values = new ValueReader(new Settings().encoding, new Random(1));

    /** A byte is replaced, bytes are put in, or bytes are cut out. */
    record Change(int kind, int where, int value) {

        byte[] apply(byte[] bytes) {
            int at = bytes.length == 0 ? 0 : where % bytes.length;
            byte[] changed = bytes.clone();
            switch (kind) {
                case 0 -> {
                    if (bytes.length > 0) {
                        changed[at] = (byte) value;
                    }
                }
                case 1 -> {
                    changed = Arrays.copyOf(bytes, bytes.length + 1);
                    System.arraycopy(bytes, at, changed, at + 1, bytes.length - at);
                    changed[at] = (byte) value;
                }
                case 2 -> changed = Arrays.copyOf(bytes, at);
                default -> {
                    if (bytes.length > 0) {
                        changed[at] ^= (byte) (1 << (value & 7));
                    }
                }
            }
            return changed;
        }
    }

    @Provide
    Arbitrary<Sample> samples() {
        return Arbitraries.of(RdbBytes.samples());
    }

    @Provide
    Arbitrary<List<Change>> changes() {
        Arbitrary<Integer> byteValues = Arbitraries.oneOf(
                Arbitraries.integers().between(0, 255),
                Arbitraries.of(0, 0x3f, 0x80, 0x81, 0xc3, 0xf0, 0xf4, 0xfe, 0xff));
        return Combinators.combine(
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.integers().between(0, 200),
                        byteValues)
                .as(Change::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(4);
    }

    private static byte[] changed(byte[] bytes, List<Change> changes) {
        byte[] result = bytes;
        for (Change change : changes) {
            result = change.apply(result);
        }
        return result;
    }

    private void readAnyhow(int type, byte[] bytes) {
        try {
            values.read(type, new RdbInput(bytes, 0, bytes.length));
        } catch (RdbException refused) {
            assertThat(refused).hasMessageStartingWith("at offset ");
        } catch (IOException other) {
            fail("another exception", other);
        }
    }

    @Property(tries = 20_000)
    void damagedValues(@ForAll("samples") Sample sample, @ForAll("changes") List<Change> changes) {
        readAnyhow(sample.type(), changed(sample.value(), changes));
    }

    @Property(tries = 5_000)
    void anyBytes(@ForAll @IntRange(max = 30) int type, @ForAll @Size(max = 100) byte[] bytes) {
        readAnyhow(type, bytes);
    }

    /** Counts what it is told. */
    private static final class Counter implements RdbSink {
        private int entries;

        @Override
        public void property(byte[] name, byte[] value) {
            // of no interest
        }

        @Override
        public void entry(int database, byte[] key, Object value, long expireAt, Usage usage) {
            entries++;
        }

        @Override
        public void function(byte[] source) {
            // of no interest
        }

        @Override
        public void empty(int database, byte[] key) {
            // of no interest
        }
    }

    private static byte[] file() {
        RdbBytes file = RdbBytes.file(12);
        file.raw(250)
                .string("redis-ver")
                .string("7.2.4")
                .raw(245)
                .string("#!lua name=x")
                .raw(254)
                .length(0);
        file.raw(251)
                .length(20)
                .length(1)
                .raw(252)
                .little(1_900_000_000_000L, 8)
                .raw(248)
                .length(77);
        int number = 0;
        for (Sample sample : RdbBytes.samples()) {
            file.raw(sample.type()).string("key" + number).raw(sample.value());
            number++;
        }
        return file.ended();
    }

    private int read(byte[] file) throws IOException {
        Counter counter = new Counter();
        RdbReader.read(new RdbInput(new ByteArrayInputStream(file), file.length), values, counter, true);
        return counter.entries;
    }

    @Property(tries = 5_000)
    void filesWithAChecksumAreReadRightOrNotAtAll(
            @ForAll("changes") List<Change> changes, @ForAll @IntRange(max = 2000) int shift) {
        byte[] good = file();
        List<Change> spread = new ArrayList<>();
        changes.forEach(change -> spread.add(new Change(change.kind(), change.where() + shift, change.value())));
        byte[] bad = changed(good, spread);
        try {
            assertThat(read(bad)).isEqualTo(RdbBytes.samples().size());
            // Only what is behind the end goes unnoticed.
            assertThat(Arrays.equals(Arrays.copyOf(bad, good.length), good)).isTrue();
        } catch (RdbException refused) {
            assertThat(refused).hasMessageStartingWith("at offset ");
        } catch (IOException other) {
            fail("another exception", other);
        }
    }

    @Test
    void aFileCutAnywhereIsRefused() throws IOException {
        byte[] good = file();
        assertThat(read(good)).isEqualTo(RdbBytes.samples().size());
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> read(cut)).isInstanceOf(RdbException.class);
        }
    }

    /** Decompression never reads or writes outside of its arrays, and makes what a plain reading of the rules makes. */
    @Property(tries = 5_000)
    void decompression(@ForAll @Size(max = 60) byte[] from, @ForAll @IntRange(max = 400) int length) {
        byte[] to = new byte[length];
        byte[] expected = decode(from);
        boolean good = LzfDecoder.decode(from, to);
        assertThat(good).isEqualTo(expected != null && expected.length == length);
        if (good) {
            assertThat(to).isEqualTo(expected);
        }
        if (expected != null) {
            assertThat(expected.length).isLessThanOrEqualTo(from.length * LzfDecoder.LARGEST_RATIO);
            byte[] exact = new byte[expected.length];
            assertThat(LzfDecoder.decode(from, exact)).isTrue();
            assertThat(exact).isEqualTo(expected);
        }
    }

    private static byte @Nullable [] decode(byte[] from) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < from.length) {
            int head = from[at++] & 0xff;
            int length = head < 32 ? head + 1 : head / 32 + 2;
            if (length == 9 && head >= 32) {
                if (at == from.length) {
                    return null;
                }
                length += from[at++] & 0xff;
            }
            if (head >= 32) {
                if (at == from.length) {
                    return null;
                }
                int distance = head % 32 * 256 + (from[at++] & 0xff) + 1;
                if (distance > out.length()) {
                    return null;
                }
                for (int i = 0; i < length; i++) {
                    out.append(out.charAt(out.length() - distance));
                }
            } else if (length > from.length - at) {
                return null;
            } else {
                for (int i = 0; i < length; i++) {
                    out.append((char) (from[at++] & 0xff));
                }
            }
        }
        return RdbBytes.latin(out.toString());
    }
}
