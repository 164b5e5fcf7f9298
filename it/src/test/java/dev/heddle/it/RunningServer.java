package dev.heddle.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A server process that a test has started, Heddle or another one, with a folder of its own below {@code target}. Its
 * log stays there after the test.
 *
 * <p>Confined to the test's thread.
 */
final class RunningServer implements AutoCloseable {

    private static final Path FOLDERS = Path.of("target", "servers").toAbsolutePath();
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final long STOP_LIMIT_SECONDS = 20;
    private static final AtomicInteger COUNTER = new AtomicInteger();

    private final Process process;
    private final int port;
    private final Path folder;

    private RunningServer(Process process, int port, Path folder) {
        this.process = process;
        this.port = port;
        this.folder = folder;
    }

    /** A new empty folder for a server's files. */
    static Path newFolder(String name) {
        try {
            String id = name + "-" + ProcessHandle.current().pid() + "-" + COUNTER.incrementAndGet();
            return Files.createDirectories(FOLDERS.resolve(id));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port that was free a moment ago. */
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts {@code command} in {@code folder} and waits until it says that it is ready. */
    static RunningServer launch(List<String> command, int port, Path folder) {
        RunningServer server = spawn(command, port, folder);
        try {
            Awaitility.await()
                    .atMost(START_LIMIT)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> server.log().contains("Ready to accept") || !server.process.isAlive());
        } catch (ConditionTimeoutException e) {
            server.process.destroyForcibly();
            throw new AssertionError("not ready after " + START_LIMIT + ": " + command + "\n" + server.log(), e);
        }
        if (!server.process.isAlive()) {
            throw new AssertionError("ended at once: " + command + "\n" + server.log());
        }
        return server;
    }

    /** Starts {@code command} without waiting for anything. */
    static RunningServer spawn(List<String> command, int port, Path folder) {
        try {
            ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile());
            // SORT ALPHA of a redis-server follows the locale.
            builder.environment().put("LC_ALL", "C");
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            return new RunningServer(process, port, folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    Path folder() {
        return folder;
    }

    /** What the server has written so far. */
    String log() {
        try {
            return Files.readString(folder.resolve("log"), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new connection that speaks RESP2. */
    RawClient connect() {
        return RawClient.connect(port);
    }

    /** A new connection that speaks this version of the protocol. */
    RawClient connect(int protocol) {
        RawClient client = connect();
        client.call("HELLO", Integer.toString(protocol));
        return client;
    }

    /** Waits until the process ends, and returns its exit code. */
    int exitCode() {
        try {
            if (!process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("still running after " + STOP_LIMIT_SECONDS + " s\n" + log());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Sends SIGTERM and returns the exit code. */
    int stop() {
        process.destroy();
        return exitCode();
    }

    /** Ends the process at once, as a crash does: it gets no chance to write anything. */
    void kill() {
        process.destroyForcibly();
        exitCode();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends a signal, for example {@code INT}. */
    void signal(String name) throws IOException, InterruptedException {
        Programs.run(List.of("kill", "-" + name, Long.toString(pid())));
    }

    /** The resident memory of the process in KiB, or -1 where the system does not tell. */
    long residentKib() throws IOException {
        Path status = Path.of("/proc/" + pid() + "/status");
        if (!Files.exists(status)) {
            return -1;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(-1L);
    }

    /** Stops the server, if it still runs, and insists on a clean end. */
    @Override
    public void close() {
        if (process.isAlive()) {
            int code = stop();
            if (code != 0) {
                throw new AssertionError("exit code " + code + " after SIGTERM\n" + log());
            }
        }
    }
}
