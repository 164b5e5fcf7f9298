package dev.heddle.persistence.rdb;

import java.io.IOException;

/** Who is told what a snapshot holds, in its order. Confined to the reader's thread. */
interface RdbSink {

    /** Something about the server that wrote it, such as {@code redis-ver}. */
    void property(byte[] name, byte[] value);

    /**
     * A key with its value.
     *
     * @param expireAt in milliseconds since the epoch, or {@link dev.heddle.store.Entry#NEVER}
     * @throws RdbException if it cannot be; where that is in the input is added to the message
     */
    void entry(int database, byte[] key, Object value, long expireAt, Usage usage) throws IOException;

    /** The source of a library of functions. */
    void function(byte[] source) throws IOException;

    /** A key whose collection has no elements, as bugs of earlier versions have left behind: it is passed over. */
    void empty(int database, byte[] key);

    /** So many bytes have been read; told now and then. */
    default void progress(long offset) {
        // nobody waits for it
    }

    /**
     * How much a key was used.
     *
     * @param idleSeconds how long nobody has used it
     * @param frequency the counter of the LFU policies, or -1 if it is not known
     */
    record Usage(long idleSeconds, int frequency) {
        static final Usage UNKNOWN = new Usage(-1, -1);
    }
}
