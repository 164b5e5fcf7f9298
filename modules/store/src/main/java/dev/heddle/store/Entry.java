package dev.heddle.store;

import org.jspecify.annotations.Nullable;

/**
 * A key with its value, as it stands in a bucket of a {@link KeyTable}. A key with a time to live is an {@link ExpiringEntry}, so
 * that the others do not pay for a field that they do not use.
 *
 * <p>Guarded by the stripe's lock.
 */
public sealed class Entry permits ExpiringEntry {

    /** {@link #expireAt()} of a key that stays. */
    public static final long NEVER = -1;

    final byte[] key;
    final int hash;
    /** {@code byte[]}, {@code Long} or a {@link dev.heddle.store.value.Value}; see {@link dev.heddle.store.value.ValueType}. */
    Object value;
    /** The next entry of the bucket. */
    @Nullable
    Entry next;
    /**
     * When the key was last used, in seconds of the {@link AccessClock}. Written by readers too, under the shared lock: two readers
     * that write at the same time write nearly the same, and an int is never torn.
     */
    int access;

    Entry(byte[] key, int hash, Object value) {
        this.key = key;
        this.hash = hash;
        this.value = value;
    }

    /** The key's bytes: not to be changed. */
    public final byte[] key() {
        return key;
    }

    /** {@code byte[]}, {@code Long} or a {@link dev.heddle.store.value.Value}. */
    public final Object value() {
        return value;
    }

    /** Replaces the value; the time to live stays as it is. */
    public final void value(Object newValue) {
        value = newValue;
    }

    /** When the key expires, in milliseconds since the epoch, or {@link #NEVER}. */
    public long expireAt() {
        return NEVER;
    }

    public final boolean isExpired(long now) {
        long at = expireAt();
        return at != NEVER && at <= now;
    }

    public final int access() {
        return access;
    }

    /** Notes a use of the key. Writes only what changes, so that reading a hot key does not dirty its cache line. */
    public final void access(int seconds) {
        if (access != seconds) {
            access = seconds;
        }
    }
}
