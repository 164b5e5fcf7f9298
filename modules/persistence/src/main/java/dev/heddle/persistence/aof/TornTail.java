package dev.heddle.persistence.aof;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Cuts the end of a file off, never without keeping what it cuts. Stateless. */
final class TornTail {

    private static final int PART = 1 << 20;

    private TornTail() {}

    /**
     * Cuts a file off behind so many bytes. What is cut goes into a file beside it first.
     *
     * @return that file
     */
    static Path cut(Path file, long size) throws IOException {
        Path copy = unused(file, size);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                DiskFile kept = DiskFile.create(copy)) {
            byte[] part = new byte[PART];
            long at = size;
            int count = channel.read(ByteBuffer.wrap(part), at);
            while (count > 0) {
                kept.write(part, 0, count, at - size);
                at += count;
                count = channel.read(ByteBuffer.wrap(part), at);
            }
            kept.force();
            DiskFile.forceFolder(folderOf(file));
            channel.truncate(size);
            channel.force(true);
        }
        return copy;
    }

    private static Path folderOf(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(file + " is no file in a folder");
        }
        return folder;
    }

    private static Path unused(Path file, long size) {
        String name = file.getFileName() + ".cut-at-" + size;
        Path copy = file.resolveSibling(name);
        for (int i = 2; Files.exists(copy); i++) {
            copy = file.resolveSibling(name + "-" + i);
        }
        return copy;
    }
}
