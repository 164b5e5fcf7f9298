package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
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
 * own test runner, and each of its tests is one here; see {@link NodePackages}.
 */
class NodeClientsIT {

    /** A line of the runner's report: how a test has ended, and its name. Tests within tests are indented. */
    private static final Pattern RESULT = Pattern.compile("^(ok|not ok) [0-9]+ - (.*?)( # .*)?$", Pattern.MULTILINE);

    private static final String LIMIT_SECONDS = "60";

    private static String node;

    private record Result(String name, boolean passed) {}

    @BeforeAll
    static void install() throws IOException, InterruptedException {
        node = NodePackages.install();
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

    @TestFactory
    Stream<DynamicTest> bullMq() {
        return run("bullmq.mjs");
    }

    @TestFactory
    Stream<DynamicTest> socketIo() {
        return run("socketio.mjs");
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
                    NodePackages.script(script)));
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
