package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class IntSetTest {

    @Provide
    Arbitrary<List<Long>> numbers() {
        Arbitrary<Long> any = Arbitraries.oneOf(
                Arbitraries.longs().between(-20, 20),
                Arbitraries.longs().between(Short.MIN_VALUE - 2, Short.MAX_VALUE + 2),
                Arbitraries.longs().between(Integer.MIN_VALUE - 2L, Integer.MAX_VALUE + 2L),
                Arbitraries.longs());
        return any.list().ofMaxSize(200);
    }

    @Property(tries = 200)
    void behavesAsATreeSetDoes(@ForAll("numbers") List<Long> numbers) {
        IntSet set = new IntSet();
        TreeSet<Long> model = new TreeSet<>();
        for (int i = 0; i < numbers.size(); i++) {
            long number = numbers.get(i);
            if (i % 3 == 2) {
                assertThat(set.remove(number)).isEqualTo(model.remove(number));
                long other = numbers.get(i / 2);
                assertThat(set.remove(other)).isEqualTo(model.remove(other));
            } else {
                assertThat(set.add(number)).isEqualTo(model.add(number));
            }
            assertThat(set.contains(number)).isEqualTo(model.contains(number));
        }
        assertThat(contentOf(set)).containsExactlyElementsOf(model);
        IntSet copy = set.copy();
        set.add(Long.MAX_VALUE);
        assertThat(contentOf(copy)).containsExactlyElementsOf(model);
    }

    private static List<Long> contentOf(IntSet set) {
        List<Long> content = new ArrayList<>();
        for (int i = 0; i < set.size(); i++) {
            content.add(set.at(i));
        }
        return content;
    }

    @Test
    void membersAreAsWideAsTheWidestNeeds() {
        IntSet set = new IntSet();
        set.add(Short.MAX_VALUE);
        assertThat(set.width()).isEqualTo(2);
        set.add(Short.MIN_VALUE - 1);
        assertThat(set.width()).isEqualTo(4);
        set.add(1L << 31);
        assertThat(set.width()).isEqualTo(8);
        assertThat(contentOf(set)).containsExactly(Short.MIN_VALUE - 1L, (long) Short.MAX_VALUE, 1L << 31);
    }

    @Test
    void memoryIsCloseToTheMembers() {
        IntSet set = new IntSet();
        for (int i = 0; i < 512; i++) {
            set.add(i * 3L);
        }
        assertThat(set.bytes()).isBetween(1024L, 1240L);
        for (int i = 0; i < 512; i++) {
            set.remove(i * 3L);
        }
        assertThat(set.bytes()).isLessThan(64);
    }
}
