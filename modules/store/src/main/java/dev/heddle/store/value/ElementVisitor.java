package dev.heddle.store.value;

/** Is shown the elements of a collection, each by the method that suits the form in which it is stored. */
public interface ElementVisitor {

    /** An element whose bytes stand in an array; valid during this call only, and not to be changed. */
    void slice(byte[] array, int offset, int length);

    /** An element that is a whole array, which nobody will ever change: it may be kept. */
    void array(byte[] immutable);

    /** An element that is stored as a number: its digits are meant. */
    void number(long value);
}
