package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RingDequeTest {

    /** Bursts of one operation, so that chunks and directories fill, wrap round and empty again. */
    @Property(tries = 100)
    void behavesAsAnArrayListDoes(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int bursts) {
        Random random = new Random(seed);
        RingDeque deque = new RingDeque();
        List<byte[]> model = new ArrayList<>();
        for (int i = 0; i < bursts; i++) {
            int length = random.nextInt(random.nextBoolean() ? 5 : 700);
            int kind = random.nextInt(11);
            for (int k = 0; k < length; k++) {
                step(kind, random, deque, model);
            }
            bulk(kind, random, deque, model);
            assertSame(deque, model);
        }
        assertSame(deque.copy(), model);
    }

    private static void step(int kind, Random random, RingDeque deque, List<byte[]> model) {
        byte[] element = element(random.nextInt(4));
        switch (kind) {
            case 0, 1 -> {
                deque.addFirst(element);
                model.addFirst(element);
            }
            case 2, 3 -> {
                deque.addLast(element);
                model.addLast(element);
            }
            case 4 -> {
                if (!model.isEmpty()) {
                    assertThat(deque.removeFirst()).isEqualTo(model.removeFirst());
                }
            }
            case 5 -> {
                if (!model.isEmpty()) {
                    assertThat(deque.removeLast()).isEqualTo(model.removeLast());
                }
            }
            case 6 -> {
                int at = random.nextInt(model.size() + 1);
                deque.insert(at, element);
                model.add(at, element);
            }
            case 7 -> {
                if (!model.isEmpty()) {
                    int at = random.nextInt(model.size());
                    deque.set(at, element);
                    model.set(at, element);
                }
            }
            default -> {
                // a bulk operation follows
            }
        }
    }

    private static void bulk(int kind, Random random, RingDeque deque, List<byte[]> model) {
        int size = model.size();
        if (kind == 8 && size > 0) {
            int from = random.nextInt(size);
            int count = 1 + random.nextInt(size - from);
            deque.retain(from, count);
            model.subList(from + count, size).clear();
            model.subList(0, from).clear();
        } else if (kind >= 9) {
            byte[] sought = element(random.nextInt(5));
            int most = 1 + random.nextInt(size + 1);
            ListEnd end = kind == 9 ? ListEnd.HEAD : ListEnd.TAIL;
            byte[] framed = new byte[sought.length + 2];
            System.arraycopy(sought, 0, framed, 1, sought.length);
            assertThat(deque.removeEqual(framed, 1, sought.length, most, end))
                    .isEqualTo(ListValueTest.removeEqual(model, sought, most, end));
        }
    }

    private static void assertSame(RingDeque deque, List<byte[]> model) {
        assertThat(deque.size()).isEqualTo(model.size());
        List<byte[]> found = new ArrayList<>();
        long heap = 0;
        long packed = 0;
        for (int i = 0; i < deque.size(); i++) {
            byte[] element = deque.get(i);
            found.add(element);
            heap += (16L + element.length + 7) / 8 * 8;
            packed += PackedList.elementBytes(element, 0, element.length);
        }
        assertThat(found.toArray(byte[][]::new)).isDeepEqualTo(model.toArray(byte[][]::new));
        int third = model.size() / 3;
        assertThat(deque.copyRange(third, third))
                .isDeepEqualTo(model.subList(third, 2 * third).toArray(byte[][]::new));
        assertThat(deque.packedBytes()).isEqualTo(packed);
        assertThat(deque.bytes() - heap).isBetween(0L, 3000 + 8L * model.size());
    }

    private static byte[] element(int n) {
        return (n % 2 == 0 ? "element " + n : Integer.toString(1000 * n)).getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void memoryFallsAfterPops() {
        RingDeque deque = new RingDeque();
        for (int i = 0; i < 100_000; i++) {
            deque.addLast(element(i % 4));
        }
        long full = deque.bytes();
        for (int i = 0; i < 99_900; i++) {
            deque.removeFirst();
        }
        assertThat(deque.bytes()).isLessThan(full / 200);
        while (deque.size() > 0) {
            deque.removeLast();
        }
        assertThat(deque.bytes()).isLessThan(100);
    }
}
