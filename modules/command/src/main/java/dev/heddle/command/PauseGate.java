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

    /* Until when, in milliseconds since the epoch; written under the lock, read by every command without. Zero again once it is over, so
     * that a pause long ago costs nobody a look at the clock. */
    private volatile long writesUntil;

    private volatile long allUntil;
    private int waiting; // guarded by lock

    PauseGate(InstantSource clock) {
        this.clock = clock;
    }

    /** Pauses until a time. Of two pauses that overlap the later end and the stronger kind count, for both. */
    public void pause(long until, boolean writesOnly) {
        lock.lock();
        try {
            forgetIfOver();
            long end = Math.max(writesUntil, until);
            writesUntil = end;
            allUntil = writesOnly && allUntil == 0 ? 0 : end;
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

    /** Lets those go on whose connection ends. */
    void recheck() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits if commands of this kind are held back now. What was answered before is sent first, and time begins anew afterwards, for the
     * command that was held back as for those behind it.
     *
     * @throws InterruptedException if the thread is to end, or its client has gone: the command must not run
     */
    void await(Session session, boolean write) throws InterruptedException {
        if ((write ? writesUntil : allUntil) != 0 && isPaused(write)) {
            awaitSlowly(session, write);
        }
    }

    private void awaitSlowly(Session session, boolean write) throws InterruptedException {
        try {
            session.beginWait(session::closeAfterReply);
            session.outbox().leave();
            park(session, write);
        } finally {
            session.finishWait();
        }
        if (session.closing()) {
            throw new InterruptedException("the client has gone, or is to go");
        }
    }

    private void park(Session session, boolean write) throws InterruptedException {
        lock.lock();
        try {
            waiting++;
            while (!session.closing() && isPaused(write)) {
                long left = (write ? writesUntil : allUntil) - clock.millis();
                changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(Math.max(1, left)));
            }
        } finally {
            waiting--;
            lock.unlock();
        }
    }

    private boolean isPaused(boolean write) {
        lock.lock();
        try {
            forgetIfOver();
            return (write ? writesUntil : allUntil) != 0;
        } finally {
            lock.unlock();
        }
    }

    /** Needs the lock. */
    private void forgetIfOver() {
        if (writesUntil <= clock.millis()) {
            writesUntil = 0;
            allUntil = 0;
        }
    }
}
