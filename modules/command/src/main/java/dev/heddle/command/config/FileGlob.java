package dev.heddle.command.config;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Files by a name that may have patterns in any of its parts, as a shell expands it. Stateless. */
final class FileGlob {

    private FileGlob() {}

    /**
     * The files that exist under such a name, sorted; names that begin with a dot only match a pattern that does, too.
     *
     * @param base what a relative name is relative to
     */
    static List<Path> expand(Path base, String name) {
        try {
            List<Path> found =
                    List.of(name.startsWith("/") ? base.getFileSystem().getPath("/") : base);
            for (String part : name.split("/", -1)) {
                if (!part.isEmpty()) {
                    found = step(found, part);
                }
            }
            return found;
        } catch (InvalidPathException e) {
            return List.of();
        }
    }

    private static List<Path> step(List<Path> folders, String part) {
        List<Path> found = new ArrayList<>();
        for (Path folder : folders) {
            if (!NamePattern.isPattern(part)) {
                if (Files.exists(folder.resolve(part))) {
                    found.add(folder.resolve(part));
                }
                continue;
            }
            NamePattern pattern = new NamePattern(part);
            for (Path entry : entries(folder)) {
                String name = String.valueOf(entry.getFileName());
                if (name.startsWith(".") == part.startsWith(".") && pattern.matches(name)) {
                    found.add(entry);
                }
            }
        }
        Collections.sort(found);
        return found;
    }

    private static List<Path> entries(Path folder) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            stream.forEach(entries::add);
        } catch (IOException | DirectoryIteratorException e) {
            // As for a shell: a folder that cannot be listed has no files that match.
            return List.of();
        }
        return entries;
    }
}
