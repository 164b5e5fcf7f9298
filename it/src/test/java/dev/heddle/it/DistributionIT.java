package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user does first: unpack the archive, ask for the version, put a link somewhere. */
class DistributionIT {

    private static final Distribution DIST = Distribution.ofThisBuild();

    @TempDir
    Path work;

    @Test
    void theArchiveUnpacksToAProgramThatRuns() throws IOException, InterruptedException {
        assertThat(run(Map.of(), "tar", "-xzf", DIST.archive().toString()).exitCode())
                .isZero();
        Path home = work.resolve("heddle-" + DIST.version());

        assertThat(home.resolve("LICENSE")).content().contains("Apache License");
        assertThat(home.resolve("config/heddle.conf")).content().contains("port 6379");
        assertVersionIsPrinted(run(Map.of(), home.resolve("bin/heddle").toString(), "--version"));
    }

    @Test
    void aLinkFindsItsWayHome() throws IOException, InterruptedException {
        Files.createDirectory(work.resolve("src"));
        Path toProgram = Files.createSymbolicLink(work.resolve("src/first"), DIST.program());
        Path toLink = Files.createSymbolicLink(work.resolve("src/redis-server"), Path.of("first"));
        try {
            assertVersionIsPrinted(run(Map.of(), "src/redis-server", "--version"));
        } finally {
            Files.delete(toLink);
            Files.delete(toProgram);
        }
    }

    @Test
    void aCopyIsToldWhereItsHomeIs() throws IOException, InterruptedException {
        Path copy = Files.copy(DIST.program(), work.resolve("redis-server"));

        assertThat(run(Map.of(), copy.toString(), "--version").output()).contains("set HEDDLE_HOME");
        assertVersionIsPrinted(run(Map.of("HEDDLE_HOME", DIST.home().toString()), copy.toString(), "--version"));
    }

    @Test
    void flagsForTheVirtualMachineReachIt() throws IOException, InterruptedException {
        Outcome outcome = run(
                Map.of("HEDDLE_JAVA_OPTS", "-Xmx77m -XX:+PrintFlagsFinal"),
                DIST.program().toString(),
                "--version");

        assertThat(outcome.output()).containsPattern("MaxHeapSize += 81788928 ");
    }

    private static void assertVersionIsPrinted(Outcome outcome) {
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output()).startsWith("Heddle server v=" + DIST.version() + " ");
    }

    private Outcome run(Map<String, String> environment, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(work.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
    }

    private record Outcome(int exitCode, String output) {}
}
