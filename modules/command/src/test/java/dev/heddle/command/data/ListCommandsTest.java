package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The list commands through the table; the replies are those of redis-server 7.2. */
class ListCommandsTest {

    private static final String WRONG_TYPE = "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";
    private static final String NOT_INTEGER = "-ERR value is not an integer or out of range\r\n";
    private static final String SYNTAX = "-ERR syntax error\r\n";
    private static final String NIL = "$-1\r\n";

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    /** An array of bulk strings. */
    private static String array(String... elements) {
        StringBuilder text = new StringBuilder("*" + elements.length + "\r\n");
        for (String element : elements) {
            text.append(bulk(element));
        }
        return text.toString();
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    private void resp3() {
        tester.client().session().reply().protocol(3);
    }

    @Test
    void pushesAtBothEndsOneAfterTheOther() {
        assertThat(run("LPUSH l a b c")).isEqualTo(":3\r\n");
        assertThat(run("RPUSH l 1 2")).isEqualTo(":5\r\n");
        assertThat(run("LRANGE l 0 -1")).isEqualTo(array("c", "b", "a", "1", "2"));
        assertThat(tester.effects()).containsExactly("LPUSH l a b c", "RPUSH l 1 2");
        assertThat(tester.events()).containsExactly("new l", "lpush l", "rpush l");
        assertThat(run("LLEN l")).isEqualTo(":5\r\n");
    }

    @Test
    void pushesOntoExistingListsOnly() {
        assertThat(run("LPUSHX l a")).isEqualTo(":0\r\n");
        assertThat(run("RPUSHX l a")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
        run("RPUSH l m");
        assertThat(run("LPUSHX l a b")).isEqualTo(":3\r\n");
        assertThat(run("RPUSHX l z")).isEqualTo(":4\r\n");
        assertThat(run("LRANGE l 0 -1")).isEqualTo(array("b", "a", "m", "z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LPUSH s a",
                "RPUSH s a",
                "LPUSHX s a",
                "RPUSHX s a",
                "LPOP s",
                "LPOP s 0",
                "RPOP s 1",
                "LLEN s",
                "LINDEX s x",
                "LRANGE s 0 1",
                "LSET s x a",
                "LINSERT s BEFORE a b",
                "LREM s 1 a",
                "LTRIM s 0 1",
                "LPOS s a",
                "LMOVE s l LEFT LEFT",
                "LMOVE l s LEFT LEFT",
                "RPOPLPUSH l s",
                "LMPOP 2 no s LEFT",
                "LMPOP 2 s l LEFT",
                "SORT h"
            })
    void refusesOtherTypes(String command) {
        run("SET s value");
        run("SET h value");
        run("RPUSH l x");
        tester.effects();
        tester.events();
        assertThat(run(command)).isEqualTo(WRONG_TYPE);
        assertThat(run("LRANGE l 0 -1")).isEqualTo(array("x"));
        assertThat(tester.effects()).isEmpty();
        assertThat(tester.events()).isEmpty();
    }

    @Test
    void popsOneOrSeveral() {
        run("RPUSH l a b c d e f");
        tester.effects();
        tester.events();
        assertThat(run("LPOP l")).isEqualTo(bulk("a"));
        assertThat(run("RPOP l")).isEqualTo(bulk("f"));
        assertThat(run("LPOP l 0")).isEqualTo("*0\r\n");
        assertThat(run("RPOP l 2")).isEqualTo(array("e", "d"));
        assertThat(run("LPOP l 9223372036854775807")).isEqualTo(array("b", "c"));
        assertThat(run("LLEN l")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).containsExactly("LPOP l", "RPOP l", "RPOP l 2", "LPOP l 9223372036854775807");
        assertThat(tester.events()).containsExactly("lpop l", "rpop l", "rpop l", "lpop l", "del l");
    }

    @Test
    void poppingNothingAnswersNil() {
        assertThat(run("LPOP no")).isEqualTo(NIL);
        assertThat(run("RPOP no 2")).isEqualTo("*-1\r\n");
        assertThat(run("LMPOP 1 no LEFT")).isEqualTo("*-1\r\n");
        assertThat(run("LMOVE no l LEFT LEFT")).isEqualTo(NIL);
        resp3();
        assertThat(run("LPOP no")).isEqualTo("_\r\n");
        assertThat(run("RPOP no 2")).isEqualTo("_\r\n");
        assertThat(run("LMPOP 1 no LEFT")).isEqualTo("_\r\n");
        assertThat(run("RPOPLPUSH no l")).isEqualTo("_\r\n");
        assertThat(run("LINDEX no 0")).isEqualTo("_\r\n");
        assertThat(run("LPOS no a")).isEqualTo("_\r\n");
        assertThat(tester.effects()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    LPOP l -1                          | ERR value is out of range, must be positive
                    LPOP l x                           | ERR value is out of range, must be positive
                    LPOP l 1 2                         | ERR wrong number of arguments for 'lpop' command
                    RPOP l 1 2                         | ERR wrong number of arguments for 'rpop' command
                    LINDEX l x                         | ERR value is not an integer or out of range
                    LRANGE no x 1                      | ERR value is not an integer or out of range
                    LRANGE l 0 1.5                     | ERR value is not an integer or out of range
                    LTRIM no 0 x                       | ERR value is not an integer or out of range
                    LREM no x a                        | ERR value is not an integer or out of range
                    LSET no x a                        | ERR no such key
                    LSET l x a                         | ERR value is not an integer or out of range
                    LSET l 1 a                         | ERR index out of range
                    LSET l -2 a                        | ERR index out of range
                    LINSERT no BESIDE a b              | ERR syntax error
                    LPOS l a RANK 0                    | ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start from the end of the list
                    LPOS l a RANK -9223372036854775808 | ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807
                    LPOS l a RANK x                    | ERR value is not an integer or out of range
                    LPOS l a COUNT -1                  | ERR COUNT can't be negative
                    LPOS l a COUNT x                   | ERR COUNT can't be negative
                    LPOS l a MAXLEN -1                 | ERR MAXLEN can't be negative
                    LPOS l a MAXLEN                    | ERR syntax error
                    LPOS l a OTHER 1                   | ERR syntax error
                    LMPOP 0 l LEFT                     | ERR numkeys should be greater than 0
                    LMPOP x l LEFT                     | ERR numkeys should be greater than 0
                    LMPOP 2 l LEFT                     | ERR syntax error
                    LMPOP 1 l UP                       | ERR syntax error
                    LMPOP 1 l LEFT COUNT 0             | ERR count should be greater than 0
                    LMPOP 1 l LEFT COUNT x             | ERR count should be greater than 0
                    LMPOP 1 l LEFT COUNT               | ERR syntax error
                    LMPOP 1 l LEFT COUNT 1 COUNT 1     | ERR syntax error
                    LMPOP 1 l LEFT AMOUNT 1            | ERR syntax error
                    LMOVE no l UP LEFT                 | ERR syntax error
                    LMOVE no l LEFT UP                 | ERR syntax error
                    """)
    void refusesBadArguments(String command, String error) {
        run("RPUSH l a");
        tester.effects();
        assertThat(run(command)).isEqualTo("-" + error + "\r\n");
        assertThat(run("LRANGE l 0 -1")).isEqualTo(array("a"));
        assertThat(tester.effects()).isEmpty();
    }

    @Test
    void looksUpMissingKeysBeforeIndexes() {
        assertThat(run("LINDEX no x")).isEqualTo(NIL);
        run("RPUSH l a");
        assertThat(run("LINDEX l x")).isEqualTo(NOT_INTEGER);
    }

    @Test
    void readsByIndexAndRange() {
        run("RPUSH l a 12 c");
        assertThat(run("LINDEX l 0")).isEqualTo(bulk("a"));
        assertThat(run("LINDEX l -2")).isEqualTo(bulk("12"));
        assertThat(run("LINDEX l 3")).isEqualTo(NIL);
        assertThat(run("LINDEX l -4")).isEqualTo(NIL);
        assertThat(run("LINDEX l 9223372036854775807")).isEqualTo(NIL);
        assertThat(run("LRANGE l -100 100")).isEqualTo(array("a", "12", "c"));
        assertThat(run("LRANGE l 1 1")).isEqualTo(array("12"));
        assertThat(run("LRANGE l -1 -2")).isEqualTo("*0\r\n");
        assertThat(run("LRANGE l 3 9")).isEqualTo("*0\r\n");
        assertThat(run("LRANGE l -9223372036854775808 9223372036854775807")).isEqualTo(array("a", "12", "c"));
        assertThat(run("LRANGE no 0 -1")).isEqualTo("*0\r\n");
    }

    @Test
    void readsLongRanges() {
        String[] words = new String[10_002];
        words[0] = "RPUSH";
        words[1] = "l";
        String[] elements = new String[10_000];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = "element " + i;
            words[i + 2] = elements[i];
        }
        tester.run(words);
        assertThat(run("LRANGE l 0 -1")).isEqualTo(array(elements));
        assertThat(run("LRANGE l 100 9000")).isEqualTo(array(Arrays.copyOfRange(elements, 100, 9001)));
        assertThat(run("LLEN l")).isEqualTo(":10000\r\n");
    }

    @Test
    void replacesAndInserts() {
        run("RPUSH l a b a");
        tester.effects();
        tester.events();
        assertThat(run("LSET l -1 z")).isEqualTo("+OK\r\n");
        assertThat(run("LINSERT l BEFORE a first")).isEqualTo(":4\r\n");
        assertThat(run("LINSERT l after z last")).isEqualTo(":5\r\n");
        assertThat(run("LINSERT l AFTER nowhere x")).isEqualTo(":-1\r\n");
        assertThat(run("LINSERT no AFTER a x")).isEqualTo(":0\r\n");
        assertThat(run("LRANGE l 0 -1")).isEqualTo(array("first", "a", "b", "z", "last"));
        assertThat(tester.effects())
                .containsExactly("LSET l -1 z", "LINSERT l BEFORE a first", "LINSERT l after z last");
        assertThat(tester.events()).containsExactly("lset l", "linsert l", "linsert l");
    }

    @Test
    void removesByValue() {
        run("RPUSH l a b a c a");
        tester.effects();
        tester.events();
        assertThat(run("LREM l -1 a")).isEqualTo(":1\r\n");
        assertThat(run("LREM l 1 a")).isEqualTo(":1\r\n");
        assertThat(run("LRANGE l 0 -1")).isEqualTo(array("b", "a", "c"));
        assertThat(run("LREM l 0 x")).isEqualTo(":0\r\n");
        assertThat(run("LREM no 0 x")).isEqualTo(":0\r\n");
        run("LREM l 0 b");
        run("LREM l -9223372036854775808 c");
        assertThat(run("LREM l 5 a")).isEqualTo(":1\r\n");
        assertThat(tester.effects())
                .containsExactly(
                        "LREM l -1 a", "LREM l 1 a", "LREM l 0 b", "LREM l -9223372036854775808 c", "LREM l 5 a");
        assertThat(tester.events()).containsExactly("lrem l", "lrem l", "lrem l", "lrem l", "lrem l", "del l");
    }

    @Test
    void trims() {
        run("RPUSH l a b c d e");
        tester.effects();
        tester.events();
        assertThat(run("LTRIM l 1 -2")).isEqualTo("+OK\r\n");
        assertThat(run("LRANGE l 0 -1")).isEqualTo(array("b", "c", "d"));
        assertThat(run("LTRIM l 0 -1")).isEqualTo("+OK\r\n");
        assertThat(run("LTRIM l 5 1")).isEqualTo("+OK\r\n");
        assertThat(run("LTRIM no 0 1")).isEqualTo("+OK\r\n");
        assertThat(tester.effects()).containsExactly("LTRIM l 1 -2", "LTRIM l 5 1");
        assertThat(tester.events()).containsExactly("ltrim l", "ltrim l", "ltrim l", "del l");
    }

    @Test
    void findsPositions() {
        run("RPUSH l a b c 1 2 3 c c");
        assertThat(run("LPOS l c")).isEqualTo(":2\r\n");
        assertThat(run("LPOS l c RANK 2")).isEqualTo(":6\r\n");
        assertThat(run("LPOS l c RANK -1")).isEqualTo(":7\r\n");
        assertThat(run("LPOS l c RANK 4")).isEqualTo(NIL);
        assertThat(run("LPOS l c COUNT 2")).isEqualTo("*2\r\n:2\r\n:6\r\n");
        assertThat(run("LPOS l c COUNT 0 RANK -2")).isEqualTo("*2\r\n:6\r\n:2\r\n");
        assertThat(run("LPOS l c MAXLEN 2")).isEqualTo(NIL);
        assertThat(run("LPOS l c MAXLEN 3")).isEqualTo(":2\r\n");
        assertThat(run("LPOS l c COUNT 0 MAXLEN 7")).isEqualTo("*2\r\n:2\r\n:6\r\n");
        assertThat(run("LPOS l x COUNT 0")).isEqualTo("*0\r\n");
        assertThat(run("LPOS no x COUNT 0")).isEqualTo("*0\r\n");
        assertThat(run("LPOS l 2")).isEqualTo(":4\r\n");
    }

    @Test
    void movesBetweenLists() {
        run("RPUSH l a b c");
        tester.effects();
        tester.events();
        assertThat(run("LMOVE l m LEFT RIGHT")).isEqualTo(bulk("a"));
        assertThat(run("RPOPLPUSH l m")).isEqualTo(bulk("c"));
        assertThat(run("LMOVE l m right left")).isEqualTo(bulk("b"));
        assertThat(run("LRANGE m 0 -1")).isEqualTo(array("b", "c", "a"));
        assertThat(tester.effects()).containsExactly("LMOVE l m LEFT RIGHT", "RPOPLPUSH l m", "LMOVE l m right left");
        assertThat(tester.events())
                .containsExactly("new m", "rpush m", "lpop l", "lpush m", "rpop l", "lpush m", "rpop l", "del l");
    }

    @Test
    void rotatesAListOntoItself() {
        run("RPUSH l a b c");
        assertThat(run("LMOVE l l LEFT RIGHT")).isEqualTo(bulk("a"));
        assertThat(run("LRANGE l 0 -1")).isEqualTo(array("b", "c", "a"));
        run("RPUSH one x");
        tester.events();
        assertThat(run("RPOPLPUSH one one")).isEqualTo(bulk("x"));
        assertThat(run("LRANGE one 0 -1")).isEqualTo(array("x"));
        assertThat(tester.events()).containsExactly("lpush one", "rpop one");
    }

    @Test
    void popsFromTheFirstListThatThereIs() {
        run("RPUSH l a b c");
        tester.effects();
        tester.events();
        assertThat(run("LMPOP 2 no l RIGHT COUNT 2")).isEqualTo("*2\r\n" + bulk("l") + array("c", "b"));
        assertThat(run("LMPOP 1 l LEFT COUNT 10")).isEqualTo("*2\r\n" + bulk("l") + array("a"));
        assertThat(tester.effects()).containsExactly("RPOP l 2", "LPOP l 1");
        assertThat(tester.events()).containsExactly("rpop l", "lpop l", "del l");
    }

    @Test
    void errorsComeBeforeLookUps() {
        assertThat(run("LMOVE no s LEFT LEFT")).isEqualTo(NIL);
        run("SET s v");
        assertThat(run("LMOVE no s LEFT LEFT")).isEqualTo(NIL);
        assertThat(run("LMOVE s l LEFT NOWHERE")).isEqualTo(SYNTAX);
    }

    @Test
    void needsElementsToPush() {
        assertThat(run("LPUSH l")).isEqualTo("-ERR wrong number of arguments for 'lpush' command\r\n");
        assertThat(run("LLEN l")).isEqualTo(":0\r\n");
    }
}
