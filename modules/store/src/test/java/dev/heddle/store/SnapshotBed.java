package dev.heddle.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.store.value.GrowableString;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A store with a snapshot, changed in all the ways in which commands change one. Confined to one thread. */
final class SnapshotBed {

    private static final int DATABASES = 6;

    /** What a snapshot holds of a key. */
    record Held(String value, long expireAt) {}

    private final Store store;
    private final StripeLocks locks;
    private final Map<String, Held> saved = new HashMap<>();
    private @Nullable Snapshot snapshot;

    SnapshotBed(int threads) {
        store = new Store(DATABASES, threads, new Random(3));
        locks = new StripeLocks(store);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static Held held(Entry entry) {
        String value = entry.value() instanceof GrowableString string
                ? new String(string.toByteArray(), StandardCharsets.US_ASCII)
                : (String) entry.value();
        return new Held(value, entry.expireAt());
    }

    private static String name(int database, Entry entry) {
        return database + ":" + new String(entry.key(), StandardCharsets.US_ASCII);
    }

    private void save(int stripe, int database, Entry entry) {
        assertThat(stripe).isEqualTo(store.stripeIndex(store.hash(entry.key())));
        assertThat(saved.put(name(database, entry), held(entry)))
                .as("%s is saved twice", name(database, entry))
                .isNull();
    }

    private long lock(String key) {
        long hash = store.hash(bytes(key));
        locks.lock(hash, true);
        return hash;
    }

    private void all(Runnable action) {
        locks.wantAll();
        locks.lockWanted(true);
        action.run();
        locks.unlock();
    }

    private @Nullable Entry find(int database, String key, long hash) {
        return store.find(database, bytes(key), 0, key.length(), hash);
    }

    void add(int database, String key, String value, long expireAt) {
        long hash = lock(key);
        if (find(database, key, hash) == null) {
            store.add(database, bytes(key), hash, GrowableString.of(bytes(value)), expireAt);
        }
        locks.unlock();
    }

    void changeInPlace(int database, String key, String value) {
        long hash = lock(key);
        Entry entry = find(database, key, hash);
        if (entry != null && entry.value() instanceof GrowableString string) {
            store.beforeChange(database, entry, hash);
            string.append(bytes(value), 0, value.length());
        }
        locks.unlock();
    }

    void replace(int database, String key, String value) {
        long hash = lock(key);
        Entry entry = find(database, key, hash);
        if (entry != null) {
            store.value(database, entry, hash, value);
        }
        locks.unlock();
    }

    void remove(int database, String key) {
        long hash = lock(key);
        Entry entry = find(database, key, hash);
        if (entry != null) {
            store.remove(database, entry, hash);
        }
        locks.unlock();
    }

    void expireAt(int database, String key, long at) {
        long hash = lock(key);
        Entry entry = find(database, key, hash);
        if (entry != null) {
            store.expireAt(database, entry, hash, at);
        }
        locks.unlock();
    }

    /** Moves the value object itself, as RENAME and MOVE do. */
    void rename(int database, String key, int toDatabase, String to) {
        all(() -> {
            long hash = store.hash(bytes(key));
            long toHash = store.hash(bytes(to));
            Entry entry = find(database, key, hash);
            if (entry != null && find(toDatabase, to, toHash) == null) {
                store.remove(database, entry, hash);
                Entry moved = store.add(toDatabase, bytes(to), toHash, entry.value(), entry.expireAt());
                if (moved.value() instanceof GrowableString string) {
                    string.append(bytes("moved"), 0, 5);
                }
            }
        });
    }

    void clear(int database) {
        all(() -> store.clear(database));
    }

    void swap() {
        all(() -> store.swap(0, 1));
    }

    void randomSteps(Random random, int keys, int count) {
        for (int i = 0; i < count; i++) {
            int database = random.nextInt(2);
            String key = "k" + random.nextInt(keys);
            switch (random.nextInt(16)) {
                case 0, 1, 2, 3, 4 -> add(database, key, "v" + i, random.nextInt(3) == 0 ? i : Entry.NEVER);
                case 5, 6, 7 -> changeInPlace(database, key, "+" + i);
                case 8, 9 -> replace(database, key, "r" + i);
                case 10, 11 -> remove(database, key);
                case 12 -> expireAt(database, key, random.nextBoolean() ? i : Entry.NEVER);
                case 13 -> rename(database, key, 1 - database, key + "'");
                case 14 -> swap();
                default -> {
                    if (random.nextInt(keys) == 0) {
                        clear(database);
                    }
                }
            }
        }
    }

    Map<String, Held> contents() {
        Map<String, Held> contents = new HashMap<>();
        forEach((database, entry) -> contents.put(name(database, entry), held(entry)));
        return contents;
    }

    private interface Visitor {
        void visit(int database, Entry entry);
    }

    private void forEach(Visitor visitor) {
        all(() -> {
            for (int database = 0; database < DATABASES; database++) {
                int number = database;
                for (int table = 0; table < store.tables(); table++) {
                    store.forEachInTable(number, table, entry -> visitor.visit(number, entry));
                }
            }
        });
    }

    Snapshot begin() {
        saved.clear();
        Snapshot[] begun = new Snapshot[1];
        all(() -> begun[0] = Snapshot.begin(store, locks, this::save));
        snapshot = begun[0];
        return begun[0];
    }

    private Snapshot snapshot() {
        Snapshot current = snapshot;
        if (current == null) {
            throw new IllegalStateException("none has begun");
        }
        return current;
    }

    /** One turn of so many buckets; false if the walk is done. */
    boolean walk(int buckets) {
        int[] left = {buckets};
        return snapshot().step(locks, this::save, () -> --left[0] <= 0);
    }

    void abandon() {
        snapshot().abandon();
    }

    void finish() {
        while (walk(5)) {
            assertThat(locks.isHeld()).isFalse();
        }
        all(() -> snapshot().end(locks));
        assertThat(store.snapshot()).isNull();
    }

    Map<String, Held> saved() {
        return Map.copyOf(saved);
    }

    boolean everybodyIsInTheCurrentEpoch() {
        boolean[] all = {true};
        forEach((database, entry) -> all[0] &= store.isPreserved(entry));
        return all[0];
    }
}
