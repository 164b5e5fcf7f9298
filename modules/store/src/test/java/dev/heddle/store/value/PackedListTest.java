package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackedListTest {

    /** One change: what, where (modulo the count), with which bytes, one per char. */
    record Step(int kind, int where, String data) {}

    @Property(tries = 300)
    void behavesAsAnArrayListDoes(@ForAll("steps") List<Step> steps) {
        PackedList packed = new PackedList();
        List<byte[]> model = new ArrayList<>();
        for (Step step : steps) {
            apply(step, packed, model);
            assertSame(packed, model);
        }
        assertSame(packed.copy(), model);
    }

    private static void apply(Step step, PackedList packed, List<byte[]> model) {
        byte[] data = step.data().getBytes(StandardCharsets.ISO_8859_1);
        byte[] framed = new byte[data.length + 5];
        System.arraycopy(data, 0, framed, 3, data.length);
        int where = model.isEmpty() ? 0 : step.where() % model.size();
        switch (model.isEmpty() ? step.kind() % 2 : step.kind()) {
            case 0 -> {
                packed.append(framed, 3, data.length);
                model.add(data);
            }
            case 1 -> {
                packed.prepend(framed, 3, data.length);
                model.addFirst(data);
            }
            case 2 -> {
                packed.insertBefore(packed.seek(where), framed, 3, data.length);
                model.add(where, data);
            }
            case 3 -> {
                packed.replace(packed.seek(where), framed, 3, data.length);
                model.set(where, data);
            }
            default -> {
                int howMany = step.kind() - 3;
                packed.remove(packed.seek(where), howMany);
                model.subList(where, Math.min(model.size(), where + howMany)).clear();
            }
        }
    }

    private static void assertSame(PackedList packed, List<byte[]> model) {
        assertThat(packed.count()).isEqualTo(model.size());
        List<byte[]> forward = new ArrayList<>();
        for (int pos = packed.first(); pos != PackedList.NONE; pos = packed.next(pos)) {
            forward.add(packed.copy(pos));
            assertElement(packed, pos, forward.size() - 1, model.get(forward.size() - 1));
        }
        List<byte[]> backward = new ArrayList<>();
        for (int pos = packed.last(); pos != PackedList.NONE; pos = packed.previous(pos)) {
            backward.add(packed.copy(pos));
        }
        assertThat(forward.toArray(byte[][]::new)).isDeepEqualTo(model.toArray(byte[][]::new));
        assertThat(backward.reversed().toArray(byte[][]::new)).isDeepEqualTo(model.toArray(byte[][]::new));
        assertThat(packed.array().length).isLessThan(32 + packed.listpackBytes() * 5 / 4);
    }

    private static void assertElement(PackedList packed, int pos, int index, byte[] expected) {
        assertThat(packed.seek(index)).isEqualTo(pos);
        assertThat(packed.length(pos)).isEqualTo(expected.length);
        assertThat(packed.equals(pos, expected, 0, expected.length)).isTrue();
        assertThat(packed.compare(pos, expected, 0, expected.length)).isZero();
        byte[] to = new byte[expected.length + 2];
        assertThat(packed.write(pos, to, 1)).isEqualTo(expected.length + 1);
        assertThat(Arrays.copyOfRange(to, 1, to.length - 1)).isEqualTo(expected);
        if (!packed.isLong(pos)) {
            int from = packed.dataOffset(pos);
            assertThat(Arrays.copyOfRange(packed.array(), from, from + expected.length))
                    .isEqualTo(expected);
        }
    }

    @Property(tries = 300)
    void findsAndComparesAsBytesDo(@ForAll("elements") List<byte[]> elements, @ForAll("element") byte[] probe) {
        PackedList packed = new PackedList();
        elements.forEach(e -> packed.append(e, 0, e.length));
        List<byte[]> all = new ArrayList<>(elements);
        all.add(probe);
        for (byte[] sought : all) {
            for (int skip = 0; skip < 3; skip++) {
                for (int from = 0; from < elements.size(); from++) {
                    int expected = from;
                    while (expected < elements.size() && !Arrays.equals(elements.get(expected), sought)) {
                        expected += 1 + skip;
                    }
                    assertThat(packed.find(sought, 0, sought.length, packed.seek(from), skip))
                            .isEqualTo(packed.seek(expected));
                }
            }
            for (int i = 0; i < elements.size(); i++) {
                int pos = packed.seek(i);
                assertThat(Integer.signum(packed.compare(pos, sought, 0, sought.length)))
                        .isEqualTo(Integer.signum(Arrays.compareUnsigned(elements.get(i), sought)));
                assertThat(packed.equals(pos, sought, 0, sought.length))
                        .isEqualTo(Arrays.equals(elements.get(i), sought));
            }
        }
    }

    @Property(tries = 1000)
    void keepsNumbersAsNumbers(@ForAll long value, @ForAll int shift) {
        long number = value >> (shift & 63);
        PackedList packed = new PackedList();
        packed.append(number);
        byte[] digits = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
        packed.append(digits, 0, digits.length);
        packed.append(digits, 0, 0);
        packed.replace(packed.last(), number);
        for (int pos = packed.first(); pos != PackedList.NONE; pos = packed.next(pos)) {
            assertThat(packed.isLong(pos)).isTrue();
            assertThat(packed.longAt(pos)).isEqualTo(number);
            assertThat(packed.copy(pos)).isEqualTo(digits);
        }
        assertThat(packed.count()).isEqualTo(3);
    }

    /** The sizes are those that MEMORY and the limits of Redis count: 7 for the frame, then head, data and back length. */
    @ParameterizedTest
    @CsvSource({
        "0, 9",
        "127, 9",
        "128, 10",
        "-1, 10",
        "-4096, 10",
        "4095, 10",
        "4096, 11",
        "-4097, 11",
        "32767, 11",
        "-32768, 11",
        "32768, 12",
        "8388607, 12",
        "-8388608, 12",
        "8388608, 13",
        "2147483647, 13",
        "2147483648, 17",
        "-9223372036854775808, 17",
        "9223372036854775807, 17",
        "9223372036854775808, 28",
        "007, 12",
        "-0, 11",
        "'', 9"
    })
    void takesAsManyBytesAsAListpack(String element, int bytes) {
        assertThat(packedOf(element.getBytes(StandardCharsets.US_ASCII)).listpackBytes())
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "63, 72",
        "64, 74",
        "125, 135",
        "126, 137",
        "4095, 4106",
        "4096, 4110",
        "16377, 16391",
        "16378, 16393",
        "2097145, 2097160",
        "2097146, 2097162"
    })
    void takesAsManyBytesAsAListpackForLongStrings(int length, int bytes) {
        byte[] element = new byte[length];
        new Random(length).nextBytes(element);
        PackedList packed = packedOf(element);
        packed.append(7);
        assertThat(packed.copy(packed.previous(packed.last()))).isEqualTo(element);
        assertThat(packed.copy(packed.first())).isEqualTo(element);
        assertThat(packed.listpackBytes()).isEqualTo(bytes + 2);
    }

    @Test
    void givesMemoryBack() {
        PackedList packed = new PackedList();
        for (int i = 0; i < 1000; i++) {
            packed.append(i);
        }
        long full = packed.bytes();
        packed.remove(packed.seek(10), 990);
        assertThat(packed.bytes()).isLessThan(full / 10);
        packed.remove(packed.first(), 10);
        assertThat(packed.first()).isEqualTo(PackedList.NONE);
        assertThat(packed.last()).isEqualTo(PackedList.NONE);
        assertThat(packed.bytes()).isEqualTo(40);
    }

    private static PackedList packedOf(byte[] element) {
        PackedList packed = new PackedList();
        packed.append(element, 0, element.length);
        return packed;
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.integers().between(0, 1000),
                        element().map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1)))
                .as(Step::new)
                .list()
                .ofMaxSize(40);
    }

    @Provide
    Arbitrary<List<byte[]>> elements() {
        return element().list().ofMaxSize(8);
    }

    @Provide
    Arbitrary<byte[]> element() {
        Arbitrary<byte[]> numbers =
                Arbitraries.longs().map(n -> Long.toString(n).getBytes(StandardCharsets.US_ASCII));
        Arbitrary<byte[]> small = Arbitraries.integers()
                .between(-5000, 5000)
                .map(n -> Integer.toString(n).getBytes(StandardCharsets.US_ASCII));
        Arbitrary<byte[]> short_ = Arbitraries.bytes().array(byte[].class).ofMaxSize(70);
        Arbitrary<byte[]> few =
                Arbitraries.of("a", "ab", "1", "01", "-", "").map(s -> s.getBytes(StandardCharsets.US_ASCII));
        Arbitrary<byte[]> long_ = Arbitraries.integers().between(60, 5000).map(n -> {
            byte[] bytes = new byte[n];
            Arrays.fill(bytes, n.byteValue());
            return bytes;
        });
        return Arbitraries.oneOf(numbers, small, short_, few, long_);
    }
}
