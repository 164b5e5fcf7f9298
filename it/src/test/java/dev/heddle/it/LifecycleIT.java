package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the server starts, with configurations as people have them, and how it ends. */
class LifecycleIT {

    private static final Duration SOON = Duration.ofSeconds(10);
    /** Loose, for machines that do other things, too: it should take less than one second; the figure is printed. */
    private static final Duration IDLE_END = Duration.ofSeconds(3);

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "SHUTDOWN NOSAVE"})
    void itEndsWithinASecondWhenIdle(String how) throws IOException, InterruptedException {
        List<RawClient> clients = new ArrayList<>();
        try (RunningServer heddle = HeddleServer.start()) {
            for (int i = 0; i < 20; i++) {
                RawClient client = heddle.connect();
                clients.add(client);
                client.call("PING");
            }
            clients.get(1).send("BLPOP", "nosuch", "0");
            clients.get(1).flush();
            long begin = System.nanoTime();
            if (how.startsWith("SHUTDOWN")) {
                clients.getFirst().send(how.split(" "));
                clients.getFirst().flush();
            } else {
                heddle.signal(how);
            }
            assertThat(heddle.exitCode()).isZero();
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            System.out.printf("LifecycleIT: %s ended an idle server in %d ms%n", how, took.toMillis());
            assertThat(took).isLessThan(IDLE_END);
            for (RawClient client : clients) {
                assertThat(client.isClosedByServer()).isTrue();
            }
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void whatIsBeingDoneIsAnsweredBeforeTheEnd() throws IOException, InterruptedException {
        try (RunningServer heddle = HeddleServer.start("--enable-debug-command", "yes");
                RawClient sleeper = heddle.connect();
                RawClient pipeline = heddle.connect();
                RawClient observer = heddle.connect()) {
            observer.call("SET", "big", "v".repeat(100_000));
            sleeper.send("DEBUG", "SLEEP", "0.5");
            sleeper.send("PING");
            sleeper.flush();
            for (int i = 0; i < 200; i++) {
                pipeline.send("GET", "big");
            }
            pipeline.flush();
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> observer.call("CLIENT", "LIST").text().contains("cmd=debug"));
            heddle.signal("TERM");

            assertThat(sleeper.read().text()).isEqualTo("OK");
            for (Reply reply = pipeline.read(); !reply.equals(Reply.CLOSED); reply = pipeline.read()) {
                assertThat(reply.text()).hasSize(100_000);
            }
            assertThat(heddle.exitCode()).isZero();
        }
    }

    @Test
    void theConfigurationOfADistributionStarts() throws IOException {
        int port = RunningServer.freePort();
        Path folder = RunningServer.newFolder("heddle");
        String text = Resources.lines("distribution.conf").stream()
                .map(line -> line.replace("@PORT@", Integer.toString(port)).replace("@DIR@", folder.toString()))
                .reduce("", (all, line) -> all + line + "\n");
        Path file = Files.writeString(folder.resolve("redis.conf"), text);
        Path log = folder.resolve("redis-server.log");
        RunningServer heddle = HeddleServer.spawn(folder, List.of(file.toString()));
        try (heddle) {
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> Files.exists(log) && Files.readString(log).contains("Ready to accept"));
            assertThat(Files.readString(log))
                    .containsPattern(
                            "replica-priority \\(line \\d+ of .*redis.conf\\): known from Redis, but without effect")
                    .containsPattern("activerehashing \\(line \\d+ of .*redis.conf\\)")
                    .doesNotContain("tcp-backlog (")
                    .doesNotContain("hash-max-listpack-entries (");
            assertThat(folder.resolve("redis-server.pid")).content().isEqualTo(heddle.pid() + "\n");
            try (RawClient client = RawClient.connect(port)) {
                assertThat(client.call("CONFIG", "GET", "save").texts())
                        .containsExactly("save", "3600 1 300 100 60 10000");
                assertThat(client.call("CONFIG", "GET", "client-query-buffer-limit")
                                .texts())
                        .containsExactly("client-query-buffer-limit", "134217728");
            }
        }
        assertThat(folder.resolve("redis-server.pid")).doesNotExist();
    }

    @Test
    void anUnknownDirectiveIsAnErrorWithItsPlace() throws IOException {
        Path folder = RunningServer.newFolder("heddle");
        Path file = Files.writeString(folder.resolve("wrong.conf"), "port 0\n\n  nosuchthing yes\n");
        try (RunningServer heddle = HeddleServer.spawn(folder, List.of(file.toString()))) {
            assertThat(heddle.exitCode()).isEqualTo(1);
            assertThat(heddle.log())
                    .containsPattern("at line 3 of .*wrong.conf")
                    .contains(">>> 'nosuchthing yes'")
                    .contains("Bad directive or wrong number of arguments");
        }
        try (RunningServer heddle = HeddleServer.spawn(folder, List.of("--nosuchthing", "yes"))) {
            assertThat(heddle.exitCode()).isEqualTo(1);
            assertThat(heddle.log()).contains("nosuchthing");
        }
    }

    @Test
    void aPortThatIsTakenIsAnError() throws IOException {
        try (RunningServer first = HeddleServer.start();
                RunningServer second = HeddleServer.spawn(
                        first.folder(), List.of("--port", Integer.toString(first.port()), "--bind", "127.0.0.1"))) {
            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.log()).contains("cannot listen on 127.0.0.1:" + first.port());
        }
    }

    @Test
    void filesIncludeFilesAndWordsMayBeQuoted() throws IOException {
        int port = RunningServer.freePort();
        Path folder = RunningServer.newFolder("heddle");
        Files.writeString(
                folder.resolve("extra.conf"), "requirepass \"a \\x62\\tc\"\nproto-max-bulk-len 64MB\nsave 900 1\n");
        Path file = Files.writeString(
                folder.resolve("main.conf"),
                "# main\nport " + port + "\nbind '127.0.0.1'\ndir \"" + folder + "\"\nsave 60 5\ninclude "
                        + folder.resolve("ex*.conf") + "\nhash-max-listpack-entries 1000\n");
        try (RunningServer heddle = HeddleServer.startWith(
                        port, folder, List.of(file.toString(), "--client-query-buffer-limit", "2gb"));
                RawClient client = heddle.connect()) {
            assertThat(client.call("AUTH", "a b\tc").text()).isEqualTo("OK");
            assertThat(config(client, "proto-max-bulk-len")).isEqualTo("67108864");
            assertThat(config(client, "client-query-buffer-limit")).isEqualTo("2147483648");
            assertThat(config(client, "hash-max-listpack-entries")).isEqualTo("1000");
            assertThat(config(client, "save")).isEqualTo("60 5 900 1");
        }
    }

    @Test
    void theLogLevelFollowsConfigSet() {
        try (RunningServer heddle = HeddleServer.start("--enable-debug-command", "yes");
                RawClient client = heddle.connect()) {
            client.call("CONFIG", "SET", "loglevel", "nothing");
            client.call("DEBUG", "LOG", "first word");
            client.call("CONFIG", "SET", "loglevel", "warning");
            client.call("DEBUG", "LOG", "second word");
            Awaitility.await().atMost(SOON).until(() -> heddle.log().contains("second word"));
            client.call("CONFIG", "SET", "loglevel", "nothing");
            client.call("DEBUG", "LOG", "third word");
            client.call("CONFIG", "SET", "loglevel", "debug");
            client.call("DEBUG", "LOG", "fourth word");
            Awaitility.await().atMost(SOON).until(() -> heddle.log().contains("fourth word"));
            assertThat(heddle.log()).doesNotContain("first word").doesNotContain("third word");
        }
    }

    private static String config(RawClient client, String name) {
        return client.call("CONFIG", "GET", name).texts().getLast();
    }
}
