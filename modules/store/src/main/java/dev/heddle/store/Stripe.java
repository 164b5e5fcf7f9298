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
    /** Of all its partitions; written under the exclusive lock. Read without it: on 64 bits a long is never torn. */
    private long bytes;

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
            partition = new Partition(tablesPerPartition, epoch, this);
            partitions[database] = partition;
        }
        return partition;
    }

    /** Forgets all keys of a database: constant time, the collector does the rest. Needs the exclusive lock. */
    void clear(int database) {
        assert lock.isWriteLocked();
        Partition partition = partitions[database];
        if (partition != null) {
            bytes -= partition.bytes();
            partitions[database] = null;
        }
    }

    int index() {
        return index;
    }

    /** How many bytes its keys take with their values and tables. Without the lock: a recent value. */
    long bytes() {
        return bytes;
    }

    /** Counts bytes that one of its partitions has begun, or with a negative number ceased, to take. Needs the exclusive lock. */
    void count(long more) {
        bytes += more;
    }

    /** Needs the exclusive lock. */
    void swap(int one, int other) {
        assert lock.isWriteLocked();
        Partition partition = partitions[one];
        partitions[one] = partitions[other];
        partitions[other] = partition;
    }
}
