package dev.heddle.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** Programs of the machine that some tests need. Stateless. */
final class Programs {

    private static final long LIMIT_SECONDS = 120;

    private Programs() {}

    /** The program of this name on PATH. */
    static Optional<Path> find(String name) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(":"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The program of this name; without it the test is skipped, with a line on the console that names the package. */
    static Path require(String name, String debianPackage) {
        return find(name).orElseThrow(() -> skip(name + " is not installed (Debian package " + debianPackage + ")"));
    }

    /** Says on the console why something is not tested and aborts the test. The return value is never seen. */
    static AssertionError skip(String reason) {
        String test = StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                        .filter(name -> name.endsWith("IT"))
                        .findFirst()
                        .orElse("a test"));
        System.out.println("SKIPPED in " + test.substring(test.lastIndexOf('.') + 1) + ": " + reason);
        return Assumptions.abort(reason);
    }

    /** How a program ended and what it wrote, standard error included. */
    record Outcome(int exitCode, String output) {}

    /** Runs a program to its end. */
    static Outcome run(List<String> command) throws IOException, InterruptedException {
        return run(command, null);
    }

    /** Runs a program to its end, with {@code input} on its standard input. */
    static Outcome run(List<String> command, @Nullable Path input) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (input != null) {
            builder.redirectInput(input.toFile());
        }
        Process process = builder.start();
        if (input == null) {
            process.getOutputStream().close();
        }
        Thread watchdog = Thread.ofVirtual().start(() -> endLate(process));
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        int exitCode = process.waitFor();
        watchdog.interrupt();
        return new Outcome(exitCode, output);
    }

    private static void endLate(Process process) {
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            // The program has ended in time: nothing to watch any more.
            Thread.currentThread().interrupt();
        }
    }
}
