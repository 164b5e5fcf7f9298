package dev.heddle.command;

import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import dev.heddle.store.value.HashValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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

    /**
     * Removes expired fields of a hash, at most so many, records that, and tells. A hash that has no others is removed as a whole, however
     * many they are.
     *
     * @return how many fields it has removed
     */
    int expireFields(int database, Entry entry, long hash, HashValue value, long now, int most) {
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
        }
        stats.countChange();
        Journal current = journal;
        if (current.isOpen()) {
            current.append(database, List.<byte[][]>of(command.toArray(new byte[0][])));
        }
        tell(database, entry.key(), EventClass.HASH, "hexpired");
        if (gone) {
            tell(database, entry.key(), EventClass.GENERIC, "del");
        }
        return fields;
    }

    /** Records and tells that a command has found a field of a hash expired and removed it. */
    void fieldExpired(int database, byte[] key, byte[] field) {
        stats.countChange();
        Journal current = journal;
        if (current.isOpen()) {
            current.append(database, List.<byte[][]>of(new byte[][] {HDEL, key, field}));
        }
        tell(database, key, EventClass.HASH, "hexpired");
    }
}
