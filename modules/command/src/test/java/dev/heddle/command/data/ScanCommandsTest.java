package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Walks through all keys, through the table; the replies are those of redis-server 7.2, but for the order of keys. */
class ScanCommandsTest {

    private static final String SYNTAX = "-ERR syntax error\r\n";

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    /** The bulk strings of a reply, in order. */
    private static List<String> bulks(String reply) {
        List<String> lines = Arrays.asList(reply.split("\r\n"));
        List<String> bulks = new ArrayList<>();
        for (int i = 0; i + 1 < lines.size(); i++) {
            if (lines.get(i).startsWith("$")) {
                bulks.add(lines.get(i + 1));
            }
        }
        return bulks;
    }

    /** All keys that a whole scan answers. */
    private List<String> scanAll(String options) {
        List<String> keys = new ArrayList<>();
        String cursor = "0";
        do {
            List<String> reply = bulks(run("SCAN " + cursor + options));
            cursor = reply.getFirst();
            keys.addAll(reply.subList(1, reply.size()));
        } while (!cursor.equals("0"));
        return keys;
    }

    @Test
    void keys() {
        assertThat(run("KEYS *")).isEqualTo("*0\r\n");
        run("MSET hello 1 hallo 2 world 3");
        assertThat(run("KEYS *")).startsWith("*3\r\n");
        assertThat(bulks(run("KEYS h?llo"))).containsExactlyInAnyOrder("hello", "hallo");
        assertThat(run("KEYS w*")).isEqualTo("*1\r\n$5\r\nworld\r\n");
        assertThat(run("KEYS x*")).isEqualTo("*0\r\n");
    }

    @Test
    void keysOfThisDatabaseThatHaveNotExpired() {
        CommandTester.Client other = tester.connect();
        other.session().database(1);
        other.run("SET", "elsewhere", "v");
        run("SET gone v PX 5");
        run("SET k v");
        tester.advance(5);
        assertThat(run("KEYS *")).isEqualTo("*1\r\n$1\r\nk\r\n");
        assertThat(run("DBSIZE")).as("KEYS removes nothing").isEqualTo(":2\r\n");
    }

    @Test
    void aSmallDatabaseComesAtOnce() {
        assertThat(run("SCAN 0")).isEqualTo("*2\r\n$1\r\n0\r\n*0\r\n");
        run("MSET a 1 b 2 c 3");
        assertThat(bulks(run("SCAN 0"))).containsExactlyInAnyOrder("0", "a", "b", "c");
        assertThat(bulks(run("SCAN 0 MATCH [ab]"))).containsExactlyInAnyOrder("0", "a", "b");
    }

    @Test
    void filters() {
        run("MSET a 1 b 2");
        run("RPUSH list x");
        run("SADD set x");
        assertThat(scanAll(" TYPE list")).containsExactly("list");
        assertThat(scanAll(" type STRING MATCH a*")).containsExactly("a");
        assertThat(scanAll(" TYPE unknown")).isEmpty();
        assertThat(scanAll(" COUNT 1")).containsExactlyInAnyOrder("a", "b", "list", "set");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1x", " 0", "-", "+", "18446744073709551616", "0x10", "1.0"})
    void cursorsThatAreNone(String cursor) {
        assertThat(tester.run("SCAN", cursor)).isEqualTo("-ERR invalid cursor\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "+0", "-1", "00", "18446744073709551615", "9223372036854775808", "77777"})
    void cursorsThatNobodyHasGivenOut(String cursor) {
        run("SET k v");
        assertThat(tester.run("SCAN", cursor)).startsWith("*2\r\n$");
    }

    @Test
    void badOptions() {
        assertThat(run("SCAN 0 COUNT 0")).isEqualTo(SYNTAX);
        assertThat(run("SCAN 0 COUNT -5")).isEqualTo(SYNTAX);
        assertThat(run("SCAN 0 COUNT x")).isEqualTo("-ERR value is not an integer or out of range\r\n");
        assertThat(run("SCAN 0 COUNT")).isEqualTo(SYNTAX);
        assertThat(run("SCAN 0 WHAT 1")).isEqualTo(SYNTAX);
        assertThat(run("SCAN x WHAT")).isEqualTo("-ERR invalid cursor\r\n");
    }

    @Test
    void countIsAboutHowMany() {
        for (int i = 0; i < 3000; i++) {
            run("SET k" + i + " v");
        }
        assertThat(bulks(run("SCAN 0 COUNT 100"))).hasSizeBetween(101, 130);
        assertThat(bulks(run("SCAN 0 COUNT 9223372036854775807"))).hasSize(3001).contains("0");
        assertThat(scanAll("")).hasSize(3000).doesNotHaveDuplicates();
    }

    @Test
    void removesTheExpiredKeysThatItMeets() {
        run("SET gone v PX 5");
        run("HSET hash f v");
        run("PEXPIRE hash 5");
        run("SET k v");
        tester.advance(5);
        tester.effects();
        assertThat(bulks(run("SCAN 0"))).containsExactlyInAnyOrder("0", "k");
        assertThat(tester.effects()).containsExactlyInAnyOrder("DEL gone", "DEL hash");
        assertThat(run("DBSIZE")).isEqualTo(":1\r\n");
    }

    /** Other keys come and go between the calls. */
    @Property(tries = 20)
    void seesAllWhoStay(@ForAll long seed, @ForAll @IntRange(max = 500) int staying) {
        run("FLUSHALL");
        Random random = new Random(seed);
        Set<String> unseen = new HashSet<>();
        for (int i = 0; i < staying; i++) {
            run("SET s" + i + " v");
            unseen.add("s" + i);
        }
        int guests = 0;
        String cursor = "0";
        do {
            for (int i = random.nextInt(100); i > 0; i--) {
                run(random.nextInt(3) > 0 ? "SET g" + guests++ + " v" : "DEL g" + random.nextInt(guests + 1));
            }
            List<String> reply = bulks(run("SCAN " + cursor + " COUNT " + (1 + random.nextInt(50))));
            cursor = reply.getFirst();
            unseen.removeAll(reply.subList(1, reply.size()));
        } while (!cursor.equals("0"));
        assertThat(unseen).isEmpty();
    }
}
