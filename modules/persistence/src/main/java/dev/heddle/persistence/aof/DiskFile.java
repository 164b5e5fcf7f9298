package dev.heddle.persistence.aof;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file on the disk. Confined to the thread that writes it.
 *
 * <p>What is made here belongs to the server's user alone (0600, folders 0700): redis-server leaves that to the umask, but the data set
 * is nobody else's business by default.
 */
final class DiskFile implements LogFile {

    /** A write of a heap array goes through a buffer outside of the heap, as large as the write and kept by the thread. */
    private static final int PART = 256 * 1024;

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<?> OWNER_ONLY_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final FileChannel channel;

    private DiskFile(FileChannel channel) {
        this.channel = channel;
    }

    /** Opens a file for writing, and makes it if it does not exist. */
    static DiskFile open(Path path) throws IOException {
        return new DiskFile(channel(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    /** Makes an empty file for writing, whatever was there. */
    static DiskFile create(Path path) throws IOException {
        return new DiskFile(channel(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING));
    }

    private static FileChannel channel(Path path, StandardOpenOption... options) throws IOException {
        return isPosix(path)
                ? FileChannel.open(path, Set.of(options), OWNER_ONLY)
                : FileChannel.open(path, Set.of(options));
    }

    /** Makes a folder unless it exists. */
    static void makeFolder(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            if (isPosix(path)) {
                Files.createDirectory(path, OWNER_ONLY_FOLDER);
            } else {
                Files.createDirectory(path);
            }
        }
    }

    /** Returns once the disk knows which files a folder has. */
    static void forceFolder(Path folder) throws IOException {
        if (isPosix(folder)) { // elsewhere a folder cannot be opened
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    @Override
    public void write(byte[] array, int offset, int length, long at) throws IOException {
        int from = offset;
        int end = offset + length;
        while (from < end) {
            ByteBuffer part = ByteBuffer.wrap(array, from, Math.min(PART, end - from));
            int written = channel.write(part, at + (from - offset));
            if (written <= 0) {
                throw new IOException("nothing could be written");
            }
            from += written;
        }
    }

    @Override
    public void truncate(long size) throws IOException {
        channel.truncate(size);
    }

    @Override
    public void force() throws IOException {
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
