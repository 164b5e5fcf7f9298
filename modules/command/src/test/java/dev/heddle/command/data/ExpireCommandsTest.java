package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times to live, through the table; the replies are those of redis-server 7.2. The clock stands at 1,700,000,000 seconds. */
class ExpireCommandsTest {

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    @BeforeEach
    void aKey() {
        run("SET k v");
        tester.effects();
        tester.events();
    }

    @ParameterizedTest
    @CsvSource({
        "EXPIRE k 100, 1700000100000",
        "PEXPIRE k 1500, 1700000001500",
        "EXPIREAT k 1700000007, 1700000007000",
        "PEXPIREAT k 1700000000001, 1700000000001"
    })
    void allAreTheSameInMilliseconds(String command, String at) {
        assertThat(run(command)).isEqualTo(":1\r\n");
        assertThat(tester.effects()).containsExactly("PEXPIREAT k " + at);
        assertThat(tester.events()).containsExactly("expire k");
        assertThat(run("PEXPIRETIME k")).isEqualTo(":" + at + "\r\n");
        assertThat(run(command.replace(" k ", " none "))).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"EXPIRE k 0", "EXPIRE k -1", "PEXPIRE k -99", "EXPIREAT k 1", "PEXPIREAT k 1700000000000"})
    void thePastDeletes(String command) {
        assertThat(run(command)).isEqualTo(":1\r\n");
        assertThat(tester.effects()).containsExactly("DEL k");
        assertThat(tester.events()).containsExactly("del k");
        assertThat(run("EXISTS k")).isEqualTo(":0\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'', NX, 1", "'', XX, 0", "'', GT, 0", "'', LT, 1", "'', XX LT, 0", "100, NX, 0", "100, XX, 1", "100, GT, 0",
        "100, LT, 0", "99, GT, 1", "99, LT, 0", "101, GT, 0", "101, LT, 1", "101, xx lt, 1", "99, xx gt, 1",
                "101, XX GT, 0"
    })
    void conditions(String present, String condition, int done) {
        if (!present.isEmpty()) {
            run("EXPIRE k " + present);
            tester.effects();
        }
        assertThat(run("EXPIRE k 100 " + condition)).isEqualTo(":" + done + "\r\n");
        assertThat(tester.effects()).hasSize(done);
        String left = done == 1 ? "100" : present.isEmpty() ? "-1" : present;
        assertThat(run("TTL k")).isEqualTo(":" + left + "\r\n");
    }

    @Test
    void conditionsThatContradictEachOther() {
        String nx = "-ERR NX and XX, GT or LT options at the same time are not compatible\r\n";
        assertThat(run("EXPIRE k 1 NX XX")).isEqualTo(nx);
        assertThat(run("EXPIRE k 1 NX GT")).isEqualTo(nx);
        assertThat(run("EXPIRE k 1 LT NX")).isEqualTo(nx);
        assertThat(run("EXPIRE k 1 GT LT")).isEqualTo("-ERR GT and LT options at the same time are not compatible\r\n");
        assertThat(run("EXPIRE k x what")).isEqualTo("-ERR Unsupported option what\r\n");
        assertThat(run("EXPIRE k x")).isEqualTo("-ERR value is not an integer or out of range\r\n");
        assertThat(tester.effects()).isEmpty();
    }

    @Test
    void timesThatDoNotFit() {
        assertThat(run("EXPIRE k 9223372036854776")).isEqualTo("-ERR invalid expire time in 'expire' command\r\n");
        assertThat(run("EXPIRE k -9223372036854776")).isEqualTo("-ERR invalid expire time in 'expire' command\r\n");
        assertThat(run("EXPIRE none 9223372036854775807"))
                .isEqualTo("-ERR invalid expire time in 'expire' command\r\n");
        assertThat(run("PEXPIRE k 9223372036854775807")).isEqualTo("-ERR invalid expire time in 'pexpire' command\r\n");
        assertThat(run("EXPIREAT k 9223372036854776")).isEqualTo("-ERR invalid expire time in 'expireat' command\r\n");
        assertThat(run("PEXPIREAT k 9223372036854775807")).isEqualTo(":1\r\n");
        assertThat(run("PEXPIRETIME k")).isEqualTo(":9223372036854775807\r\n");
        assertThat(run("EXPIRETIME k")).isEqualTo(":9223372036854776\r\n");
    }

    @Test
    void timeLeft() {
        for (String command : new String[] {"TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME"}) {
            assertThat(run(command + " none")).isEqualTo(":-2\r\n");
            assertThat(run(command + " k")).isEqualTo(":-1\r\n");
        }
        run("PEXPIRE k 1500");
        assertThat(run("TTL k")).as("rounded to the nearest").isEqualTo(":2\r\n");
        assertThat(run("EXPIRETIME k")).isEqualTo(":1700000002\r\n");
        tester.advance(1001);
        assertThat(run("TTL k")).isEqualTo(":0\r\n");
        assertThat(run("PTTL k")).isEqualTo(":499\r\n");
        tester.advance(499);
        assertThat(run("PTTL k")).isEqualTo(":-2\r\n");
    }

    @Test
    void persist() {
        assertThat(run("PERSIST k")).isEqualTo(":0\r\n");
        assertThat(run("PERSIST none")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
        run("EXPIRE k 100");
        tester.effects();
        tester.events();
        assertThat(run("PERSIST k")).isEqualTo(":1\r\n");
        assertThat(tester.effects()).containsExactly("PERSIST k");
        assertThat(tester.events()).containsExactly("persist k");
        assertThat(run("TTL k")).isEqualTo(":-1\r\n");
    }

    @Test
    void expiresWithoutBeingAsked() {
        for (int i = 0; i < 500; i++) {
            run("SET e" + i + " v PX " + (1 + i));
        }
        tester.effects();
        tester.advance(250);
        tester.expire();
        assertThat(run("DBSIZE")).isEqualTo(":251\r\n");
        assertThat(tester.effects()).hasSize(250).allMatch(effect -> effect.startsWith("DEL e"));
        tester.advance(250);
        tester.expire();
        assertThat(run("DBSIZE")).isEqualTo(":1\r\n");
    }
}
