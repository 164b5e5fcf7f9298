package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.config.EvictionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OBJECT through the table; the replies are those of redis-server 7.2. */
class ObjectCommandsTest {

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "SET k 12, int",
        "SET k 9223372036854775808, embstr",
        "SET k abc, embstr",
        "SET k 12345678901234567890123456789012345678901234, embstr",
        "SET k 123456789012345678901234567890123456789012345, raw",
        "APPEND k 12, int",
        "SETRANGE k 0 12, raw",
        "SETBIT k 1 1, raw",
        "INCRBYFLOAT k 12, embstr",
        "INCR k, int",
        "RPUSH k a, listpack",
        "SADD k 1, intset"
    })
    void encoding(String command, String encoding) {
        run(command);
        assertThat(run("OBJECT ENCODING k")).isEqualTo("$" + encoding.length() + "\r\n" + encoding + "\r\n");
    }

    @Test
    void smallNumbersAreShared() {
        run("MSET a 0 b 9999 c 10000 d -1 e abc");
        assertThat(run("OBJECT REFCOUNT a")).isEqualTo(":2147483647\r\n");
        assertThat(run("OBJECT REFCOUNT b")).isEqualTo(":2147483647\r\n");
        assertThat(run("OBJECT REFCOUNT c")).isEqualTo(":1\r\n");
        assertThat(run("OBJECT REFCOUNT d")).isEqualTo(":1\r\n");
        assertThat(run("OBJECT REFCOUNT e")).isEqualTo(":1\r\n");
        tester.settings().memory.maxMemory.settle(1L << 30);
        assertThat(run("OBJECT REFCOUNT a")).isEqualTo(":2147483647\r\n");
        tester.settings().memory.maxMemoryPolicy.settle(EvictionPolicy.ALLKEYS_LRU);
        assertThat(run("OBJECT REFCOUNT a")).isEqualTo(":1\r\n");
    }

    @Test
    void idleTimeCountsUsesOnly() {
        run("SET k v");
        tester.advance(5_000);
        assertThat(run("OBJECT IDLETIME k")).isEqualTo(":5\r\n");
        run("EXISTS k");
        run("TYPE k");
        run("TTL k");
        run("OBJECT ENCODING k");
        assertThat(run("OBJECT IDLETIME k")).isEqualTo(":5\r\n");
        run("GET k");
        assertThat(run("OBJECT IDLETIME k")).isEqualTo(":0\r\n");
    }

    @Test
    void noTouchClientsLeaveNoTraceButByTouch() {
        run("SET k v");
        tester.client().session().noTouch(true);
        tester.advance(5_000);
        run("GET k");
        assertThat(run("OBJECT IDLETIME k")).isEqualTo(":5\r\n");
        run("TOUCH k");
        assertThat(run("OBJECT IDLETIME k")).isEqualTo(":0\r\n");
    }

    @Test
    void frequenciesAreNotTracked() {
        run("SET k v");
        assertThat(run("OBJECT FREQ k"))
                .isEqualTo(
                        "-ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that"
                                + " when switching between policies at runtime LRU and LFU data will take some time to adjust.\r\n");
    }

    @ParameterizedTest
    @CsvSource({"ENCODING", "REFCOUNT", "IDLETIME", "FREQ"})
    void whatIsNotThereIsNil(String subcommand) {
        assertThat(run("OBJECT " + subcommand + " none")).isEqualTo("$-1\r\n");
        tester.client().session().reply().protocol(3);
        assertThat(run("OBJECT " + subcommand + " none")).isEqualTo("_\r\n");
        assertThat(run("OBJECT " + subcommand))
                .isEqualTo("-ERR wrong number of arguments for 'object|" + subcommand.toLowerCase(java.util.Locale.ROOT)
                        + "' command\r\n");
    }

    @Test
    void help() {
        assertThat(run("OBJECT HELP"))
                .startsWith("*15\r\n+OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        assertThat(run("OBJECT what k")).isEqualTo("-ERR unknown subcommand 'what'. Try OBJECT HELP.\r\n");
        assertThat(run("OBJECT")).isEqualTo("-ERR wrong number of arguments for 'object' command\r\n");
    }
}
