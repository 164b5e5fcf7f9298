package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.store.value.HashValue.Part;
import dev.heddle.store.value.SetValueTest.ElementList;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class HashValueTest {

    private static final CompactLimits LIMITS = new CompactLimits(0, 10, 8);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean put(HashValue hash, String field, String value) {
        return hash.put(bytes("." + field + "."), 1, field.length(), bytes(value), LIMITS);
    }

    private static boolean remove(HashValue hash, String field) {
        return hash.remove(bytes(field), 0, field.length());
    }

    private static String get(HashValue hash, String field, long now) {
        byte[] value = hash.get(bytes(field), 0, field.length(), now);
        return value == null ? null : new String(value, StandardCharsets.ISO_8859_1);
    }

    private static void expireAt(HashValue hash, String field, long at) {
        hash.expireAt(bytes(field), 0, field.length(), at);
    }

    private static Map<String, String> contentOf(HashValue hash, long now) {
        ElementList list = new ElementList();
        hash.forEach(Part.BOTH, now, list);
        Map<String, String> content = new LinkedHashMap<>();
        for (int i = 0; i < list.elements.size(); i += 2) {
            assertThat(content.put(list.elements.get(i), list.elements.get(i + 1)))
                    .isNull();
        }
        return content;
    }

    /** A field of the model. */
    private record Field(String value, long expireAt) {}

    /** Random steps with a clock that moves on: expired fields are never seen, removed or not. */
    @Property(tries = 300)
    void behavesAsAMapWithDeadlinesDoes(@ForAll long seed, @ForAll @IntRange(min = 2, max = 40) int fields) {
        Random random = new Random(seed);
        HashValue hash = new HashValue();
        Map<String, Field> model = new HashMap<>();
        long now = 1000;
        for (int step = 0; step < 150; step++) {
            String name = random.nextBoolean() ? "f" + random.nextInt(fields) : "" + random.nextInt(fields);
            dropIfDue(hash, model, name, now);
            step(random, hash, model, name, now);
            now += random.nextInt(4);
            assertSame(hash, model, now);
        }
        HashValue copy = hash.copy();
        byte[] due = hash.removeDue(now);
        while (due != null) {
            Field old = model.remove(new String(due, StandardCharsets.ISO_8859_1));
            assertThat(old).isNotNull();
            assertThat(old.expireAt()).isBetween(1L, now);
            due = hash.removeDue(now);
        }
        assertThat(hash.size()).isEqualTo(hash.size(now));
        assertSame(copy, model, now);
        assertSame(hash, model, now);
    }

    private static void dropIfDue(HashValue hash, Map<String, Field> model, String name, long now) {
        if (hash.isDue(bytes(name), 0, name.length(), now)) {
            remove(hash, name);
            model.remove(name);
        }
    }

    private static void step(Random random, HashValue hash, Map<String, Field> model, String name, long now) {
        switch (random.nextInt(5)) {
            case 0 -> assertThat(remove(hash, name)).isEqualTo(model.remove(name) != null);
            case 1 -> {
                if (model.containsKey(name)) {
                    long at = now + 1 + random.nextInt(40);
                    expireAt(hash, name, at);
                    model.compute(name, (key, field) -> new Field(field.value(), at));
                }
            }
            case 2 -> {
                Field field = model.get(name);
                assertThat(hash.persist(bytes(name), 0, name.length()))
                        .isEqualTo(field != null && field.expireAt() != 0);
                if (field != null) {
                    model.put(name, new Field(field.value(), 0));
                }
            }
            default -> {
                String value = random.nextInt(20) == 0 ? "a long value" : "" + random.nextInt();
                Field old = model.get(name);
                model.put(name, new Field(value, old == null ? 0 : old.expireAt()));
                assertThat(put(hash, name, value)).isEqualTo(old == null);
            }
        }
    }

    private static void assertSame(HashValue hash, Map<String, Field> model, long now) {
        Map<String, String> visible = new HashMap<>();
        model.forEach((name, field) -> {
            if (field.expireAt() == 0 || field.expireAt() > now) {
                visible.put(name, field.value());
            }
        });
        assertThat(contentOf(hash, now)).isEqualTo(visible);
        assertThat(hash.size(now)).isEqualTo(visible.size());
        model.keySet().forEach(name -> {
            assertThat(get(hash, name, now)).isEqualTo(visible.get(name));
            assertThat(hash.contains(bytes(name), 0, name.length(), now)).isEqualTo(visible.containsKey(name));
            int length = visible.getOrDefault(name, "").length();
            assertThat(hash.valueLength(bytes(name), 0, name.length(), now)).isEqualTo(length);
        });
    }

    @Test
    void aListKeepsTheOrderOfInsertion() {
        HashValue hash = new HashValue();
        put(hash, "z", "1");
        put(hash, "a", "2");
        put(hash, "5", "3");
        put(hash, "z", "4");
        assertThat(contentOf(hash, 0).keySet()).containsExactly("z", "a", "5");
        assertThat(hash.encoding()).isEqualTo("listpack");
        expireAt(hash, "a", 100);
        assertThat(hash.encoding()).isEqualTo("listpackex");
    }

    @Test
    void becomesATableWhenTooLongOrTooMany() {
        HashValue many = new HashValue();
        for (int i = 0; i < 10; i++) {
            put(many, "f" + i, "v");
        }
        assertThat(many.encoding()).isEqualTo("listpack");
        put(many, "f10", "v");
        assertThat(many.encoding()).isEqualTo("hashtable");
        assertThat(contentOf(many, 0)).hasSize(11);
        HashValue longField = new HashValue();
        put(longField, "123456789", "v");
        assertThat(longField.encoding()).isEqualTo("hashtable");
        HashValue longValue = new HashValue();
        put(longValue, "f", "12345678");
        assertThat(longValue.encoding()).isEqualTo("listpack");
        put(longValue, "f", "123456789");
        assertThat(longValue.encoding()).isEqualTo("hashtable");
        assertThat(get(longValue, "f", 0)).isEqualTo("123456789");
        HashValue expecting = new HashValue();
        expecting.expect(11, LIMITS);
        assertThat(expecting.encoding()).isEqualTo("hashtable");
    }

    @Test
    void goneOnlyWhenAllFieldsHaveExpired() {
        HashValue hash = new HashValue();
        put(hash, "a", "1");
        put(hash, "b", "2");
        expireAt(hash, "a", 10);
        assertThat(hash.isGone(10)).isFalse();
        expireAt(hash, "b", 20);
        assertThat(hash.isGone(19)).isFalse();
        assertThat(hash.isGone(20)).isTrue();
    }

    @Test
    void randomFieldsHaveNotExpired() {
        HashValue hash = new HashValue();
        for (int i = 0; i < 30; i++) {
            put(hash, "f" + i, "v");
            if (i % 3 != 0) {
                expireAt(hash, "f" + i, 50);
            }
        }
        TreeSet<String> drawn = new TreeSet<>();
        Random random = new Random(3);
        for (int i = 0; i < 500; i++) {
            drawn.add(new String(hash.random(random, 50), StandardCharsets.ISO_8859_1));
        }
        assertThat(drawn).isEqualTo(new TreeSet<>(contentOf(hash, 50).keySet()));
    }

    @Test
    void aScanOfATableHidesExpiredFields() {
        HashValue hash = new HashValue();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            put(hash, "f" + i, "v" + i);
            if (i % 2 == 0) {
                expireAt(hash, "f" + i, 50);
            } else {
                expected.add("f" + i);
            }
        }
        ElementList fields = new ElementList();
        long cursor = 0;
        do {
            cursor = hash.scan(cursor, 7, 50, Part.FIELDS, fields);
        } while (cursor != 0);
        assertThat(fields.elements).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void memoryIsCountedBackWhenFieldsGo() {
        HashValue hash = new HashValue();
        put(hash, "first field", "value");
        long before = hash.bytes();
        for (int i = 0; i < 5000; i++) {
            put(hash, "field" + i, "value".repeat(1 + i % 7));
            expireAt(hash, "field" + i, i);
        }
        assertThat(hash.bytes()).isGreaterThan(5000 * 60);
        for (int i = 0; i < 5000; i++) {
            put(hash, "field" + i, "v");
            assertThat(remove(hash, "field" + i)).isTrue();
        }
        assertThat(hash.bytes()).isLessThan(before + 8000);
        remove(hash, "first field");
        assertThat(hash.size()).isZero();
    }
}
