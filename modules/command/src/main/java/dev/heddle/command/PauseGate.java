package dev.heddle.command;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Holds commands back for a while: CLIENT PAUSE, and the server itself, when it saves for the last time or loads again.
 *
 * <p>Thread-safe. Nobody waits here with a stripe's lock.
 */
public final class PauseGate {

    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Until when, in milliseconds since the epoch; written under the lock, read by every command without. */
    private volatile long writesUntil;

    private volatile long allUntil;

    // guarded by lock
    private int waiting;
    /** What clients have asked for. */
    private long clientWritesUntil;

    private long clientAllUntil;
    /** What the server itself has asked for. */
    private long serverWritesUntil;

    private long serverAllUntil;
    private boolean ended;

    PauseGate(InstantSource clock) {
        this.clock = clock;
    }

    /** Pauses until a time; a pause that is already longer stays. */
    public void pause(long until, boolean writesOnly) {
        lock.lock();
        try {
            long longest = Math.max(Math.max(clientWritesUntil, clientAllUntil), until);
            // A later pause of the weaker kind weakens one of the stronger kind, as it does in Redis, but never
            // shortens.
            clientWritesUntil = longest;
            clientAllUntil = writesOnly ? 0 : longest;
            apply();
        } finally {
            lock.unlock();
        }
    }

    public void unpause() {
        lock.lock();
        try {
            clientWritesUntil = 0;
            clientAllUntil = 0;
            apply();
        } finally {
            lock.unlock();
        }
    }

    /** Holds commands back for the server's own sake, whatever clients ask for, until {@link #thaw}. */
    public void freeze(boolean writesOnly) {
        lock.lock();
        try {
            serverWritesUntil = Long.MAX_VALUE;
            serverAllUntil = writesOnly ? 0 : Long.MAX_VALUE;
            apply();
        } finally {
            lock.unlock();
        }
    }

    public void thaw() {
        lock.lock();
        try {
            serverWritesUntil = 0;
            serverAllUntil = 0;
            apply();
        } finally {
            lock.unlock();
        }
    }

    /** The server ends: those who wait here end, too, without having run what they wait for. */
    public void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void apply() {
        writesUntil = Math.max(clientWritesUntil, serverWritesUntil);
        allUntil = Math.max(clientAllUntil, serverAllUntil);
        changed.signalAll();
    }

    /** Whether writes are held back now: while they are, nothing expires or is evicted either. */
    public boolean writesPaused() {
        return writesUntil != 0 && writesUntil > clock.millis();
    }

    /** How many sessions wait here. */
    public int waiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** Waits if commands of this kind are held back now. */
    void await(Session session, boolean write) throws InterruptedException {
        if ((write ? writesUntil : allUntil) != 0) {
            awaitSlowly(session, write);
        }
    }

    private void awaitSlowly(Session session, boolean write) throws InterruptedException {
        lock.lock();
        try {
            waiting++;
            session.waiting(true);
            for (long left = left(write); left > 0; left = left(write)) {
                if (ended) {
                    throw new InterruptedException("the server ends");
                }
                changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(left));
            }
        } finally {
            waiting--;
            session.waiting(false);
            session.skipTime();
            lock.unlock();
        }
    }

    private long left(boolean write) {
        return (write ? writesUntil : allUntil) - clock.millis();
    }
}
