package dev.heddle.store.value;

/**
 * A value other than the two plain forms of a string ({@code byte[]}, never changed once stored, and {@code Long}).
 *
 * <p>Guarded by the lock of the stripe that its key lies in.
 */
public sealed interface Value permits GrowableString, ListValue, SetValue, HashValue, SortedSetValue, StreamValue {

    ValueType type();

    /** The name that OBJECT ENCODING answers. */
    String encoding();

    /** A value of the same content that shares nothing that can change with this one. */
    Value copy();

    /** About how many bytes of heap this value occupies, itself included. */
    long bytes();
}
