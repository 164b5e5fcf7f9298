package dev.heddle.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** The scripts below {@code src/test/node} and the packages that they need, installed once below {@code target}. Stateless. */
final class NodePackages {

    private static final Path SOURCES = Path.of("src", "test", "node").toAbsolutePath();
    private static final Path WORK = Path.of("target", "node").toAbsolutePath();
    private static final int OLDEST_NODE = 20;

    private NodePackages() {}

    /** Installs what is missing, and returns the program that runs scripts; skips the test if that cannot be. */
    static String install() throws IOException, InterruptedException {
        String node = Programs.require("node", "nodejs").toString();
        String npm = Programs.require("npm", "npm").toString();
        String version = Programs.run(List.of(node, "--version")).output().strip();
        if (Integer.parseInt(version.replaceFirst("^v([0-9]+)\\..*$", "$1")) < OLDEST_NODE) {
            throw Programs.skip("node is " + version + ", the clients need " + OLDEST_NODE + " or newer");
        }
        Files.createDirectories(WORK);
        boolean changed = false;
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.toList()) {
                changed |= copy(file);
            }
        }
        if (changed || !Files.exists(WORK.resolve("node_modules"))) {
            Programs.Outcome outcome = Programs.run(List.of(
                    npm,
                    "ci",
                    "--prefix",
                    WORK.toString(),
                    "--ignore-scripts",
                    "--fetch-retries=1",
                    "--fetch-retry-mintimeout=1000"));
            if (outcome.exitCode() != 0) {
                Files.deleteIfExists(WORK.resolve("package-lock.json"));
                throw Programs.skip("npm could not install the clients:\n" + outcome.output());
            }
        }
        return node;
    }

    /** Where a script is to be run from. */
    static String script(String name) {
        return WORK.resolve(name).toString();
    }

    /** Copies a file, and tells whether it is one that asks for other packages than those that are there. */
    private static boolean copy(Path file) throws IOException {
        Path copy = WORK.resolve(file.getFileName());
        boolean changed =
                file.endsWith("package-lock.json") && (!Files.exists(copy) || Files.mismatch(file, copy) >= 0);
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        return changed;
    }
}
