package dev.heddle.store;

import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock, and what it guards: of each database the keys whose hash falls here.
 *
 * <p>Thread-safe through its lock, which only {@link StripeLocks} takes.
 */
public final class Stripe {

    final StampedLock lock = new StampedLock();
    private final @Nullable Partition[] partitions;
    private final int tablesPerPartition;
    private final Epoch epoch;
    private final int index;

    /** @param index the number of this stripe */
    Stripe(int databases, int tablesPerPartition, Epoch epoch, int index) {
        this.partitions = new Partition[databases];
        this.tablesPerPartition = tablesPerPartition;
        this.epoch = epoch;
        this.index = index;
    }

    /** The partition of a database, or null while no key has ever been put into it. */
    public @Nullable Partition partition(int database) {
        return partitions[database];
    }

    /** The partition of a database, made if need be; needs the exclusive lock. */
    public Partition makePartition(int database) {
        Partition partition = partitions[database];
        if (partition == null) {
            assert lock.isWriteLocked();
            partition = new Partition(tablesPerPartition, epoch, index);
            partitions[database] = partition;
        }
        return partition;
    }

    /** Forgets all keys of a database: constant time, the collector does the rest. Needs the exclusive lock. */
    void clear(int database) {
        assert lock.isWriteLocked();
        partitions[database] = null;
    }

    /** Needs the exclusive lock. */
    void swap(int one, int other) {
        assert lock.isWriteLocked();
        Partition partition = partitions[one];
        partitions[one] = partitions[other];
        partitions[other] = partition;
    }
}
