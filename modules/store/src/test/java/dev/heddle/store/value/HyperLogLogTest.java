package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class HyperLogLogTest {

    private static boolean add(HyperLogLog log, long element, int sparseMax) {
        byte[] bytes = ByteBuffer.allocate(8).putLong(element).array();
        return log.add(bytes, 0, bytes.length, sparseMax);
    }

    private static byte[] registers(HyperLogLog log) {
        byte[] registers = new byte[HyperLogLog.REGISTERS];
        log.maximum(registers);
        return registers;
    }

    /** A plain array of registers is the model, for either form and for the change from one to the other. */
    @Property(tries = 60)
    void keepsTheGreatestValueOfEachRegister(
            @ForAll long seed, @ForAll @IntRange(max = 3_000) int sparseMax, @ForAll @IntRange(max = 2_500) int steps) {
        Random random = new Random(seed);
        HyperLogLog log = HyperLogLog.empty();
        byte[] model = new byte[HyperLogLog.REGISTERS];
        int range = 1 + random.nextInt(HyperLogLog.REGISTERS);
        for (int i = 0; i < steps; i++) {
            int index = random.nextInt(range);
            int value = 1 + random.nextInt(random.nextInt(50) == 0 ? 51 : 8);
            assertThat(log.raise(index, value, sparseMax)).isEqualTo(model[index] < value);
            model[index] = (byte) Math.max(model[index], value);
            if (!log.isDense()) {
                assertThat(log.bytes().length).isLessThanOrEqualTo(Math.max(18, sparseMax));
            }
        }
        assertThat(registers(log)).isEqualTo(model);
        HyperLogLog again = HyperLogLog.of(log.bytes(), log.bytes().length);
        assertThat(again).isNotNull();
        again.makeDense();
        assertThat(registers(again)).isEqualTo(model);
        assertThat(again.estimate()).isEqualTo(log.estimate());
    }

    @Test
    void estimatesWithinThreeStandardErrors() {
        HyperLogLog log = HyperLogLog.empty();
        for (int i = 1; i <= 300_000; i++) {
            add(log, i, 3_000);
            add(log, i, 3_000);
            if (i % 1000 == 0) {
                assertThat(log.estimate()).isBetween((long) (i * 0.97) - 1, (long) (i * 1.03) + 1);
            }
        }
    }

    @Test
    void theEstimateIsKeptUntilItIsOutdated() {
        HyperLogLog log = HyperLogLog.empty();
        assertThat(log.cached()).isZero();
        log.outdate();
        assertThat(log.cached()).isEqualTo(-1);
        log.cache(0x0102030405060708L);
        assertThat(log.cached()).isEqualTo(0x0102030405060708L);
    }

    /** Damaged strings are told, whatever is done with them. */
    @Property(tries = 300)
    void anyBytesAreReadOrTold(@ForAll byte[] rest) {
        byte[] bytes = new byte[16 + rest.length];
        System.arraycopy(HyperLogLog.empty().bytes(), 0, bytes, 0, 16);
        System.arraycopy(rest, 0, bytes, 16, rest.length);
        HyperLogLog log = HyperLogLog.of(bytes, bytes.length);
        assertThat(log).isNotNull();
        try {
            add(log, 1, 3_000);
            log.estimate();
            log.makeDense();
            assertThat(log.isDense()).isTrue();
        } catch (IllegalStateException told) {
            assertThat(told).hasMessage("damaged");
        }
    }

    @Test
    void otherStringsAreNone() {
        assertThat(HyperLogLog.of(new byte[0], 0)).isNull();
        assertThat(HyperLogLog.of(new byte[16], 16)).isNull();
        byte[] dense = HyperLogLog.empty().bytes();
        dense[4] = 0;
        assertThat(HyperLogLog.of(dense, dense.length)).isNull();
        byte[] cut = HyperLogLog.empty().bytes();
        HyperLogLog log = HyperLogLog.of(cut, cut.length - 1);
        assertThat(log).isNotNull();
        assertThatThrownBy(log::estimate).isInstanceOf(IllegalStateException.class);
    }
}
