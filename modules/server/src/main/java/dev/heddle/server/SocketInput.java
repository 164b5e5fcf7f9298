package dev.heddle.server;

import dev.heddle.resp.RequestReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The reading side of a connection's socket.
 *
 * <p>{@link #read} is confined to the connection's thread. {@link #readAhead} may be called by any thread.
 */
final class SocketInput {

    /*
     * Normally the connection's thread reads the socket itself and blocks there. Two things ask for somebody else to read while that
     * thread is busy elsewhere:
     *
     *   - it is stuck writing, because the client does not read: it may be a client that first sends its whole pipeline and reads
     *     afterwards, and if nobody takes in the rest of the pipeline, both sides wait for ever;
     *   - it waits inside a blocking command, and must notice if the client goes away meanwhile.
     *
     * Then a helper thread reads ahead into a queue of chunks, bounded by the query buffer limit. While there is a helper, the
     * connection's thread takes its input from the queue alone; the helper ends after the next bytes once it is not wanted any
     * more, or at the end of the stream, and from then on the connection's thread reads for itself again.
     */

    private static final int CHUNK = 16 * 1024;
    /** A helper starts with this: one that waits for a client to leave, as most do, needs no more. */
    private static final int SMALL_CHUNK = 256;

    private final SocketChannel channel;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<byte[]> chunks = new ArrayDeque<>(0); // guarded by lock
    private volatile long queuedBytes; // written under the lock
    private boolean ended; // guarded by lock: the helper has met the end of the stream, or an error
    private boolean wanted; // guarded by lock
    private @Nullable Runnable onEnd; // guarded by lock
    /** Whether there is a helper, or what one has left behind; written under the lock. */
    private volatile boolean detour;

    private boolean helperRuns; // guarded by lock

    /** The reader's array as a buffer, kept while the array stays the same. Confined to the connection's thread. */
    private ByteBuffer view = ByteBuffer.allocate(0);

    private byte[] viewed = {};

    SocketInput(SocketChannel channel) {
        this.channel = channel;
    }

    /**
     * Waits for bytes and puts them into the reader.
     *
     * @return how many came, -1 at the end of the stream
     */
    int read(RequestReader reader) throws IOException, InterruptedException {
        int room = reader.room();
        if (detour) {
            int count = takeQueued(reader, room);
            if (count != 0) {
                return count;
            }
        }
        byte[] array = reader.array();
        if (viewed != array) {
            viewed = array;
            view = ByteBuffer.wrap(array);
        }
        ByteBuffer buffer = view;
        int at = reader.writeIndex();
        int count = channel.read(buffer.limit(at + room).position(at));
        if (count > 0) {
            reader.received(count);
        }
        return count;
    }

    /** @return bytes put into the reader, -1 at the end, 0 if there is no queue any more: read the socket */
    private int takeQueued(RequestReader reader, int room) throws InterruptedException {
        lock.lock();
        try {
            wanted = false;
            while (chunks.isEmpty() && helperRuns) {
                changed.await();
            }
            byte[] chunk = chunks.pollFirst();
            if (chunk == null) {
                detour = ended;
                return ended ? -1 : 0;
            }
            int count = Math.min(room, chunk.length);
            System.arraycopy(chunk, 0, reader.array(), reader.writeIndex(), count);
            reader.received(count);
            if (count < chunk.length) {
                chunks.addFirst(Arrays.copyOfRange(chunk, count, chunk.length));
            }
            long rest = queuedBytes - count;
            queuedBytes = rest;
            changed.signalAll();
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Lets a helper read from now on, until the connection's thread comes back to {@link #read}. */
    void readAhead(String name, long limit) {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            wanted = true;
            if (!helperRuns) {
                helperRuns = true;
                detour = true;
                Thread.ofVirtual().name(name + "-ahead").start(() -> fill(limit));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Says what is to be called once a helper meets the end, at once if one has; null for nothing any more. */
    void onEnd(@Nullable Runnable action) {
        boolean already;
        lock.lock();
        try {
            onEnd = action;
            already = ended;
        } finally {
            lock.unlock();
        }
        if (already && action != null) {
            action.run();
        }
    }

    private void tellEnd() {
        Runnable action;
        lock.lock();
        try {
            action = onEnd;
        } finally {
            lock.unlock();
        }
        if (action != null) {
            action.run();
        }
    }

    /** Bytes read ahead; any thread may ask. */
    long queuedBytes() {
        return queuedBytes;
    }

    private void fill(long limit) {
        byte[] chunk = new byte[SMALL_CHUNK];
        ByteBuffer buffer = ByteBuffer.wrap(chunk);
        boolean goOn = true;
        while (goOn) {
            int count;
            try {
                count = channel.read(buffer.clear());
            } catch (IOException gone) {
                count = -1; // the connection's thread meets the same error, or the end, when it comes back
            }
            goOn = queue(chunk, count, limit);
            if (count < 0) {
                tellEnd();
            } else if (count == chunk.length && count < CHUNK) {
                chunk = new byte[CHUNK];
                buffer = ByteBuffer.wrap(chunk);
            }
        }
    }

    private boolean queue(byte[] chunk, int count, long limit) {
        lock.lock();
        try {
            if (count > 0) {
                chunks.addLast(Arrays.copyOf(chunk, count));
                long sum = queuedBytes + count;
                queuedBytes = sum;
            }
            ended = count < 0;
            changed.signalAll();
            while (wanted && !ended && queuedBytes >= limit) {
                changed.awaitUninterruptibly();
            }
            if (!wanted || ended) {
                helperRuns = false;
                return false;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
