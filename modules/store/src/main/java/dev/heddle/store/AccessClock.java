package dev.heddle.store;

/**
 * What an entry remembers of its use, in one int: when it was last used, or, for policies that ask for the frequency, how often. Stateless.
 */
public final class AccessClock {

    /*
     * The frequency is the counter that Redis has, of Morris's kind: 8 bits that grow by one with a probability of
     * 1 / ((counter - 5) * factor + 1), so that with the factor of 10 about a million uses fill it, and that lose one for each period
     * without use. The minute in which it was last looked at stands above it, 16 bits that wrap around after 45 days. New keys begin with 5
     * so that they are not the first to go before they had a chance.
     */

    private static final int COUNTER_BITS = 8;
    private static final int FULL = (1 << COUNTER_BITS) - 1;
    private static final int NEW = 5;
    private static final int MINUTES = (1 << 16) - 1;

    private AccessClock() {}

    /** Whole seconds since the epoch as an int, from milliseconds since the epoch; good until the year 2106 as unsigned. */
    public static int seconds(long millis) {
        return (int) (millis / 1000);
    }

    /** Seconds from {@code access} to {@code now}, never negative even if the clock was set back. */
    public static long idleSeconds(int access, long nowMillis) {
        return Math.max(0, seconds(nowMillis) - access);
    }

    /** The mark of a key that has just come, for its frequency. */
    public static int newFrequency(long nowMillis) {
        return frequency(NEW, nowMillis);
    }

    /** The mark of a key with this frequency, 0 to 255. */
    public static int frequency(int counter, long nowMillis) {
        return (minutes(nowMillis) << COUNTER_BITS) | Math.min(counter, FULL);
    }

    /**
     * The frequency of a mark, 0 to 255.
     *
     * @param decayMinutes after how many minutes without use the counter loses one; 0 for never
     */
    public static int counter(int mark, long nowMillis, int decayMinutes) {
        int counter = mark & FULL;
        if (decayMinutes == 0) {
            return counter;
        }
        int elapsed = (minutes(nowMillis) - (mark >>> COUNTER_BITS)) & MINUTES;
        return Math.max(0, counter - elapsed / decayMinutes);
    }

    /**
     * The mark after one more use.
     *
     * @param chance from 0 to 1, drawn anew each time
     * @param factor how much harder it becomes for a large counter to grow, 0 for not at all
     */
    public static int used(int mark, long nowMillis, int decayMinutes, double chance, int factor) {
        int counter = counter(mark, nowMillis, decayMinutes);
        boolean grows = counter < FULL && chance * (Math.max(0, counter - NEW) * (double) factor + 1) < 1;
        return frequency(grows ? counter + 1 : counter, nowMillis);
    }

    private static int minutes(long millis) {
        return (int) (millis / 60_000) & MINUTES;
    }
}
