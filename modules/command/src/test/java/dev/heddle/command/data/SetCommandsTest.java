package dev.heddle.command.data;

import static dev.heddle.command.data.Wire.NIL;
import static dev.heddle.command.data.Wire.NOT_INTEGER;
import static dev.heddle.command.data.Wire.SYNTAX;
import static dev.heddle.command.data.Wire.WRONG_TYPE;
import static dev.heddle.command.data.Wire.array;
import static dev.heddle.command.data.Wire.bulk;
import static dev.heddle.command.data.Wire.error;
import static dev.heddle.command.data.Wire.integers;
import static dev.heddle.command.data.Wire.set;
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

/** The set commands through the table; the replies are those of redis-server 7.2. */
class SetCommandsTest {

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    private void resp3() {
        tester.client().session().reply().protocol(3);
    }

    private void setting(String name, String value) {
        tester.settings().set(List.of(Map.entry(name, value)), new Origin(true, false));
    }

    private void clean() {
        tester.effects();
        tester.events();
    }

    @Test
    void addsMembersOnce() {
        assertThat(run("SADD s b a b")).isEqualTo(":2\r\n");
        assertThat(run("SADD s a c")).isEqualTo(":1\r\n");
        assertThat(run("SMEMBERS s")).isEqualTo(array("b", "a", "c"));
        assertThat(tester.effects()).containsExactly("SADD s b a b", "SADD s a c");
        assertThat(tester.events()).containsExactly("new s", "sadd s", "sadd s");
        assertThat(run("SADD s a")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(tester.events()).isEmpty();
        assertThat(run("SCARD s")).isEqualTo(":3\r\n");
        resp3();
        assertThat(run("SMEMBERS s")).isEqualTo(set("b", "a", "c"));
        assertThat(run("SMEMBERS none")).isEqualTo(set());
    }

    @Test
    void removesMembersAndEmptySets() {
        run("SADD s a b c");
        clean();
        assertThat(run("SREM s b x b")).isEqualTo(":1\r\n");
        assertThat(run("SREM s x")).isEqualTo(":0\r\n");
        assertThat(run("SREM none x")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).containsExactly("SREM s b x b");
        assertThat(tester.events()).containsExactly("srem s");
        assertThat(run("SREM s a c d")).isEqualTo(":2\r\n");
        assertThat(tester.events()).containsExactly("srem s", "del s");
        assertThat(run("EXISTS s")).isEqualTo(":0\r\n");
    }

    @Test
    void countsChangesByMember() {
        run("SADD s a b c");
        run("SREM s a b");
        tester.client().session().endBatch();
        assertThat(tester.engine().stats().changes()).isEqualTo(5);
    }

    @Test
    void tellsMembership() {
        run("SADD s 1 2 x");
        assertThat(run("SISMEMBER s 2")).isEqualTo(":1\r\n");
        assertThat(run("SISMEMBER s 02")).isEqualTo(":0\r\n");
        assertThat(run("SISMEMBER none 2")).isEqualTo(":0\r\n");
        assertThat(run("SMISMEMBER s x y 1")).isEqualTo(integers(1, 0, 1));
        assertThat(run("SMISMEMBER none x y")).isEqualTo(integers(0, 0));
    }

    @Test
    void movesAMember() {
        run("SADD a 1 2");
        run("SADD b 2 3");
        clean();
        assertThat(run("SMOVE a b 9")).isEqualTo(":0\r\n");
        assertThat(run("SMOVE none b 9")).isEqualTo(":0\r\n");
        assertThat(run("SMOVE a a 1")).isEqualTo(":1\r\n");
        assertThat(run("SMOVE a a 9")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(run("SMOVE a b 2")).isEqualTo(":1\r\n");
        assertThat(tester.events()).containsExactly("srem a");
        assertThat(run("SMOVE a c 1")).isEqualTo(":1\r\n");
        assertThat(tester.events()).containsExactly("srem a", "del a", "new c", "sadd c");
        assertThat(tester.effects()).containsExactly("SMOVE a b 2", "SMOVE a c 1");
        assertThat(run("SMEMBERS b")).isEqualTo(array("2", "3"));
        assertThat(run("SMEMBERS c")).isEqualTo(array("1"));
    }

    @ParameterizedTest
    @CsvSource({
        "1 2 3, intset",
        "1 2 3 4, hashtable",
        "a 1, listpack",
        "1 a, listpack",
        "a b c d, listpack",
        "a b c d e, hashtable",
        "a abcdefgh, hashtable"
    })
    void theEncodingFollowsTheSettings(String members, String encoding) {
        setting("set-max-intset-entries", "3");
        setting("set-max-listpack-entries", "4");
        setting("set-max-listpack-value", "7");
        for (String member : members.split(" ")) {
            tester.run("SADD", "s", member);
        }
        assertThat(run("OBJECT ENCODING s")).isEqualTo(bulk(encoding));
        assertThat(strings(run("SMEMBERS s"))).containsExactlyInAnyOrder(members.split(" "));
    }

    @Test
    void manyArgumentsLeaveTheCompactFormAtOnce() {
        setting("set-max-intset-entries", "3");
        run("SADD s 1");
        run("SADD s 1 1 1 1");
        assertThat(run("OBJECT ENCODING s")).isEqualTo(bulk("hashtable"));
    }

    @Test
    void scansTheWholeSet() {
        assertThat(run("SSCAN none 0")).isEqualTo("*2\r\n" + bulk("0") + array());
        assertThat(run("SSCAN none 0 NONSENSE")).isEqualTo("*2\r\n" + bulk("0") + array());
        run("SADD small b 2 a");
        assertThat(run("SSCAN small 0 COUNT 1")).isEqualTo("*2\r\n" + bulk("0") + array("b", "2", "a"));
        assertThat(run("SSCAN small 0 MATCH [ab]")).isEqualTo("*2\r\n" + bulk("0") + array("b", "a"));
        Set<String> expected = new TreeSet<>();
        for (int i = 0; i < 1000; i++) {
            tester.run("SADD", "large", "m" + i);
            expected.add("m" + i);
        }
        assertThat(scan("large", "COUNT", "7")).containsExactlyInAnyOrderElementsOf(expected);
        expected.removeIf(member -> !member.endsWith("5"));
        assertThat(scan("large", "MATCH", "*5", "COUNT", "100")).containsExactlyInAnyOrderElementsOf(expected);
    }

    private List<String> scan(String key, String... options) {
        List<String> found = new ArrayList<>();
        String cursor = "0";
        do {
            List<String> command = new ArrayList<>(List.of("SSCAN", key, cursor));
            command.addAll(List.of(options));
            List<String> reply = strings(tester.run(command.toArray(new String[0])));
            cursor = reply.getFirst();
            found.addAll(reply.subList(1, reply.size()));
        } while (!cursor.equals("0"));
        return found;
    }

    @Test
    void refusesBadScans() {
        run("SADD s a");
        assertThat(run("SSCAN s x")).isEqualTo(error("invalid cursor"));
        assertThat(run("SSCAN s 0 COUNT")).isEqualTo(SYNTAX);
        assertThat(run("SSCAN s 0 COUNT 0")).isEqualTo(SYNTAX);
        assertThat(run("SSCAN s 0 COUNT x")).isEqualTo(NOT_INTEGER);
        assertThat(run("SSCAN s 0 NOVALUES")).isEqualTo(SYNTAX);
    }

    @Test
    void popsOneMember() {
        run("SADD s a b c");
        clean();
        String popped = strings(run("SPOP s")).getFirst();
        assertThat(run("SISMEMBER s " + popped)).isEqualTo(":0\r\n");
        assertThat(tester.effects()).containsExactly("SREM s " + popped);
        assertThat(tester.events()).containsExactly("spop s");
        run("SPOP s");
        clean();
        String last = strings(run("SPOP s")).getFirst();
        assertThat(tester.effects()).containsExactly("SREM s " + last);
        assertThat(tester.events()).containsExactly("spop s", "del s");
        assertThat(run("SPOP s")).isEqualTo(NIL);
        assertThat(run("SPOP s 3")).isEqualTo(array());
        assertThat(tester.effects()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"10, 3", "10, 8", "500, 20", "500, 480", "3000, 1500", "3000, 2999"})
    void popsSeveralMembers(int size, int count) {
        for (String prefix : List.of("", "m")) {
            String key = "s" + prefix;
            Set<String> members = new TreeSet<>();
            for (int i = 0; i < size; i++) {
                tester.run("SADD", key, prefix + i);
                members.add(prefix + i);
            }
            clean();
            List<String> popped = strings(tester.run("SPOP", key, "" + count));
            assertThat(popped).hasSize(count).doesNotHaveDuplicates().isSubsetOf(members);
            popped.forEach(members::remove);
            assertThat(strings(run("SMEMBERS " + key))).containsExactlyInAnyOrderElementsOf(members);
            List<String> recorded = new ArrayList<>();
            for (String effect : tester.effects()) {
                assertThat(effect).startsWith("SREM " + key + " ");
                recorded.addAll(List.of(effect.substring(6 + key.length()).split(" ")));
            }
            assertThat(recorded).isEqualTo(popped);
            assertThat(tester.events()).containsExactly("spop " + key);
        }
    }

    @Test
    void popsAllMembers() {
        run("SADD s a b c");
        clean();
        assertThat(run("SPOP s 0")).isEqualTo(array());
        assertThat(tester.effects()).isEmpty();
        resp3();
        assertThat(run("SPOP s 3")).isEqualTo(set("a", "b", "c"));
        assertThat(tester.effects()).containsExactly("DEL s");
        assertThat(tester.events()).containsExactly("spop s", "del s");
        assertThat(run("SPOP s 2")).isEqualTo(set());
        assertThat(run("SPOP s")).isEqualTo("_\r\n");
    }

    @Test
    void answersRandomMembers() {
        run("SADD s a b c 4");
        clean();
        Set<String> seen = new TreeSet<>();
        for (int i = 0; i < 100; i++) {
            seen.addAll(strings(run("SRANDMEMBER s")));
        }
        assertThat(seen).containsExactly("4", "a", "b", "c");
        assertThat(strings(run("SRANDMEMBER s 2"))).hasSize(2).doesNotHaveDuplicates();
        assertThat(run("SRANDMEMBER s 9")).isEqualTo(array("a", "b", "c", "4"));
        assertThat(strings(run("SRANDMEMBER s -30"))).hasSize(30).containsOnly("a", "b", "c", "4");
        assertThat(run("SRANDMEMBER s 0")).isEqualTo(array());
        assertThat(run("SRANDMEMBER none")).isEqualTo(NIL);
        assertThat(run("SRANDMEMBER none 2")).isEqualTo(array());
        assertThat(tester.effects()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 400, 700, 999})
    void answersDifferentRandomMembersOfALargeSet(int count) {
        for (int i = 0; i < 1000; i++) {
            tester.run("SADD", "s", "m" + i);
        }
        assertThat(strings(tester.run("SRANDMEMBER", "s", "" + count)))
                .hasSize(count)
                .doesNotHaveDuplicates()
                .allMatch(member -> tester.run("SISMEMBER", "s", member).equals(":1\r\n"));
    }

    @Test
    void refusesBadCounts() {
        run("SADD s a");
        assertThat(run("SPOP s -1")).isEqualTo(error("value is out of range, must be positive"));
        assertThat(run("SPOP s x")).isEqualTo(error("value is out of range, must be positive"));
        assertThat(run("SPOP s 1 2")).isEqualTo(SYNTAX);
        assertThat(run("SRANDMEMBER s x")).isEqualTo(NOT_INTEGER);
        assertThat(run("SRANDMEMBER s 1 2")).isEqualTo(SYNTAX);
        assertThat(run("SRANDMEMBER s -9223372036854775808"))
                .isEqualTo(error(
                        "value is out of range, value must between" + " -9223372036854775807 and 9223372036854775807"));
        assertThat(run("SRANDMEMBER s -9223372036854775807")).isEqualTo(error("value is out of range"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SADD str a",
                "SREM str a",
                "SMOVE str s a",
                "SMOVE s str a",
                "SMEMBERS str",
                "SISMEMBER str a",
                "SMISMEMBER str a",
                "SCARD str",
                "SSCAN str 0",
                "SPOP str",
                "SPOP str 2",
                "SRANDMEMBER str",
                "SRANDMEMBER str 2",
                "SINTER none str",
                "SUNION s str",
                "SDIFF s str",
                "SINTERCARD 2 s str",
                "SINTERSTORE d str",
                "SUNIONSTORE d s str",
                "SDIFFSTORE d s str"
            })
    void refusesOtherTypes(String command) {
        run("SET str value");
        run("SADD s a");
        clean();
        assertThat(run(command)).isEqualTo(WRONG_TYPE);
        assertThat(tester.effects()).isEmpty();
        assertThat(run("EXISTS d")).isEqualTo(":0\r\n");
        assertThat(run("SMEMBERS s")).isEqualTo(array("a"));
    }
}
