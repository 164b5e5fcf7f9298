package dev.heddle.persistence.aof;

import java.io.Closeable;
import java.io.IOException;

/** A file that is appended to. Confined to the thread that writes it. */
interface LogFile extends Closeable {

    /** Writes all of these bytes at a place in the file, in as many attempts as it takes. */
    void write(byte[] array, int offset, int length, long at) throws IOException;

    /** Cuts the file off behind so many bytes. */
    void truncate(long size) throws IOException;

    /** Returns once the disk has everything. */
    void force() throws IOException;
}
