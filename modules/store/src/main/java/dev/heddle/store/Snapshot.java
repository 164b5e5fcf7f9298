package dev.heddle.store;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The contents of all databases at one moment, while they go on changing. Whoever begins it walks it to its end by {@link #step};
 * writers hand over by themselves what they are about to change.
 *
 * <p>{@link #begin}, {@link #step} and {@link #end} belong to one thread at a time. {@link #handOver} is called by writers under the
 * exclusive lock of the entry's stripe, {@link #abandon} and the counters by anybody. There is at most one snapshot of a store at a time.
 */
public final class Snapshot {

    /*
     * Problem: save all entries as they were at one moment, without a copy of them (Redis forks, and pays a copy of every page that is
     * written meanwhile) and without stopping anybody.
     *
     * There are two epochs, told apart by one bit in each entry. Invariant A: while no snapshot runs, all entries are in the current epoch.
     * To begin, all stripes are locked, for the time it takes to flip one variable and to remember the partitions: that moment is the one that
     * is saved. From then on an entry in the old epoch is one that was there at that moment, has not changed since, and has not been
     * saved (invariant B). Two kinds of threads save, and whoever saves an entry moves it into the new epoch under the lock that it holds:
     *
     *   - the walk goes through stripe after stripe, table after table, a few buckets under the shared lock at a time;
     *   - a writer, before it changes, replaces, moves or removes an entry in the old epoch, hands over its contents (Partition.beforeChange).
     *
     * So every entry is saved exactly once and as it was (B), whoever comes first. New entries are made in the new epoch. The walk uses
     * the order of SCAN within a table, which visits everything that was there all the time however the table grows; what it meets twice
     * is in the new epoch at the second time. When the walk is done nothing is left in the old epoch: A holds again. That must be so
     * also if the snapshot is given up halfway: then the walk goes on but saves nothing, and writers hand nothing over.
     *
     * A database that is cleared meanwhile is a partition that nobody but the snapshot refers to any more: the walk finds it unchanged.
     * Which database a partition was at the moment of the beginning is noted in it, so that SWAPDB does not matter.
     *
     * The walk's mark is a plain write under a shared lock, beside readers who read the same int: they mask the bit out, and an int is never
     * torn. Other writers of it need the exclusive lock.
     */

    private final Store store;
    private final Epoch epoch;
    private final EntrySink handedOver;
    /** What was there at the beginning: by stripe and database. Elements are forgotten once they have been walked. */
    private final @Nullable Partition[][] parts;

    private final long total;
    /** Set once, by anybody: save nothing more. */
    private volatile boolean abandoned;
    /** Whether an entry has been passed over for that reason; set by the walk and by writers. */
    private volatile boolean incomplete;
    /** Whether more has been handed over than has been written lately: set by whoever writes, read by writers. */
    private volatile boolean behind;

    // the walk: confined to its thread
    private int stripe;
    private int database;
    private int table;
    private int cursor;
    private long walkedSoFar;
    /** {@link #walkedSoFar} as of the last step: for others to read. */
    private volatile long walked;

    private Snapshot(Store store, EntrySink handedOver) {
        this.store = store;
        this.epoch = store.epoch();
        this.handedOver = handedOver;
        this.parts = new Partition[store.stripeCount()][store.databases()];
        long keys = 0;
        for (int s = 0; s < parts.length; s++) {
            for (int d = 0; d < store.databases(); d++) {
                Partition partition = store.stripe(s).partition(d);
                if (partition != null && partition.size() > 0) {
                    partition.enterSnapshot(d);
                    parts[s][d] = partition;
                    keys += partition.size();
                }
            }
        }
        this.total = keys;
    }

    /**
     * Fixes the moment that is saved. Needs all stripes exclusively.
     *
     * @param handedOver takes what writers are about to change
     */
    public static Snapshot begin(Store store, StripeLocks locks, EntrySink handedOver) {
        assert locks.coversAll();
        Epoch epoch = store.epoch();
        if (epoch.running != null) {
            throw new IllegalStateException("a snapshot is running");
        }
        Snapshot snapshot = new Snapshot(store, handedOver);
        epoch.flip();
        epoch.running = snapshot;
        return snapshot;
    }

    /** How many keys a database had at the beginning. Exact before the first step only. */
    public long size(int databaseIndex) {
        long sum = 0;
        for (Partition[] stripeParts : parts) {
            Partition partition = stripeParts[databaseIndex];
            sum += partition == null ? 0 : partition.size();
        }
        return sum;
    }

    /** How many keys of a database had a time to live at the beginning. Exact before the first step only. */
    public long expiring(int databaseIndex) {
        long sum = 0;
        for (Partition[] stripeParts : parts) {
            Partition partition = stripeParts[databaseIndex];
            sum += partition == null ? 0 : partition.expiring();
        }
        return sum;
    }

    /** How many keys there were at the beginning. */
    public long total() {
        return total;
    }

    /** How many of the keys the walk has saved; those that writers handed over come on top. */
    public long walked() {
        return walked;
    }

    /** Saves nothing more; the walk must go on to its end all the same. Without effect once everything has been saved. */
    public void abandon() {
        abandoned = true;
    }

    public boolean isAbandoned() {
        return abandoned;
    }

    /** Whether entries are missing because it was abandoned before all were saved. */
    public boolean isIncomplete() {
        return incomplete;
    }

    /** Says whether writers hand over faster than it can be written. */
    public void behind(boolean yes) {
        behind = yes;
    }

    /** Whether writers are asked to let the snapshot catch up, once they hold no lock any more. */
    public boolean isBehind() {
        return behind;
    }

    /** The stripe that the next {@link #step} will lock: all lower ones are done, nothing will be handed over from them any more. */
    public int stripe() {
        return stripe;
    }

    /**
     * One turn of the walk: holds one stripe, shared, for as many buckets as it is let.
     *
     * @param locks that hold nothing
     * @param enough asked after every bucket: whether this turn is to end
     * @return false if there was nothing left to walk
     */
    public boolean step(StripeLocks locks, EntrySink sink, BooleanSupplier enough) {
        Partition partition = nextPartition();
        if (partition == null) {
            return false;
        }
        locks.lockStripe(stripe, false);
        try {
            walk(partition, sink, enough);
        } finally {
            locks.unlock();
        }
        walked = walkedSoFar;
        return true;
    }

    private @Nullable Partition nextPartition() {
        while (stripe < parts.length) {
            Partition partition = parts[stripe][database];
            if (partition != null) {
                return partition;
            }
            nextDatabase();
        }
        return null;
    }

    private void nextDatabase() {
        parts[stripe][database] = null;
        table = 0;
        cursor = 0;
        if (++database == store.databases()) {
            database = 0;
            stripe++;
        }
    }

    private void walk(Partition partition, EntrySink sink, BooleanSupplier enough) {
        int at = stripe;
        int of = database;
        Consumer<Entry> visitor = entry -> save(sink, at, of, entry);
        do {
            table = cursor == 0 ? partition.nextTable(table) : table;
            if (table == partition.tableCount()) {
                nextDatabase();
                return;
            }
            cursor = partition.scan(table, cursor, visitor);
            if (cursor == 0) {
                if (!isCurrent(partition, at)) {
                    partition.drop(table);
                }
                table++;
            }
        } while (!enough.getAsBoolean());
    }

    /** Whether a partition is still part of the store. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isCurrent(Partition partition, int stripeIndex) {
        for (int d = 0; d < store.databases(); d++) {
            if (store.stripe(stripeIndex).partition(d) == partition) {
                return true;
            }
        }
        return false;
    }

    private void save(EntrySink sink, int stripeIndex, int databaseIndex, Entry entry) {
        if (!entry.isIn(epoch.current)) {
            if (abandoned) {
                incomplete = true;
            } else {
                sink.save(stripeIndex, databaseIndex, entry);
            }
            entry.enter(epoch.current);
            walkedSoFar++;
        }
    }

    /** Saves an entry that is about to change, unless that has been done. Needs the stripe's exclusive lock. */
    void handOver(int stripeIndex, int databaseIndex, Entry entry) {
        if (!entry.isIn(epoch.current)) {
            if (abandoned) {
                incomplete = true;
            } else {
                handedOver.save(stripeIndex, databaseIndex, entry);
            }
            entry.enter(epoch.current);
        }
    }

    /** After the last {@link #step}: everybody is in the new epoch. Needs all stripes exclusively. */
    public void end(StripeLocks locks) {
        assert locks.coversAll();
        if (stripe < parts.length) {
            throw new IllegalStateException("the walk is not done");
        }
        epoch.running = null;
    }
}
