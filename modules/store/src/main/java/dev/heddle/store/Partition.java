package dev.heddle.store;

import dev.heddle.store.base.ExpiryHeap;
import dev.heddle.store.value.FieldDeadlines;
import dev.heddle.store.value.HashValue;
import dev.heddle.store.value.Value;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The part of one database that lies in one stripe: its tables of keys, and which of these, or of the fields of their
 * hashes, expire when.
 *
 * <p>Guarded by the stripe's lock. {@link #size()} and {@link #expiring()} may also be read without it, as estimates.
 */
public final class Partition {

    private static final int ARRAY_HEAD = 16;
    private static final int SLOT = 4;

    private final @Nullable KeyTable[] tables;
    private final ExpiryHeap<ExpiringEntry> expiry = new ExpiryHeap<>();
    private final ExpiryHeap<FieldDeadlines> fieldExpiry = new ExpiryHeap<>();
    private final Epoch epoch;
    private final Stripe stripe;
    /** Which database this was when the snapshot began that is running; written while all stripes are held. */
    private int snapshotDatabase;

    /** Of the tables, keys and values; written under the exclusive lock. */
    private long bytes;

    private int size; // written under the exclusive lock; DBSIZE and INFO read it without, and may see a recent value

    /** @param stripe that this lies in */
    Partition(int tables, Epoch epoch, Stripe stripe) {
        this.tables = new KeyTable[tables];
        this.epoch = epoch;
        this.stripe = stripe;
        count(ARRAY_HEAD + (long) SLOT * tables);
    }

    /** Notes which database this is for the snapshot that begins. */
    void enterSnapshot(int database) {
        snapshotDatabase = database;
    }

    /** Which database this was when the running snapshot began. */
    int snapshotDatabase() {
        return snapshotDatabase;
    }

    /**
     * To be called before anything of an entry changes, its value included: hands it over to the snapshot that is running, if there is
     * one that has not got it yet. Without a snapshot this is one field read. Needs the exclusive lock.
     */
    public void beforeChange(Entry entry) {
        Snapshot snapshot = epoch.running;
        if (snapshot != null) {
            snapshot.handOver(stripe.index(), snapshotDatabase, entry);
        }
    }

    /** How many keys, expired ones that nobody has met yet included. */
    public int size() {
        return size;
    }

    /** How many of the keys have a time to live. */
    public int expiring() {
        return expiry.size();
    }

    /** The entry of a key, expired or not. */
    public @Nullable Entry find(byte[] bytes, int offset, int length, long hash) {
        KeyTable table = tables[tableOf(hash)];
        return table == null ? null : table.find(bytes, offset, length, (int) (hash >>> 32));
    }

    /** Adds a key that is not there. */
    public Entry add(byte[] key, long hash, Object value, long expireAt) {
        int index = tableOf(hash);
        KeyTable table = tables[index];
        long tableBytes = 0;
        if (table == null) {
            table = new KeyTable();
            tables[index] = table;
        } else {
            tableBytes = table.bytes();
        }
        Entry entry = newEntry(key, (int) (hash >>> 32), value, expireAt);
        table.add(entry);
        size++;
        count(table.bytes() - tableBytes + EntrySize.withoutValue(entry) + entered(value));
        if (value instanceof HashValue hashValue) {
            scheduleFields(entry.key, hashValue);
        }
        return entry;
    }

    public void remove(Entry entry, long hash) {
        beforeChange(entry);
        int index = tableOf(hash);
        KeyTable table = table(index);
        long tableBytes = table.bytes();
        table.remove(entry);
        if (table.size() == 0) {
            tables[index] = null;
        } else {
            tableBytes -= table.bytes();
        }
        count(-(tableBytes + EntrySize.withoutValue(entry) + left(entry.value)));
        if (entry instanceof ExpiringEntry expiring) {
            expiry.remove(expiring);
        }
        if (entry.value instanceof HashValue hashValue) {
            unscheduleFields(entry.key, hashValue);
        }
        size--;
    }

    /** Replaces the value of a key, and what is known of the deadlines in it. */
    public void value(Entry entry, Object newValue) {
        beforeChange(entry);
        if (entry.value instanceof HashValue old) {
            unscheduleFields(entry.key, old);
        }
        count(-left(entry.value));
        entry.value = newValue;
        count(entered(newValue));
        if (newValue instanceof HashValue hashValue) {
            scheduleFields(entry.key, hashValue);
        }
    }

    /** Notes that a value of this partition may have changed its size. */
    void changed(Value value) {
        count(value.grown());
    }

    private void count(long more) {
        bytes += more;
        stripe.count(more);
    }

    private static long entered(Object value) {
        return value instanceof Value other ? other.enter() : EntrySize.plain(value);
    }

    private static long left(Object value) {
        return value instanceof Value other ? other.leave() : EntrySize.plain(value);
    }

    /** How many bytes the tables, keys and values take. */
    long bytes() {
        return bytes;
    }

    /** Notes that deadlines of fields have changed in a hash. */
    public void scheduleFields(byte[] key, HashValue value) {
        FieldDeadlines deadlines = value.deadlines();
        if (deadlines != null) {
            deadlines.schedule(fieldExpiry, key);
        }
    }

    private void unscheduleFields(byte[] key, HashValue value) {
        FieldDeadlines deadlines = value.deadlines();
        if (deadlines != null) {
            deadlines.unschedule(fieldExpiry, key);
        }
    }

    /** The hash that has the field that expires first, or null if no field does. */
    public @Nullable FieldDeadlines firstFieldToExpire() {
        return fieldExpiry.first();
    }

    /** How many hashes have fields that expire. */
    public int expiringHashes() {
        return fieldExpiry.size();
    }

    /** Forgets the deadlines of a hash that is no longer the value of its key. */
    public void forgetFields(FieldDeadlines deadlines) {
        deadlines.unschedule(fieldExpiry, deadlines.key());
    }

    /**
     * Sets or clears ({@link Entry#NEVER}) when a key expires.
     *
     * @return the key's entry from now on: another object if the key gained or lost its time to live
     */
    public Entry expireAt(Entry entry, long hash, long at) {
        if (entry.expireAt() == at) {
            return entry;
        }
        beforeChange(entry);
        if (entry instanceof ExpiringEntry expiring && at != Entry.NEVER) {
            expiring.expireAt(at);
            expiry.moved(expiring);
            return entry;
        }
        Entry replacement = newEntry(entry.key, entry.hash(), entry.value, at);
        replacement.access = entry.access;
        table(tableOf(hash)).replace(entry, replacement);
        if (entry instanceof ExpiringEntry expiring) {
            expiry.remove(expiring);
        }
        count(EntrySize.withoutValue(replacement) - EntrySize.withoutValue(entry));
        return replacement;
    }

    /** The key that expires first, or null if none has a time to live. */
    public @Nullable Entry firstToExpire() {
        return expiry.first();
    }

    /** A sample of the keys that expire, by a number from 0 to {@link #expiring()}, exclusive. */
    public Entry expiringAt(int index) {
        return expiry.at(index);
    }

    public void forEach(Consumer<? super Entry> action) {
        for (KeyTable table : tables) {
            if (table != null) {
                table.forEach(action);
            }
        }
    }

    /** A key of a partition that is not empty. */
    Entry random(RandomGenerator random) {
        int skip = random.nextInt(size);
        for (KeyTable table : tables) {
            if (table != null) {
                if (skip < table.size()) {
                    return table.random(random);
                }
                skip -= table.size();
            }
        }
        throw new IllegalStateException("an empty partition");
    }

    /**
     * Visits keys that stand side by side somewhere.
     *
     * @param most how many at most; fewer if there are not so many
     */
    public void sample(RandomGenerator random, int most, Consumer<? super Entry> action) {
        int start = random.nextInt(tables.length);
        int left = most;
        for (int i = 0; i < tables.length && left > 0; i++) {
            KeyTable table = tables[(start + i) & (tables.length - 1)];
            if (table != null) {
                left -= table.sample(random, left, action);
            }
        }
    }

    /** The first table from this index on that has keys, or the number of tables if there is none. */
    int nextTable(int from) {
        int index = from;
        while (index < tables.length && tables[index] == null) {
            index++;
        }
        return index;
    }

    void forEach(int tableIndex, Consumer<? super Entry> action) {
        KeyTable table = tables[tableIndex];
        if (table != null) {
            table.forEach(action);
        }
    }

    /**
     * Visits one bucket of one table.
     *
     * @return the next cursor within that table, 0 when the table is done
     */
    int scan(int tableIndex, int cursor, Consumer<? super Entry> action) {
        KeyTable table = tables[tableIndex];
        return table == null ? 0 : table.scan(cursor, action);
    }

    /** Lets go of a table that a snapshot has walked, if nobody else will need it: of a database that has been cleared. */
    void drop(int tableIndex) {
        tables[tableIndex] = null;
    }

    int tableCount() {
        return tables.length;
    }

    /** Bytes of tables and heap, without the entries. */
    public long overhead() {
        long sum = 16 + 4L * tables.length;
        for (KeyTable table : tables) {
            if (table != null) {
                sum += table.bytes();
            }
        }
        return sum + 4L * expiry.size();
    }

    private Entry newEntry(byte[] key, int hash, Object value, long expireAt) {
        if (expireAt == Entry.NEVER) {
            return new Entry(key, hash, epoch.current, value);
        }
        ExpiringEntry entry = new ExpiringEntry(key, hash, epoch.current, value, expireAt);
        expiry.add(entry);
        return entry;
    }

    private KeyTable table(int index) {
        KeyTable table = tables[index];
        if (table == null) {
            throw new IllegalStateException("no such entry");
        }
        return table;
    }

    private int tableOf(long hash) {
        return (int) (hash >>> 16) & (tables.length - 1);
    }
}
