package dev.heddle.store;

import dev.heddle.store.base.SipHash;
import dev.heddle.store.value.HashValue;
import dev.heddle.store.value.Value;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All databases, cut into lock stripes.
 *
 * <p>Thread-safe: every method says which lock its caller holds. A key's stripe depends on its hash alone, not on its database, so MOVE
 * and COPY between databases stay within one stripe.
 */
public final class Store {

    /*
     * Hash bits, each used once:   63 ........ 32 | 31 ....... 16 | 15 ......... 0
     *                              bucket in table | table         | stripe
     *
     * Stripes are for contention: their number follows the number of threads that can run at once, because "all stripes"
     * (FLUSHALL, scripts) must stay cheap. Tables are for growth: about a thousand per database, whatever the number of stripes.
     *
     * SCAN walks tables in order and, in each, buckets by reversed bits (see KeyTable). Its cursor is
     *     (cursor within the table) * tables + table
     * and stays below 2^31 as long as a table has at most 2^21 buckets, which is two thousand million keys: some clients keep
     * the cursor in a C int.
     */

    private static final int TABLES = 1024;
    private static final int STRIPES_PER_THREAD = 16;

    private final Stripe[] stripes;
    private final int tablesPerPartition;
    private final int databases;
    private final SipHash hasher;
    private final Epoch epoch = new Epoch();

    /**
     * @param databases how many, at least 1
     * @param threads how many threads may run commands at the same time
     */
    public Store(int databases, int threads, RandomGenerator random) {
        int count = Integer.highestOneBit(Math.clamp((long) threads * STRIPES_PER_THREAD, STRIPES_PER_THREAD, TABLES));
        this.databases = databases;
        this.tablesPerPartition = TABLES / count;
        this.stripes = new Stripe[count];
        for (int i = 0; i < count; i++) {
            stripes[i] = new Stripe(databases, tablesPerPartition, epoch, i);
        }
        this.hasher = new SipHash(random);
    }

    public int databases() {
        return databases;
    }

    public long hash(byte[] bytes, int offset, int length) {
        return hasher.hash(bytes, offset, length);
    }

    public long hash(byte[] key) {
        return hasher.hash(key, 0, key.length);
    }

    public int stripeCount() {
        return stripes.length;
    }

    public int stripeIndex(long hash) {
        return (int) hash & (stripes.length - 1);
    }

    public Stripe stripe(int index) {
        return stripes[index];
    }

    public Stripe stripeOf(long hash) {
        return stripes[(int) hash & (stripes.length - 1)];
    }

    /** The entry of a key, expired or not. Needs the stripe's lock. */
    public @Nullable Entry find(int database, byte[] bytes, int offset, int length, long hash) {
        Partition partition = stripeOf(hash).partition(database);
        return partition == null ? null : partition.find(bytes, offset, length, hash);
    }

    /** Adds a key that is not there. Needs the stripe's exclusive lock. */
    public Entry add(int database, byte[] key, long hash, Object value, long expireAt) {
        return stripeOf(hash).makePartition(database).add(key, hash, value, expireAt);
    }

    /** Removes a key that is there. Needs the stripe's exclusive lock. */
    public void remove(int database, Entry entry, long hash) {
        stripeOf(hash).makePartition(database).remove(entry, hash);
    }

    /** Replaces the value of a key that is there; its time to live stays. Needs the stripe's exclusive lock. */
    public void value(int database, Entry entry, long hash, Object value) {
        stripeOf(hash).makePartition(database).value(entry, value);
    }

    /** Notes that deadlines of fields have changed in a hash. Needs the stripe's exclusive lock. */
    public void scheduleFields(int database, byte[] key, long hash, HashValue value) {
        stripeOf(hash).makePartition(database).scheduleFields(key, value);
    }

    /** See {@link Partition#expireAt}. Needs the stripe's exclusive lock. */
    public Entry expireAt(int database, Entry entry, long hash, long at) {
        return stripeOf(hash).makePartition(database).expireAt(entry, hash, at);
    }

    /** See {@link Partition#beforeChange}. Needs the stripe's exclusive lock. */
    public void beforeChange(int database, Entry entry, long hash) {
        if (epoch.running != null) {
            stripeOf(hash).makePartition(database).beforeChange(entry);
        }
    }

    /** The snapshot that is running, or null. Without locks: it may have ended, or begun, a moment ago. */
    public @Nullable Snapshot snapshot() {
        return epoch.running;
    }

    /** Whether an entry may be changed as far as a snapshot is concerned: for assertions. */
    public boolean isPreserved(Entry entry) {
        return entry.isIn(epoch.current);
    }

    Epoch epoch() {
        return epoch;
    }

    /** To be called after a value has been changed in place. Needs the stripe's exclusive lock. */
    public void changed(int database, long hash, Value value) {
        stripeOf(hash).makePartition(database).changed(value);
    }

    /** How many bytes all keys take with their values and tables. Without locks: exact while nobody writes. */
    public long bytes() {
        long sum = 0;
        for (Stripe stripe : stripes) {
            sum += stripe.bytes();
        }
        return sum;
    }

    /** How many keys a database has. Without locks: exact while nobody writes. */
    public long size(int database) {
        long sum = 0;
        for (Stripe stripe : stripes) {
            Partition partition = stripe.partition(database);
            sum += partition == null ? 0 : partition.size();
        }
        return sum;
    }

    /** How many keys of a database have a time to live. Without locks: exact while nobody writes. */
    public long expiring(int database) {
        long sum = 0;
        for (Stripe stripe : stripes) {
            Partition partition = stripe.partition(database);
            sum += partition == null ? 0 : partition.expiring();
        }
        return sum;
    }

    /** Forgets all keys of a database. Needs all stripes exclusively. */
    public void clear(int database) {
        for (Stripe stripe : stripes) {
            stripe.clear(database);
        }
    }

    /** Exchanges the contents of two databases. Needs all stripes exclusively. */
    public void swap(int one, int other) {
        for (Stripe stripe : stripes) {
            stripe.swap(one, other);
        }
    }

    /** How many parts a database has that can be visited one by one, see {@link #forEachInTable}. */
    public int tables() {
        return TABLES;
    }

    /** The stripe in which a table lies. */
    public int tableStripe(int table) {
        return table / tablesPerPartition;
    }

    /** Visits all keys of one table of a database. Needs the shared lock of {@link #tableStripe}. */
    public void forEachInTable(int database, int table, Consumer<? super Entry> visitor) {
        Partition partition = stripes[tableStripe(table)].partition(database);
        if (partition != null) {
            partition.forEach(table % tablesPerPartition, visitor);
        }
    }

    /** The stripe in which the scan stands that has this cursor: the one whose lock {@link #scan} needs. */
    public int scanStripe(long cursor) {
        return tableStripe((int) (cursor & (TABLES - 1)));
    }

    /**
     * Visits one bucket of a database, or none if this stripe has no more keys of it; a scan starts and ends with cursor 0. A key
     * that is there for the whole scan is visited at least once, whatever grows or shrinks meanwhile. Needs the shared lock of
     * {@link #scanStripe}.
     *
     * @param cursor 0 or what the last call returned; other values are taken modulo what is possible
     * @return the next cursor, below 2^31
     */
    public long scan(int database, long cursor, Consumer<? super Entry> visitor) {
        int table = (int) (cursor & (TABLES - 1));
        int stripeIndex = tableStripe(table);
        int first = stripeIndex * tablesPerPartition;
        Partition partition = stripes[stripeIndex].partition(database);
        if (partition == null || partition.size() == 0) {
            return tableCursor(first + tablesPerPartition);
        }
        int present = partition.nextTable(table - first);
        if (present == tablesPerPartition) {
            return tableCursor(first + tablesPerPartition);
        }
        // A table that has come to lack keys while the scan stood in it has none that were there from the start.
        int start = first + present == table ? (int) (cursor / TABLES) : 0;
        int within = partition.scan(present, start, visitor);
        return within == 0
                ? tableCursor(first + partition.nextTable(present + 1))
                : (long) within * TABLES + first + present;
    }

    private static long tableCursor(int table) {
        return table == TABLES ? 0 : table;
    }

    /**
     * The number of a stripe that holds keys of this database, chosen so that every key is about equally likely, or -1 if there are none.
     * Without locks: the caller locks it and asks {@link #randomIn}.
     */
    public int randomStripe(int database, RandomGenerator random) {
        return randomStripe(database, random, Partition::size);
    }

    /** As {@link #randomStripe}, by the keys with a time to live. */
    public int randomExpiringStripe(int database, RandomGenerator random) {
        return randomStripe(database, random, Partition::expiring);
    }

    private int randomStripe(int database, RandomGenerator random, ToIntFunction<Partition> keys) {
        long total = 0;
        for (Stripe stripe : stripes) {
            Partition partition = stripe.partition(database);
            total += partition == null ? 0 : keys.applyAsInt(partition);
        }
        if (total == 0) {
            return -1;
        }
        long skip = random.nextLong(total);
        int last = -1;
        for (int i = 0; i < stripes.length; i++) {
            Partition partition = stripes[i].partition(database);
            int size = partition == null ? 0 : keys.applyAsInt(partition);
            if (size > 0) {
                last = i;
                if (skip < size) {
                    return i;
                }
            }
            skip -= size;
        }
        return last;
    }

    /** A random key of the database within a stripe, expired or not; null if it has none. Needs the stripe's lock. */
    public @Nullable Entry randomIn(int stripe, int database, RandomGenerator random) {
        Partition partition = stripes[stripe].partition(database);
        return partition == null || partition.size() == 0 ? null : partition.random(random);
    }
}
