package dev.heddle.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the launcher's own shell test, so that it is part of every build. */
class FindJdkTest {

    private static final Path SHELL = Path.of("/bin/sh");

    @Test
    void theLauncherFindsTheRightJdk(@TempDir Path work) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(SHELL), "skipped: needs /bin/sh");
        Path module = Path.of("").toAbsolutePath();
        Process shell = new ProcessBuilder(
                        SHELL.toString(),
                        module.resolve("src/test/sh/find-jdk-test.sh").toString(),
                        module.resolve("src/dist/lib/find-jdk.sh").toString(),
                        work.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(shell.waitFor()).as(output).isZero();
        assertThat(output).endsWith("cases, 0 failed\n");
    }
}
