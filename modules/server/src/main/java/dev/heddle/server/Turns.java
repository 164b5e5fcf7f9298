package dev.heddle.server;

import java.util.concurrent.locks.LockSupport;

/**
 * What a connection does between two batches, so that all get their turn.
 *
 * <p>Confined to one connection's thread.
 */
final class Turns {

    /*
     * Yielding before the next read is worth much: other connections of this carrier run first, and by the time this one is back
     * its next bytes have often arrived, so that the read finds them at once instead of parking in the poller (a failed
     * read, a registration and a wake-up saved).
     *
     * But a carrier looks after its own queue first, and a yield goes to that queue. As long as connections yield to each other the
     * carrier never looks at the pool's common queue, through which everybody comes who is woken from outside: the JDK's poller with
     * news of other sockets, timers, the housekeeper. Under full load new connections were seen to wait for a tenth of a second and more.
     *
     * So time is cut into windows of about a millisecond, and in every fourth nobody yields: whoever has no input parks, the
     * carrier's own queue runs empty, and the common queue gets its turn. A connection that has input all the time (its client
     * sends without waiting for replies) would still never let go: if it comes a second time in such a window it parks for a
     * moment, and comes back through the common queue, behind the others. Not for the shortest moment there is: the pool goes on
     * with the part of that queue in which it has found something, and a few such connections, woken at once by the JDK's
     * timer thread, kept the carrier away from the part where the poller's news are, for tenths of a second.
     *
     * Looking at the clock needs no state that connections share, and so no cache line that carriers fight for.
     */

    /** A window lasts 2^20 nanoseconds. */
    private static final int WINDOW_BITS = 20;
    /** In windows whose number ends in these bits nobody yields. */
    private static final long DRAIN = 3;
    /** How long a connection with more input than others stands back. */
    private static final long MOMENT_NANOS = 100_000;

    /** The last window of the draining kind in which this connection has had a turn. */
    private long drained = -1;

    /**
     * Ends a turn.
     *
     * @param now by {@link System#nanoTime}, a little old is good enough
     */
    void end(long now) {
        long window = now >>> WINDOW_BITS;
        if ((window & DRAIN) != DRAIN) {
            Thread.yield();
        } else if (window != drained) {
            drained = window;
        } else {
            LockSupport.parkNanos(this, MOMENT_NANOS);
        }
    }
}
