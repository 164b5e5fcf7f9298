package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ListValueTest {

    private static final int DEFAULT_LIMIT = -2;

    @Property(tries = 300)
    void behavesAsAnArrayListDoesInBothForms(@ForAll long seed, @ForAll @IntRange(min = 2, max = 12) int limit) {
        Random random = new Random(seed);
        ListValue list = new ListValue();
        List<byte[]> model = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            step(random, list, model, limit);
            assertSame(list, model);
            if (model.size() > limit) {
                assertThat(list.encoding()).isEqualTo("quicklist");
            } else if (model.size() <= limit / 2) {
                assertThat(list.encoding()).isEqualTo("listpack");
            }
        }
        ListValue copy = list.copy();
        assertThat(copy.encoding()).isEqualTo(list.encoding());
        list.growing(0, 1, limit);
        list.push(ListEnd.HEAD, bytes("only here"));
        assertSame(copy, model);
    }

    private static void step(Random random, ListValue list, List<byte[]> model, int limit) {
        byte[] element = bytes(random.nextInt(3) == 0 ? "element" : Integer.toString(random.nextInt(3) * 5000));
        int kind = random.nextInt(10);
        if (model.isEmpty() || kind < 4) {
            ListEnd end = random.nextBoolean() ? ListEnd.HEAD : ListEnd.TAIL;
            list.growing(element.length, 1, limit);
            list.push(end, element, 0, element.length);
            model.add(end == ListEnd.HEAD ? 0 : model.size(), element);
            return;
        }
        int at = random.nextInt(model.size());
        switch (kind) {
            case 4 -> {
                list.growing(element.length, 1, limit);
                list.insert(at + 1, element);
                model.add(at + 1, element);
            }
            case 5 -> {
                list.growing(element.length, 1, limit);
                list.set(at, element);
                model.set(at, element);
            }
            case 6 -> assertThat(list.pop(ListEnd.HEAD)).isEqualTo(model.removeFirst());
            case 7 -> assertThat(list.pop(ListEnd.TAIL)).isEqualTo(model.removeLast());
            case 8 -> {
                int count = Math.min(model.size() - at, 5 + random.nextInt(9));
                list.retain(at, count);
                model.subList(at + count, model.size()).clear();
                model.subList(0, at).clear();
            }
            default -> {
                ListEnd end = random.nextBoolean() ? ListEnd.HEAD : ListEnd.TAIL;
                assertThat(list.removeEqual(element, 0, element.length, at + 1, end))
                        .isEqualTo(removeEqual(model, element, at + 1, end));
            }
        }
        list.shrunk(limit);
    }

    /** The model of LREM. */
    static int removeEqual(List<byte[]> model, byte[] sought, int most, ListEnd end) {
        int removed = 0;
        for (int i = 0; i < model.size() && removed < most; ) {
            int at = end == ListEnd.HEAD ? i : model.size() - 1 - i;
            if (Arrays.equals(model.get(at), sought)) {
                model.remove(at);
                removed++;
            } else {
                i++;
            }
        }
        return removed;
    }

    private static void assertSame(ListValue list, List<byte[]> model) {
        int size = model.size();
        assertThat(list.size()).isEqualTo(size);
        Collector all = new Collector();
        list.give(0, size, false, all);
        list.give(size - 1, size, true, all);
        List<byte[]> expected = new ArrayList<>(model);
        expected.addAll(model.reversed());
        assertThat(all.elements.toArray(byte[][]::new)).isDeepEqualTo(expected.toArray(byte[][]::new));
        assertThat(list.copyRange(size / 2, size - size / 2))
                .isDeepEqualTo(model.subList(size / 2, size).toArray(byte[][]::new));
        for (int i = 0; i < size; i++) {
            assertThat(list.get(i)).isEqualTo(model.get(i));
        }
        byte[] sought = bytes("5000");
        for (ListEnd end : ListEnd.values()) {
            List<Integer> found = new ArrayList<>();
            list.search(sought, 0, sought.length, end, size - 1, index -> found.add(index) && found.size() < 3);
            List<Integer> indexes = new ArrayList<>();
            for (int i = 0; i < size - 1 && indexes.size() < 3; i++) {
                int index = end == ListEnd.HEAD ? i : size - 1 - i;
                if (Arrays.equals(model.get(index), sought)) {
                    indexes.add(index);
                }
            }
            assertThat(found).isEqualTo(indexes);
        }
    }

    @Test
    void leavesThePackedFormAboveTheLimitAndReturnsAtHalf() {
        ListValue list = new ListValue();
        byte[] element = new byte[100];
        Arrays.fill(element, (byte) 'x');
        int count = 0;
        while (list.encoding().equals("listpack")) {
            list.growing(element.length, 1, DEFAULT_LIMIT);
            list.push(ListEnd.TAIL, element);
            count++;
        }
        // 79 elements of 103 bytes and the frame are 8,144 bytes; with the bytes of one more that exceeds 8,192.
        assertThat(count).isEqualTo(80);
        while (list.encoding().equals("quicklist")) {
            list.pop(ListEnd.HEAD);
            list.shrunk(DEFAULT_LIMIT);
            count--;
        }
        // 39 elements and the frame are 4,024 bytes, no more than half the limit.
        assertThat(count).isEqualTo(39);
    }

    @Test
    void limitsInElementsHaveALimitInBytesToo() {
        ListValue list = new ListValue();
        list.growing(9000, 1, 128);
        list.push(ListEnd.TAIL, new byte[9000]);
        assertThat(list.encoding()).isEqualTo("quicklist");
        list.shrunk(128);
        assertThat(list.encoding()).isEqualTo("listpack");
    }

    @Test
    void elementsKeepTheirFormWhenHandedOver() {
        ListValue list = new ListValue();
        list.push(ListEnd.TAIL, bytes("12"));
        list.push(ListEnd.TAIL, bytes("word"));
        Collector collector = new Collector();
        list.give(0, collector);
        list.give(1, collector);
        list.growing(1, 1, 1);
        list.give(1, collector);
        assertThat(collector.forms).containsExactly("number", "slice", "whole");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Keeps what it is given. */
    private static final class Collector implements ElementSink {

        private final List<byte[]> elements = new ArrayList<>();
        private final List<String> forms = new ArrayList<>();

        @Override
        public void slice(byte[] array, int offset, int length) {
            elements.add(Arrays.copyOfRange(array, offset, offset + length));
            forms.add("slice");
        }

        @Override
        public void number(long value) {
            elements.add(bytes(Long.toString(value)));
            forms.add("number");
        }

        @Override
        public void whole(byte[] immutable) {
            elements.add(immutable);
            forms.add("whole");
        }
    }
}
