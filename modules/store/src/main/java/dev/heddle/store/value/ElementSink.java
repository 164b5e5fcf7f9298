package dev.heddle.store.value;

/**
 * Takes the elements of a collection one by one, each in the form in which it is stored, so that a reply can be written without a copy.
 *
 * <p>Confined to the call that it is given to.
 */
public interface ElementSink {

    /** An element that lies in a larger array: valid during this call only. */
    void slice(byte[] array, int offset, int length);

    /** An element that is the digits of a number. */
    void number(long value);

    /** An element that is an array of its own, which nobody will ever change. */
    void whole(byte[] array);
}
