package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The string against arrays that are copied for each change. */
class GrowableStringTest {

    @Property(tries = 300)
    void writesWhatAnArrayWouldHold(
            @ForAll @Size(max = 50) byte[] initial,
            @ForAll @Size(max = 30) List<@IntRange(max = 100_000) Integer> steps) {
        GrowableString string = GrowableString.growing(initial, initial.length, initial.length);
        byte[] model = initial.clone();
        for (int step : steps) {
            byte[] source = {7, (byte) step, (byte) (step >> 3), 9, 5, 1};
            int from = step % 3;
            int count = step / 3 % 4;
            int at = step / 12 % 300;
            if (step % 2 == 0) {
                string.append(source, from, count);
                at = model.length;
            } else {
                string.write(at, source, from, count);
            }
            model = Arrays.copyOf(model, Math.max(model.length, at + count));
            System.arraycopy(source, from, model, at, count);
            assertThat(string.toByteArray()).isEqualTo(model);
            assertThat(string.length()).isEqualTo(model.length);
        }
    }

    @Test
    void takesOnlyTheBytesThatCount() {
        byte[] initial = {1, 2, 3, 4};
        GrowableString string = GrowableString.growing(initial, 2, 3);
        assertThat(string.toByteArray()).containsExactly(1, 2);
        string.ensureLength(4);
        assertThat(string.toByteArray()).containsExactly(1, 2, 0, 0);
        assertThat(initial).containsExactly(1, 2, 3, 4);
    }

    @Test
    void keepsAnArrayThatItWasGiven() {
        byte[] own = {1, 2};
        GrowableString string = GrowableString.of(own);
        assertThat(string.array()).isSameAs(own);
        assertThat(string.bytes()).isEqualTo(42);
    }

    @Test
    void copiesShareNothing() {
        GrowableString string = GrowableString.of(new byte[] {1, 2});
        GrowableString copy = string.copy();
        copy.write(0, new byte[] {9}, 0, 1);
        assertThat(string.toByteArray()).containsExactly(1, 2);
        assertThat(copy.toByteArray()).containsExactly(9, 2);
    }

    /** Byte by byte to eight mebibytes: the arrays made on the way must not add up to more than a small multiple of that. */
    @Test
    void growsWithoutCopyingMoreThanAFewTimesItsLength() {
        GrowableString string = GrowableString.of(new byte[0]);
        byte[] one = {1};
        byte[] array = string.array();
        long copied = 0;
        int length = 8 << 20;
        for (int i = 0; i < length; i++) {
            string.append(one, 0, 1);
            if (string.array() != array) {
                copied += array.length;
                array = string.array();
            }
        }
        assertThat(copied).isLessThan(10L * length);
        assertThat(string.array().length).isLessThan(length + length / 4);
    }
}
