package dev.heddle.store;

import dev.heddle.store.base.Expiring;

/** A key with a time to live. Guarded by the stripe's lock. */
public final class ExpiringEntry extends Entry implements Expiring {

    private long expireAt;
    private int heapIndex = -1;

    ExpiringEntry(byte[] key, int hash, int epoch, Object value, long expireAt) {
        super(key, hash, epoch, value);
        this.expireAt = expireAt;
    }

    @Override
    public long expireAt() {
        return expireAt;
    }

    void expireAt(long at) {
        expireAt = at;
    }

    @Override
    public long deadline() {
        return expireAt;
    }

    @Override
    public int heapIndex() {
        return heapIndex;
    }

    @Override
    public void heapIndex(int index) {
        heapIndex = index;
    }
}
