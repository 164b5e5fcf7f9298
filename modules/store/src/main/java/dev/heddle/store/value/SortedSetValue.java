package dev.heddle.store.value;

import dev.heddle.store.value.SkipList.Node;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A sorted set: members that are byte strings, each with a score, in the order of scores and then of members.
 *
 * <p>A score is any double but NaN. Members that are handed out by {@link Visitor} lie in arrays that nobody may change. Guarded by the
 * lock of the stripe that its key lies in; readers may share it.
 */
public final class SortedSetValue extends Value {

    /*
     * Two forms. Small sets are a PackedList (see PackedScores), in which everything is a short walk. A set that gets more members, or a
     * longer one, than the caller's limits allow becomes a skip list with a hash table (see SkipList, RankedTable) and stays that way:
     * a set at the limit would otherwise be rebuilt again and again. Only who has just built a set asks to have it packed.
     */

    /** Gets members one by one. The array may be changed as soon as this returns, unless the member is the whole array. */
    @FunctionalInterface
    public interface Visitor {
        void accept(byte[] array, int offset, int length, double score);
    }

    /** For the heights of nodes. */
    private final RandomGenerator random;

    /** The compact form; null if the set is full. */
    private @Nullable PackedList packed;

    /** The full form; null if the set is compact. */
    private @Nullable RankedTable table;

    /** An empty set in compact form. */
    public SortedSetValue(RandomGenerator random) {
        this.random = random;
        this.packed = new PackedList();
    }

    private SortedSetValue(RandomGenerator random, RankedTable table) {
        this.random = random;
        this.table = table;
    }

    /** A set of its own with the same content. */
    @Override
    public SortedSetValue copy() {
        if (packed == null) {
            return new SortedSetValue(random, full().copy(random));
        }
        SortedSetValue copy = new SortedSetValue(random);
        copy.packed = packed.copy();
        return copy;
    }

    @Override
    public ValueType type() {
        return ValueType.ZSET;
    }

    @Override
    public String encoding() {
        return packed == null ? "skiplist" : "listpack";
    }

    @Override
    public long bytes() {
        return 24 + (packed == null ? full().bytes() : packed.bytes());
    }

    public int size() {
        return packed == null ? full().size() : PackedScores.size(packed);
    }

    public boolean isCompact() {
        return packed != null;
    }

    /** The compact form, members and scores in turn: not to be changed. Null if the set is not compact. */
    public @Nullable PackedList packed() {
        return packed;
    }

    // ---- one member

    /** The score of a member, or NaN if it is not there. */
    public double score(byte[] array, int offset, int length) {
        if (packed == null) {
            Node node = full().find(array, offset, length);
            return node == null ? Double.NaN : node.score;
        }
        int pos = PackedScores.find(packed, array, offset, length);
        return pos == PackedList.NONE ? Double.NaN : PackedScores.score(packed, pos);
    }

    /** How many members are before this one, or -1 if it is not there. */
    public int rank(byte[] array, int offset, int length) {
        if (packed == null) {
            Node node = full().find(array, offset, length);
            return node == null ? -1 : full().list().rank(node.score, node.member);
        }
        int pos = PackedScores.find(packed, array, offset, length);
        return pos == PackedList.NONE ? -1 : PackedScores.rank(packed, pos);
    }

    /**
     * Adds a member, of which a copy is stored, or gives it another score.
     *
     * @param score not NaN
     * @param limits up to which size the set may stay compact
     * @return the score before, or NaN if the member is new
     */
    public double put(byte[] array, int offset, int length, double score, CompactLimits limits) {
        if (packed != null) {
            int pos = PackedScores.find(packed, array, offset, length);
            if (pos != PackedList.NONE) {
                double before = PackedScores.score(packed, pos);
                if (before != score) {
                    packed.remove(pos, 2);
                    PackedScores.insert(packed, array, offset, length, score);
                }
                return before;
            }
            if (PackedScores.size(packed) < limits.entries() && length <= limits.bytes()) {
                PackedScores.insert(packed, array, offset, length, score);
                return Double.NaN;
            }
            unpack();
        }
        Node node = full().find(array, offset, length);
        if (node == null) {
            full().add(Arrays.copyOfRange(array, offset, offset + length), score);
            return Double.NaN;
        }
        double before = node.score;
        if (before != score) {
            full().list().move(node, score);
        }
        return before;
    }

    /** Takes a member out. @return whether it was there */
    public boolean remove(byte[] array, int offset, int length) {
        if (packed == null) {
            Node node = full().find(array, offset, length);
            if (node != null) {
                full().remove(node);
            }
            return node != null;
        }
        int pos = PackedScores.find(packed, array, offset, length);
        if (pos != PackedList.NONE) {
            packed.remove(pos, 2);
        }
        return pos != PackedList.NONE;
    }

    // ---- ranges

    /** The ranks of the members whose scores are in the range. */
    public Ranks ranks(ScoreRange range) {
        if (packed != null) {
            return PackedScores.ranks(packed, range);
        }
        SkipList list = full().list();
        return new Ranks(list.rank(node -> range.isAbove(node.score)), list.rank(node -> !range.isBelow(node.score)));
    }

    /**
     * The ranks of the members that are in the range; all scores should be the same.
     *
     * @param lastRun if the scores differ there may be several runs of such members: whether to take the last one
     */
    public Ranks ranks(LexRange range, boolean lastRun) {
        if (packed != null) {
            return PackedScores.ranks(packed, range, lastRun);
        }
        SkipList list = full().list();
        Node first = list.first();
        Node last = list.last();
        if (first == null
                || last == null
                || range.isBelow(first.member, 0, first.member.length)
                || range.isAbove(last.member, 0, last.member.length)) {
            return new Ranks(0, 0);
        }
        return new Ranks(
                list.rank(node -> range.isAbove(node.member, 0, node.member.length)),
                list.rank(node -> !range.isBelow(node.member, 0, node.member.length)));
    }

    /** Visits the members with these ranks, which exist. */
    public void forEach(Ranks ranks, Walk walk, Visitor visitor) {
        if (ranks.isEmpty()) {
            return;
        }
        if (packed != null) {
            PackedScores.forEach(packed, ranks, walk, visitor);
            return;
        }
        SkipList list = full().list();
        boolean backwards = walk.backwards();
        Node node;
        if (backwards) {
            node = ranks.to() == list.size() ? list.last() : list.at(ranks.to() - 1);
        } else {
            node = ranks.from() == 0 ? list.first() : list.at(ranks.from());
        }
        for (int left = ranks.size(); left > 0 && node != null; left--) {
            visitor.accept(node.member, 0, node.member.length, node.score);
            node = backwards ? node.previous : node.next;
        }
    }

    /** Visits all members in order. */
    public void forEach(Visitor visitor) {
        forEach(new Ranks(0, size()), Walk.PAIRS, visitor);
    }

    /** Takes out the members with these ranks, which exist. */
    public void remove(Ranks ranks) {
        if (ranks.isEmpty()) {
            return;
        }
        if (packed == null) {
            full().removeRange(ranks.from(), ranks.to());
        } else {
            packed.remove(packed.seek(2 * ranks.from()), 2 * ranks.size());
        }
    }

    /**
     * Visits about {@code count} members; all of them if the set is compact. Whoever starts with cursor 0 and goes on until 0 comes back
     * has seen every member that was there all the time.
     *
     * @return the next cursor
     */
    public long scan(long cursor, long count, Visitor visitor) {
        if (packed == null) {
            return full().scan(cursor, count, visitor);
        }
        forEach(visitor);
        return 0;
    }

    // ---- forms

    /** Gives the set its full form. */
    public void unpack() {
        PackedList list = packed;
        if (list == null) {
            return;
        }
        RankedTable.Builder builder = new RankedTable.Builder(random);
        forEach((array, offset, length, score) ->
                builder.append(Arrays.copyOfRange(array, offset, offset + length), score));
        table = builder.build(true);
        packed = null;
    }

    /** Gives the set its compact form if it is small enough. */
    public void pack(CompactLimits limits) {
        RankedTable from = table;
        if (from == null || from.size() > limits.entries()) {
            return;
        }
        PackedList list = new PackedList();
        for (Node node = from.list().first(); node != null; node = node.next) {
            if (node.member.length > limits.bytes()) {
                return;
            }
            PackedScores.append(list, node.member, node.score);
        }
        packed = list;
        table = null;
    }

    private RankedTable full() {
        RankedTable full = table;
        if (full == null) {
            throw new IllegalStateException("the set is compact");
        }
        return full;
    }

    /** Builds a set in full form from members in any order. Confined to one thread. */
    public static final class Builder {

        private final RandomGenerator random;
        private final RankedTable.Builder table;

        public Builder(RandomGenerator random) {
            this.random = random;
            this.table = new RankedTable.Builder(random);
        }

        /** Adds a copy of a member that is not there yet. */
        public void add(byte[] array, int offset, int length, double score) {
            table.append(Arrays.copyOfRange(array, offset, offset + length), score);
        }

        /** Adds a copy of a member, or combines its score with the one that it has. */
        public void merge(byte[] array, int offset, int length, double score, DoubleBinaryOperator combine) {
            table.merge(array, offset, length, score, combine);
        }

        public SortedSetValue build() {
            return new SortedSetValue(random, table.build(false));
        }
    }
}
