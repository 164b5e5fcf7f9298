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

    /** All bits of {@link #tag} but one: part of the key's hash. */
    static final int HASH_BITS = Integer.MAX_VALUE;

    final byte[] key;
    /**
     * 31 bits of the key's hash, which never change, and in the sign bit the {@link Epoch} in which this entry was last saved. That bit
     * is written under the exclusive lock, or by the one thread that walks a snapshot under the shared one; readers mask it out.
     */
    private int tag;

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

    Entry(byte[] key, int hash, int epoch, Object value) {
        this.key = key;
        this.tag = hash & HASH_BITS | epoch;
        this.value = value;
    }

    /** 31 bits of the key's hash. */
    final int hash() {
        return tag & HASH_BITS;
    }

    /** Whether this entry has been saved, or was made, in this epoch. */
    final boolean isIn(int epoch) {
        return (tag ^ epoch) >= 0;
    }

    /** Notes that this entry has been saved in this epoch. */
    final void enter(int epoch) {
        tag = tag & HASH_BITS | epoch;
    }

    /** The key's bytes: not to be changed. */
    public final byte[] key() {
        return key;
    }

    /** {@code byte[]}, {@code Long} or a {@link dev.heddle.store.value.Value}. */
    public final Object value() {
        return value;
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
