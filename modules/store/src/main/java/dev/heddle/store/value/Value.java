package dev.heddle.store.value;

/**
 * A value other than the two plain forms of a string ({@code byte[]}, never changed once stored, and {@code Long}).
 *
 * <p>Guarded by the lock of the stripe that its key lies in.
 */
public abstract sealed class Value permits GrowableString, ListValue, SetValue, HashValue, SortedSetValue, StreamValue {

    /** {@link #counted} of a value that is not in a database. */
    private static final long NOWHERE = -1;

    /** How many bytes its partition has counted for it, so that it need only be told what has changed since. */
    private long counted = NOWHERE;

    public abstract ValueType type();

    /** The name that OBJECT ENCODING answers. */
    public abstract String encoding();

    /** A value of the same content that shares nothing that can change with this one. */
    public abstract Value copy();

    /** About how many bytes of heap this value occupies, itself included. Constant time. */
    public abstract long bytes();

    /** The value has come into a database. @return the bytes to be counted for it */
    public final long enter() {
        counted = bytes();
        return counted;
    }

    /** The value may have changed. @return how many bytes more are to be counted for it; 0 if it is in no database */
    public final long grown() {
        if (counted == NOWHERE) {
            return 0;
        }
        long before = counted;
        counted = bytes();
        return counted - before;
    }

    /** The value leaves its database. @return the bytes that were counted for it */
    public final long leave() {
        long before = Math.max(0, counted);
        counted = NOWHERE;
        return before;
    }
}
