package dev.heddle.command.data;

import static dev.heddle.command.data.Wire.NIL;
import static dev.heddle.command.data.Wire.NOT_INTEGER;
import static dev.heddle.command.data.Wire.SYNTAX;
import static dev.heddle.command.data.Wire.WRONG_TYPE;
import static dev.heddle.command.data.Wire.array;
import static dev.heddle.command.data.Wire.bulk;
import static dev.heddle.command.data.Wire.error;
import static dev.heddle.command.data.Wire.map;
import static dev.heddle.command.data.Wire.strings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.config.Settings.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hash commands through the table; the replies are those of redis-server 7.2. */
class HashCommandsTest {

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    private void resp3() {
        tester.client().session().reply().protocol(3);
    }

    private void clean() {
        tester.effects();
        tester.events();
    }

    @Test
    void setsAndReadsFields() {
        assertThat(run("HSET h b 1 a two b 3")).isEqualTo(":2\r\n");
        assertThat(run("HSET h a 2 c x")).isEqualTo(":1\r\n");
        assertThat(run("HMSET h d y")).isEqualTo("+OK\r\n");
        assertThat(tester.effects()).containsExactly("HSET h b 1 a two b 3", "HSET h a 2 c x", "HMSET h d y");
        assertThat(tester.events()).containsExactly("new h", "hset h", "hset h", "hset h");
        assertThat(run("HGET h a")).isEqualTo(bulk("2"));
        assertThat(run("HGET h z")).isEqualTo(NIL);
        assertThat(run("HGET none z")).isEqualTo(NIL);
        assertThat(run("HMGET h c z b")).isEqualTo("*3\r\n" + bulk("x") + NIL + bulk("3"));
        assertThat(run("HMGET none c z")).isEqualTo("*2\r\n" + NIL + NIL);
        assertThat(run("HGETALL h")).isEqualTo(array("b", "3", "a", "2", "c", "x", "d", "y"));
        assertThat(run("HKEYS h")).isEqualTo(array("b", "a", "c", "d"));
        assertThat(run("HVALS h")).isEqualTo(array("3", "2", "x", "y"));
        assertThat(run("HLEN h")).isEqualTo(":4\r\n");
        assertThat(run("HEXISTS h a")).isEqualTo(":1\r\n");
        assertThat(run("HEXISTS h z")).isEqualTo(":0\r\n");
        assertThat(run("HSTRLEN h a")).isEqualTo(":1\r\n");
        assertThat(run("HSTRLEN h z")).isEqualTo(":0\r\n");
        resp3();
        assertThat(run("HGETALL h")).isEqualTo(map("b", "3", "a", "2", "c", "x", "d", "y"));
        assertThat(run("HKEYS h")).isEqualTo(array("b", "a", "c", "d"));
        assertThat(run("HGETALL none")).isEqualTo(map());
        assertThat(run("HGET h z")).isEqualTo("_\r\n");
    }

    @Test
    void setsAFieldUnlessItIsThere() {
        assertThat(run("HSETNX h f 1")).isEqualTo(":1\r\n");
        assertThat(run("HSETNX h f 2")).isEqualTo(":0\r\n");
        assertThat(run("HGET h f")).isEqualTo(bulk("1"));
        assertThat(tester.effects()).containsExactly("HSETNX h f 1");
        assertThat(tester.events()).containsExactly("new h", "hset h");
    }

    @Test
    void removesFieldsAndEmptyHashes() {
        run("HSET h a 1 b 2 c 3");
        clean();
        assertThat(run("HDEL h a x a")).isEqualTo(":1\r\n");
        assertThat(run("HDEL h x")).isEqualTo(":0\r\n");
        assertThat(run("HDEL none x")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).containsExactly("HDEL h a x a");
        assertThat(tester.events()).containsExactly("hdel h");
        assertThat(run("HDEL h b c")).isEqualTo(":2\r\n");
        assertThat(tester.events()).containsExactly("hdel h", "del h");
        assertThat(run("EXISTS h")).isEqualTo(":0\r\n");
    }

    @Test
    void countsChangesByField() {
        run("HSET h a 1 b 2 c 3");
        run("HDEL h a b");
        tester.client().session().endBatch();
        assertThat(tester.engine().stats().changes()).isEqualTo(5);
    }

    @Test
    void addsToIntegers() {
        assertThat(run("HINCRBY h n 5")).isEqualTo(":5\r\n");
        assertThat(run("HINCRBY h n -7")).isEqualTo(":-2\r\n");
        assertThat(tester.effects()).containsExactly("HINCRBY h n 5", "HINCRBY h n -7");
        assertThat(tester.events()).containsExactly("new h", "hincrby h", "hincrby h");
        run("HSET h word x max 9223372036854775807");
        assertThat(run("HINCRBY h word 1")).isEqualTo(error("hash value is not an integer"));
        assertThat(run("HINCRBY h n x")).isEqualTo(NOT_INTEGER);
        assertThat(run("HINCRBY h max 1")).isEqualTo(error("increment or decrement would overflow"));
        assertThat(run("HGET h max")).isEqualTo(bulk("9223372036854775807"));
    }

    @Test
    void addsToFloats() {
        assertThat(run("HINCRBYFLOAT h n 10.5")).isEqualTo(bulk("10.5"));
        assertThat(run("HINCRBYFLOAT h n 0.1")).isEqualTo(bulk("10.6"));
        assertThat(run("HINCRBYFLOAT h n 5.0e3")).isEqualTo(bulk("5010.60000000000000009"));
        assertThat(tester.effects())
                .containsExactly("HSET h n 10.5", "HSET h n 10.6", "HSET h n 5010.60000000000000009");
        assertThat(tester.events()).containsExactly("new h", "hincrbyfloat h", "hincrbyfloat h", "hincrbyfloat h");
        run("HSET h word x huge inf");
        assertThat(run("HINCRBYFLOAT h word 1")).isEqualTo(error("hash value is not a float"));
        assertThat(run("HINCRBYFLOAT h n x")).isEqualTo(error("value is not a valid float"));
        assertThat(run("HINCRBYFLOAT h n inf")).isEqualTo(error("value is NaN or Infinity"));
        assertThat(run("HINCRBYFLOAT h huge 1")).isEqualTo(error("increment would produce NaN or Infinity"));
        assertThat(run("HINCRBYFLOAT none x")).isEqualTo(error("wrong number of arguments for 'hincrbyfloat' command"));
    }

    @ParameterizedTest
    @CsvSource({
        "HSET h a 1 b 2 c 3, listpack",
        "HSET h a 1 b 2 c 3 d 4, hashtable",
        "HSET h a 1 a 2 a 3 a 4, hashtable",
        "HSET h a 12345, listpack",
        "HSET h a 123456, hashtable",
        "HSETNX h abcdef 1, hashtable",
        "HINCRBY h a 1234567, hashtable"
    })
    void theEncodingFollowsTheSettings(String command, String encoding) {
        Origin origin = new Origin(true, false);
        tester.settings().set(List.of(Map.entry("hash-max-listpack-entries", "3")), origin);
        tester.settings().set(List.of(Map.entry("hash-max-listpack-value", "5")), origin);
        run(command);
        assertThat(run("OBJECT ENCODING h")).isEqualTo(bulk(encoding));
    }

    @Test
    void scansTheWholeHash() {
        assertThat(run("HSCAN none 0")).isEqualTo("*2\r\n" + bulk("0") + array());
        run("HSET small b 1 a 2");
        assertThat(run("HSCAN small 0 COUNT 1")).isEqualTo("*2\r\n" + bulk("0") + array("b", "1", "a", "2"));
        assertThat(run("HSCAN small 0 MATCH a*")).isEqualTo("*2\r\n" + bulk("0") + array("a", "2"));
        assertThat(run("HSCAN small 0 NOVALUES")).isEqualTo("*2\r\n" + bulk("0") + array("b", "a"));
        assertThat(run("HSCAN small 0 FOO")).isEqualTo(SYNTAX);
        assertThat(run("HSCAN small -x")).isEqualTo(error("invalid cursor"));
        Set<String> expected = new TreeSet<>();
        for (int i = 0; i < 1000; i++) {
            tester.run("HSET", "large", "f" + i, "v" + i);
            expected.add("f" + i + "=v" + i);
        }
        List<String> found = new ArrayList<>();
        String cursor = "0";
        do {
            List<String> reply = strings(tester.run("HSCAN", "large", cursor, "COUNT", "13"));
            cursor = reply.getFirst();
            for (int i = 1; i < reply.size(); i += 2) {
                found.add(reply.get(i) + "=" + reply.get(i + 1));
            }
        } while (!cursor.equals("0"));
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void answersRandomFields() {
        run("HSET h a 1 b 2 c 3");
        clean();
        Set<String> seen = new TreeSet<>();
        for (int i = 0; i < 100; i++) {
            seen.addAll(strings(run("HRANDFIELD h")));
        }
        assertThat(seen).containsExactly("a", "b", "c");
        assertThat(run("HRANDFIELD h 5")).isEqualTo(array("a", "b", "c"));
        assertThat(run("HRANDFIELD h 5 WITHVALUES")).isEqualTo(array("a", "1", "b", "2", "c", "3"));
        assertThat(strings(run("HRANDFIELD h 2"))).hasSize(2).doesNotHaveDuplicates();
        assertThat(strings(run("HRANDFIELD h -20"))).hasSize(20).containsOnly("a", "b", "c");
        assertThat(run("HRANDFIELD h -3 withvalues")).startsWith("*6\r\n");
        assertThat(run("HRANDFIELD h 0 WITHVALUES")).isEqualTo(array());
        assertThat(run("HRANDFIELD none")).isEqualTo(NIL);
        assertThat(run("HRANDFIELD none 3")).isEqualTo(array());
        resp3();
        assertThat(run("HRANDFIELD h 3 WITHVALUES"))
                .isEqualTo("*3\r\n" + array("a", "1") + array("b", "2") + array("c", "3"));
        assertThat(run("HRANDFIELD h -2 WITHVALUES")).startsWith("*2\r\n*2\r\n$1\r\n");
        assertThat(run("HRANDFIELD h 2")).startsWith("*2\r\n$1\r\n");
        assertThat(run("HRANDFIELD h x")).isEqualTo(NOT_INTEGER);
        assertThat(run("HRANDFIELD h 1 FOO")).isEqualTo(SYNTAX);
        assertThat(run("HRANDFIELD h 1 WITHVALUES X")).isEqualTo(SYNTAX);
        assertThat(run("HRANDFIELD h 9223372036854775807 WITHVALUES")).isEqualTo(error("value is out of range"));
        assertThat(tester.effects()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 400, 999})
    void answersDifferentRandomFieldsOfALargeHash(int count) {
        for (int i = 0; i < 1000; i++) {
            tester.run("HSET", "h", "f" + i, "v" + i);
        }
        List<String> pairs = strings(tester.run("HRANDFIELD", "h", "" + count, "WITHVALUES"));
        Set<String> fields = new TreeSet<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            assertThat(pairs.get(i + 1)).isEqualTo("v" + pairs.get(i).substring(1));
            fields.add(pairs.get(i));
        }
        assertThat(fields).hasSize(count);
        assertThat(pairs).hasSize(2 * count);
    }

    @Test
    void answersALargeHashFromACopy() {
        Set<String> expected = new TreeSet<>();
        for (int i = 0; i < 5000; i++) {
            tester.run("HSET", "h", "f" + i, "v" + i);
            expected.add("f" + i);
            expected.add("v" + i);
        }
        run("HPEXPIRE h 10 FIELDS 1 f7");
        assertThat(strings(run("HGETALL h"))).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(strings(run("HKEYS h"))).hasSize(5000).contains("f7");
        tester.advance(10);
        expected.removeAll(Set.of("f7", "v7"));
        assertThat(strings(run("HGETALL h"))).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(strings(run("HVALS h"))).hasSize(4999).doesNotContain("v7");
        assertThat(run("HSET h f7 again")).isEqualTo(":1\r\n");
    }

    @Test
    void refusesHalfAPair() {
        assertThat(run("HSET h a 1 b")).isEqualTo(error("wrong number of arguments for 'hset' command"));
        assertThat(run("HMSET h a 1 b")).isEqualTo(error("wrong number of arguments for 'hmset' command"));
        assertThat(run("EXISTS h")).isEqualTo(":0\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HSET str a 1",
                "HMSET str a 1",
                "HSETNX str a 1",
                "HGET str a",
                "HMGET str a",
                "HGETALL str",
                "HKEYS str",
                "HVALS str",
                "HLEN str",
                "HEXISTS str a",
                "HSTRLEN str a",
                "HDEL str a",
                "HINCRBY str a 1",
                "HINCRBYFLOAT str a 1",
                "HSCAN str 0",
                "HRANDFIELD str",
                "HRANDFIELD str 1",
                "HEXPIRE str 1 FIELDS 1 a",
                "HTTL str FIELDS 1 a",
                "HPERSIST str FIELDS 1 a",
                "HGETDEL str FIELDS 1 a",
                "HGETEX str FIELDS 1 a",
                "HSETEX str FIELDS 1 a 1"
            })
    void refusesOtherTypes(String command) {
        run("SET str value");
        clean();
        assertThat(run(command)).isEqualTo(WRONG_TYPE);
        assertThat(tester.effects()).isEmpty();
    }
}
