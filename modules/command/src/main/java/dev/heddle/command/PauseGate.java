package dev.heddle.command;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * CLIENT PAUSE: holds commands back for a while.
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
    private int waiting; // guarded by lock

    PauseGate(InstantSource clock) {
        this.clock = clock;
    }

    /** Pauses until a time; a pause that is already longer stays. */
    public void pause(long until, boolean writesOnly) {
        lock.lock();
        try {
            if (writesOnly) {
                // A later pause of the weaker kind weakens one of the stronger kind, as it does in Redis, but never
                // shortens.
                writesUntil = Math.max(Math.max(writesUntil, allUntil), until);
                allUntil = 0;
            } else {
                allUntil = Math.max(Math.max(writesUntil, allUntil), until);
                writesUntil = allUntil;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public void unpause() {
        lock.lock();
        try {
            writesUntil = 0;
            allUntil = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
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
        if (left(write) <= 0) {
            return;
        }
        session.connection().waitBegins(() -> {}); // outside of the lock, for the client may be slow to read
        session.beginReply();
        session.outbox().leave();
        try {
            waitUntilOver(session, write);
        } finally {
            session.connection().waitEnds();
            session.outbox().enter();
        }
    }

    private void waitUntilOver(Session session, boolean write) throws InterruptedException {
        lock.lock();
        try {
            waiting++;
            session.waiting(true);
            for (long left = left(write); left > 0; left = left(write)) {
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
