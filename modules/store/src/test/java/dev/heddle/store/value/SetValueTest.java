package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SetValueTest {

    private static final CompactLimits LIMITS = new CompactLimits(12, 8, 6);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean add(SetValue set, String member) {
        byte[] framed = bytes("<" + member + ">");
        return set.add(framed, 1, member.length(), LIMITS);
    }

    private static boolean remove(SetValue set, String member) {
        return set.remove(bytes("<" + member + ">"), 1, member.length());
    }

    private static List<String> membersOf(SetValue set) {
        ElementList list = new ElementList();
        set.forEach(list);
        return list.elements;
    }

    private static SetValue of(String... members) {
        SetValue set = SetValue.suiting(bytes(members[0]), 0, members[0].length(), members.length, LIMITS);
        for (String member : members) {
            add(set, member);
        }
        return set;
    }

    /** Random steps, beginning in each form and passing through all that follow it. */
    @Property(tries = 300)
    void behavesAsASetDoesInEveryForm(@ForAll long seed, @ForAll @IntRange(min = 0, max = 3) int kind) {
        Random random = new Random(seed);
        SetValue set = kind == 0 ? SetValue.packed() : SetValue.ofIntegers();
        Set<String> model = new LinkedHashSet<>();
        for (int step = 0; step < 120; step++) {
            String member = member(random, kind, step);
            if (random.nextInt(3) == 0) {
                assertThat(remove(set, member)).isEqualTo(model.remove(member));
            } else {
                assertThat(add(set, member)).isEqualTo(model.add(member));
            }
            assertThat(set.size()).isEqualTo(model.size());
            assertThat(set.contains(bytes(member), 0, member.length())).isEqualTo(model.contains(member));
            assertForm(set, model);
        }
        SetValue copy = set.copy();
        add(set, "unheard of");
        assertThat(membersOf(copy)).containsExactlyInAnyOrderElementsOf(model);
        assertThat(copy.bytes()).isPositive();
    }

    private static String member(Random random, int kind, int step) {
        int bound = 4 + step / 4;
        return switch (kind) {
            case 0 -> "m" + random.nextInt(bound);
            case 1 -> Integer.toString(random.nextInt(bound) - 3);
            default -> random.nextInt(10) < kind ? "x" + random.nextInt(bound) : "" + random.nextInt(bound);
        };
    }

    private static void assertForm(SetValue set, Set<String> model) {
        switch (set.encoding()) {
            case "intset" -> {
                assertThat(model).hasSizeLessThanOrEqualTo(12);
                List<String> sorted = new TreeSet<>(
                                model.stream().map(Long::valueOf).toList())
                        .stream().map(Object::toString).toList();
                assertThat(membersOf(set)).isEqualTo(sorted);
            }
            case "listpack" -> {
                assertThat(model).hasSizeLessThanOrEqualTo(8);
                assertThat(membersOf(set)).containsExactlyInAnyOrderElementsOf(model);
            }
            default -> assertThat(membersOf(set)).containsExactlyInAnyOrderElementsOf(model);
        }
    }

    @Test
    void integersThatBecomeTooManyAreATableAtOnce() {
        SetValue set = SetValue.ofIntegers();
        for (int i = 0; i < 12; i++) {
            set.add(i, LIMITS);
        }
        assertThat(set.encoding()).isEqualTo("intset");
        set.add(11, LIMITS);
        assertThat(set.encoding()).isEqualTo("intset");
        set.add(12, LIMITS);
        assertThat(set.encoding()).isEqualTo("hashtable");
        assertThat(set.contains(12)).isTrue();
    }

    @Test
    void aWordAmongIntegersMakesAListOrATable() {
        assertThat(of("1", "2", "x").encoding()).isEqualTo("listpack");
        assertThat(membersOf(of("2", "1", "x"))).containsExactly("1", "2", "x");
        assertThat(of("1", "2", "seven letters").encoding()).isEqualTo("hashtable");
        assertThat(of("1234567", "x").encoding()).isEqualTo("hashtable");
        assertThat(of("1", "2", "3", "4", "5", "6", "7", "8", "9", "x").encoding())
                .isEqualTo("hashtable");
    }

    @Test
    void aListKeepsTheOrderOfInsertionUntilItIsFull() {
        assertThat(membersOf(of("z", "y", "10", "a", "9"))).containsExactly("z", "y", "10", "a", "9");
        assertThat(of("a", "b", "c", "d", "e", "f", "g", "h").encoding()).isEqualTo("listpack");
        assertThat(of("a", "b", "c", "d", "e", "f", "g", "h", "h").encoding()).isEqualTo("hashtable");
        assertThat(of("a", "bbbbbb").encoding()).isEqualTo("listpack");
        assertThat(of("a", "bbbbbbb").encoding()).isEqualTo("hashtable");
    }

    @Test
    void manyExpectedMembersLeaveTheCompactForms() {
        SetValue integers = of("1");
        integers.expect(12, LIMITS);
        assertThat(integers.encoding()).isEqualTo("intset");
        integers.expect(13, LIMITS);
        assertThat(integers.encoding()).isEqualTo("hashtable");
        SetValue words = of("a");
        words.expect(9, LIMITS);
        assertThat(words.encoding()).isEqualTo("hashtable");
        assertThat(membersOf(words)).containsExactly("a");
    }

    @Test
    void aFinishedSetOfIntegersIsMadeCompact() {
        SetValue list = SetValue.packed();
        add(list, "3");
        add(list, "1");
        list.compactIntegers(LIMITS);
        assertThat(list.encoding()).isEqualTo("intset");
        assertThat(membersOf(list)).containsExactly("1", "3");
        SetValue table = of("1", "too long a member");
        remove(table, "too long a member");
        add(table, "-7");
        assertThat(table.encoding()).isEqualTo("hashtable");
        table.compactIntegers(LIMITS);
        assertThat(membersOf(table)).containsExactly("-7", "1");
        SetValue words = of("1", "x");
        words.compactIntegers(LIMITS);
        assertThat(words.encoding()).isEqualTo("listpack");
    }

    @Test
    void randomMembersComeFromEveryForm() {
        Random random = new Random(1);
        for (SetValue set : List.of(of("1", "2", "3"), of("a", "2", "c"), of("a", "b", "a long member"))) {
            Set<String> drawn = new TreeSet<>();
            for (int i = 0; i < 200; i++) {
                drawn.add(new String(set.random(random), StandardCharsets.ISO_8859_1));
            }
            assertThat(drawn).containsExactlyInAnyOrderElementsOf(membersOf(set));
        }
    }

    @Test
    void aScanOfACompactFormShowsAllAtOnce() {
        ElementList list = new ElementList();
        assertThat(of("b", "a", "3").scan(0, 1, list)).isZero();
        assertThat(list.elements).containsExactly("b", "a", "3");
    }

    /** Collects elements as text. */
    static final class ElementList implements ElementSink {

        final List<String> elements = new ArrayList<>();

        @Override
        public void slice(byte[] array, int offset, int length) {
            elements.add(new String(array, offset, length, StandardCharsets.ISO_8859_1));
        }

        @Override
        public void number(long value) {
            elements.add(Long.toString(value));
        }

        @Override
        public void whole(byte[] array) {
            slice(array, 0, array.length);
        }
    }
}
