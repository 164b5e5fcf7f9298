package dev.heddle.store.value;

import java.util.Arrays;

/**
 * A range of members by their bytes, for sorted sets whose scores are all the same.
 *
 * <p>Immutable; nobody may change the arrays in it.
 */
public record LexRange(Bound min, Bound max) {

    /** Whether the whole range is above a member. */
    public boolean isAbove(byte[] array, int offset, int length) {
        int order = min.compareTo(array, offset, length);
        return min.exclusive ? order >= 0 : order > 0;
    }

    /** Whether the whole range is below a member. */
    public boolean isBelow(byte[] array, int offset, int length) {
        int order = max.compareTo(array, offset, length);
        return max.exclusive ? order <= 0 : order < 0;
    }

    /** One end of a range. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Bound(Kind kind, byte[] member, boolean exclusive) {

        private static final byte[] NOTHING = {};

        /** Below all members. */
        public static final Bound LOWEST = new Bound(Kind.LOWEST, NOTHING, true);

        /** Above all members. */
        public static final Bound HIGHEST = new Bound(Kind.HIGHEST, NOTHING, true);

        public static Bound of(byte[] member, boolean exclusive) {
            return new Bound(Kind.MEMBER, member, exclusive);
        }

        int compareTo(byte[] array, int offset, int length) {
            return switch (kind) {
                case LOWEST -> -1;
                case HIGHEST -> 1;
                case MEMBER -> Arrays.compareUnsigned(member, 0, member.length, array, offset, offset + length);
            };
        }
    }

    /** What a bound is. */
    public enum Kind {
        LOWEST,
        MEMBER,
        HIGHEST
    }
}
