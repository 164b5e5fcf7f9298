package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.config.RedisConfFile;
import org.junit.jupiter.api.Test;

class LatencyCommandsTest {

    private final CommandTester tester = new CommandTester();

    private void spike() {
        new RedisConfFile(tester.settings()).readOptions("enable-debug-command local");
        tester.run("CONFIG", "SET", "latency-monitor-threshold", "5");
        tester.run("DEBUG", "SLEEP", "0.006");
        tester.run("CONFIG", "SET", "latency-monitor-threshold", "0"); // whatever is slow from here on does not count
    }

    @Test
    void emptyForms() {
        assertThat(tester.run("LATENCY", "LATEST")).isEqualTo("*0\r\n");
        assertThat(tester.run("LATENCY", "HISTORY", "command")).isEqualTo("*0\r\n");
        assertThat(tester.run("LATENCY", "RESET")).isEqualTo(":0\r\n");
        assertThat(tester.run("LATENCY", "GRAPH", "x")).isEqualTo("-ERR No samples available for event 'x'\r\n");
        assertThat(tester.run("LATENCY", "HISTOGRAM", "nosuch")).isEqualTo("*0\r\n");
        assertThat(tester.run("LATENCY", "DOCTOR")).contains("latency-monitor-threshold");
    }

    @Test
    void aSlowCommandIsASpike() {
        spike();
        assertThat(tester.run("LATENCY", "LATEST"))
                .matches("\\*1\r\n\\*4\r\n\\$7\r\ncommand\r\n:1700000000\r\n:(\\d+)\r\n:\\1\r\n");
        assertThat(tester.run("LATENCY", "HISTORY", "command")).matches("\\*1\r\n\\*2\r\n:1700000000\r\n:\\d+\r\n");
        tester.advance(70_000);
        assertThat(tester.run("LATENCY", "GRAPH", "command"))
                .containsPattern(
                        "command - high \\d+ ms, low \\d+ ms \\(all time high \\d+ ms\\)\n-{80}\n#\n#\n#\n#\n1\nm\n");
        assertThat(tester.run("LATENCY", "DOCTOR")).contains("- command: 1 time(s)", "last 70 s ago.\n");
        assertThat(tester.run("LATENCY", "RESET", "foo", "command")).isEqualTo(":1\r\n");
        assertThat(tester.run("LATENCY", "LATEST")).isEqualTo("*0\r\n");
    }

    @Test
    void histogramCountsRuns() {
        tester.run("CONFIG", "RESETSTAT");
        tester.run("SET", "a", "b");
        tester.run("SET", "a", "b");
        tester.run("CLIENT", "ID");
        String set =
                "\\$3\r\nset\r\n\\*4\r\n\\$5\r\ncalls\r\n:2\r\n\\$14\r\nhistogram_usec\r\n\\*[24]\r\n:\\d+\r\n:[12]\r\n(:\\d+\r\n:2\r\n)?";
        assertThat(tester.run("LATENCY", "HISTOGRAM", "set", "get")).matches("\\*2\r\n" + set);
        assertThat(tester.run("LATENCY", "HISTOGRAM", "client")).startsWith("*2\r\n$9\r\nclient|id\r\n");
        assertThat(tester.run("LATENCY", "HISTOGRAM")).contains("$16\r\nconfig|resetstat\r\n");
        tester.run("HELLO", "3");
        assertThat(tester.run("LATENCY", "HISTOGRAM", "set"))
                .startsWith("%1\r\n$3\r\nset\r\n%2\r\n$5\r\ncalls\r\n:2\r\n$14\r\nhistogram_usec\r\n%");
    }
}
