package dev.heddle.command;

import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store as commands see it: without expired keys, and with everybody told who wants to know of changes.
 *
 * <p>Thread-safe under the rules of {@link Store}: the caller holds the key's stripe.
 */
public final class Keyspace {

    private static final byte[] DEL = "DEL".getBytes(StandardCharsets.US_ASCII);

    private final Store store;
    private final ServerStats stats;
    private volatile Journal journal = Journal.NONE;
    private volatile @Nullable KeyObserver observer;

    Keyspace(Store store, ServerStats stats) {
        this.store = store;
        this.stats = stats;
    }

    public Store store() {
        return store;
    }

    public Journal journal() {
        return journal;
    }

    public void journal(Journal newJournal) {
        journal = newJournal;
    }

    public void observer(@Nullable KeyObserver newObserver) {
        observer = newObserver;
    }

    /** Whether anybody wants to know of changes. */
    boolean isObserved() {
        return observer != null;
    }

    /** Tells the observer of a change; a single field read while there is none. */
    void tell(int database, byte[] key, EventClass eventClass, String event) {
        KeyObserver current = observer;
        if (current != null) {
            current.keyChanged(database, key, eventClass, event);
        }
    }

    void tellMiss(int database, byte[] key) {
        KeyObserver current = observer;
        if (current != null) {
            current.keyMissed(database, key);
        }
    }

    void tellDatabaseChanged(int database) {
        KeyObserver current = observer;
        if (current != null) {
            current.databaseChanged(database);
        }
    }

    /** Removes an expired key, records that, and tells. */
    void expire(int database, Entry entry, long hash) {
        store.remove(database, entry, hash);
        stats.countExpired();
        stats.countChange();
        Journal current = journal;
        if (current.isOpen()) {
            current.append(database, List.<byte[][]>of(new byte[][] {DEL, entry.key()}));
        }
        tell(database, entry.key(), EventClass.EXPIRED, "expired");
    }
}
