package dev.heddle.persistence.snapshot;

/** Reads back what is on the disk, for DEBUG; nobody else changes anything meanwhile. Thread-safe. */
public interface SnapshotReader {

    /**
     * Reads the snapshot file into the store.
     *
     * @param flushes whether what is there goes first
     * @param merges whether a key that is there already is replaced; otherwise that is an error
     * @return false if it could not be read; the log says why
     */
    boolean read(boolean flushes, boolean merges);

    /** Replaces the data set by what the journal holds. @return false if it could not be read; the log says why */
    boolean readJournal();
}
