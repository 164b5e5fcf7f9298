package dev.heddle.persistence.snapshot;

import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;

/**
 * Keeps a thread from taking processors that others want: it works in slices of about a millisecond and rests in between, the longer the busier the
 * machine is.
 *
 * <p>Confined to its thread.
 */
final class Pace {

    /*
     * The share that the thread may take is what the processors have to spare, and at least LEAST of one. What they have to spare is looked at ten
     * times a second: all, less what the machine as a whole does, plus what this thread itself does of that. Resting of its own accord is better
     * than a low priority, which would have it interrupted anywhere, also while it holds the lock of a stripe.
     */

    private static final long SLICE_NANOS = 500_000;
    private static final long LOOK_NANOS = 100_000_000;
    private static final long LONGEST_REST_NANOS = 20_000_000;
    /** What this thread takes of one processor even if the machine is busy. */
    private static final double LEAST = 0.25;

    private final int processors;
    private final DoubleSupplier load;
    private double share = 1;
    private long sliceBegan;
    private long lookedAt;
    private long worked; // since lookedAt

    /** @param load how busy the machine is, from 0 to 1; negative if unknown */
    Pace(int processors, DoubleSupplier load) {
        this.processors = processors;
        this.load = load;
        this.sliceBegan = System.nanoTime();
        this.lookedAt = sliceBegan;
    }

    /** Rests if it is time to: to be called often, without locks. */
    void rest() {
        long now = System.nanoTime();
        long work = now - sliceBegan;
        if (work < SLICE_NANOS) {
            return;
        }
        worked += work;
        if (now - lookedAt >= LOOK_NANOS) {
            share = share(load.getAsDouble(), (double) worked / (now - lookedAt), processors);
            lookedAt = now;
            worked = 0;
        }
        if (share < 1) {
            LockSupport.parkNanos(this, Math.min(LONGEST_REST_NANOS, (long) (work * (1 - share) / share)));
        }
        sliceBegan = System.nanoTime();
    }

    /**
     * The share of one processor that a thread may take.
     *
     * @param load how busy all processors are, from 0 to 1; negative if unknown
     * @param own what the thread has taken of one meanwhile
     */
    static double share(double load, double own, int processors) {
        if (load < 0 || Double.isNaN(load)) {
            return 0.5;
        }
        double spare = processors - (load * processors - own);
        return Math.clamp(spare, LEAST, 1);
    }
}
