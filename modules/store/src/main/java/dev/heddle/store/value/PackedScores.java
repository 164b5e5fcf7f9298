package dev.heddle.store.value;

import dev.heddle.resp.Numbers;

/** The compact form of a sorted set: a {@link PackedList} of members, each followed by its score, in order. Stateless. */
final class PackedScores {

    /*
     * Everything is a walk from one end; with the hundred members that this form is for, that is faster than any tree. A score that is a
     * whole number is stored as such (so a negative zero becomes zero, as in Redis), any other as the text that it prints as.
     */

    /** Whole numbers up to here can be stored as such: half of the largest long. */
    private static final double LARGEST_INTEGER = 0x1p62;

    private static final byte[] NOTHING = {};

    private PackedScores() {}

    static int size(PackedList list) {
        return list.count() / 2;
    }

    /** The position of a member, or {@link PackedList#NONE}. */
    static int find(PackedList list, byte[] array, int offset, int length) {
        return list.find(array, offset, length, list.first(), 1);
    }

    /** The score of the member at this position. */
    static double score(PackedList list, int member) {
        int pos = list.next(member);
        if (list.isLong(pos)) {
            return list.longAt(pos);
        }
        return Numbers.parseDouble(list.array(), list.dataOffset(pos), list.length(pos));
    }

    /** Inserts a member that is not there. */
    static void insert(PackedList list, byte[] array, int offset, int length, double score) {
        int pos = list.first();
        while (pos != PackedList.NONE) {
            double other = score(list, pos);
            if (other > score || (other == score && list.compare(pos, array, offset, length) > 0)) {
                break;
            }
            pos = next(list, pos);
        }
        byte[] number = text(score);
        if (pos == PackedList.NONE) {
            list.append(array, offset, length);
            list.append(number, 0, number.length);
        } else {
            list.insertBefore(pos, array, offset, length);
            list.insertBefore(list.next(pos), number, 0, number.length);
        }
    }

    /** Appends a member that is not there and comes last. */
    static void append(PackedList list, byte[] member, double score) {
        byte[] number = text(score);
        list.append(member, 0, member.length);
        list.append(number, 0, number.length);
    }

    static int rank(PackedList list, int member) {
        int rank = 0;
        for (int pos = list.first(); pos != member; pos = next(list, pos)) {
            rank++;
        }
        return rank;
    }

    static Ranks ranks(PackedList list, ScoreRange range) {
        int from = 0;
        int pos = list.first();
        while (pos != PackedList.NONE && range.isAbove(score(list, pos))) {
            from++;
            pos = next(list, pos);
        }
        int to = from;
        while (pos != PackedList.NONE && !range.isBelow(score(list, pos))) {
            to++;
            pos = next(list, pos);
        }
        return new Ranks(from, to);
    }

    /**
     * The first run of members in the range, or the last one. There is only one if all scores are the same; if they are not, the range
     * has no meaning, but Redis's answer is this.
     */
    static Ranks ranks(PackedList list, LexRange range, boolean lastRun) {
        if (list.count() == 0
                || isAbove(list, list.seek(list.count() - 2), range)
                || isBelow(list, list.first(), range)) {
            return new Ranks(0, 0);
        }
        int rank = lastRun ? size(list) - 1 : 0;
        int step = lastRun ? -1 : 1;
        int pos = list.seek(2 * rank);
        while (pos != PackedList.NONE && (lastRun ? isBelow(list, pos, range) : isAbove(list, pos, range))) {
            rank += step;
            pos = lastRun ? previous(list, pos) : next(list, pos);
        }
        int begin = rank;
        while (pos != PackedList.NONE && !isAbove(list, pos, range) && !isBelow(list, pos, range)) {
            rank += step;
            pos = lastRun ? previous(list, pos) : next(list, pos);
        }
        return lastRun ? new Ranks(rank + 1, begin + 1) : new Ranks(begin, rank);
    }

    static void forEach(PackedList list, Ranks ranks, Walk walk, SortedSetValue.Visitor visitor) {
        byte[] digits = NOTHING;
        int pos = list.seek(2 * (walk.backwards() ? ranks.to() - 1 : ranks.from()));
        for (int left = ranks.size(); left > 0; left--) {
            double score = walk.withScores() ? score(list, pos) : 0;
            if (list.isLong(pos)) {
                digits = digits.length == 0 ? new byte[Numbers.MAX_LONG_BYTES] : digits;
                visitor.accept(digits, 0, list.write(pos, digits, 0), score);
            } else {
                visitor.accept(list.array(), list.dataOffset(pos), list.length(pos), score);
            }
            pos = walk.backwards() ? previous(list, pos) : next(list, pos);
        }
    }

    private static int next(PackedList list, int member) {
        return list.next(list.next(member));
    }

    private static int previous(PackedList list, int member) {
        int score = list.previous(member);
        return score == PackedList.NONE ? PackedList.NONE : list.previous(score);
    }

    private static boolean isAbove(PackedList list, int pos, LexRange range) {
        byte[] member = list.copy(pos);
        return range.isAbove(member, 0, member.length);
    }

    private static boolean isBelow(PackedList list, int pos, LexRange range) {
        byte[] member = list.copy(pos);
        return range.isBelow(member, 0, member.length);
    }

    private static byte[] text(double score) {
        if (Math.abs(score) <= LARGEST_INTEGER && score == (long) score) {
            return Numbers.toBytes((long) score);
        }
        return Numbers.toBytes(score);
    }
}
