package dev.heddle.persistence.snapshot;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The journal, as far as a rewrite of it is concerned: a port, implemented beside it. Thread-safe; there is at most one rewrite at a time.
 */
public interface RewriteTarget {

    /** Keeps no journal. */
    RewriteTarget NONE = new RewriteTarget() {};

    /** Whether there is a journal that can be rewritten when it has grown. */
    default boolean isOn() {
        return false;
    }

    /** Bytes in its files now. */
    default long currentSize() {
        return 0;
    }

    /** Bytes in its files after the last rewrite, or the start. */
    default long baseSize() {
        return 0;
    }

    /** Where the file that is to become the base is written: in the same file system. */
    default Path temporaryFile() throws IOException {
        throw new IOException("there is no journal");
    }

    /** From now on records belong into a new file. All stripes are held: only takes note. */
    default void begin() {
        // nothing to switch
    }

    /**
     * Makes the complete file the base, in place of everything that was recorded before {@link #begin}.
     *
     * @param rdb whether it is a snapshot; commands otherwise
     */
    default void finish(Path base, boolean rdb) throws IOException {
        throw new IOException("there is no journal");
    }

    /** There will be no new base. */
    default void abandon() {
        // nothing to forget
    }
}
