package dev.heddle.command;

import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client inside this process: a session whose commands are called, not read from a socket. It goes through the dispatcher like any other
 * client, is shown by CLIENT LIST, and can be killed.
 *
 * <p>Thread-safe: commands run one after the other, each on the thread that calls {@link #run}; {@link #cancel} and {@link #close} may come
 * from others meanwhile. Encoded values are in RESP3 unless a HELLO command says otherwise.
 */
public final class LocalClient implements AutoCloseable {

    /*
     * The session belongs to whoever holds "turn", and ends under it. Who closes a client while a command runs only asks for the end; the
     * runner looks for that after it has let go of the lock, and the closer tries the lock after asking: one of the two ends the session.
     *
     * "output" is this connection's write lock in the sense of Outbox: it keeps messages and replies in their order. It is never taken
     * under a stripe, for messages are written by a thread of their own.
     */

    /** Takes encoded values: one or more complete ones at a time. Must not wait for anybody. */
    @FunctionalInterface
    public interface Receiver {
        void receive(byte[] values);
    }

    private final Engine engine;
    private final Session session;
    private final Receiver messages;
    private final String address;
    private final ReentrantLock turn = new ReentrantLock();
    private final ReentrantLock output = new ReentrantLock();
    private volatile boolean closed;
    private boolean ended; // guarded by turn
    /** Where the running command's output goes. Guarded by turn. */
    private Receiver replies;

    private LocalClient(Engine engine, String address, Receiver messages) {
        this.engine = engine;
        this.address = address;
        this.messages = messages;
        this.replies = messages;
        this.session = engine.open(new InnerConnection());
    }

    /**
     * Opens a client.
     *
     * @param address the peer for which it acts, as CLIENT LIST shows it
     * @param library what it is, for CLIENT LIST
     * @param messages takes what comes unasked: published messages, invalidations, lines of MONITOR
     */
    public static LocalClient open(Engine engine, String address, String library, Receiver messages) {
        LocalClient client = new LocalClient(engine, address, messages);
        client.session.protocol(3);
        client.session.reply().clear();
        client.session.libraryName(library);
        engine.stats().countConnection(engine.sessions().count());
        return client;
    }

    /** Whether clients need not say who they are. */
    public static boolean needsNoLogin(Engine engine) {
        return engine.settings().network.requirePass.value().isEmpty();
    }

    /** The client id, as CLIENT ID tells it. */
    public long id() {
        return session.id();
    }

    /** Who its commands act for. */
    public String user() {
        return session.user();
    }

    /** Whether it may run commands. */
    public boolean authenticated() {
        return session.authenticated() || !session.passwordRequired();
    }

    /** Whether anything may come unasked. */
    public boolean listens() {
        return session.interests().isSubscribed()
                || session.interests().isMonitoring()
                || session.interests().tracking() != null;
    }

    /** Whether MONITOR is on. */
    public boolean monitors() {
        return session.interests().isMonitoring();
    }

    /** Commands that are queued for EXEC, -1 without MULTI. */
    public int queuedCommands() {
        return session.queuedCommands();
    }

    /** The selected database. */
    public int database() {
        return session.database();
    }

    /** Whether the session has ended, or is about to. */
    public boolean isClosed() {
        return closed || session.closing();
    }

    /**
     * Runs one command and waits for it, as long as it takes.
     *
     * @param receiver takes what the command answers, and messages that have come before it
     * @return how long it took, in nanoseconds; -1 if the client has been closed
     * @throws InterruptedException if the thread is to end while the command waits
     */
    public long run(List<byte[]> arguments, Receiver receiver) throws InterruptedException {
        Request request = Request.of(arguments.toArray(byte[][]::new));
        turn.lockInterruptibly();
        try {
            if (isClosed()) {
                return -1;
            }
            replies = receiver;
            session.beginBatch();
            long begin = session.lastNanos();
            engine.dispatcher().execute(session, request);
            long nanos = session.lastNanos() - begin;
            deliver();
            session.endBatch();
            session.outbox().leave();
            return Math.max(0, nanos);
        } finally {
            replies = messages;
            turn.unlock();
            if (isClosed()) {
                close();
            }
        }
    }

    /** Hands over what has been answered so far; the caller has the turn. */
    private void deliver() {
        ReplyWriter reply = session.reply();
        if (!session.commit()) {
            reply.clear();
            reply.error("ERR the write could not be appended to the append-only file");
        }
        if (reply.size() == 0) {
            return;
        }
        byte[] values = reply.toByteArray();
        reply.clear();
        reply.idle();
        output.lock();
        try {
            replies.receive(values);
        } finally {
            output.unlock();
        }
    }

    /** Ends the wait of a blocking command with an error; false if none waits. */
    public boolean cancel() {
        return engine.waiters().unblock(session, true);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            session.closeAfterReply();
        }
        if (!turn.isHeldByCurrentThread() && turn.tryLock()) {
            try {
                if (!ended) {
                    ended = true;
                    session.close();
                }
            } finally {
                turn.unlock();
            }
        }
    }

    private void writeMessages() {
        output.lock();
        try {
            for (List<byte[]> batch = session.outbox().take();
                    batch != null;
                    batch = session.outbox().take()) {
                batch.forEach(messages::receive);
                session.outbox().written(batch);
            }
        } finally {
            output.unlock();
        }
    }

    /** What the session sees of its client. Thread-safe. */
    private final class InnerConnection implements Connection {

        @Override
        public String remoteAddress() {
            return address;
        }

        @Override
        public String localAddress() {
            return "console:0";
        }

        @Override
        public int descriptor() {
            return 0;
        }

        @Override
        public void close() {
            LocalClient.this.close();
        }

        @Override
        public int inputUsed() {
            return 0;
        }

        @Override
        public int inputFree() {
            return 0;
        }

        @Override
        public long bufferBytes() {
            return session.reply().capacity() + session.outbox().bytes();
        }

        @Override
        public void waitBegins(Runnable gone) {
            deliver();
        }

        @Override
        public void sendMessages() {
            Thread.ofVirtual().name("client-" + session.id() + "-writer").start(LocalClient.this::writeMessages);
        }
    }
}
