package dev.heddle.command;

import dev.heddle.command.config.OutputLimits;
import dev.heddle.command.config.OutputLimits.Limit;
import dev.heddle.resp.ReplyWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait to be sent to a client without its having asked for each: published messages, invalidations, MONITOR's lines.
 *
 * <p>Thread-safe. {@link #enter}, {@link #leave} and {@link #drainTo} belong to the session's own thread, {@link #take} and {@link #written}
 * to the thread that {@link Connection#sendMessages} has started.
 */
public final class Outbox {

    /*
     * Problem: bytes for a client come from any thread, while the client's own thread reads, runs or writes. Who writes them?
     *
     * "busy" says that the own thread is at work and will look here before it reads again. The two sides agree without a lock in the
     * common case that there are no messages: one stores busy = false and then reads the count, the other stores the count and then reads
     * busy; both are volatile, so at least one of them sees the other's store. If both do, the lock and "writerRuns" decide.
     *
     * Invariants:
     *   - there are messages and busy is false, implies that a writer runs or somebody is about to start one;
     *   - the writer takes messages under the lock, only while busy is false, and only while it holds the connection's write lock. So
     *     what is appended once the own thread is busy is left to that thread, and goes behind the replies that it is collecting; and
     *     whatever the writer has taken is written before these replies.
     *
     * The limits are looked at with every message. Who is over them loses its queue at once, so that memory is free before the
     * connection has been closed, which must happen elsewhere: the caller may hold a stripe.
     */

    /** What a message takes besides its bytes: its place in the queue. */
    private static final int OVERHEAD = 16;

    private static final int FEW = 4;
    /** Without a limit by configuration: a quarter of the heap. */
    private static final long MOST_MESSAGES = Runtime.getRuntime().maxMemory() / 4;
    /** Without a limit by configuration, of a reply that has no bounds but a number in the command. */
    private static final long LARGEST_REPLY = Runtime.getRuntime().maxMemory() / 2;

    private final Session session;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by the lock; null while there is nothing. */
    private @Nullable List<byte[]> queue;
    /** Messages in the queue; written under the lock. */
    private volatile int count;
    /** Bytes in the queue or taken by the writer and not yet sent; written under the lock. */
    private volatile long bytes;

    private volatile boolean busy;
    /** The limit has been exceeded; written under the lock. */
    private volatile boolean over;

    private boolean writerRuns; // guarded by lock
    private boolean closed; // guarded by lock
    /** Since when more than the soft limit waits, in milliseconds since the epoch, 0 for not at all. Guarded by the lock. */
    private long softSince;

    Outbox(Session session) {
        this.session = session;
    }

    /** Appends an encoded message, which nobody changes any more. Never waits for the client. */
    void add(byte[] message) {
        boolean start = false;
        boolean tooMuch = false;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            List<byte[]> waiting = queue;
            if (waiting == null) {
                waiting = new ArrayList<>(FEW);
                queue = waiting;
            }
            waiting.add(message);
            long sum = bytes + message.length + OVERHEAD; // written by holders of the lock alone
            bytes = sum;
            count = waiting.size();
            tooMuch = isOver(sum);
            if (tooMuch) {
                shut();
            } else {
                start = wantsWriter();
            }
        } finally {
            lock.unlock();
        }
        if (tooMuch) {
            exceeded();
        } else if (start) {
            session.connection().sendMessages();
        }
        session.engine().clientMemory().changed(session);
    }

    /** Whether a writer is to be started now; guarded by the lock. */
    private boolean wantsWriter() {
        if (busy || writerRuns || closed || queue == null) {
            return false;
        }
        writerRuns = true;
        return true;
    }

    /** Guarded by the lock. */
    private boolean isOver(long pending) {
        Limit limit = limit();
        if (limit.hardBytes() > 0 ? pending >= limit.hardBytes() : pending >= MOST_MESSAGES) {
            return true;
        }
        if (limit.softBytes() == 0 || pending < limit.softBytes()) {
            softSince = 0;
            return false;
        }
        long now = session.engine().clock().millis();
        if (softSince == 0) {
            softSince = now;
        }
        return now - softSince > limit.softSeconds() * 1000;
    }

    private Limit limit() {
        OutputLimits limits = session.engine().settings().network.outputLimits.value();
        return session.interests().isSubscribed() ? limits.pubsub() : limits.normal();
    }

    /** The hard limit for this client, in bytes, 0 for none. */
    public long hardLimit() {
        return limit().hardBytes();
    }

    /** Whether these are more bytes of replies than may be sent; then the session is made to end, and nothing is to be sent any more. */
    public boolean refuses(long replyBytes) {
        long hard = hardLimit();
        if (hard > 0 && replyBytes >= hard) {
            exceeded();
        }
        return over;
    }

    /** As {@link #refuses}, for a reply that goes on growing: without a limit by configuration it ends before the memory does. */
    boolean refusesToGrow(long replyBytes) {
        if (replyBytes >= LARGEST_REPLY) {
            exceeded();
        }
        return refuses(replyBytes);
    }

    /** More waits for this client than is allowed: ends the session. The caller may hold locks. */
    private void exceeded() {
        lock.lock();
        try {
            if (over) {
                return;
            }
            over = true;
            shut();
        } finally {
            lock.unlock();
        }
        session.engine().stats().countOutputLimitClosing();
        session.endSoon("more waited for it than client-output-buffer-limit allows");
    }

    /** Guarded by the lock. */
    private void shut() {
        closed = true;
        queue = null;
        count = 0;
        bytes = 0;
    }

    /** Called now and then by the housekeeper: the soft limit is also for clients that get nothing more. */
    public void check(long replyBytes) {
        if (bytes == 0 && replyBytes == 0 && softSince == 0) {
            return; // a moment old is good enough
        }
        boolean tooMuch;
        lock.lock();
        try {
            tooMuch = !closed && isOver(bytes + replyBytes);
            if (tooMuch) {
                shut();
            }
        } finally {
            lock.unlock();
        }
        if (tooMuch) {
            exceeded();
        }
    }

    // ---- the session's own thread, or somebody in its stead

    /** From now on the session's thread sees to the messages. */
    void enter() {
        busy = true;
    }

    /** As {@link #enter}, for whoever is about to write a reply in place of the session's waiting thread. */
    void enterFor() {
        lock.lock();
        try {
            busy = true;
        } finally {
            lock.unlock();
        }
    }

    /** The session's thread has sent its replies and goes to wait. */
    public void leave() {
        busy = false;
        if (count != 0) {
            leaveUnless(() -> false);
        }
    }

    /** As {@link #leave}, unless a reply is being made for the session meanwhile: then it stays as it is. */
    void leaveUnless(BooleanSupplier served) {
        boolean start;
        lock.lock();
        try {
            if (served.getAsBoolean()) {
                return;
            }
            busy = false;
            start = wantsWriter();
        } finally {
            lock.unlock();
        }
        if (start) {
            session.connection().sendMessages();
        }
    }

    /** Moves all messages to the end of what the session's thread is going to send; a single field read if there are none. */
    public void drainTo(ReplyWriter reply) {
        if (count == 0) {
            return;
        }
        for (byte[] message : takeAll()) {
            reply.rawShared(message);
        }
    }

    private List<byte[]> takeAll() {
        lock.lock();
        try {
            List<byte[]> all = queue;
            if (all == null) {
                return List.of();
            }
            queue = null;
            count = 0;
            subtract(all);
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Guarded by the lock. */
    private void subtract(List<byte[]> messages) {
        long sum = bytes; // written by holders of the lock alone
        for (byte[] message : messages) {
            sum -= message.length + OVERHEAD;
        }
        bytes = sum;
    }

    /** Drops everything, now and later. */
    void close() {
        lock.lock();
        try {
            shut();
        } finally {
            lock.unlock();
        }
    }

    // ---- the writer

    /**
     * What is to be sent next, by the writer, which holds the connection's write lock.
     *
     * @return null if there is nothing, or the session's thread is back: then the writer is to end
     */
    public @Nullable List<byte[]> take() {
        lock.lock();
        try {
            List<byte[]> all = busy ? null : queue;
            if (all == null) {
                writerRuns = false;
                return null;
            }
            queue = null;
            count = 0;
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** These messages have been sent. */
    public void written(List<byte[]> messages) {
        lock.lock();
        try {
            if (!closed) {
                subtract(messages);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- what CLIENT LIST shows

    /** Messages that wait. */
    public int count() {
        return count;
    }

    /** Bytes that wait or are being sent. */
    public long bytes() {
        return bytes;
    }
}
