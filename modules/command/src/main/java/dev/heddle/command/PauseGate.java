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

    /* Until when, in milliseconds since the epoch; written under the lock, read by every command without. Zero again once it is over, so
     * that a pause long ago costs nobody a look at the clock. */
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

    /** Pauses until a time. Of two pauses that overlap the later end and the stronger kind count, for both. */
    public void pause(long until, boolean writesOnly) {
        lock.lock();
        try {
            forgetIfOver();
            clientWritesUntil = Math.max(clientWritesUntil, until);
            clientAllUntil = writesOnly && clientAllUntil == 0 ? 0 : clientWritesUntil;
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

    /** Needs the lock. */
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
                if (ended) {
                    throw new InterruptedException("the server ends");
                }
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
        if (clientWritesUntil != 0 && clientWritesUntil <= clock.millis()) {
            clientWritesUntil = 0;
            clientAllUntil = 0;
            apply();
        }
    }
}
