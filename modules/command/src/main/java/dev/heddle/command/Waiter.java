package dev.heddle.command;

import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A session that waits in a blocking command.
 *
 * <p>Thread-safe: whoever changes the state from {@link State#WAITING} decides what becomes of the wait. The reply is written by whoever
 * has made it {@link State#SERVING}, and published to the session's thread by the change to {@link State#SERVED}.
 */
final class Waiter {

    /** What has become of it. */
    enum State {
        WAITING,
        /** Somebody is about to write its reply: in a moment it is SERVED. */
        SERVING,
        SERVED,
        TIMED_OUT,
        /** By CLIENT UNBLOCK ... ERROR. */
        UNBLOCKED,
        /** The client has left, or is made to. */
        GONE
    }

    private final Session session;
    private final CommandSpec spec;
    private final Request request;
    private final Wait wait;
    private final int database;
    private final int protocol;
    private final List<KeyName> keys;
    private final long[] needed;
    private final Thread thread = Thread.currentThread();
    private final long deadlineNanos;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    /** The newest record that the reply depends on; written by whoever serves, see the class. */
    private long ticket = Journal.NO_TICKET;
    /** Made by whoever serves, see the class. */
    private @Nullable ReplyWriter reply;

    /**
     * @param keys those waited at
     * @param needed hashes of the keys without which it cannot be served
     */
    Waiter(Call call, Wait wait, List<KeyName> keys, long[] needed) {
        this.session = call.session();
        this.spec = call.spec();
        this.request = call.request(); // stays as it is: its reader does nothing while its thread waits here
        this.wait = wait;
        this.database = call.database();
        this.protocol = call.reply().protocol();
        this.keys = keys;
        this.needed = needed;
        this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait.timeoutMillis());
    }

    Session session() {
        return session;
    }

    CommandSpec spec() {
        return spec;
    }

    Request request() {
        return request;
    }

    Wait waitsFor() {
        return wait;
    }

    int database() {
        return database;
    }

    List<KeyName> keys() {
        return keys;
    }

    long[] needed() {
        return needed;
    }

    State state() {
        return Objects.requireNonNull(state.get());
    }

    boolean change(State from, State to) {
        return state.compareAndSet(from, to);
    }

    /** The writer for the reply: only for whoever has changed the state to SERVING, and for the session after SERVED. */
    ReplyWriter reply() {
        ReplyWriter writer = reply;
        if (writer == null) {
            writer = new ReplyWriter();
            writer.protocol(protocol);
            reply = writer;
        }
        return writer;
    }

    /** The newest record that the reply depends on: for the session after SERVED. */
    long ticket() {
        return ticket;
    }

    /** Only for whoever has changed the state to SERVING. */
    void ticket(long newest) {
        ticket = newest;
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    /**
     * Waits on the session's own thread for something to happen.
     *
     * @return false once the time is over
     * @throws InterruptedException if the thread is to end
     */
    boolean park() throws InterruptedException {
        for (State now = state(); now == State.WAITING || now == State.SERVING; now = state()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (wait.timeoutMillis() == 0 || now == State.SERVING) {
                LockSupport.park(this);
                continue;
            }
            long left = deadlineNanos - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            LockSupport.parkNanos(this, left);
        }
        return true;
    }
}
