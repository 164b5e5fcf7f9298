package dev.heddle.server;

import dev.heddle.command.Connection;
import dev.heddle.command.Dispatcher;
import dev.heddle.command.Engine;
import dev.heddle.command.Outbox;
import dev.heddle.command.Session;
import dev.heddle.resp.ProtocolException;
import dev.heddle.resp.ProtocolLimits;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.RequestReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection: reads commands, has them run, writes the replies.
 *
 * <p>{@link #run} is the whole life of the connection's own virtual thread; everything is confined to it except what {@link Connection}
 * offers to others.
 */
final class SocketConnection implements Connection, Runnable {

    /*
     * The loop is as plain as it looks: read, run every command that is there, write all replies at once, read again. What makes
     * it fast is what it does not do: no allocation per command, no system call per command, no hand-over to another thread.
     * Between two batches the others get their turn: see Turns.
     */

    private static final Logger LOG = LoggerFactory.getLogger(SocketConnection.class);

    /** Replies beyond this are written before the next command of the batch runs. */
    private static final long FLUSH_BYTES = 64 * 1024;
    /** A write that has taken longer than this makes a helper read on; see {@link SocketInput}. */
    static final long STUCK_MILLIS = 100;

    private final SocketChannel channel;
    private final Peer peer;
    private final Engine engine;
    private final Dispatcher dispatcher;
    private final SocketInput input;
    private final Turns turns = new Turns();
    private final ProtocolLimits limits;
    private final RequestReader reader;
    private final Session session;
    private final ReplyWriter reply;
    private final Outbox outbox;
    private final ReplyWriter.Sink sink = this::write;

    /** Around everything that is written to the socket. Taken before the outbox's own lock, never under a stripe. */
    private final ReentrantLock writeLock = new ReentrantLock();

    /** The reply writer's array as a buffer, kept while the array stays the same. */
    private ByteBuffer view = ByteBuffer.allocate(0);

    private byte[] viewed = {};

    private long bytesIn;
    private long bytesOut;
    /** When the write that is going on began, in milliseconds since the epoch; 0 if none is. Read by the housekeeper. */
    private volatile long writingSince;
    /** Whether commands are being run; the housekeeper reads it, a recent value will do. */
    private boolean running;

    SocketConnection(SocketChannel channel, Peer peer, Engine engine, ProtocolLimits limits) {
        this.channel = channel;
        this.peer = peer;
        this.engine = engine;
        this.dispatcher = engine.dispatcher();
        this.input = new SocketInput(channel);
        this.limits = limits;
        this.reader = new RequestReader(limits);
        this.session = engine.open(this);
        this.reply = session.reply();
        this.outbox = session.outbox();
    }

    Session session() {
        return session;
    }

    @Override
    public void run() {
        try {
            serve();
        } catch (ProtocolException violation) {
            refuse(violation);
        } catch (IOException gone) {
            LOG.debug("{}: {}", peer.remote(), gone.getMessage());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt(); // the server ends; so does this thread
        } catch (OutOfMemoryError | LinkageError full) { // a class that cannot be made for lack of memory, too
            reply.clear(); // first of all: even to say so takes memory
            LOG.error("closed {}: no memory for its request or reply", peer.remote());
        } finally {
            close();
            session.close();
        }
    }

    private void serve() throws IOException, InterruptedException, ProtocolException {
        reader.authenticated(session.authenticated());
        while (!session.closing()) {
            int count = input.read(reader);
            if (count < 0) {
                return;
            }
            bytesIn += count;
            session.beginBatch();
            running = true;
            while (reader.next()) {
                dispatcher.execute(session, reader.request());
                if (session.closing()) {
                    break;
                }
                reader.authenticated(session.authenticated());
                reader.queued(session.queuedBytes());
                if (reply.size() >= FLUSH_BYTES && mayFlushEarly()) {
                    running = false;
                    flush();
                    session.skipTime();
                    running = true;
                }
            }
            running = false;
            engine.clientMemory().changed(session);
            flush();
            session.endBatch();
            outbox.leave();
            turns.end(session.lastNanos());
        }
    }

    @Override
    public void sendReplies() {
        if (session.closing()) {
            reply.clear();
            return;
        }
        long begin = System.nanoTime();
        running = false;
        try {
            flush();
        } catch (IOException gone) {
            LOG.debug("{}: {}", peer.remote(), gone.getMessage());
            reply.clear();
            session.closeAfterReply();
        } finally {
            running = true;
            session.skipTime(System.nanoTime() - begin);
        }
    }

    private void flush() throws IOException {
        if (!session.commit()) {
            // The commands have run, but what they wrote may not survive: the client must not take that for done.
            reply.clear();
            throw new IOException("its writes could not be appended to the append-only file");
        }
        if (reply.size() == 0) {
            return;
        }
        if (outbox.refuses(reply.size())) {
            reply.clear();
            throw new ClosedChannelException();
        }
        writingSince = session.lastUsedMillis();
        writeLock.lock();
        try {
            reply.drainTo(sink);
        } finally {
            writeLock.unlock();
            writingSince = 0;
        }
        engine.stats().addTraffic(bytesIn, bytesOut);
        bytesIn = 0;
        bytesOut = 0;
    }

    /**
     * Whether replies may be sent before the batch is done. With a hard limit they are collected up to it, as clients that get the limit
     * from Redis expect: a client that is over it gets none of them.
     */
    private boolean mayFlushEarly() {
        long hard = outbox.hardLimit();
        return hard == 0 || reply.size() >= hard;
    }

    @Override
    public void sendMessages() {
        Thread.ofVirtual().name(name() + "-writer").start(this::writeMessages);
    }

    /** Writes messages until there are none, or the connection's own thread is back. */
    private void writeMessages() {
        writeLock.lock();
        try {
            long written = 0;
            for (List<byte[]> messages = outbox.take(); messages != null; messages = outbox.take()) {
                written += MessageWriter.write(messages, channel);
                outbox.written(messages);
                engine.clientMemory().changed(session);
            }
            engine.stats().addTraffic(0, written);
        } catch (IOException gone) {
            LOG.debug("{}: {}", peer.remote(), gone.getMessage());
            session.kill();
        } finally {
            writeLock.unlock();
        }
    }

    /** Called by the housekeeper: ends the connection if too much has been waiting for its client for too long. */
    void checkOutput() {
        outbox.check(reply.size());
    }

    private void write(byte[] array, int offset, int length) throws IOException {
        if (viewed != array) {
            viewed = array;
            view = ByteBuffer.wrap(array);
        }
        ByteBuffer buffer = view;
        buffer.limit(offset + length).position(offset);
        if (bytesOut >= FLUSH_BYTES) {
            session.giveWay(); // it is a long one
        }
        bytesOut += channel.write(buffer);
        while (buffer.hasRemaining()) {
            bytesOut += channel.write(buffer);
            session.touch(); // a client that takes its reply slowly is not idle
        }
    }

    private void refuse(ProtocolException violation) {
        switch (violation.kind()) {
            case PROTOCOL -> {
                try {
                    session.reply().error("ERR " + violation.text());
                    flush();
                } catch (IOException gone) {
                    LOG.debug("{}: {}", peer.remote(), gone.getMessage());
                }
            }
            case QUERY_BUFFER_LIMIT ->
                LOG.warn("closed {}: it sent more than client-query-buffer-limit allows", peer.remote());
            case TLS_HELLO ->
                LOG.warn(
                        "closed {}: it speaks TLS, but this port is plain; connect to tls-port or without TLS",
                        peer.remote());
        }
    }

    /** Whether the client has neither sent nor taken anything for so long, although it could: no command of it is running or waiting. */
    boolean isIdle(long now, long millis) {
        return now - session.lastUsedMillis() > millis && !running && !session.maybeSilent();
    }

    /** Called by the housekeeper: lets a helper read on if this connection is stuck writing to a client that may be writing, too. */
    void readAheadIfStuck(long now, long limit) {
        long since = writingSince;
        if (since != 0 && now - since > STUCK_MILLIS) {
            input.readAhead(name(), limit);
        }
    }

    @Override
    public void waitBegins(Runnable gone) {
        try {
            flush();
        } catch (IOException e) {
            LOG.debug("{}: {}", peer.remote(), e.getMessage());
            gone.run();
            return;
        }
        input.onEnd(gone);
        input.readAhead(name(), limits.queryBufferLimit());
    }

    @Override
    public void waitEnds() {
        input.onEnd(null);
    }

    private String name() {
        return "client-" + session.id();
    }

    @Override
    public String remoteAddress() {
        return peer.remote();
    }

    @Override
    public String localAddress() {
        return peer.local();
    }

    @Override
    public int descriptor() {
        return peer.number();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing {}: {}", peer.remote(), e.getMessage());
        }
    }

    /** Lets the connection end once the batch that is being run is answered; one that waits for input ends at once. */
    void closeWhenDone() {
        session.closeAfterReply();
        try {
            channel.shutdownInput();
        } catch (IOException e) {
            close();
        }
    }

    @Override
    public int inputUsed() {
        return (int) Math.min(Integer.MAX_VALUE, reader.buffered() + input.queuedBytes());
    }

    @Override
    public int inputFree() {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, reader.capacity() - reader.buffered()));
    }

    @Override
    public long bufferBytes() {
        return reader.capacity() + input.queuedBytes() + reply.capacity() + outbox.bytes();
    }

    /** The two ends of a connection as they are shown, and a number for it. */
    record Peer(String remote, String local, int number) {}
}
