package dev.heddle.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file that tells the process id as long as the server runs. Confined to the thread that starts and stops it. */
final class PidFile implements AutoCloseable {

    private final Path file;

    private PidFile(Path file) {
        this.file = file;
    }

    /** Writes the file; one that is there from a process that died is replaced. */
    static PidFile write(Path file, long pid) throws IOException {
        Files.writeString(file, pid + "\n");
        return new PidFile(file);
    }

    /** Removes the file. */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
