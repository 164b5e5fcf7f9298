package dev.heddle.store.value;

/**
 * A run of ranks in a sorted set, 0 being the lowest.
 *
 * <p>Immutable.
 *
 * @param from the first of them
 * @param to the one behind the last; never less than {@code from}
 */
public record Ranks(int from, int to) {

    public Ranks {
        to = Math.max(from, to);
    }

    public int size() {
        return to - from;
    }

    public boolean isEmpty() {
        return from == to;
    }

    /** The part that is left after passing over some at the beginning, of at most this length; from the end on if backwards. */
    public Ranks limit(long skip, long count, boolean backwards) {
        if (skip < 0 || skip >= size()) {
            return new Ranks(from, from);
        }
        int left = size() - (int) skip;
        int length = count < 0 ? left : (int) Math.min(left, count);
        return backwards
                ? new Ranks(to - (int) skip - length, to - (int) skip)
                : new Ranks(from + (int) skip, from + (int) skip + length);
    }
}
