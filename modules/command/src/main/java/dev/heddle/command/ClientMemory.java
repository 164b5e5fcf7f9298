package dev.heddle.command;

import dev.heddle.command.config.MemorySettings;
import dev.heddle.command.config.NetworkSettings;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the buffers of all clients take together, and the limit on that: {@code maxmemory-clients}. Beyond it those that take the most are closed.
 * Without that setting the heap's size is a limit: clients alone must not fill it.
 *
 * <p>Thread-safe; callers may hold stripes.
 */
public final class ClientMemory {

    /*
     * With a limit, of whatever kind, every session is counted after each batch and each message for it, by whoever has
     * caused the change: limits act at once. Without, only those that are large are, for the heap's sake: many large replies at the same
     * moment would fill it before the housekeeper has looked at all sessions, as it does now and then.
     */

    private static final long LARGE = 256 * 1024;

    /** Of what the heap has room for, clients may take this part. */
    private static final int HEAP_PART = 2;

    private final Engine engine;
    private final MemorySettings memory;
    private final NetworkSettings network;
    private final AtomicLong total = new AtomicLong();
    private final ReentrantLock evicting = new ReentrantLock();

    ClientMemory(Engine engine) {
        this.engine = engine;
        this.memory = engine.settings().memory;
        this.network = engine.settings().network;
    }

    /** Bytes of all clients, as far as they have been counted. */
    public long total() {
        return total.get();
    }

    /** The buffers of a session may have changed. Any thread. */
    public void changed(Session session) {
        if (memory.maxMemory.value() != 0 || network.maxMemoryClients.value() != 0 || session.memory() > LARGE) {
            count(session);
            check();
        }
    }

    /** A session has ended. */
    void ended(Session session) {
        total.addAndGet(-session.countMemory(0));
    }

    private void count(Session session) {
        if (!session.closing()) {
            long now = session.memory();
            total.addAndGet(now - session.countMemory(now));
        }
    }

    /** Counts all sessions, and closes some if that is too much. Called by the housekeeper. */
    void tick() {
        engine.sessions().all().forEach(this::count);
        check();
    }

    private long limit() {
        long most = engine.memory().capacity() / HEAP_PART;
        long set = network.maxMemoryClients.value();
        long limit = set >= 0 ? set : memory.maxMemory.value() * -set / 100;
        return limit == 0 ? most : Math.min(limit, most);
    }

    private void check() {
        if (total.get() <= limit() || !evicting.tryLock()) {
            return; // another thread is at it
        }
        try {
            for (Session largest = largest(); largest != null && total.get() > limit(); largest = largest()) {
                engine.stats().countEvictedClient();
                engine.sessions().remove(largest);
                largest.endSoon(
                        "maxmemory-clients, or the heap, does not allow its buffers: " + largest.memory() + " bytes");
                ended(largest);
            }
        } finally {
            evicting.unlock();
        }
    }

    private @Nullable Session largest() {
        Session largest = null;
        for (Session session : engine.sessions().all()) {
            if (!session.noEvict() && !session.closing() && (largest == null || session.memory() > largest.memory())) {
                largest = session;
            }
        }
        return largest;
    }
}
