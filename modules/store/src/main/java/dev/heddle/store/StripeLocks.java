package dev.heddle.store;

import java.util.Arrays;

/**
 * The locks that one connection holds at this moment: the only class that takes a stripe's lock.
 *
 * <p>Confined to one thread at a time. Not re-entrant: whoever holds locks asks {@link #isHeld()} and goes without.
 */
public final class StripeLocks {

    /*
     * Deadlock needs a circle of threads, each holding a lock that the next one wants. Nobody can close such a circle if all
     * take their locks in the same order; ours is ascending stripe numbers, and this class is the only one that takes them.
     * That includes "all stripes", and it includes shared locks: a StampedLock lets a waiting writer in before later
     * readers, so even two readers can wait for each other in a circle.
     *
     * A command with one key, by far the most frequent kind, goes through lock/unlock of a single stripe without touching
     * the arrays.
     */

    private static final int NONE = -1;

    private final Store store;
    /** The one stripe held, or NONE. */
    private int single = NONE;

    private long singleStamp;
    /** Bit set of the stripes asked for; the arrays are made when first needed and hold one bit or stamp per stripe. */
    private long[] wanted = {};

    /** 0 where nothing is held: then an error in the midst of taking locks leaves none behind. */
    private long[] stamps = {};

    private boolean several;
    private boolean exclusive;

    public StripeLocks(Store store) {
        this.store = store;
    }

    /** Locks the stripe of one hash. */
    public void lock(long hash, boolean forWriting) {
        lockStripe(store.stripeIndex(hash), forWriting);
    }

    /** Locks one stripe by its number. */
    public void lockStripe(int index, boolean forWriting) {
        checkFree();
        Stripe stripe = store.stripe(index);
        singleStamp = forWriting ? stripe.lock.writeLock() : stripe.lock.readLock();
        single = index;
        exclusive = forWriting;
    }

    /** Notes that the stripe of this hash will be needed; {@link #lockWanted} then takes them all. */
    public void want(long hash) {
        checkFree();
        makeArrays();
        int index = store.stripeIndex(hash);
        wanted[index >>> 6] |= 1L << index;
    }

    /** Notes that every stripe will be needed. */
    public void wantAll() {
        checkFree();
        makeArrays();
        int count = store.stripeCount();
        Arrays.fill(wanted, -1L);
        if ((count & 63) != 0) {
            wanted[wanted.length - 1] = (1L << count) - 1;
        }
    }

    /** Locks all stripes noted by {@link #want}, in ascending order. With none noted it locks nothing. */
    public void lockWanted(boolean forWriting) {
        checkFree();
        makeArrays();
        several = true;
        exclusive = forWriting;
        for (int word = 0; word < wanted.length; word++) {
            for (long bits = wanted[word]; bits != 0; bits &= bits - 1) {
                int index = (word << 6) + Long.numberOfTrailingZeros(bits);
                Stripe stripe = store.stripe(index);
                stamps[index] = forWriting ? stripe.lock.writeLock() : stripe.lock.readLock();
            }
        }
    }

    /** Gives back whatever is held, and forgets what was noted. */
    public void unlock() {
        if (single != NONE) {
            int index = single;
            single = NONE;
            store.stripe(index).lock.unlock(singleStamp);
            return;
        }
        several = false;
        for (int word = 0; word < wanted.length; word++) {
            for (long bits = wanted[word]; bits != 0; bits &= bits - 1) {
                int index = (word << 6) + Long.numberOfTrailingZeros(bits);
                long stamp = stamps[index];
                if (stamp != 0) {
                    stamps[index] = 0;
                    store.stripe(index).lock.unlock(stamp);
                }
            }
            wanted[word] = 0;
        }
    }

    /** Whether any stripe is held. */
    public boolean isHeld() {
        return single != NONE || several;
    }

    /** Whether the stripe of this hash is held in a way that allows reading, or writing. */
    public boolean covers(long hash, boolean forWriting) {
        int index = store.stripeIndex(hash);
        boolean held = several ? wanted.length != 0 && (wanted[index >>> 6] & (1L << index)) != 0 : single == index;
        return held && (exclusive || !forWriting);
    }

    /** Whether every stripe is held exclusively. */
    public boolean coversAll() {
        int count = 0;
        for (long bits : wanted) {
            count += Long.bitCount(bits);
        }
        return several && exclusive && count == store.stripeCount();
    }

    /** Taking a lock again would wait for ever, for oneself: better an error. */
    private void checkFree() {
        if (isHeld()) {
            throw new IllegalStateException("stripes are held already");
        }
    }

    private void makeArrays() {
        if (stamps.length == 0) {
            wanted = new long[(store.stripeCount() + 63) >>> 6];
            stamps = new long[store.stripeCount()];
        }
    }
}
