package dev.heddle.command.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A folder that exists and may be entered. A relative path goes on from the folder in force, as it would for a process
 * that changes its working directory. Immutable.
 */
final class DirectoryCodec implements Codec<Path> {

    @Override
    public Path parse(List<String> words, Path current) {
        if (words.get(0).isEmpty()) {
            throw new ConfigException("No such file or directory");
        }
        Path folder = current.resolve(ConfigText.path(words.get(0))).normalize();
        if (!Files.exists(folder)) {
            throw new ConfigException("No such file or directory");
        }
        if (!Files.isDirectory(folder)) {
            throw new ConfigException("Not a directory");
        }
        if (!Files.isExecutable(folder)) {
            throw new ConfigException("Permission denied");
        }
        return folder;
    }

    @Override
    public String text(Path value) {
        return ConfigText.of(value.toString());
    }

    @Override
    public String fileText(Path value) {
        return ConfigText.quote(text(value));
    }
}
