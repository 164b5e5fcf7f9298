package dev.heddle.store.base;

/** Something with a deadline that can stand in an {@link ExpiryHeap}. Guarded by the stripe's lock. */
public interface Expiring {

    /** The deadline, in milliseconds since the epoch. */
    long deadline();

    /** Where this stands in its heap; kept by the heap alone. */
    int heapIndex();

    /** Told by the heap whenever this moves; -1 when it leaves. */
    void heapIndex(int index);
}
