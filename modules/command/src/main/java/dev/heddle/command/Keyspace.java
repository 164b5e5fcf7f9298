package dev.heddle.command;

import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import dev.heddle.store.value.HashValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The store as commands see it: without expired keys, and with everybody told who wants to know of changes.
 *
 * <p>Thread-safe under the rules of {@link Store}: the caller holds the key's stripe.
 */
public final class Keyspace {

    private static final byte[] DEL = "DEL".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HDEL = "HDEL".getBytes(StandardCharsets.US_ASCII);

    private final Store store;
    private final ServerStats stats;
    private volatile Journal journal = Journal.NONE;
    /** Replaced as a whole under {@link #observerLock}; null while there are none. */
    private volatile KeyObserver @Nullable [] observers;

    private final ReentrantLock observerLock = new ReentrantLock();

    Keyspace(Store store, ServerStats stats) {
        this.store = store;
        this.stats = stats;
    }

    public Store store() {
        return store;
    }

    /** How many databases there are. */
    public int databases() {
        return store.databases();
    }

    /** How many keys a database has; a recent value. */
    public long keys(int database) {
        return store.size(database);
    }

    /** How many keys of a database have a time to live; a recent value. */
    public long expiringKeys(int database) {
        return store.expiring(database);
    }

    public Journal journal() {
        return journal;
    }

    public void journal(Journal newJournal) {
        journal = newJournal;
    }

    /** Tells an observer of all changes from now on. */
    public void addObserver(KeyObserver observer) {
        observerLock.lock();
        try {
            KeyObserver[] old = observers;
            KeyObserver[] more = old == null ? new KeyObserver[1] : Arrays.copyOf(old, old.length + 1);
            more[more.length - 1] = observer;
            observers = more;
        } finally {
            observerLock.unlock();
        }
    }

    /** Tells an observer of no further changes. */
    public void removeObserver(KeyObserver observer) {
        observerLock.lock();
        try {
            KeyObserver[] old = observers;
            if (old != null) {
                List<KeyObserver> rest = new ArrayList<>(List.of(old));
                rest.remove(observer);
                observers = rest.isEmpty() ? null : rest.toArray(new KeyObserver[0]);
            }
        } finally {
            observerLock.unlock();
        }
    }

    /** Whether anybody wants to know of changes: a single field read. */
    boolean isObserved() {
        return observers != null;
    }

    /** Tells the observers of a change; a single field read while there are none. */
    void tell(int database, byte[] key, EventClass eventClass, String event) {
        tell(null, database, key, eventClass, event);
    }

    /** Tells the observers of a change that a session's command has made. */
    void tell(@Nullable Session by, int database, byte[] key, EventClass eventClass, String event) {
        KeyObserver[] current = observers;
        if (current != null) {
            for (KeyObserver observer : current) {
                observer.keyChangedBy(by, database, key, eventClass, event);
            }
        }
    }

    /** See {@link KeyObserver#keyNoted}. */
    void tellNote(int database, byte[] key, EventClass eventClass, String event) {
        KeyObserver[] current = observers;
        if (current != null) {
            for (KeyObserver observer : current) {
                observer.keyNoted(database, key, eventClass, event);
            }
        }
    }

    void tellMiss(int database, byte[] key) {
        KeyObserver[] current = observers;
        if (current != null) {
            for (KeyObserver observer : current) {
                observer.keyMissed(database, key);
            }
        }
    }

    void tellDatabaseChanged(int database) {
        KeyObserver[] current = observers;
        if (current != null) {
            for (KeyObserver observer : current) {
                observer.databaseChanged(database);
            }
        }
    }

    /** Removes an expired key, records that, and tells. */
    void expire(int database, Entry entry, long hash, Recorder recorder) {
        store.remove(database, entry, hash);
        stats.countExpired();
        stats.countChange();
        if (recorder.isOpen()) {
            recorder.record(List.of(new Effect(database, new byte[][] {DEL, entry.key()})));
        }
        tell(database, entry.key(), EventClass.EXPIRED, "expired");
    }

    /** Removes a key to make room, records that, and tells. */
    void evict(int database, Entry entry, long hash, Recorder recorder) {
        store.remove(database, entry, hash);
        stats.countEvicted();
        stats.countChange();
        if (recorder.isOpen()) {
            recorder.record(List.of(new Effect(database, new byte[][] {DEL, entry.key()})));
        }
        tell(database, entry.key(), EventClass.EVICTED, "evicted");
    }

    /**
     * Removes expired fields of a hash, at most so many, records that, and tells. A hash that has no others is removed as a whole, however
     * many they are.
     *
     * @return how many fields it has removed
     */
    int expireFields(int database, Entry entry, long hash, HashValue value, long now, int most, Recorder recorder) {
        store.beforeChange(database, entry, hash);
        boolean gone = value.isGone(now);
        List<byte[]> command = new ArrayList<>();
        command.add(HDEL);
        command.add(entry.key());
        byte[] field = value.removeDue(now);
        for (; field != null; field = command.size() - 2 < most ? value.removeDue(now) : null) {
            command.add(field);
        }
        int fields = command.size() - 2;
        if (gone) {
            command.subList(2, command.size()).clear();
            command.set(0, DEL);
            store.remove(database, entry, hash);
        } else {
            store.scheduleFields(database, entry.key(), hash, value);
            store.changed(database, hash, value);
        }
        stats.countChange();
        if (recorder.isOpen()) {
            recorder.record(List.of(new Effect(database, command.toArray(new byte[0][]))));
        }
        tell(database, entry.key(), EventClass.HASH, "hexpired");
        if (gone) {
            tell(database, entry.key(), EventClass.GENERIC, "del");
        }
        return fields;
    }

    /** Records and tells that a command has found a field of a hash expired and removed it. */
    void fieldExpired(int database, byte[] key, byte[] field, Recorder recorder) {
        stats.countChange();
        if (recorder.isOpen()) {
            recorder.record(List.of(new Effect(database, new byte[][] {HDEL, key, field})));
        }
        tell(database, key, EventClass.HASH, "hexpired");
    }
}
