package dev.heddle.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a real redis-server to compare with: the program that the system property {@code redis.server} names, or the
 * one on PATH. Stateless.
 */
final class RedisServer {

    private RedisServer() {}

    /** A server on a free port; without the program the test is skipped. */
    static RunningServer start(String... directives) {
        return startIn(RunningServer.newFolder("redis"), directives);
    }

    /** As {@link #start}, with the files in this folder. */
    static RunningServer startIn(Path folder, String... directives) {
        int port = RunningServer.freePort();
        List<String> command = new ArrayList<>(List.of(program().toString()));
        command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", folder.toString()));
        command.addAll(List.of("--save", "", "--appendonly", "no"));
        command.addAll(List.of(directives));
        return RunningServer.launch(command, port, folder);
    }

    /** The version as {@code major.minor}, for example 7.0; without the program the test is skipped. */
    static String version() {
        try {
            String output =
                    Programs.run(List.of(program().toString(), "--version")).output();
            return output.replaceFirst("(?s).* v=([0-9]+\\.[0-9]+)\\..*", "$1");
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static Path program() {
        String named = System.getProperty("redis.server", "");
        if (named.isEmpty()) {
            return Programs.require("redis-server", "redis-server");
        }
        Path program = Path.of(named);
        if (!Files.isExecutable(program)) {
            throw new AssertionError("redis.server is no program: " + named);
        }
        return program;
    }
}
