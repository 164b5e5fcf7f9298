package dev.heddle.command;

import java.util.Arrays;

/**
 * A key and its database, to find things by that somebody has attached to a key, whether there is such a key or not.
 *
 * <p>Immutable.
 */
final class KeyName {

    private final int database;
    private final byte[] key;
    private final long hash;

    /**
     * @param key never changed afterwards
     * @param hash the store's hash of the key
     */
    KeyName(int database, byte[] key, long hash) {
        this.database = database;
        this.key = key;
        this.hash = hash;
    }

    int database() {
        return database;
    }

    byte[] key() {
        return key;
    }

    long hash() {
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyName name
                && hash == name.hash
                && database == name.database
                && Arrays.equals(key, name.key);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(hash) * 31 + database;
    }
}
