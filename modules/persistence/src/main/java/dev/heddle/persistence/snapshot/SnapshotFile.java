package dev.heddle.persistence.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file that appears under its name only once it is complete and on the disk; until then, and if that never happens, whatever had the name stays.
 *
 * <p>Confined to one thread.
 */
final class SnapshotFile implements AutoCloseable {

    private static final int BUFFER_BYTES = 128 << 10;
    /** After so many bytes the file is forced to the disk, so that the rest at the end is short. */
    private static final long FORCED_BYTES = 4L << 20;

    private final Path temporary;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private long written;
    private long forced;
    private boolean published;

    private SnapshotFile(Path temporary, FileChannel channel) {
        this.temporary = temporary;
        this.channel = channel;
    }

    /** Begins a file, readable by its owner alone. */
    static SnapshotFile create(Path temporary) throws IOException {
        try {
            return open(temporary);
        } catch (FileAlreadyExistsException leftOver) {
            Files.delete(temporary);
            return open(temporary);
        }
    }

    private static SnapshotFile open(Path temporary) throws IOException {
        FileAttribute<?>[] attributes =
                FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        return new SnapshotFile(
                temporary,
                FileChannel.open(
                        temporary, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes));
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int left = length;
        while (left > 0) {
            int part = Math.min(left, buffer.remaining());
            buffer.put(bytes, at, part);
            at += part;
            left -= part;
            if (!buffer.hasRemaining()) {
                flush();
            }
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            written += channel.write(buffer);
        }
        buffer.clear();
    }

    /** Forces to the disk what has been written, if that has become much. */
    void forceIfMuch() throws IOException {
        if (written - forced >= FORCED_BYTES) {
            channel.force(false);
            forced = written;
        }
    }

    /** Bytes so far. */
    long size() {
        return written + buffer.position();
    }

    /** Forces everything to the disk and gives the file its name, in place of what had it. */
    void publish(Path name) throws IOException {
        complete();
        Files.move(temporary, name, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        published = true;
        forceDirectory(name);
    }

    /** Forces everything to the disk and leaves the file where it is: somebody else names it. */
    Path complete() throws IOException {
        flush();
        channel.force(true);
        channel.close();
        return temporary;
    }

    /** Says that somebody else has taken the file. */
    void given() {
        published = true;
    }

    private static void forceDirectory(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
                opened.force(true);
            }
        }
    }

    /** Removes the file unless it was published. */
    @Override
    public void close() throws IOException {
        channel.close();
        if (!published) {
            Files.deleteIfExists(temporary);
        }
    }
}
