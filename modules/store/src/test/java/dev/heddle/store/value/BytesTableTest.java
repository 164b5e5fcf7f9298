package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BytesTableTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Steps of a seeded random walk: few keys make many collisions of steps, many keys many segments. */
    @Property(tries = 40)
    void behavesAsAHashMapDoes(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 4000) int keys, @ForAll boolean removesMore) {
        Random random = new Random(seed);
        BytesTable<String> table = BytesTable.map();
        Map<String, String> model = new HashMap<>();
        for (int step = 0; step < 6000; step++) {
            boolean grows = removesMore ? step < 3000 : random.nextInt(3) > 0;
            String key = "k" + random.nextInt(keys);
            byte[] framed = bytes("xx" + key + "y");
            if (grows) {
                String value = "v" + step;
                assertThat(table.put(framed, 2, key.length(), value)).isEqualTo(model.put(key, value));
            } else {
                assertThat(table.remove(framed, 2, key.length())).isEqualTo(model.remove(key));
            }
            assertThat(table.size()).isEqualTo(model.size());
            String asked = "k" + random.nextInt(keys);
            assertThat(table.get(bytes(asked), 0, asked.length())).isEqualTo(model.get(asked));
            assertThat(table.contains(bytes(asked), 0, asked.length())).isEqualTo(model.containsKey(asked));
        }
        assertThat(contentOf(table)).isEqualTo(model);
        BytesTable<String> copy = table.copy();
        table.put(bytes("another"), "value");
        assertThat(contentOf(copy)).isEqualTo(model);
        assertThat(copy.size()).isEqualTo(model.size());
    }

    private static Map<String, String> contentOf(BytesTable<String> table) {
        Map<String, String> content = new HashMap<>();
        table.forEach((key, value) -> assertThat(content.put(text(key), value)).isNull());
        return content;
    }

    /** Whoever is there for the whole scan is seen once; who comes and goes meanwhile may be seen or not. */
    @Property(tries = 60)
    void aScanSeesEveryKeyThatStaysOnce(
            @ForAll long seed,
            @ForAll @IntRange(min = 0, max = 3000) int staying,
            @ForAll @IntRange(min = 0, max = 6000) int passing,
            @ForAll @IntRange(min = 1, max = 300) int count) {
        Random random = new Random(seed);
        BytesTable<Void> table = BytesTable.set();
        boolean shrinks = random.nextBoolean();
        for (int i = 0; i < staying; i++) {
            table.add(bytes("s" + i));
        }
        for (int i = 0; shrinks && i < passing; i++) {
            table.add(bytes("p" + i));
        }
        Map<String, Integer> seen = new HashMap<>();
        int next = 0;
        long cursor = 0;
        do {
            cursor = table.scan(cursor, count, key -> seen.merge(text(key), 1, Integer::sum));
            assertThat(cursor).isBetween(0L, Integer.MAX_VALUE + 0L);
            for (int i = 0; i < 100 && next < passing; i++, next++) {
                byte[] key = bytes("p" + next);
                assertThat(shrinks ? table.discard(key, 0, key.length) : table.add(key))
                        .isTrue();
            }
        } while (cursor != 0);
        for (int i = 0; i < staying; i++) {
            assertThat(seen).containsEntry("s" + i, 1);
        }
    }

    @Test
    void aScanVisitsAboutAsManyAsAskedFor() {
        BytesTable<Void> table = BytesTable.set();
        for (int i = 0; i < 10_000; i++) {
            table.add(bytes("m" + i));
        }
        List<byte[]> first = new ArrayList<>();
        long cursor = table.scan(0, 10, first::add);
        assertThat(first).hasSize(10);
        List<byte[]> second = new ArrayList<>();
        table.scan(cursor, 10, second::add);
        assertThat(second).hasSize(10).doesNotContainAnyElementsOf(first);
        assertThat(table.scan(cursor, Long.MAX_VALUE, key -> {})).isZero();
    }

    @Test
    void anyCursorIsTaken() {
        BytesTable<Void> table = BytesTable.set();
        table.add(bytes("one"));
        for (long cursor : new long[] {-1, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE, 1L << 31}) {
            assertThat(table.scan(cursor, 10, key -> {})).isZero();
        }
        assertThat(BytesTable.set().scan(0, 10, key -> {})).isZero();
    }

    @Test
    void randomMembersAreFair() {
        BytesTable<Void> table = BytesTable.set();
        int members = 3000;
        for (int i = 0; i < members; i++) {
            table.add(bytes("m" + i));
        }
        Map<String, Integer> drawn = new HashMap<>();
        int draws = members * 60;
        Random random = new Random(7);
        for (int i = 0; i < draws; i++) {
            drawn.merge(text(table.random(random)), 1, Integer::sum);
        }
        assertThat(drawn).hasSize(members);
        // Sixty are expected of each; ten standard deviations off would be 60 +- 77.
        assertThat(drawn.values()).allSatisfy(times -> assertThat(times).isBetween(15, 137));
        double chiSquare = drawn.values().stream()
                .mapToDouble(times -> (times - 60.0) * (times - 60.0) / 60.0)
                .sum();
        // Mean 2999, standard deviation 77.
        assertThat(chiSquare).isBetween(2600.0, 3400.0);
    }

    @Test
    void memoryFollowsTheNumberOfMembers() {
        BytesTable<Void> table = BytesTable.set();
        long empty = table.bytes();
        Set<String> members = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            byte[] member = bytes("member-%09d".formatted(i));
            table.add(member, 0, member.length);
            members.add(text(member));
        }
        long perMember = (table.bytes() - empty) / 100_000;
        assertThat(perMember).isBetween(40L, 44L); // 32 for the array itself
        for (String member : members) {
            assertThat(table.discard(bytes(member), 0, member.length())).isTrue();
        }
        assertThat(table.size()).isZero();
        assertThat(table.bytes()).isLessThan(200 * empty).isPositive();
    }

    @Test
    void keysAreKeptAsTheyCame() {
        BytesTable<Void> table = BytesTable.set();
        byte[] key = bytes("key");
        table.add(key);
        assertThat(table.key(bytes("akeyb"), 1, 3)).isSameAs(key);
        assertThat(table.key(bytes("keyb"), 0, 4)).isNull();
        byte[] source = bytes("other");
        table.add(source, 0, 5);
        Arrays.fill(source, (byte) 0);
        assertThat(table.contains(bytes("other"), 0, 5)).isTrue();
    }
}
