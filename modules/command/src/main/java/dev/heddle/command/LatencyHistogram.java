package dev.heddle.command;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long runs of a command took, in classes of time.
 *
 * <p>Thread-safe. Figures read while others count are a little apart from each other.
 */
public final class LatencyHistogram {

    /*
     * Class 0 is everything below 1024 ns; above, each power of two is cut into four classes of equal width, so that a figure read
     * from here is at most a quarter too high, at 81 counters per command. Nothing is worth telling apart beyond a second.
     *
     * A session counts its runs in an array of its own and adds them up here when it turns to another command or its batch
     * ends (Session.ran), so that a pipeline pays one atomic addition per class it met, not one per command.
     *
     * LATENCY HISTOGRAM asks at powers of two and names them by the upper end of Redis's class of that value, which is 1/128
     * wide: 1, 2, 4, 8, 16, 33, 66, 132, ... microseconds.
     */

    static final int CLASSES = 81;
    /** How many powers of two, from 1024 ns on, {@link #atMost} can be asked about. */
    public static final int LEVELS = 21;

    private static final int FIRST_POWER = 10;
    private static final long LARGEST = (1L << 30) - 1;

    private final AtomicLongArray counts = new AtomicLongArray(CLASSES);

    static int classOf(long nanos) {
        if (nanos < 1L << FIRST_POWER) {
            return 0;
        }
        long value = Math.min(nanos, LARGEST);
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        return 1 + (power - FIRST_POWER) * 4 + ((int) (value >>> (power - 2)) & 3);
    }

    /** The largest number of nanoseconds that falls into a class. */
    static long largestOf(int timeClass) {
        if (timeClass == 0) {
            return (1L << FIRST_POWER) - 1;
        }
        int power = FIRST_POWER + (timeClass - 1) / 4;
        int quarter = (timeClass - 1) % 4;
        return ((5L + quarter) << (power - 2)) - 1;
    }

    void add(int timeClass, long times) {
        counts.addAndGet(timeClass, times);
    }

    /** How many runs have been counted. */
    public long total() {
        return atMost(LEVELS - 1);
    }

    /** How many runs took less than 2<sup>10 + level</sup> nanoseconds; the last level has them all. */
    public long atMost(int level) {
        long sum = 0;
        for (int i = 0; i < 1 + level * 4; i++) {
            sum += counts.get(i);
        }
        return sum;
    }

    /** The name of a level, in microseconds. */
    public static long levelMicros(int level) {
        long nanos = 1L << (FIRST_POWER + level);
        return (nanos + nanos / 128 - 1) / 1000;
    }

    /**
     * The time within which this share of the runs was done, in nanoseconds; 0 if there were none.
     *
     * @param percent from 0 to 100
     */
    public long percentile(double percent) {
        long wanted = Math.max(1, (long) Math.ceil(total() * percent / 100));
        long sum = 0;
        for (int i = 0; i < CLASSES; i++) {
            sum += counts.get(i);
            if (sum >= wanted) {
                return largestOf(i);
            }
        }
        return 0;
    }

    void reset() {
        for (int i = 0; i < CLASSES; i++) {
            counts.set(i, 0);
        }
    }
}
