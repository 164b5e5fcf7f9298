package dev.heddle.store.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class Crc64Test {

    @Test
    void knownValue() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertThat(Crc64.update(0, digits, 0, digits.length)).isEqualTo(0xe9c6d914c4b8d9caL);
    }

    @Property(tries = 200)
    void piecesAddUpToTheWhole(@ForAll byte[] bytes, @ForAll @IntRange(max = 1 << 16) int where) {
        int cut = bytes.length == 0 ? 0 : where % bytes.length;
        long first = Crc64.update(0, bytes, 0, cut);

        assertThat(Crc64.update(first, bytes, cut, bytes.length - cut)).isEqualTo(bitByBit(bytes));
    }

    private static long bitByBit(byte[] bytes) {
        long crc = 0;
        for (byte value : bytes) {
            crc ^= value & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ 0x95AC9329AC4BC9B5L;
            }
        }
        return crc;
    }
}
