package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import org.junit.jupiter.api.Test;

class ConfigCommandsTest {

    private final CommandTester tester = new CommandTester();

    @Test
    void getAnswersWhatMatches() {
        assertThat(tester.run("CONFIG", "GET", "databases", "nosuch"))
                .isEqualTo("*2\r\n$9\r\ndatabases\r\n$2\r\n16\r\n");
        assertThat(tester.run("CONFIG", "GET", "proto*", "DATABASES"))
                .isEqualTo(Wire.lines(
                        "*4", "$18", "proto-max-bulk-len", "$9", "536870912", "$9", "DATABASES", "$2", "16"));
        tester.run("HELLO", "3");
        assertThat(tester.run("CONFIG", "GET", "nosuch")).isEqualTo("%0\r\n");
    }

    @Test
    void setChangesAllOrNone() {
        assertThat(tester.run("CONFIG", "SET", "timeout", "5", "hz", "20")).isEqualTo("+OK\r\n");
        assertThat(tester.settings().network.timeout.value()).isEqualTo(5);
        assertThat(tester.run("CONFIG", "SET", "timeout", "6", "hz", "x"))
                .isEqualTo(
                        "-ERR CONFIG SET failed (possibly related to argument 'hz') - argument couldn't be parsed into an"
                                + " integer\r\n");
        assertThat(tester.settings().network.timeout.value()).isEqualTo(5);
        assertThat(tester.run("CONFIG", "SET", "timeout", "6", "hz")).isEqualTo("-ERR syntax error\r\n");
        assertThat(tester.run("CONFIG", "SET", "nosuch", "6"))
                .isEqualTo("-ERR Unknown option or number of arguments for CONFIG SET - 'nosuch'\r\n");
        assertThat(tester.run("CONFIG", "SET", "databases", "6"))
                .isEqualTo("-ERR CONFIG SET failed (possibly related to argument 'databases') - can't set immutable"
                        + " config\r\n");
    }

    @Test
    void resetStatStartsTheCountersAgain() {
        tester.run("GET", "a");
        tester.run("NOSUCH");
        assertThat(tester.run("CONFIG", "RESETSTAT")).isEqualTo("+OK\r\n");
        assertThat(tester.run("INFO", "stats", "commandstats", "errorstats"))
                .contains("keyspace_misses:0\r\n", "total_error_replies:0\r\n", "cmdstat_config|resetstat:calls=1,")
                .doesNotContain("cmdstat_get", "errorstat_ERR");
    }

    @Test
    void rewriteNeedsAFile() {
        assertThat(tester.run("CONFIG", "REWRITE")).isEqualTo("-ERR The server is running without a config file\r\n");
    }
}
