package dev.heddle.command.data;

import static dev.heddle.command.data.Wire.SYNTAX;
import static dev.heddle.command.data.Wire.array;
import static dev.heddle.command.data.Wire.bulk;
import static dev.heddle.command.data.Wire.error;
import static dev.heddle.command.data.Wire.set;
import static dev.heddle.command.data.Wire.strings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.config.Settings.Origin;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Union, intersection and difference through the table; the replies are those of redis-server 7.2. */
class SetAlgebraCommandsTest {

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    private void clean() {
        tester.effects();
        tester.events();
    }

    @Test
    void combinesSmallSetsInTheirOrder() {
        run("SADD a z 1 y 2");
        run("SADD b y 3 z");
        run("SADD i 5 3 1");
        assertThat(run("SUNION a b")).isEqualTo(array("z", "1", "y", "2", "3"));
        assertThat(run("SUNION i i")).isEqualTo(array("1", "3", "5"));
        assertThat(run("SINTER a b")).isEqualTo(array("y", "z"));
        assertThat(run("SDIFF a b")).isEqualTo(array("1", "2"));
        assertThat(run("SDIFF a a")).isEqualTo(array());
        assertThat(run("SUNION none")).isEqualTo(array());
        assertThat(run("SINTER a none")).isEqualTo(array());
        assertThat(run("SDIFF none a")).isEqualTo(array());
        assertThat(run("SDIFF a none")).isEqualTo(array("z", "1", "y", "2"));
        tester.client().session().reply().protocol(3);
        assertThat(run("SUNION a")).isEqualTo(set("z", "1", "y", "2"));
        assertThat(run("SINTER none")).isEqualTo(set());
        assertThat(run("SDIFF a b")).isEqualTo(set("1", "2"));
    }

    @Test
    void countsCommonMembers() {
        run("SADD a 1 2 3 x");
        run("SADD b 2 3 x y");
        assertThat(run("SINTERCARD 2 a b")).isEqualTo(":3\r\n");
        assertThat(run("SINTERCARD 2 a b LIMIT 2")).isEqualTo(":2\r\n");
        assertThat(run("SINTERCARD 2 a b limit 0")).isEqualTo(":3\r\n");
        assertThat(run("SINTERCARD 2 a none")).isEqualTo(":0\r\n");
        assertThat(run("SINTERCARD 1 a")).isEqualTo(":4\r\n");
        assertThat(run("SINTERCARD 0 a")).isEqualTo(error("numkeys should be greater than 0"));
        assertThat(run("SINTERCARD x a")).isEqualTo(error("numkeys should be greater than 0"));
        assertThat(run("SINTERCARD 3 a b")).isEqualTo(error("Number of keys can't be greater than number of args"));
        assertThat(run("SINTERCARD 2 a b LIMIT -1")).isEqualTo(error("LIMIT can't be negative"));
        assertThat(run("SINTERCARD 2 a b LIMIT x")).isEqualTo(error("LIMIT can't be negative"));
        assertThat(run("SINTERCARD 2 a b LIMIT")).isEqualTo(SYNTAX);
        assertThat(run("SINTERCARD 1 a b")).isEqualTo(SYNTAX);
    }

    @Test
    void storesResults() {
        run("SADD a 1 2 x");
        run("SADD b 2 3");
        clean();
        assertThat(run("SUNIONSTORE d a b")).isEqualTo(":4\r\n");
        assertThat(run("SMEMBERS d")).isEqualTo(array("1", "2", "x", "3"));
        assertThat(run("SINTERSTORE e a b")).isEqualTo(":1\r\n");
        assertThat(run("SDIFFSTORE f a b")).isEqualTo(":2\r\n");
        assertThat(tester.effects()).containsExactly("SUNIONSTORE d a b", "SINTERSTORE e a b", "SDIFFSTORE f a b");
        assertThat(tester.events())
                .containsExactly("new d", "sunionstore d", "new e", "sinterstore e", "new f", "sdiffstore f");
        assertThat(run("SDIFFSTORE a a b")).isEqualTo(":2\r\n");
        assertThat(run("SMEMBERS a")).isEqualTo(array("1", "x"));
    }

    @Test
    void anEmptyResultDeletesTheDestination() {
        run("SADD a 1");
        run("SADD b 2");
        run("SET d value");
        clean();
        assertThat(run("SINTERSTORE d a b")).isEqualTo(":0\r\n");
        assertThat(tester.events()).containsExactly("del d");
        assertThat(tester.effects()).containsExactly("SINTERSTORE d a b");
        assertThat(run("SDIFFSTORE d a a")).isEqualTo(":0\r\n");
        assertThat(run("SUNIONSTORE d none")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(tester.events()).isEmpty();
    }

    @Test
    void aStoredResultReplacesWhateverWasThere() {
        run("SADD a 1");
        tester.run("SET", "d", "value", "EX", "100");
        assertThat(run("SUNIONSTORE d a")).isEqualTo(":1\r\n");
        assertThat(run("TTL d")).isEqualTo(":-1\r\n");
        assertThat(run("TYPE d")).isEqualTo("+set\r\n");
        run("HSET h f v");
        run("HEXPIRE h 10 FIELDS 1 f");
        run("SUNIONSTORE h a");
        tester.advance(20_000);
        tester.expire();
        assertThat(run("SMEMBERS h")).isEqualTo(array("1"));
    }

    @ParameterizedTest
    @CsvSource({
        "SUNIONSTORE d ints, intset",
        "SUNIONSTORE d ints words, listpack",
        "SUNIONSTORE d table, hashtable",
        "SINTERSTORE d table ints, intset",
        "SINTERSTORE d mixed ints, intset",
        "SINTERSTORE d mixed words, listpack",
        "SDIFFSTORE d mixed words, intset",
        "SDIFFSTORE d ints none, intset"
    })
    void theEncodingOfAResultFollowsItsMembers(String command, String encoding) {
        tester.settings().set(List.of(Map.entry("set-max-listpack-entries", "6")), new Origin(true, false));
        run("SADD ints 1 2 3");
        run("SADD words a b c");
        run("SADD mixed 1 2 a b");
        run("SADD table 1 2 3 a b c d");
        run(command);
        assertThat(run("OBJECT ENCODING d")).isEqualTo(bulk(encoding));
    }

    /** Sets of any size and form, also such as are too large to build a result for: the same members as by plain sets. */
    @Property(tries = 25)
    void agreesWithPlainSets(@ForAll long seed) {
        Random random = new Random(seed);
        CommandTester fresh = new CommandTester();
        List<Set<String>> model = List.of(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        for (int key = 0; key < 3; key++) {
            int size = new int[] {0, 5, 100, 700, 1500, 5000}[random.nextInt(6)];
            for (int i = 0; i < size; i++) {
                String member = (random.nextInt(4) == 0 ? "m" : "") + random.nextInt(size * 2);
                fresh.run("SADD", "" + key, member);
                model.get(key).add(member);
            }
        }
        Set<String> union = new TreeSet<>(model.get(0));
        union.addAll(model.get(1));
        union.addAll(model.get(2));
        Set<String> common = new TreeSet<>(model.get(0));
        common.retainAll(model.get(1));
        common.retainAll(model.get(2));
        Set<String> difference = new TreeSet<>(model.get(0));
        difference.removeAll(model.get(1));
        difference.removeAll(model.get(2));
        check(fresh, "SUNION", union);
        check(fresh, "SINTER", common);
        check(fresh, "SDIFF", difference);
        assertThat(fresh.run("SINTERCARD", "3", "0", "1", "2")).isEqualTo(":" + common.size() + "\r\n");
        assertThat(fresh.run("SINTERCARD", "3", "0", "1", "2", "LIMIT", "3"))
                .isEqualTo(":" + Math.min(3, common.size()) + "\r\n");
        for (int key = 0; key < 3; key++) {
            assertThat(strings(fresh.run("SMEMBERS", "" + key))).containsExactlyInAnyOrderElementsOf(model.get(key));
        }
    }

    private static void check(CommandTester fresh, String command, Set<String> expected) {
        String reply = fresh.run(command, "0", "1", "2");
        assertThat(reply).startsWith("*" + expected.size() + "\r\n");
        assertThat(strings(reply)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(fresh.run(command + "STORE", "d", "0", "1", "2")).isEqualTo(":" + expected.size() + "\r\n");
        assertThat(strings(fresh.run("SMEMBERS", "d"))).containsExactlyInAnyOrderElementsOf(expected);
    }
}
