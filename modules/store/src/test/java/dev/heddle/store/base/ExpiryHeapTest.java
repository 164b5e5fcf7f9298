package dev.heddle.store.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The heap against a plain list. */
class ExpiryHeapTest {

    private static final class Item implements Expiring {
        private long deadline;
        private int index = -1;

        Item(long deadline) {
            this.deadline = deadline;
        }

        @Override
        public long deadline() {
            return deadline;
        }

        @Override
        public int heapIndex() {
            return index;
        }

        @Override
        public void heapIndex(int newIndex) {
            index = newIndex;
        }
    }

    private final ExpiryHeap<Item> heap = new ExpiryHeap<>();
    private final List<Item> model = new ArrayList<>();

    private void check() {
        boolean inPlace = true;
        assertThat(heap.size()).isEqualTo(model.size());
        Item first = heap.first();
        if (model.isEmpty()) {
            assertThat(first).isNull();
        } else {
            assertThat(first).isNotNull();
            assertThat(first.deadline)
                    .isEqualTo(model.stream().mapToLong(Item::deadline).min().orElseThrow());
        }
        Set<Item> seen = new HashSet<>();
        for (int i = 0; i < heap.size(); i++) {
            seen.add(heap.at(i));
            inPlace &= heap.at(i).index == i;
        }
        assertThat(inPlace).isTrue();
        assertThat(seen).isEqualTo(new HashSet<>(model));
    }

    /** Each number is one step: which one, on which element, with which deadline. */
    @Property(tries = 100)
    void doesWhatAListDoes(@ForAll @Size(max = 120) List<@IntRange(max = 1_000_000) Integer> steps) {
        for (int step : steps) {
            long deadline = step / 7 % 100;
            int which = model.isEmpty() ? 0 : step / 700 % model.size();
            switch (model.isEmpty() ? 0 : step % 7) {
                case 0, 1, 2 -> {
                    Item item = new Item(deadline);
                    heap.add(item);
                    model.add(item);
                }
                case 3, 4 -> {
                    Item item = model.remove(which);
                    heap.remove(item);
                    assertThat(item.index).isEqualTo(-1);
                }
                case 5 -> {
                    model.get(which).deadline = deadline;
                    heap.moved(model.get(which));
                }
                default -> {
                    Item old = model.get(which);
                    Item item = new Item(deadline);
                    heap.replace(old, item);
                    model.set(which, item);
                    assertThat(old.index).isEqualTo(-1);
                }
            }
            check();
            long until = deadline;
            assertThat(heap.countUntil(until)).isEqualTo((int)
                    model.stream().filter(item -> item.deadline <= until).count());
        }
    }

    @Property(tries = 100)
    void comesOutInOrder(@ForAll @Size(max = 500) List<@IntRange(max = 1000) Integer> deadlines) {
        deadlines.forEach(deadline -> heap.add(new Item(deadline)));
        List<Integer> out = new ArrayList<>();
        for (Item first = heap.first(); first != null; first = heap.first()) {
            out.add((int) first.deadline);
            heap.remove(first);
        }
        assertThat(out).isEqualTo(deadlines.stream().sorted().toList());
    }

    @Test
    void refusesPlacesBeyondItsEnd() {
        heap.add(new Item(1));
        assertThatThrownBy(() -> heap.at(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
