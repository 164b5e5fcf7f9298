package dev.heddle.store.value;

/**
 * A range of scores; both ends may be infinite, none is NaN.
 *
 * <p>Immutable.
 *
 * @param minExclusive whether {@code min} itself is out
 * @param maxExclusive whether {@code max} itself is out
 */
public record ScoreRange(double min, boolean minExclusive, double max, boolean maxExclusive) {

    /** Whether the whole range is above a score. */
    public boolean isAbove(double score) {
        return minExclusive ? score <= min : score < min;
    }

    /** Whether the whole range is below a score. */
    public boolean isBelow(double score) {
        return maxExclusive ? score >= max : score > max;
    }
}
