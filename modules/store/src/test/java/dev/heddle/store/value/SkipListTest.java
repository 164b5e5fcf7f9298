package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.store.value.SkipList.Node;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The skip list against an array list that is sorted again after each change. */
class SkipListTest {

    @Property(tries = 200)
    void behavesAsASortedArrayListDoes(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int bursts) {
        Random random = new Random(seed);
        SkipList list = new SkipList(seed);
        List<Node> model = new ArrayList<>();
        int nextMember = 0;
        for (int i = 0; i < bursts; i++) {
            int kind = random.nextInt(6);
            for (int k = random.nextInt(80); k > 0; k--) {
                if (kind < 3 || model.isEmpty()) {
                    Node node = list.newNode(member(random.nextInt(256) << 24 | nextMember++), random.nextInt(12));
                    list.insert(node);
                    model.add(node);
                } else if (kind == 3) {
                    list.remove(model.remove(random.nextInt(model.size())));
                } else if (kind == 4) {
                    list.move(model.get(random.nextInt(model.size())), random.nextInt(12) / 2.0);
                } else if (k % 8 == 0) {
                    removeRange(random, list, model);
                }
                model.sort(SkipList::compare);
            }
            assertSame(list, model);
        }
    }

    private static void removeRange(Random random, SkipList list, List<Node> model) {
        int from = random.nextInt(model.size() + 1);
        int to = from + random.nextInt(Math.min(20, model.size() - from + 1));
        List<Node> removed = new ArrayList<>();
        list.removeRange(from, to, removed::add);
        assertThat(removed).isEqualTo(model.subList(from, to));
        model.subList(from, to).clear();
    }

    private static void assertSame(SkipList list, List<Node> model) {
        int size = model.size();
        assertThat(list.size()).isEqualTo(size);
        assertThat(list.first()).isSameAs(size == 0 ? null : model.getFirst());
        assertThat(list.last()).isSameAs(size == 0 ? null : model.getLast());
        for (int rank = 0; rank < size; rank++) {
            Node node = model.get(rank);
            assertThat(list.at(rank)).isSameAs(node);
            assertThat(list.rank(node.score, node.member)).isEqualTo(rank);
            assertThat(node.previous).isSameAs(rank == 0 ? null : model.get(rank - 1));
            assertThat(node.next).isSameAs(rank == size - 1 ? null : model.get(rank + 1));
        }
        for (int score = -1; score < 13; score++) {
            double bound = score;
            assertThat(list.rank(node -> node.score < bound)).isEqualTo((int)
                    model.stream().filter(node -> node.score < bound).count());
        }
    }

    @Property(tries = 50)
    void canBeFilledInOneGoAndChangedAfterwards(@ForAll long seed, @ForAll @IntRange(max = 500) int size) {
        Random random = new Random(seed);
        SkipList list = new SkipList(seed);
        Node[] nodes = new Node[size + 3];
        List<Node> model = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            nodes[i] = list.newNode(member(i), Math.floorDiv(i, 3));
            model.add(nodes[i]);
        }
        list.fill(nodes, size);
        assertSame(list, model);
        for (int i = 0; i < 50 && !model.isEmpty(); i++) {
            list.remove(model.remove(random.nextInt(model.size())));
            Node node = list.newNode(member(size + i), random.nextInt(200));
            list.insert(node);
            model.add(node);
            model.sort(SkipList::compare);
        }
        assertSame(list, model);
    }

    @Test
    void membersAreComparedByUnsignedBytesAndThenByLength() {
        SkipList list = new SkipList(1);
        byte[][] members = {{(byte) 0xff}, {}, {1, 2}, {1}, {(byte) 0x80, 0}, {0}};
        for (byte[] member : members) {
            list.insert(list.newNode(member, 0));
        }
        List<byte[]> order = new ArrayList<>();
        for (Node node = list.first(); node != null; node = node.next) {
            order.add(node.member);
        }
        assertThat(order).containsExactly(members[1], members[5], members[3], members[2], members[4], members[0]);
    }

    /** Three nodes in four have one level, and levels are never used up: the search stays logarithmic. */
    @Test
    void heightsFollowTheDistributionThatSearchesRelyOn() {
        SkipList list = new SkipList(7);
        int plain = 0;
        for (int i = 0; i < 100_000; i++) {
            Node node = list.newNode(member(i), i);
            list.insert(node);
            plain += node.getClass() == Node.class ? 1 : 0;
        }
        assertThat(plain).isBetween(74_000, 76_000);
        assertThat(list.bytes()).isBetween(100_000 * 40L, 100_000 * 60L);
    }

    private static byte[] member(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }
}
