package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * BullMQ, Bull and Bee-Queue, unmodified, while the server is killed in the middle of their work and comes back: every job that was accepted is
 * done, and the queues know it.
 */
class JobQueueCrashIT {

    private static final String[] DIRECTIVES = {"--appendonly", "yes", "--appendfsync", "always"};
    private static final String LIMIT_SECONDS = "60";

    @Test
    void noJobIsLostWhenTheServerIsKilled() throws IOException, InterruptedException {
        String node = NodePackages.install();
        RunningServer first = HeddleServer.start(DIRECTIVES);
        Process queues = new ProcessBuilder(
                        "timeout",
                        LIMIT_SECONDS,
                        "env",
                        "HEDDLE_PORT=" + first.port(),
                        node,
                        NodePackages.script("crash.mjs"))
                .redirectErrorStream(true)
                .start();
        StringBuilder output = new StringBuilder();
        try (BufferedReader lines = queues.inputReader(StandardCharsets.UTF_8);
                PrintStream input = new PrintStream(queues.getOutputStream(), true, StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            while (line != null && !line.equals("halfway")) {
                output.append(line).append('\n');
                line = lines.readLine();
            }
            assertThat(line).as(output.toString()).isEqualTo("halfway");
            first.kill();
            try (RunningServer second = HeddleServer.restart(first.folder(), first.port(), DIRECTIVES)) {
                assertThat(second.log()).contains("DB loaded from");
                input.println("back");
                lines.lines().forEach(more -> output.append(more).append('\n'));
                assertThat(queues.waitFor(10, TimeUnit.SECONDS)).isTrue();
                assertThat(queues.exitValue()).as(output.toString()).isZero();
                for (String queue : List.of("bullmq", "bull", "bee")) {
                    assertThat(output.toString()).contains(queue + ": all 300 done");
                }
            }
        } finally {
            queues.destroyForcibly();
            first.close();
        }
    }
}
