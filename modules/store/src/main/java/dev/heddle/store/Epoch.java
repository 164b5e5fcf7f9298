package dev.heddle.store;

import org.jspecify.annotations.Nullable;

/**
 * Which of two epochs it is, and the snapshot that is running: one for all stripes. Every entry is in the current epoch, except those
 * that the running snapshot has not saved yet; see {@link Snapshot}.
 *
 * <p>Guarded by the stripes' locks: written while all are held, read under any one.
 */
final class Epoch {

    /** The bit that tells the two epochs apart. */
    private static final int BIT = Integer.MIN_VALUE;

    /** 0 or {@link #BIT}. */
    int current;
    /** Also read without a lock, as a hint. */
    @Nullable
    Snapshot running;

    /** Begins the other epoch: every entry there is is in the old one. */
    void flip() {
        current ^= BIT;
    }
}
