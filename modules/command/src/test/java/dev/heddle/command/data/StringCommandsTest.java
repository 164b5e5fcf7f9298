package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings as whole values, through the table; the replies are those of redis-server 7.2. */
class StringCommandsTest {

    private static final String WRONG_TYPE = "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";
    private static final String SYNTAX = "-ERR syntax error\r\n";
    private static final String NOT_INTEGER = "-ERR value is not an integer or out of range\r\n";
    private static final String OK = "+OK\r\n";
    private static final String NIL = "$-1\r\n";

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    private void forget() {
        tester.effects();
        tester.events();
    }

    @Test
    void setAndGet() {
        assertThat(run("GET k")).isEqualTo(NIL);
        assertThat(run("SET k v")).isEqualTo(OK);
        assertThat(run("GET k")).isEqualTo(bulk("v"));
        assertThat(tester.effects()).containsExactly("SET k v");
        assertThat(tester.events()).containsExactly("new k", "set k");
        tester.client().session().reply().protocol(3);
        assertThat(run("GET none")).isEqualTo("_\r\n");
        assertThat(run("GET k")).isEqualTo(bulk("v"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "-1",
                "-0",
                "01",
                "+1",
                "9999",
                "10000",
                "9223372036854775807",
                "-9223372036854775808",
                "-9223372036854775807",
                "9223372036854775808",
                "1 2",
                "\r\n",
                "\u0000\u00ff"
            })
    void givesBackTheSameBytes(String value) {
        tester.run("SET", "k", value);
        assertThat(tester.run("GET", "k")).isEqualTo(bulk(value));
        assertThat(tester.run("STRLEN", "k")).isEqualTo(":" + value.length() + "\r\n");
    }

    @Test
    void aLargeValueIsAnsweredFromItsOwnArray() {
        String large = "x".repeat(100_000);
        tester.run("SET", "k", large);
        assertThat(run("GET k")).isEqualTo(bulk(large));
    }

    @Test
    void otherTypesAreNoStrings() {
        run("RPUSH l a");
        for (String command : new String[] {
            "GET l",
            "GETSET l v",
            "GETDEL l",
            "GETEX l",
            "SET l v GET",
            "STRLEN l",
            "APPEND l x",
            "INCR l",
            "SETRANGE l 0 x",
            "GETRANGE l 0 1"
        }) {
            forget();
            assertThat(run(command)).as(command).isEqualTo(WRONG_TYPE);
            assertThat(tester.effects()).isEmpty();
        }
        assertThat(run("MGET l none")).isEqualTo("*2\r\n$-1\r\n$-1\r\n");
        assertThat(run("TYPE l")).isEqualTo("+list\r\n");
        assertThat(run("SET l v")).isEqualTo(OK);
        assertThat(run("TYPE l")).isEqualTo("+string\r\n");
    }

    @Test
    void setDependsOnWhatIsThere() {
        assertThat(run("SET k v XX")).isEqualTo(NIL);
        assertThat(run("EXISTS k")).isEqualTo(":0\r\n");
        assertThat(run("SET k v nx")).isEqualTo(OK);
        forget();
        assertThat(run("SET k w NX")).isEqualTo(NIL);
        assertThat(tester.effects()).isEmpty();
        assertThat(tester.events()).isEmpty();
        assertThat(run("SET k w xx")).isEqualTo(OK);
        assertThat(tester.effects()).containsExactly("SET k w xx");
        assertThat(run("GET k")).isEqualTo(bulk("w"));
    }

    @Test
    void setAnswersTheOldValue() {
        assertThat(run("SET k v GET")).isEqualTo(NIL);
        assertThat(tester.effects()).containsExactly("SET k v");
        assertThat(run("SET k w NX GET")).isEqualTo(bulk("v"));
        assertThat(run("SET k w XX get GET")).isEqualTo(bulk("v"));
        assertThat(tester.effects()).containsExactly("SET k w XX");
        assertThat(run("SET none w XX GET")).isEqualTo(NIL);
        assertThat(run("GET k")).isEqualTo(bulk("w"));
    }

    @Test
    void setRecordsTheMomentAtWhichTheValueEnds() {
        long now = tester.now();
        forget();
        assertThat(run("SET k v EX 10")).isEqualTo(OK);
        assertThat(run("SET k v PX 10")).isEqualTo(OK);
        assertThat(run("SET k v EXAT 1700000100")).isEqualTo(OK);
        assertThat(run("SET k v NX PX 1 GET")).isEqualTo(bulk("v"));
        assertThat(run("SET k v PXAT 1700000100001")).isEqualTo(OK);
        assertThat(tester.effects())
                .containsExactly(
                        "SET k v PXAT " + (now + 10_000),
                        "SET k v PXAT " + (now + 10),
                        "SET k v PXAT 1700000100000",
                        "SET k v PXAT 1700000100001");
        assertThat(tester.events()).startsWith("new k", "set k", "expire k", "set k", "expire k");
        assertThat(run("PEXPIRETIME k")).isEqualTo(":1700000100001\r\n");
        assertThat(run("SET k w KEEPTTL")).isEqualTo(OK);
        assertThat(run("PEXPIRETIME k")).isEqualTo(":1700000100001\r\n");
        assertThat(run("SET k w")).isEqualTo(OK);
        assertThat(run("PTTL k")).isEqualTo(":-1\r\n");
        assertThat(run("SET other w KEEPTTL")).isEqualTo(OK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET k v EX",
                "SET k v NX XX",
                "SET k v XX NX",
                "SET k v EX 1 PX 1",
                "SET k v EX 1 KEEPTTL",
                "SET k v KEEPTTL PXAT 1",
                "SET k v PERSIST",
                "SET k v what",
                "GETEX k EX 1 PERSIST",
                "GETEX k PERSIST EX 1",
                "GETEX k EX 1 EXAT 1",
                "GETEX k KEEPTTL",
                "GETEX k NX"
            })
    void optionsThatContradictEachOther(String command) {
        assertThat(run(command)).isEqualTo(SYNTAX);
        assertThat(tester.effects()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "9223372036854775807", "9223372036854775"})
    void timesThatCannotBe(String seconds) {
        run("SET k v");
        forget();
        assertThat(run("SET k w EX " + seconds)).isEqualTo("-ERR invalid expire time in 'set' command\r\n");
        assertThat(run("SETEX k " + seconds + " w")).isEqualTo("-ERR invalid expire time in 'setex' command\r\n");
        assertThat(run("GETEX k EX " + seconds)).isEqualTo("-ERR invalid expire time in 'getex' command\r\n");
        assertThat(run("GETEX none EX " + seconds)).isEqualTo(NIL);
        assertThat(run("GET k")).isEqualTo(bulk("v"));
        assertThat(tester.effects()).isEmpty();
    }

    @Test
    void timesThatAreNone() {
        assertThat(run("SET k v EX 1.5")).isEqualTo(NOT_INTEGER);
        assertThat(run("PSETEX k x v")).isEqualTo(NOT_INTEGER);
        assertThat(run("PSETEX k 0 v")).isEqualTo("-ERR invalid expire time in 'psetex' command\r\n");
        assertThat(run("SET k v EX 1 EX 20")).as("the last one counts").isEqualTo(OK);
        assertThat(run("TTL k")).isEqualTo(":20\r\n");
    }

    @Test
    void setExAndItsRelatives() {
        long now = tester.now();
        assertThat(run("SETEX k 10 v")).isEqualTo(OK);
        assertThat(run("PSETEX k 10 v")).isEqualTo(OK);
        assertThat(tester.effects()).containsExactly("SET k v PXAT " + (now + 10_000), "SET k v PXAT " + (now + 10));
        assertThat(tester.events()).containsExactly("new k", "set k", "expire k", "set k", "expire k");
        assertThat(run("SETNX k w")).isEqualTo(":0\r\n");
        tester.advance(10);
        assertThat(run("SETNX k w")).isEqualTo(":1\r\n");
        assertThat(tester.effects()).containsExactly("DEL k", "SETNX k w");
        assertThat(tester.events()).containsExactly("expired k", "new k", "set k");
        assertThat(run("TTL k")).isEqualTo(":-1\r\n");
    }

    @Test
    void getSetIsRecordedAsASet() {
        assertThat(run("GETSET k 1")).isEqualTo(NIL);
        run("EXPIRE k 100");
        forget();
        assertThat(run("GETSET k 2")).isEqualTo(bulk("1"));
        assertThat(tester.effects()).containsExactly("SET k 2");
        assertThat(tester.events()).containsExactly("set k");
        assertThat(run("TTL k")).isEqualTo(":-1\r\n");
    }

    @Test
    void getDelIsRecordedAsADel() {
        assertThat(run("GETDEL k")).isEqualTo(NIL);
        assertThat(tester.effects()).isEmpty();
        run("SET k v");
        forget();
        assertThat(run("GETDEL k")).isEqualTo(bulk("v"));
        assertThat(tester.effects()).containsExactly("DEL k");
        assertThat(tester.events()).containsExactly("del k");
        assertThat(run("EXISTS k")).isEqualTo(":0\r\n");
    }

    @Test
    void getExChangesTheTimeToLiveOnly() {
        long now = tester.now();
        run("SET k v");
        forget();
        assertThat(run("GETEX k")).isEqualTo(bulk("v"));
        assertThat(run("GETEX k PERSIST")).isEqualTo(bulk("v"));
        assertThat(tester.effects()).isEmpty();
        assertThat(run("GETEX k EX 10")).isEqualTo(bulk("v"));
        assertThat(run("GETEX k")).isEqualTo(bulk("v"));
        assertThat(run("TTL k")).isEqualTo(":10\r\n");
        assertThat(run("GETEX k PXAT " + (now + 77))).isEqualTo(bulk("v"));
        assertThat(run("GETEX k PERSIST")).isEqualTo(bulk("v"));
        assertThat(tester.effects())
                .containsExactly("PEXPIREAT k " + (now + 10_000), "PEXPIREAT k " + (now + 77), "PERSIST k");
        assertThat(tester.events()).containsExactly("expire k", "expire k", "persist k");
    }

    @Test
    void getExIntoThePastDeletes() {
        run("SET k v");
        forget();
        assertThat(run("GETEX k EXAT 1")).isEqualTo(bulk("v"));
        assertThat(tester.effects()).containsExactly("DEL k");
        assertThat(tester.events()).containsExactly("del k");
        assertThat(run("GET k")).isEqualTo(NIL);
    }

    @Test
    void severalAtOnce() {
        assertThat(run("MSET a 1 b two a 3")).isEqualTo(OK);
        assertThat(tester.effects()).containsExactly("MSET a 1 b two a 3");
        assertThat(tester.events()).containsExactly("new a", "set a", "new b", "set b", "set a");
        assertThat(run("MGET a none b a")).isEqualTo("*4\r\n$1\r\n3\r\n$-1\r\n$3\r\ntwo\r\n$1\r\n3\r\n");
        assertThat(run("MSETNX c 1 b 2")).isEqualTo(":0\r\n");
        assertThat(run("EXISTS c")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(run("MSETNX c 1 d 2")).isEqualTo(":1\r\n");
        assertThat(tester.effects()).containsExactly("MSETNX c 1 d 2");
        tester.client().session().reply().protocol(3);
        assertThat(run("MGET a none")).isEqualTo("*2\r\n$1\r\n3\r\n_\r\n");
    }

    @Test
    void pairsMustBePairs() {
        assertThat(run("MSET a 1 b")).isEqualTo("-ERR wrong number of arguments for 'mset' command\r\n");
        assertThat(run("MSETNX a 1 b")).isEqualTo("-ERR wrong number of arguments for 'msetnx' command\r\n");
        assertThat(run("MSET a")).isEqualTo("-ERR wrong number of arguments for 'mset' command\r\n");
        assertThat(run("EXISTS a")).isEqualTo(":0\r\n");
    }

    @Test
    void countsHitsAndMisses() {
        run("SET k v");
        tester.engine().stats().reset();
        run("GET k");
        run("GET none");
        run("MGET k none");
        run("EXISTS k");
        run("SET k w");
        assertThat(tester.engine().stats().hits()).isEqualTo(3);
        assertThat(tester.engine().stats().misses()).isEqualTo(2);
    }
}
