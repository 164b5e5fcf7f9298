package dev.heddle.persistence.aof;

import dev.heddle.command.config.ConfigText;
import dev.heddle.command.config.Settings;
import dev.heddle.persistence.aof.AofManifest.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of the append-only files, and the manifest that says which of them count.
 *
 * <p>Thread-safe: the manifest is guarded by {@link #lock}, which is held while files are made and renamed.
 */
final class AofDirectory {

    /*
     * The manifest is the truth: a file that it does not name does not exist for a restart. It changes by being written
     * anew under another name, forced, renamed over the old one, and the folder forced; so a crash leaves the old one or the new one.
     * A file is made and forced before a manifest names it, and deleted only after one has ceased to.
     */

    private static final Logger LOG = LoggerFactory.getLogger(AofDirectory.class);
    private static final String RDB_MAGIC = "REDIS";

    private final Path dataFolder;
    private final Path folder;
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private AofManifest manifest = AofManifest.EMPTY;

    /**
     * @param folderName of the folder inside the data folder, one character for each byte
     * @param name first part of the names of all files
     */
    AofDirectory(Path dataFolder, String folderName, String name) {
        this.dataFolder = dataFolder;
        this.folder = dataFolder.resolve(ConfigText.path(folderName));
        this.name = name;
    }

    static AofDirectory of(Settings settings) {
        return new AofDirectory(
                settings.persistence.dir.value(),
                settings.persistence.appendDirname.value(),
                settings.persistence.appendFilename.value());
    }

    Path folder() {
        return folder;
    }

    Path manifestFile() {
        return path(name + ".manifest");
    }

    Path path(Part part) {
        return path(part.name());
    }

    private Path path(String fileName) {
        return folder.resolve(ConfigText.path(fileName));
    }

    AofManifest manifest() {
        lock.lock();
        try {
            return manifest;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads the manifest, if there is one; takes in the single file of an older redis-server; looks whether all files are there.
     *
     * @throws IOException with a message for the operator
     */
    AofManifest read() throws IOException {
        lock.lock();
        try {
            manifest = Files.exists(manifestFile()) ? parse(manifestFile()) : AofManifest.EMPTY;
            adoptSingleFile();
            for (Part part : manifest.parts()) {
                if (!Files.isRegularFile(path(part))) {
                    throw new IOException("the file " + path(part) + " is missing, which " + manifestFile()
                            + " names; restore it, or take its line out of the manifest if its data is not needed");
                }
            }
            return manifest;
        } finally {
            lock.unlock();
        }
    }

    static AofManifest parse(Path file) throws IOException {
        try {
            return AofManifest.parse(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (AofManifest.FormatException e) {
            throw new IOException("the manifest " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Before redis-server 7 there was one file, in the data folder itself: it becomes the base. */
    private void adoptSingleFile() throws IOException {
        Path single = dataFolder.resolve(ConfigText.path(name));
        Part base = manifest.base();
        boolean halfAdopted = base != null
                && base.name().equals(name)
                && manifest.increments().isEmpty();
        if (!Files.isRegularFile(single) || !(manifest.isEmpty() || (halfAdopted && !Files.exists(path(name))))) {
            return;
        }
        DiskFile.makeFolder(folder);
        // First the manifest, then the file: if the way ends in between, the next start finds the case above.
        publish(new AofManifest(new Part(name, 1, Part.BASE), List.of(), List.of()));
        Files.move(single, path(name), StandardCopyOption.ATOMIC_MOVE);
        DiskFile.forceFolder(folder);
        DiskFile.forceFolder(dataFolder);
        LOG.info("took the append-only file {} of an older version into {}", single, folder);
    }

    /** Whether a file begins as a snapshot, whatever its name. */
    static boolean isRdb(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(RDB_MAGIC.length()), StandardCharsets.ISO_8859_1).equals(RDB_MAGIC);
        }
    }

    /** The increment to append to: the last one, or a first one that is made and named. */
    Path openIncrement() throws IOException {
        lock.lock();
        try {
            DiskFile.makeFolder(folder);
            if (manifest.increments().isEmpty()) {
                return path(addIncrement());
            }
            return path(manifest.increments().getLast());
        } finally {
            lock.unlock();
        }
    }

    /** Makes a further increment and names it. */
    Path nextIncrement() throws IOException {
        lock.lock();
        try {
            return path(addIncrement());
        } finally {
            lock.unlock();
        }
    }

    private Part addIncrement() throws IOException {
        Part part = incrementPart(manifest.nextIncrement());
        make(path(part));
        List<Part> increments = new ArrayList<>(manifest.increments());
        increments.add(part);
        publish(new AofManifest(manifest.base(), manifest.history(), increments));
        return part;
    }

    private Part incrementPart(long seq) {
        return new Part(name + "." + seq + ".incr.aof", seq, Part.INCREMENT);
    }

    private static void make(Path file) throws IOException {
        try (DiskFile made = DiskFile.create(file)) {
            made.force();
        }
    }

    /** Makes the increment in which records gather before there is a base for it; no manifest names it yet. */
    Path makeUnnamedIncrement() throws IOException {
        DiskFile.makeFolder(folder);
        Path file = path("temp-" + name + ".incr");
        make(file);
        return file;
    }

    /**
     * A rewrite is complete: its file becomes the base, the increments since its beginning stay, all others are deleted.
     *
     * @param base complete and forced, in the same file system; it is renamed
     * @param rdb whether it is a snapshot
     * @param first the first increment that is not contained in the base
     */
    void replace(Path base, boolean rdb, Path first) throws IOException {
        lock.lock();
        try {
            AofManifest old = manifest;
            Part newBase = newBase(rdb);
            List<Part> replaced = new ArrayList<>(old.history());
            if (old.base() != null) {
                replaced.add(old.base().asHistory());
            }
            List<Part> kept = new ArrayList<>();
            for (Part part : old.increments()) {
                if (!kept.isEmpty() || path(part).equals(first)) {
                    kept.add(part);
                } else {
                    replaced.add(part.asHistory());
                }
            }
            Files.move(base, path(newBase), StandardCopyOption.ATOMIC_MOVE);
            if (kept.isEmpty()) {
                kept.add(incrementPart(old.nextIncrement()));
                Files.move(first, path(kept.getFirst()), StandardCopyOption.ATOMIC_MOVE);
            }
            DiskFile.forceFolder(folder);
            publish(new AofManifest(newBase, replaced, kept));
            deleteHistory();
        } finally {
            lock.unlock();
        }
    }

    private Part newBase(boolean rdb) {
        long seq = manifest.nextBase();
        return new Part(name + "." + seq + ".base." + (rdb ? "rdb" : "aof"), seq, Part.BASE);
    }

    /** Deletes the files that a rewrite has replaced; what cannot be deleted now is tried again at the next start. */
    void deleteHistory() {
        lock.lock();
        try {
            if (manifest.history().isEmpty()) {
                return;
            }
            for (Part part : manifest.history()) {
                Files.deleteIfExists(path(part));
            }
            publish(new AofManifest(manifest.base(), List.of(), manifest.increments()));
        } catch (IOException e) {
            LOG.warn("deleting replaced append-only files failed: {}", e.getMessage());
        } finally {
            lock.unlock();
        }
    }

    /** Bytes in all files that count. */
    long size() throws IOException {
        long size = 0;
        for (Part part : manifest().parts()) {
            size += Files.size(path(part));
        }
        return size;
    }

    /** Makes a manifest the valid one. */
    private void publish(AofManifest next) throws IOException {
        Path temporary = path("temp-" + name + ".manifest");
        byte[] text = next.text().getBytes(StandardCharsets.ISO_8859_1);
        try (DiskFile file = DiskFile.create(temporary)) {
            file.write(text, 0, text.length, 0);
            file.force();
        }
        Files.move(temporary, manifestFile(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        DiskFile.forceFolder(folder);
        manifest = next;
    }
}
