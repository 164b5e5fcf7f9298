package dev.heddle.store.value;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Members in the order of their scores, equal scores in the order of the members' bytes, with ranks.
 *
 * <p>Knows nothing of which members there are: {@link RankedTable} keeps that. Guarded by the stripe's lock; readers that share it
 * may read at the same time, as reading changes nothing here.
 */
final class SkipList {

    /*
     * Problem. A sorted set is asked for members by rank, by range of scores and by range of names, from both ends, and is changed all the
     * time. Arrays insert in linear time; balanced trees do it all in logarithmic time, but range scans climb up and down, and each
     * rotation has to mend the counts that ranks need.
     *
     * The idea (William Pugh, "Skip Lists: A Probabilistic Alternative to Balanced Trees", 1990). All nodes form a linked list, level 0.
     * One in four of them, chosen by chance, is also linked on level 1, one in four of those on level 2, and so on. A search starts at
     * the head on the highest level, goes on while the next node is still before what is sought, and then goes down one level. It makes
     * about 4 steps on each of log4(n) levels.
     *
     *     level 2   head ------------------------------> d ---------------------> end       spans 4, 4
     *     level 1   head ------------> b --------------> d ---------------------> end       spans 2, 2, 4
     *     level 0   head ----> a ----> b ----> c ------> d ----> e ----> f -----> end
     *
     * Ranks: each link above level 0 has a span, the number of level-0 links that it replaces (the end counts as the node behind the
     * last). The spans along a search add up to the rank of where it ends; a search by rank goes on while the sum stays below.
     *
     * Invariants:
     *   - the nodes of a level are among those of the level below, in the same order;
     *   - position(x) + span(x, level) = position(next of x on that level), where the head is at 0 and the end at size + 1;
     *   - the highest level of the head that is in use leads to a node, unless the list is empty.
     * An insertion changes the links and spans of the last node before it on each level (the path) and no others; so does a removal. The
     * removal of a range cuts each level once, in time proportional to what is removed.
     *
     * Memory. Three nodes in four are on level 0 only: they are plain Nodes of 32 bytes, without arrays for the levels above and without a
     * span, which would always be 1. The others are TallNodes. As all nodes of a level above 0 are tall, no step needs to ask.
     *
     * Why not a B+ tree: it would have fewer cache misses and no links per element, but splits, merges, and counts in inner nodes make
     * three times the code. Redis chose a skip list too (t_zset.c); spans and backward links are its additions to Pugh's list.
     */

    /** Enough for 4^15 nodes; more levels would only be unused. */
    private static final int MAX_HEIGHT = 16;

    private static final int FIRST_HEIGHT = 5;
    private static final byte[] NOTHING = {};

    /** A member in the list. */
    static sealed class Node permits TallNode {

        final byte[] member;
        double score;

        @Nullable
        Node next;

        @Nullable
        Node previous;

        Node(byte[] member, double score) {
            this.member = member;
            this.score = score;
        }
    }

    /** A node that stands on levels above 0 too; index 0 of its arrays is level 1. */
    private static final class TallNode extends Node {

        @Nullable
        TallNode[] forward;

        int[] span;

        TallNode(byte[] member, double score, int height) {
            super(member, score);
            forward = new TallNode[height - 1];
            span = new int[height - 1];
        }
    }

    /** Tells the nodes before a place in the order from those behind it. */
    @FunctionalInterface
    interface Place {
        boolean isBehind(Node node);
    }

    /** Before the first node; stands on all levels. */
    private final TallNode head = new TallNode(NOTHING, 0, FIRST_HEIGHT);

    private @Nullable Node last;
    private int size;
    /** Levels in use, level 0 included. */
    private int height = 1;
    /** Heap bytes of the nodes, without their members. */
    private long nodeBytes;
    /** The state of the generator that heights are drawn from. */
    private long state;

    /** The path of the change under way: on each level the last node before the place, and its position. Level 0 has no node here. */
    private @Nullable TallNode[] path = new TallNode[FIRST_HEIGHT];

    private int[] positions = new int[FIRST_HEIGHT];

    /** @param seed decides about the heights of nodes */
    SkipList(long seed) {
        state = seed;
    }

    int size() {
        return size;
    }

    @Nullable
    Node first() {
        return head.next;
    }

    @Nullable
    Node last() {
        return last;
    }

    /** Heap bytes of the list and its nodes, without the members. */
    long bytes() {
        return 56 + nodeBytes + 40 + 2 * arrayBytes(head.span.length) + 2 * arrayBytes(positions.length);
    }

    // ---- searching

    /** The node with this rank, which is 0 or more and less than the size. */
    Node at(int rank) {
        int position = rank + 1;
        int at = 0;
        TallNode tall = head;
        for (int i = height - 2; i >= 0; i--) {
            TallNode next = tall.forward[i];
            while (next != null && at + tall.span[i] <= position) {
                at += tall.span[i];
                tall = next;
                next = tall.forward[i];
            }
        }
        Node node = tall;
        while (at < position) {
            node = following(node);
            at++;
        }
        return node;
    }

    /** How many nodes are before a member with this score: its rank if it is in the list. */
    int rank(double score, byte[] member) {
        int at = 0;
        TallNode tall = head;
        TallNode passed = null;
        for (int i = height - 2; i >= 0; i--) {
            TallNode next = tall.forward[i];
            while (next != null && next != passed && isBefore(next, score, member)) {
                at += tall.span[i];
                tall = next;
                next = tall.forward[i];
            }
            passed = next;
        }
        for (Node next = tall.next; next != null && isBefore(next, score, member); next = next.next) {
            at++;
        }
        return at;
    }

    /** How many nodes are before a place. */
    int rank(Place place) {
        int at = 0;
        TallNode tall = head;
        for (int i = height - 2; i >= 0; i--) {
            TallNode next = tall.forward[i];
            while (next != null && place.isBehind(next)) {
                at += tall.span[i];
                tall = next;
                next = tall.forward[i];
            }
        }
        for (Node next = tall.next; next != null && place.isBehind(next); next = next.next) {
            at++;
        }
        return at;
    }

    // ---- changing

    /** A node to be inserted; its height is drawn here. The array belongs to it from now on. */
    Node newNode(byte[] member, double score) {
        int levels = drawHeight();
        return levels == 1 ? new Node(member, score) : new TallNode(member, score, levels);
    }

    /** Inserts a node whose member is not in the list. */
    void insert(Node node) {
        if (node instanceof TallNode tall) {
            raise(tall.span.length + 1);
        }
        Node before = findPath(node.score, node.member);
        int position = positions[0] + 1;
        int level = 1;
        if (node instanceof TallNode tall) {
            for (; level <= tall.span.length; level++) {
                TallNode left = onPath(level);
                int i = level - 1;
                tall.forward[i] = left.forward[i];
                tall.span[i] = positions[level] + left.span[i] + 1 - position;
                left.forward[i] = tall;
                left.span[i] = position - positions[level];
            }
        }
        for (; level < height; level++) {
            onPath(level).span[level - 1]++;
        }
        join(node, before.next);
        join(before, node);
        size++;
        nodeBytes += bytesOf(node);
    }

    /** Takes a node out that is in the list. */
    void remove(Node node) {
        Node before = findPath(node.score, node.member);
        for (int level = 1; level < height; level++) {
            TallNode left = onPath(level);
            int i = level - 1;
            if (left.forward[i] == node && node instanceof TallNode tall) {
                left.forward[i] = tall.forward[i];
                left.span[i] += tall.span[i];
            }
            left.span[i]--;
        }
        join(before, node.next);
        size--;
        nodeBytes -= bytesOf(node);
        lower();
    }

    /** Gives a node that is in the list another score. If it stays between its neighbours nothing else changes. */
    void move(Node node, double score) {
        Node before = node.previous;
        Node behind = node.next;
        if ((before == null || isBefore(before, score, node.member))
                && (behind == null || !isBefore(behind, score, node.member))) {
            node.score = score;
            return;
        }
        remove(node);
        node.score = score;
        insert(node);
    }

    /** Takes out the nodes with ranks from {@code from} on and below {@code to}. */
    void removeRange(int from, int to, Consumer<? super Node> removed) {
        int count = to - from;
        int at = 0;
        TallNode tall = head;
        for (int i = height - 2; i >= 0; i--) {
            TallNode next = tall.forward[i];
            while (next != null && at + tall.span[i] <= from) {
                at += tall.span[i];
                tall = next;
                next = tall.forward[i];
            }
            int end = at + tall.span[i];
            while (next != null && end <= to) {
                end += next.span[i];
                next = next.forward[i];
            }
            tall.forward[i] = next;
            tall.span[i] = end - count - at;
        }
        Node before = tall;
        for (; at < from; at++) {
            before = following(before);
        }
        Node node = before.next;
        for (int i = 0; i < count && node != null; i++) {
            nodeBytes -= bytesOf(node);
            removed.accept(node);
            node = node.next;
        }
        join(before, node);
        size -= count;
        lower();
    }

    /** Fills an empty list with the first {@code count} of these nodes, which are in order; faster than inserting them one by one. */
    void fill(Node[] nodes, int count) {
        @Nullable TallNode[] ends = new TallNode[MAX_HEIGHT];
        int[] endPositions = new int[MAX_HEIGHT];
        Node before = head;
        for (int k = 0; k < count; k++) {
            Node node = nodes[k];
            join(before, node);
            before = node;
            nodeBytes += bytesOf(node);
            if (node instanceof TallNode tall) {
                raise(tall.span.length + 1);
                for (int i = 0; i < tall.span.length; i++) {
                    TallNode left = ends[i] == null ? head : ends[i];
                    left.forward[i] = tall;
                    left.span[i] = k + 1 - endPositions[i];
                    ends[i] = tall;
                    endPositions[i] = k + 1;
                }
            }
        }
        join(before, null);
        size = count;
        for (int i = 0; i < height - 1; i++) {
            TallNode left = ends[i] == null ? head : ends[i];
            left.span[i] = count + 1 - endPositions[i];
        }
    }

    // ---- inside

    /** Where a node stands: by score first, then by member, byte by byte without sign; a prefix is less. */
    static int compare(Node a, Node b) {
        if (a.score != b.score) {
            return a.score < b.score ? -1 : 1;
        }
        return Arrays.compareUnsigned(a.member, b.member);
    }

    private static boolean isBefore(Node node, double score, byte[] member) {
        return node.score < score || (node.score == score && Arrays.compareUnsigned(node.member, member) < 0);
    }

    /** Notes the path to a place, and answers the last node before it on level 0. */
    private Node findPath(double score, byte[] member) {
        int at = 0;
        TallNode tall = head;
        TallNode passed = null; // what a higher level has found not to be before need not be compared again
        for (int level = height - 1; level > 0; level--) {
            int i = level - 1;
            TallNode next = tall.forward[i];
            while (next != null && next != passed && isBefore(next, score, member)) {
                at += tall.span[i];
                tall = next;
                next = tall.forward[i];
            }
            passed = next;
            path[level] = tall;
            positions[level] = at;
        }
        Node node = tall;
        for (Node next = node.next; next != null && isBefore(next, score, member); next = next.next) {
            node = next;
            at++;
        }
        positions[0] = at;
        return node;
    }

    private TallNode onPath(int level) {
        TallNode node = path[level];
        assert node != null;
        return node;
    }

    private static Node following(Node node) {
        Node next = node.next;
        if (next == null) {
            throw new IllegalStateException("no node with this rank");
        }
        return next;
    }

    private void join(Node before, @Nullable Node node) {
        before.next = node;
        Node left = before == head ? null : before;
        if (node == null) {
            last = left;
        } else {
            node.previous = left;
        }
    }

    /** Puts so many levels into use. */
    private void raise(int levels) {
        if (levels > positions.length) {
            head.forward = Arrays.copyOf(head.forward, levels - 1);
            head.span = Arrays.copyOf(head.span, levels - 1);
            path = Arrays.copyOf(path, levels);
            positions = Arrays.copyOf(positions, levels);
        }
        for (; height < levels; height++) {
            head.forward[height - 1] = null;
            head.span[height - 1] = size + 1;
        }
    }

    /** Takes levels out of use on which there are no nodes left. */
    private void lower() {
        while (height > 1 && head.forward[height - 2] == null) {
            height--;
            path[height] = null;
        }
    }

    private int drawHeight() {
        // SplitMix64 (Steele, Lea, Flood 2014): one addition and two multiplications, good low bits.
        state += 0x9e3779b97f4a7c15L;
        long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        z ^= z >>> 31;
        return Math.min(1 + Long.numberOfTrailingZeros(z) / 2, MAX_HEIGHT);
    }

    private static long bytesOf(Node node) {
        return node instanceof TallNode tall ? 40 + 2 * arrayBytes(tall.span.length) : 32;
    }

    private static long arrayBytes(int length) {
        return (16 + 4L * length + 7) & ~7L;
    }
}
