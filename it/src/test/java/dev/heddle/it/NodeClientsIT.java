package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Clients of the Node.js world against the server: each script below {@code src/test/node} is a set of tests for Node's
 * own test runner, and each of its tests is one here. Their packages are installed once, below {@code target}.
 */
class NodeClientsIT {

    private static final Path SOURCES = Path.of("src", "test", "node").toAbsolutePath();
    private static final Path WORK = Path.of("target", "node").toAbsolutePath();

    /** A line of the runner's report: how a test has ended, and its name. Tests within tests are indented. */
    private static final Pattern RESULT = Pattern.compile("^(ok|not ok) [0-9]+ - (.*?)( # .*)?$", Pattern.MULTILINE);

    private static final int OLDEST_NODE = 20;
    private static final String LIMIT_SECONDS = "60";

    private static String node;

    private record Result(String name, boolean passed) {}

    @BeforeAll
    static void install() throws IOException, InterruptedException {
        node = Programs.require("node", "nodejs").toString();
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
    }

    /** Copies a file, and tells whether it is one that asks for other packages than those that are there. */
    private static boolean copy(Path file) throws IOException {
        Path copy = WORK.resolve(file.getFileName());
        boolean changed =
                file.endsWith("package-lock.json") && (!Files.exists(copy) || Files.mismatch(file, copy) >= 0);
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        return changed;
    }

    @TestFactory
    Stream<DynamicTest> ioredis() {
        return run("ioredis.mjs");
    }

    @TestFactory
    Stream<DynamicTest> nodeRedis() {
        return run("node-redis.mjs");
    }

    @TestFactory
    Stream<DynamicTest> scriptsOfJobQueues() {
        return run("scripts.mjs");
    }

    @TestFactory
    Stream<DynamicTest> jobQueues() {
        return run("queues.mjs");
    }

    private static Stream<DynamicTest> run(String script) {
        try (RunningServer heddle = HeddleServer.start()) {
            Programs.Outcome outcome = Programs.run(List.of(
                    "timeout",
                    LIMIT_SECONDS,
                    "env",
                    "HEDDLE_PORT=" + heddle.port(),
                    node,
                    "--test-reporter=tap",
                    WORK.resolve(script).toString()));
            List<Result> results = new ArrayList<>();
            Matcher matcher = RESULT.matcher(outcome.output());
            while (matcher.find()) {
                results.add(new Result(matcher.group(2), matcher.group(1).equals("ok")));
            }
            assertThat(results).as(outcome.output()).isNotEmpty();
            boolean failedOutsideTests =
                    outcome.exitCode() != 0 && results.stream().allMatch(Result::passed);
            assertThat(failedOutsideTests).as(outcome.output()).isFalse();
            return results.stream()
                    .map(result -> DynamicTest.dynamicTest(
                            result.name(),
                            () -> assertThat(result.passed())
                                    .as(outcome.output())
                                    .isTrue()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
