package dev.heddle.command;

import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which sessions watch which keys, and what happens to these.
 *
 * <p>Thread-safe. A watch is added under the shared lock of its key's stripe at least, and told of changes under the exclusive one.
 */
final class Watches implements KeyObserver {

    /*
     * A watch is dirty as soon as anything has happened to its key. Two cases need more than that:
     *
     *   - Time. A key that is there and expires later counts as changed, even if nobody has removed it when EXEC looks. One that had expired
     *     before WATCH is as good as absent; its removal changes nothing.
     *   - FLUSHALL and SWAPDB change whole databases, but only watches of keys that were there before or are there now. Since any other
     *     change would have made the watch dirty, "was there before" is what was seen at WATCH.
     *
     * Nobody observes the keyspace while nobody watches: the first session that begins to watch makes this an observer, the last one
     * that ends takes it away. The lock around that count is held for a few instructions, by WATCH and EXEC only.
     */

    private final Keyspace keyspace;
    private final Store store;
    private final InstantSource clock;
    /** Touched only inside compute. */
    private final ConcurrentHashMap<KeyName, List<Watch>> byKey = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private long count; // guarded by lock

    Watches(Keyspace keyspace, InstantSource clock) {
        this.keyspace = keyspace;
        this.clock = clock;
        this.store = keyspace.store();
    }

    /** A key that a transaction watches. Its state is guarded by the key's stripe. */
    static final class Watch {

        private final KeyName key;
        private final Transaction owner;
        /** Whether there was an entry, expired or not. */
        private boolean present;
        /** Whether that had expired when the watch began. */
        private boolean expired;

        private Watch(KeyName key, Transaction owner) {
            this.key = key;
            this.owner = owner;
        }

        KeyName key() {
            return key;
        }
    }

    /** Begins to watch a key whose stripe is held. */
    Watch add(KeyName key, Transaction owner, long now) {
        Watch watch = new Watch(key, owner);
        Entry entry = find(key);
        watch.present = entry != null;
        watch.expired = entry != null && entry.isExpired(now);
        count(1);
        byKey.compute(key, (k, old) -> {
            List<Watch> list = old == null ? new ArrayList<>(1) : old;
            list.add(watch);
            return list;
        });
        return watch;
    }

    void remove(Collection<Watch> watches) {
        for (Watch watch : watches) {
            byKey.computeIfPresent(watch.key, (k, list) -> {
                list.remove(watch);
                return list.isEmpty() ? null : list;
            });
        }
        count(-watches.size());
    }

    private void count(int change) {
        lock.lock();
        try {
            if (count == 0) {
                keyspace.addObserver(this);
            }
            count += change;
            if (count == 0) {
                keyspace.removeObserver(this);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether one of these keys has expired since it is watched. The stripes are held. */
    boolean anyExpired(Collection<Watch> watches, long now) {
        for (Watch watch : watches) {
            Entry entry = watch.expired ? null : find(watch.key);
            if (entry != null && entry.isExpired(now)) {
                return true;
            }
        }
        return false;
    }

    /** Whether nobody watches anything. */
    boolean isEmpty() {
        return byKey.isEmpty();
    }

    @Override
    public void keyChanged(int database, byte[] key, EventClass eventClass, String event) {
        KeyName name = new KeyName(database, key, store.hash(key));
        byKey.computeIfPresent(name, (k, list) -> {
            for (Watch watch : list) {
                if (watch.expired && find(name) == null) {
                    watch.expired = false; // it was as good as absent, now it is
                    watch.present = false;
                } else {
                    watch.owner.touch();
                }
            }
            return list;
        });
    }

    @Override
    public void databaseChanged(int database) {
        for (KeyName name : byKey.keySet()) {
            if (name.database() == database) {
                Entry entry = find(name);
                byKey.computeIfPresent(name, (k, list) -> {
                    list.forEach(watch -> replaced(watch, entry));
                    return list;
                });
            }
        }
    }

    /** All keys of the database have been exchanged for others: this is what there is now. */
    private void replaced(Watch watch, @Nullable Entry entry) {
        if (!watch.present && entry == null) {
            return;
        }
        boolean expired = entry != null && entry.isExpired(clock.millis());
        if (watch.expired && entry == null) {
            watch.expired = false;
            watch.present = false;
        } else if (!watch.present && expired) {
            watch.expired = true;
            watch.present = true;
        } else if (!watch.expired || !expired) {
            watch.owner.touch();
        }
    }

    private @Nullable Entry find(KeyName name) {
        return store.find(name.database(), name.key(), 0, name.key().length, name.hash());
    }
}
