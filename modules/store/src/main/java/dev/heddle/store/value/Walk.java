package dev.heddle.store.value;

/**
 * How members of a sorted set are visited.
 *
 * <p>Immutable.
 *
 * @param backwards from the highest rank to the lowest
 * @param withScores whether the scores are wanted: to read one may cost more than to read the member
 */
public record Walk(boolean backwards, boolean withScores) {

    public static final Walk MEMBERS = new Walk(false, false);
    public static final Walk PAIRS = new Walk(false, true);
}
