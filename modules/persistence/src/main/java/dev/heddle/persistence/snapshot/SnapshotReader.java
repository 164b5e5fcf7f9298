package dev.heddle.persistence.snapshot;

import dev.heddle.command.Engine;

/** Reads the snapshot file. */
@FunctionalInterface
public interface SnapshotReader {

    /**
     * Reads the snapshot file into the store. Nobody else changes anything meanwhile.
     *
     * @param flushes whether what is there goes first
     * @param merges whether a key that is there already is replaced; otherwise that is an error
     * @return false if it could not be read; the log says why
     */
    boolean read(Engine engine, boolean flushes, boolean merges);
}
