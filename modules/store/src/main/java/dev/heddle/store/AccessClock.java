package dev.heddle.store;

/** The coarse clock by which entries remember their last use. */
public final class AccessClock {

    private AccessClock() {}

    /** Whole seconds since the epoch as an int, from milliseconds since the epoch; good until the year 2106 as unsigned. */
    public static int seconds(long millis) {
        return (int) (millis / 1000);
    }

    /** Seconds from {@code access} to {@code now}, never negative even if the clock was set back. */
    public static long idleSeconds(int access, long nowMillis) {
        return Math.max(0, seconds(nowMillis) - access);
    }
}
