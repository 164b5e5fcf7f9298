package dev.heddle.persistence.aof;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** Reads the snapshot at the beginning of an append-only file into the store. */
@FunctionalInterface
public interface BaseLoader {

    /**
     * Reads a snapshot that begins at the first byte of a file. Keys that have expired are loaded, too: records behind the snapshot may
     * be about them.
     *
     * @param progress told now and then how many bytes of the file have been read
     * @return where in the file the snapshot ends; records may follow
     * @throws IOException with a message for the operator
     */
    long load(Path file, LongConsumer progress) throws IOException;
}
