package dev.heddle.store.value;

import dev.heddle.store.value.SkipList.Node;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The full form of a sorted set: a skip list for the order, and a hash table that leads from each member to its node.
 *
 * <p>Guarded by the stripe's lock; readers may share it.
 */
final class RankedTable {

    private final BytesTable<Node> nodes;
    private final SkipList list;

    RankedTable(RandomGenerator random) {
        this(BytesTable.map(), new SkipList(random.nextLong()));
    }

    private RankedTable(BytesTable<Node> nodes, SkipList list) {
        this.nodes = nodes;
        this.list = list;
    }

    SkipList list() {
        return list;
    }

    int size() {
        return nodes.size();
    }

    long bytes() {
        return 24 + nodes.bytes() + list.bytes();
    }

    @Nullable
    Node find(byte[] array, int offset, int length) {
        return nodes.get(array, offset, length);
    }

    /** Adds a member that is not there. */
    void add(byte[] member, double score) {
        Node node = list.newNode(member, score);
        nodes.put(member, node);
        list.insert(node);
    }

    void remove(Node node) {
        nodes.remove(node.member, 0, node.member.length);
        list.remove(node);
    }

    void removeRange(int from, int to) {
        list.removeRange(from, to, node -> nodes.remove(node.member, 0, node.member.length));
    }

    /** Visits some members in the order of the table. @return the next cursor, 0 at the end */
    long scan(long cursor, long count, SortedSetValue.Visitor visitor) {
        return nodes.scan(cursor, count, member -> {
            Node node = nodes.get(member, 0, member.length);
            if (node != null) {
                visitor.accept(member, 0, member.length, node.score);
            }
        });
    }

    RankedTable copy(RandomGenerator random) {
        Builder builder = new Builder(random);
        for (Node node = list.first(); node != null; node = node.next) {
            builder.append(node.member, node.score);
        }
        return builder.build(true);
    }

    /** Collects members first and puts them in order at the end: sorting once is cheaper than finding the place of each. */
    static final class Builder {

        private final BytesTable<Node> nodes = BytesTable.map();
        private final SkipList list;
        private Node[] all = new Node[16];
        private int count;

        Builder(RandomGenerator random) {
            list = new SkipList(random.nextLong());
        }

        /** Adds a member that is not there; the array belongs to the table from now on. */
        void append(byte[] member, double score) {
            Node node = list.newNode(member, score);
            nodes.put(member, node);
            if (count == all.length) {
                all = Arrays.copyOf(all, count * 2);
            }
            all[count++] = node;
        }

        /** Adds a member, or combines its score with the one that it has. */
        void merge(byte[] array, int offset, int length, double score, DoubleBinaryOperator combine) {
            Node node = nodes.get(array, offset, length);
            if (node == null) {
                append(Arrays.copyOfRange(array, offset, offset + length), score);
            } else {
                node.score = combine.applyAsDouble(node.score, score);
            }
        }

        /** @param sorted whether the members came in order */
        RankedTable build(boolean sorted) {
            if (!sorted) {
                Arrays.sort(all, 0, count, SkipList::compare);
            }
            list.fill(all, count);
            return new RankedTable(nodes, list);
        }
    }
}
