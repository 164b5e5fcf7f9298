package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SlowLogCommandsTest {

    private final CommandTester tester = new CommandTester();

    @BeforeEach
    void logEverything() {
        tester.run("CLIENT", "SETNAME", "me");
        tester.run("CONFIG", "SET", "slowlog-log-slower-than", "0");
        tester.run("SLOWLOG", "RESET");
    }

    private String newest() {
        return tester.run("SLOWLOG", "GET", "1");
    }

    @Test
    void entryHasSixElements() {
        tester.run("PING", "x");
        assertThat(newest())
                .matches(Wire.lines(
                        "\\*1",
                        "\\*6",
                        ":2",
                        ":1700000000",
                        ":\\d+",
                        "\\*2",
                        "\\$4",
                        "PING",
                        "\\$1",
                        "x",
                        "\\$15",
                        "127.0.0.1:50000",
                        "\\$2",
                        "me"));
    }

    @Test
    void newestComeFirstAndOldestGo() {
        tester.run("CONFIG", "SET", "slowlog-max-len", "2");
        tester.run("ECHO", "1");
        tester.run("ECHO", "2");
        tester.run("ECHO", "3");
        assertThat(tester.run("SLOWLOG", "GET")).startsWith("*2\r\n").containsSubsequence("$1\r\n3", "$1\r\n2");
        assertThat(tester.run("SLOWLOG", "LEN")).isEqualTo(":2\r\n");
        tester.run("CONFIG", "SET", "slowlog-max-len", "1");
        assertThat(tester.run("SLOWLOG", "LEN")).isEqualTo(":1\r\n");
    }

    @Test
    void idsGoOnAfterReset() {
        assertThat(newest()).contains("*6\r\n:1\r\n");
        assertThat(tester.run("SLOWLOG", "RESET")).isEqualTo("+OK\r\n");
        assertThat(newest()).contains("*6\r\n:3\r\n");
    }

    @Test
    void longCommandsAreClipped() {
        tester.run("ECHO", "x".repeat(130));
        assertThat(newest()).contains("$146\r\n" + "x".repeat(128) + "... (2 more bytes)\r\n");
        tester.run("ECHO", "x".repeat(128));
        assertThat(newest()).contains("$128\r\n" + "x".repeat(128) + "\r\n");
        String[] words = Stream.concat(Stream.of("DEL"), IntStream.range(0, 39).mapToObj(i -> "k" + i))
                .toArray(String[]::new);
        tester.run(words);
        assertThat(newest())
                .contains("*32\r\n$3\r\nDEL\r\n")
                .contains("$3\r\nk29\r\n$22\r\n... (9 more arguments)\r\n")
                .doesNotContain("k30");
        tester.run(Stream.of(words).limit(32).toArray(String[]::new));
        assertThat(newest()).contains("*32\r\n").contains("$3\r\nk30\r\n").doesNotContain("more arguments");
    }

    @Test
    void passwordsAreNotShown() {
        tester.run("AUTH", "default", "secret");
        assertThat(newest()).contains("$4\r\nAUTH\r\n$10\r\n(redacted)\r\n$10\r\n(redacted)\r\n");
        tester.run("CONFIG", "SET", "requirepass", "secret");
        assertThat(newest()).contains("$11\r\nrequirepass\r\n$10\r\n(redacted)\r\n");
        tester.run("HELLO", "2", "AUTH", "default", "secret");
        assertThat(newest()).contains("$4\r\nAUTH\r\n$10\r\n(redacted)\r\n$10\r\n(redacted)\r\n");
        tester.run("ECHO", "1");
        assertThat(newest()).contains("$4\r\nECHO\r\n$1\r\n1\r\n");
    }

    @Test
    void settingsTurnItOff() {
        tester.run("CONFIG", "SET", "slowlog-log-slower-than", "-1");
        tester.run("SLOWLOG", "RESET");
        tester.run("ECHO", "1");
        assertThat(tester.run("SLOWLOG", "GET")).isEqualTo("*0\r\n");
        tester.run("CONFIG", "SET", "slowlog-log-slower-than", "0", "slowlog-max-len", "0");
        tester.run("ECHO", "1");
        assertThat(tester.run("SLOWLOG", "LEN")).isEqualTo(":0\r\n");
        tester.run("CONFIG", "SET", "slowlog-log-slower-than", "60000000", "slowlog-max-len", "10");
        tester.run("ECHO", "1");
        assertThat(tester.run("SLOWLOG", "LEN")).isEqualTo(":0\r\n");
    }

    @Test
    void countIsChecked() {
        String refusal = "-ERR count should be greater than or equal to -1\r\n";
        assertThat(tester.run("SLOWLOG", "GET", "-2")).isEqualTo(refusal);
        assertThat(tester.run("SLOWLOG", "GET", "x")).isEqualTo(refusal);
        assertThat(tester.run("SLOWLOG", "GET", "0")).isEqualTo("*0\r\n");
        assertThat(tester.run("SLOWLOG", "GET", "-1")).startsWith("*4\r\n");
        assertThat(tester.run("SLOWLOG", "GET", "1", "2"))
                .isEqualTo("-ERR unknown subcommand or wrong number of arguments for 'GET'. Try SLOWLOG HELP.\r\n");
    }
}
