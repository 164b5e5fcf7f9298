package dev.heddle.console;

import dev.heddle.command.Engine;
import dev.heddle.command.LocalClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client session of a page, with the messages that the page has not fetched yet.
 *
 * <p>Thread-safe.
 */
final class ConsoleSession implements AutoCloseable {

    private static final int MOST_MESSAGES = 5000;
    private static final long MOST_BYTES = 4 * 1024 * 1024;

    private final String id = Logins.randomText();
    private final String owner;
    private final LocalClient client;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final ArrayDeque<byte[]> messages = new ArrayDeque<>(); // guarded by lock
    private long bytes; // guarded by lock
    private long dropped; // guarded by lock
    private volatile long lastUsedMillis;
    /** Requests that are being served: such a session is not idle. Guarded by the lock. */
    private int users;

    /**
     * What the page is to be told next.
     *
     * @param messages encoded values
     * @param dropped how many others there were, for which there was no room
     */
    record Batch(List<byte[]> messages, long dropped) {}

    /** @param owner the cookie of the login that it belongs to */
    ConsoleSession(Engine engine, String owner, String peer) {
        this.owner = owner;
        this.client = LocalClient.open(engine, peer, ConsoleSessions.LIBRARY, this::add);
        this.lastUsedMillis = engine.clock().millis();
    }

    String id() {
        return id;
    }

    String owner() {
        return owner;
    }

    LocalClient client() {
        return client;
    }

    private void add(byte[] message) {
        lock.lock();
        try {
            messages.add(message);
            bytes += message.length;
            while (messages.size() > MOST_MESSAGES || bytes > MOST_BYTES) {
                bytes -= messages.remove().length;
                dropped++;
            }
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for messages, at most so long; empty if there are none, or the session has ended. */
    Batch take(long millis) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (messages.isEmpty() && left > 0 && !client.isClosed()) {
                left = arrived.awaitNanos(left);
            }
            Batch batch = new Batch(new ArrayList<>(messages), dropped);
            messages.clear();
            bytes = 0;
            dropped = 0;
            return batch;
        } finally {
            lock.unlock();
        }
    }

    void enter(long nowMillis) {
        lock.lock();
        try {
            users++;
            lastUsedMillis = nowMillis;
        } finally {
            lock.unlock();
        }
    }

    void leave(long nowMillis) {
        lock.lock();
        try {
            users--;
            lastUsedMillis = nowMillis;
        } finally {
            lock.unlock();
        }
    }

    boolean isIdle(long nowMillis, long limitMillis) {
        lock.lock();
        try {
            return users == 0 && nowMillis - lastUsedMillis > limitMillis;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        client.close();
        lock.lock();
        try {
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
