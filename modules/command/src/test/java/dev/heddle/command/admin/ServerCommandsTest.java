package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.config.RedisConfFile;
import org.junit.jupiter.api.Test;

class ServerCommandsTest {

    private final CommandTester tester = new CommandTester();

    @Test
    void timeIsTheClocks() {
        assertThat(tester.run("TIME")).isEqualTo("*2\r\n$10\r\n1700000000\r\n$1\r\n0\r\n");
        tester.advance(1_234);
        assertThat(tester.run("TIME")).isEqualTo("*2\r\n$10\r\n1700000001\r\n$6\r\n234000\r\n");
    }

    @Test
    void shutdownAnswersNothing() {
        assertThat(tester.run("SHUTDOWN", "NOSAVE", "now", "FORCE")).isEmpty();
        assertThat(tester.shutdowns()).isEqualTo(1);
        assertThat(tester.client().session().closing()).isTrue();
    }

    @Test
    void shutdownRefusesNonsense() {
        assertThat(tester.run("SHUTDOWN", "x")).isEqualTo("-ERR syntax error\r\n");
        assertThat(tester.run("SHUTDOWN", "SAVE", "NOSAVE")).isEqualTo("-ERR syntax error\r\n");
        assertThat(tester.run("SHUTDOWN", "ABORT", "NOW")).isEqualTo("-ERR syntax error\r\n");
        assertThat(tester.run("SHUTDOWN", "ABORT")).isEqualTo("-ERR No shutdown in progress.\r\n");
        assertThat(tester.shutdowns()).isZero();
    }

    @Test
    void replication() {
        assertThat(tester.run("ROLE")).isEqualTo("*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n");
        assertThat(tester.run("REPLICAOF", "no", "one")).isEqualTo("+OK\r\n");
        assertThat(tester.run("SLAVEOF", "NO", "ONE")).isEqualTo("+OK\r\n");
        assertThat(tester.run("REPLICAOF", "127.0.0.1", "6379")).startsWith("-ERR replication is not supported");
        assertThat(tester.run("WAIT", "1", "1000")).isEqualTo(":0\r\n");
        assertThat(tester.run("WAIT", "x", "0")).isEqualTo("-ERR value is not an integer or out of range\r\n");
        assertThat(tester.run("WAIT", "0", "-1")).isEqualTo("-ERR timeout is negative\r\n");
    }

    @Test
    void waitAof() {
        assertThat(tester.run("WAITAOF", "0", "0", "0")).isEqualTo("*2\r\n:0\r\n:0\r\n");
        assertThat(tester.run("WAITAOF", "2", "0", "0"))
                .isEqualTo("-ERR value is out of range, value must between 0 and 1\r\n");
        assertThat(tester.run("WAITAOF", "0", "x", "0")).isEqualTo("-ERR value is out of range, must be positive\r\n");
        assertThat(tester.run("WAITAOF", "0", "0", "x"))
                .isEqualTo("-ERR timeout is not an integer or out of range\r\n");
        tester.engine().keyspace().journal(dev.heddle.command.Journal.NONE);
        assertThat(tester.run("WAITAOF", "1", "0", "0"))
                .isEqualTo("-ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.\r\n");
    }

    @Test
    void modules() {
        assertThat(tester.run("MODULE", "LIST")).isEqualTo("*0\r\n");
        assertThat(tester.run("MODULE", "LOAD", "/x.so"))
                .isEqualTo(
                        "-ERR MODULE command not allowed. If the enable-module-command option is set to \"local\", you can"
                                + " run it from a local connection, otherwise you need to set this option in the configuration"
                                + " file, and then restart the server.\r\n");
        new RedisConfFile(tester.settings()).readOptions("enable-module-command local");
        assertThat(tester.run("MODULE", "LOAD", "/x.so"))
                .isEqualTo("-ERR Error loading the extension. Please check the server logs.\r\n");
        assertThat(tester.run("MODULE", "UNLOAD", "x"))
                .isEqualTo("-ERR Error unloading module: no such module with that name\r\n");
    }

    @Test
    void clusterIsDisabled() {
        String disabled = "-ERR This instance has cluster support disabled\r\n";
        assertThat(tester.run("CLUSTER", "INFO")).isEqualTo(disabled);
        assertThat(tester.run("CLUSTER", "NODES")).isEqualTo(disabled);
        assertThat(tester.run("CLUSTER", "HELP")).isEqualTo(disabled);
        assertThat(tester.run("CLUSTER", "KEYSLOT"))
                .isEqualTo("-ERR wrong number of arguments for 'cluster|keyslot' command\r\n");
        assertThat(tester.run("CLUSTER", "FOO")).isEqualTo("-ERR unknown subcommand 'FOO'. Try CLUSTER HELP.\r\n");
    }

    @Test
    void lolwutWeavesTheSameClothFromTheSameSeed() {
        String cloth = tester.run("LOLWUT", "7");
        assertThat(cloth).contains("Redis ver. 7.2.4, seed 7\n");
        assertThat(tester.run("LOLWUT", "VERSION", "5", "7")).isEqualTo(cloth);
        assertThat(tester.run("LOLWUT", "8")).isNotEqualTo(cloth);
        assertThat(tester.run("LOLWUT", "VERSION", "x")).isEqualTo("-ERR value is not an integer or out of range\r\n");
    }
}
