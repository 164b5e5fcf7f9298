package dev.heddle.store.value;

/** How many bytes the parts of one value take, kept up to date by those parts. Guarded by what guards the value. */
final class ByteCount {

    private long bytes;

    long bytes() {
        return bytes;
    }

    void add(long more) {
        bytes += more;
    }

    /** The heap that an array of bytes takes. */
    static long array(int length) {
        return (16L + length + 7) / 8 * 8;
    }
}
