package dev.heddle.persistence.rdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.persistence.snapshot.TestEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** MIGRATE to a target that answers what a test wants. */
@Timeout(60)
class MigrateCommandTest {

    @TempDir
    private Path folder;

    private TestEngine test;
    private Target target;

    @BeforeEach
    void open() throws IOException {
        test = new TestEngine(folder);
        target = new Target();
        test.run("MSET", "a", "1", "b", "2", "c", "3");
    }

    @AfterEach
    void close() throws IOException {
        target.socket.close();
    }

    /** Answers the n-th command with the n-th answer; afterwards it is silent. Keeps the names of commands with their first argument. */
    private static final class Target {
        final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        final List<String> commands = Collections.synchronizedList(new ArrayList<>());
        volatile List<String> answers = List.of();
        volatile Runnable beforeAnswers = () -> {};

        Target() throws IOException {
            Thread.ofVirtual().start(this::accept);
        }

        private void accept() {
            while (!socket.isClosed()) {
                try (Socket client = socket.accept()) {
                    serve(client);
                } catch (IOException e) {
                    // the client or the test has gone
                }
            }
        }

        private void serve(Socket client) throws IOException {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
            int served = 0;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int words = Integer.parseInt(line.substring(1));
                List<String> command = new ArrayList<>();
                for (int i = 0; i < words; i++) {
                    char[] word = new char[Integer.parseInt(in.readLine().substring(1))];
                    for (int at = 0; at < word.length; ) {
                        at += in.read(word, at, word.length - at);
                    }
                    in.readLine();
                    command.add(new String(word));
                }
                commands.add(String.join(" ", command.subList(0, 2)));
                beforeAnswers.run();
                if (served < answers.size()) {
                    client.getOutputStream()
                            .write((answers.get(served++) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                }
            }
        }
    }

    private String migrate(String... options) {
        return migrate(5000, options);
    }

    private String migrate(int timeout, String... options) {
        List<String> words = new ArrayList<>(
                List.of("MIGRATE", "127.0.0.1", "" + target.socket.getLocalPort(), "", "2", "" + timeout));
        words.addAll(List.of(options));
        return test.run(words.toArray(String[]::new));
    }

    @Test
    void whatTheTargetTakesGoes() {
        target.answers = List.of("+OK", "+OK", "+OK");
        assertThat(migrate("KEYS", "a", "nosuch", "b")).isEqualTo("+OK\r\n");
        assertThat(target.commands).containsExactly("SELECT 2", "RESTORE a", "RESTORE b");
        assertThat(test.run("KEYS", "*")).isEqualTo("*1\r\n$1\r\nc\r\n");
    }

    @Test
    void copiesStay() {
        target.answers = List.of("+OK", "+OK");
        assertThat(migrate("COPY", "KEYS", "a")).isEqualTo("+OK\r\n");
        assertThat(test.run("EXISTS", "a")).isEqualTo(":1\r\n");
    }

    @Test
    void onlyWhatTheTargetTakesGoes() {
        target.answers = List.of("+OK", "+OK", "-BUSYKEY there is one", "+OK");
        assertThat(migrate("KEYS", "a", "b", "c"))
                .isEqualTo("-ERR Target instance replied with error: BUSYKEY there is one\r\n");
        assertThat(test.run("KEYS", "*")).isEqualTo("*1\r\n$1\r\nb\r\n");
    }

    @Test
    void withoutTheRightDatabaseNothingGoes() {
        target.answers = List.of("-ERR DB index is out of range", "+OK");
        assertThat(migrate("KEYS", "a"))
                .isEqualTo("-ERR Target instance replied with error: ERR DB index is out of range\r\n");
        assertThat(test.run("EXISTS", "a")).isEqualTo(":1\r\n");
    }

    @Test
    void credentialsComeFirst() {
        target.answers = List.of("-WRONGPASS no", "-NOAUTH", "-NOAUTH");
        assertThat(migrate("AUTH2", "user", "secret", "KEYS", "a"))
                .isEqualTo("-ERR Target instance replied with error: WRONGPASS no\r\n");
        assertThat(target.commands).containsExactly("AUTH user", "SELECT 2", "RESTORE a");
    }

    @Test
    void whatHasChangedMeanwhileStays() {
        TestEngine.Client other = test.connect();
        target.beforeAnswers = () -> other.run("APPEND", "b", "!");
        target.answers = List.of("+OK", "+OK", "+OK");
        assertThat(migrate("KEYS", "a", "b"))
                .isEqualTo("-ERR 1 of 2 keys changed while they were sent: they are still here,"
                        + " the target has what they were before\r\n");
        assertThat(test.run("EXISTS", "a")).isEqualTo(":0\r\n");
        assertThat(test.run("GET", "b")).isEqualTo("$4\r\n2!!!\r\n");
    }

    @Test
    void aTargetThatDoesNotAnswerIsGivenUp() {
        assertThat(migrate(50, "KEYS", "a")).isEqualTo("-IOERR error or timeout reading to target instance\r\n");
        assertThat(test.run("EXISTS", "a")).isEqualTo(":1\r\n");
    }

    @Test
    void aTargetThatDoesNotReadIsGivenUp() throws IOException {
        test.set("rdbcompression", "no");
        test.run("SET", "large", "x".repeat(50_000_000));
        try (ServerSocket deaf = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThat(test.run("MIGRATE", "127.0.0.1", "" + deaf.getLocalPort(), "large", "0", "200"))
                    .isEqualTo("-IOERR error or timeout writing to target instance\r\n");
        }
        assertThat(test.run("EXISTS", "large")).isEqualTo(":1\r\n");
    }

    @Test
    void nobodyThere() throws IOException {
        int port;
        try (ServerSocket unused = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            port = unused.getLocalPort();
        }
        assertThat(test.run("MIGRATE", "127.0.0.1", "" + port, "a", "0", "1000"))
                .isEqualTo("-IOERR error or timeout writing to target instance\r\n");
        assertThat(test.run("MIGRATE", "127.0.0.1", "-1", "a", "0", "1000"))
                .isEqualTo("-IOERR error or timeout connecting to the client\r\n");
        assertThat(test.run("MIGRATE", "127.0.0.1", "" + port, "nosuch", "0", "1000"))
                .isEqualTo("+NOKEY\r\n");
    }

    @Test
    void argumentsThatDoNotFit() {
        assertThat(test.run("MIGRATE", "h", "1", "a", "0", "0", "KEYS", "b"))
                .isEqualTo("-ERR When using MIGRATE KEYS option, the key argument must be set to the empty string\r\n");
        assertThat(test.run("MIGRATE", "h", "1", "a", "0", "0", "NOSUCH")).isEqualTo("-ERR syntax error\r\n");
        assertThat(test.run("MIGRATE", "h", "1", "a", "0", "0", "AUTH")).isEqualTo("-ERR syntax error\r\n");
        assertThat(test.run("MIGRATE", "h", "1", "a", "x", "0"))
                .isEqualTo("-ERR value is not an integer or out of range\r\n");
        test.run("MULTI");
        test.run("MIGRATE", "h", "1", "a", "0", "0");
        assertThat(test.run("EXEC"))
                .isEqualTo("*1\r\n-ERR MIGRATE is not possible inside of a transaction or script\r\n");
    }
}
