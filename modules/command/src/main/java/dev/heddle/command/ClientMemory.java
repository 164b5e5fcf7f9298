package dev.heddle.command;

import dev.heddle.command.config.Settings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the buffers of all clients within {@code maxmemory-clients} by closing those that take the most. Without that setting the heap's size is
 * a limit: clients alone must not fill it.
 *
 * <p>Confined to the housekeeper.
 */
final class ClientMemory {

    private static final Logger LOG = LoggerFactory.getLogger(ClientMemory.class);

    /** Of what the heap has room for, the part that clients may take when it is full. */
    private static final int HEAP_PART = 2;

    private final Engine engine;

    ClientMemory(Engine engine) {
        this.engine = engine;
    }

    /** Bytes that all clients together may take, by the settings; 0 for no limit. */
    static long limit(Settings settings) {
        long limit = settings.network.maxMemoryClients.value();
        return limit >= 0 ? limit : settings.memory.maxMemory.value() / 100 * -limit;
    }

    void tick() {
        long limit = limit(engine.settings());
        long most = engine.memory().capacity() / HEAP_PART;
        if (limit == 0 || limit > most) {
            limit = most;
        }
        long used = engine.memory().clients();
        while (used > limit) {
            Session largest = largest();
            if (largest == null) {
                return;
            }
            LOG.warn(
                    "closed {}: it took {} bytes, and all clients together {}, more than {}",
                    largest.connection().remoteAddress(),
                    largest.memory(),
                    used,
                    limit);
            used -= largest.memory();
            engine.stats().countEvictedClient();
            largest.kill();
        }
    }

    private @Nullable Session largest() {
        Session largest = null;
        for (Session session : engine.sessions().all()) {
            if (!session.noEvict()
                    && !session.closing()
                    && (largest == null || session.memory() > largest.memory())) {
                largest = session;
            }
        }
        return largest;
    }
}
