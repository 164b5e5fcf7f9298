package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import org.junit.jupiter.api.Test;

class MemoryCommandsTest {

    private final CommandTester tester = new CommandTester();

    private long usage(String key) {
        String reply = tester.run("MEMORY", "USAGE", key);
        return Long.parseLong(reply.substring(1, reply.length() - 2));
    }

    @Test
    void usageGrowsWithWhatIsStored() {
        tester.run("SET", "k", "x".repeat(100));
        tester.run("SET", "kkkkkkkkk", "x".repeat(100));
        tester.run("SET", "n", "12345");
        long one = usage("k");
        assertThat(one).isBetween(150L, 200L);
        assertThat(usage("kkkkkkkkk")).isEqualTo(one + 8);
        assertThat(usage("n")).isLessThan(one);
        tester.run("PEXPIRE", "k", "100000");
        assertThat(usage("k")).isGreaterThan(one);
    }

    @Test
    void usageOptions() {
        tester.run("SET", "k", "v");
        assertThat(tester.run("MEMORY", "USAGE", "nokey")).isEqualTo("$-1\r\n");
        assertThat(tester.run("MEMORY", "USAGE", "k", "SAMPLES", "0")).isEqualTo(tester.run("MEMORY", "USAGE", "k"));
        assertThat(tester.run("MEMORY", "USAGE", "k", "SAMPLES", "-1")).isEqualTo("-ERR syntax error\r\n");
        assertThat(tester.run("MEMORY", "USAGE", "k", "SAMPLES")).isEqualTo("-ERR syntax error\r\n");
        assertThat(tester.run("MEMORY", "USAGE", "k", "FOO", "1")).isEqualTo("-ERR syntax error\r\n");
        assertThat(tester.run("MEMORY", "USAGE", "k", "SAMPLES", "x"))
                .isEqualTo("-ERR value is not an integer or out of range\r\n");
    }

    @Test
    void statsHaveAMapPerDatabase() {
        assertThat(tester.run("MEMORY", "STATS")).startsWith("*54\r\n$14\r\npeak.allocated\r\n:");
        tester.run("SET", "k", "v");
        assertThat(tester.run("MEMORY", "STATS"))
                .startsWith("*56\r\n")
                .contains("$4\r\ndb.0\r\n*6\r\n$23\r\noverhead.hashtable.main\r\n:")
                .contains("$10\r\nkeys.count\r\n:1\r\n");
        tester.run("HELLO", "3");
        assertThat(tester.run("MEMORY", "STATS")).startsWith("%28\r\n").contains("$15\r\npeak.percentage\r\n,");
    }

    @Test
    void reports() {
        assertThat(tester.run("MEMORY", "DOCTOR")).contains("too little to tell");
        assertThat(tester.run("MEMORY", "MALLOC-STATS")).contains("jvm-", " committed ");
        assertThat(tester.run("MEMORY", "HELP")).contains("+USAGE key [SAMPLES count]\r\n");
        assertThat(tester.run("MEMORY", "FOO")).isEqualTo("-ERR unknown subcommand 'FOO'. Try MEMORY HELP.\r\n");
    }
}
