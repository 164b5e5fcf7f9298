package dev.heddle.persistence.snapshot;

import dev.heddle.store.Store;

/**
 * How entries are written into a file: one object per file, or for many. Thread-safe: writers that hand over entries, and the walk,
 * use it at the same time.
 */
public interface SnapshotFormat {

    /** Makes formats for snapshots. */
    @FunctionalInterface
    interface Factory {

        /** @param journalBase whether the snapshot will be the beginning of an append-only file */
        SnapshotFormat create(boolean journalBase);
    }

    /** Called at the snapshot's moment, before anything else and while all stripes are held: must be quick. */
    default void begin(Store store) {
        // most need not know
    }

    /** One for the same file that another thread can use to write entries thoroughly. Called before {@link #begin}, which it needs, too. */
    default SnapshotFormat forAnotherThread() {
        return this;
    }

    /** What the file begins with. */
    void header(Chunk to);

    /**
     * Says that entries of this database follow; may be said of a database several times.
     *
     * @param keys how many it has
     * @param expiring how many of these have a time to live
     */
    void database(int index, long keys, long expiring, Chunk to);

    /**
     * Writes one entry: under the lock of its stripe, or without, if the value is a {@code byte[]}.
     *
     * @param thoroughly whether there is time to compress; only one thread says so to one format
     */
    void entry(Item item, boolean thoroughly, Chunk to);

    /** What the file ends with, when these bytes have been written into it one after the other. */
    void end(Chunk to, long checksum);

    /** The checksum of a file that goes on with these bytes; formats without one return 0. */
    long checksum(long soFar, byte[] bytes, int offset, int length);

    /** An entry's contents. The value is as in the store; if it is a {@code byte[]} it never changes. */
    record Item(byte[] key, Object value, long expireAt, int access) {}
}
