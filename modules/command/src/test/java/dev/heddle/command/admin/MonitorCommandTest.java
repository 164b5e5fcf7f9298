package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.catalog.CommandTester.Client;
import org.junit.jupiter.api.Test;

class MonitorCommandTest {

    private static final String HEAD = "+1700000000.000000 [0 127.0.0.1:50000] ";

    private final CommandTester server = new CommandTester();
    private final Client monitor = server.connect();

    @Test
    void showsCommandsAsTheyRan() {
        assertThat(monitor.run("MONITOR")).isEqualTo("+OK\r\n");
        server.run("SET", "k", "a\"b\\c\r\n\t\b\u0007\u0001\u00ff");
        server.run("INCR", "k");
        server.run("SELECT", "3");
        assertThat(monitor.messages())
                .isEqualTo(HEAD + "\"SET\" \"k\" \"a\\\"b\\\\c\\r\\n\\t\\b\\a\\x01\\xff\"\r\n" + HEAD
                        + "\"INCR\" \"k\"\r\n" + HEAD + "\"SELECT\" \"3\"\r\n");
        server.run("GET", "k");
        assertThat(monitor.messages()).isEqualTo("+1700000000.000000 [3 127.0.0.1:50000] \"GET\" \"k\"\r\n");
    }

    @Test
    void showsNoRefusedAndNoAdministrativeCommands() {
        monitor.run("MONITOR");
        server.run("NOSUCH");
        server.run("GET");
        server.run("CONFIG", "GET", "x");
        server.run("CLIENT", "LIST");
        assertThat(monitor.messages()).isEmpty();
    }

    @Test
    void hidesPasswords() {
        monitor.run("MONITOR");
        server.run("AUTH", "default", "secret");
        server.run("HELLO", "2", "AUTH", "default", "secret");
        assertThat(monitor.messages())
                .isEqualTo(HEAD + "\"AUTH\" \"(redacted)\" \"(redacted)\"\r\n" + HEAD
                        + "\"HELLO\" \"2\" \"AUTH\" \"(redacted)\" \"(redacted)\"\r\n");
    }

    @Test
    void showsTransactionsInTheOrderInWhichTheyRun() {
        monitor.run("MONITOR");
        server.run("MULTI");
        server.run("SET", "k", "v");
        assertThat(monitor.messages()).isEqualTo(HEAD + "\"MULTI\"\r\n");
        server.run("EXEC");
        assertThat(monitor.messages()).isEqualTo(HEAD + "\"SET\" \"k\" \"v\"\r\n" + HEAD + "\"EXEC\"\r\n");
    }

    @Test
    void aMonitorIsKeptFromData() {
        monitor.run("MONITOR");
        assertThat(monitor.run("MONITOR")).isEmpty();
        assertThat(monitor.run("GET", "k")).isEqualTo("-ERR Replica can't interact with the keyspace\r\n");
        assertThat(monitor.run("PING")).isEqualTo("+PONG\r\n" + HEAD + "\"PING\"\r\n");
        assertThat(server.run("CLIENT", "LIST")).contains("flags=O ");
    }

    @Test
    void resetEndsIt() {
        monitor.run("MONITOR");
        assertThat(monitor.run("RESET")).startsWith("+RESET\r\n");
        server.run("SET", "k", "v");
        assertThat(monitor.messages()).doesNotContain("SET\" \"k");
        assertThat(monitor.run("GET", "k")).isEqualTo("$1\r\nv\r\n");
    }
}
