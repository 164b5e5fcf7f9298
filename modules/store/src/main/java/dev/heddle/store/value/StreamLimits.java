package dev.heddle.store.value;

/**
 * Up to which size a chunk of a stream gets further entries. Immutable.
 *
 * @param bytes of a chunk; 0 for as many as it can have
 * @param entries of a chunk, removed ones included; 0 for any number
 */
public record StreamLimits(long bytes, long entries) {

    /** More than that no chunk can have. */
    public static final long MOST_BYTES = 1 << 30;

    /** How many bytes a chunk may have. */
    long chunkBytes() {
        return bytes == 0 || bytes > MOST_BYTES ? MOST_BYTES : bytes;
    }
}
