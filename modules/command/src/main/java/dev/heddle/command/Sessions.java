package dev.heddle.command;

import java.util.Collection;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** All sessions that are open, by id. Thread-safe. */
public final class Sessions {

    private final ConcurrentSkipListMap<Long, Session> byId = new ConcurrentSkipListMap<>();
    private final AtomicLong lastId = new AtomicLong();

    long nextId() {
        return lastId.incrementAndGet();
    }

    void add(Session session) {
        byId.put(session.id(), session);
    }

    void remove(Session session) {
        byId.remove(session.id());
    }

    public @Nullable Session find(long id) {
        return byId.get(id);
    }

    /** In order of their ids; weakly consistent. */
    public Collection<Session> all() {
        return byId.values();
    }

    /** Walks all of them: not for hot paths. */
    public int count() {
        return byId.size();
    }
}
