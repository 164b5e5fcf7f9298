package dev.heddle.store;

/**
 * Takes the contents of entries for a snapshot: a port, implemented by whoever writes the snapshot.
 *
 * <p>Called under the lock of the entry's stripe. Two calls for one stripe never overlap; calls for different stripes may.
 */
@FunctionalInterface
public interface EntrySink {

    /**
     * Copies what is to be kept of an entry: it may change right afterwards. Writes into memory only, and never waits.
     *
     * @param stripe the number of the entry's stripe
     * @param database which database the entry belonged to when the snapshot began
     */
    void save(int stripe, int database, Entry entry);
}
