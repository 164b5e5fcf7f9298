package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SORT through the table; the replies are those of redis-server 7.2. */
class SortCommandsTest {

    private final CommandTester tester = new CommandTester();

    @BeforeEach
    void fill() {
        run("RPUSH n 3 1 -2 10 2.5 1e2");
        run("RPUSH w c a b d");
        run("SET weight_a 3");
        run("SET weight_b 1");
        run("SET weight_c 2");
        run("SET name_a Anna");
        run("SET name_b 77");
        tester.effects();
        tester.events();
    }

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    SORT n                                    | -2 1 2.5 3 10 1e2
                    SORT n DESC                               | 1e2 10 3 2.5 1 -2
                    SORT n DESC ASC LIMIT 1 2                 | 1 2.5
                    SORT n LIMIT -5 2                         | -2 1
                    SORT n LIMIT 4 -1                         | 10 1e2
                    SORT n ALPHA                              | -2 1 10 1e2 2.5 3
                    SORT n BY nosort LIMIT 1 2                | 1 -2
                    SORT n BY nosort DESC LIMIT 1 2           | 2.5 10
                    SORT_RO n limit 0 1                       | -2
                    SORT w ALPHA                              | a b c d
                    SORT w ALPHA DESC                         | d c b a
                    SORT w BY weight_*                        | d b c a
                    SORT w BY weight_* DESC                   | a c b d
                    SORT w BY weight_* ALPHA                  | d b c a
                    SORT w BY weight_* LIMIT 1 2              | b c
                    SORT w BY weight_*->field                 | a b c d
                    SORT w BY none GET #                      | c a b d
                    SORT w BY none BY weight_*                | c a b d
                    """)
    void sorts(String command, String elements) {
        assertThat(run(command)).isEqualTo(array(List.of(elements.split(" "))));
        assertThat(tester.effects()).isEmpty();
    }

    @Test
    void answersWhatPatternsName() {
        assertThat(run("SORT w BY weight_* LIMIT 1 3 GET # GET name_* GET nothing")
                        .split("\r\n"))
                .containsExactly(
                        "*9", "$1", "b", "$2", "77", "$-1", "$1", "c", "$-1", "$-1", "$1", "a", "$4", "Anna", "$-1");
        tester.client().session().reply().protocol(3);
        assertThat(run("SORT w BY weight_* LIMIT 0 1 GET name_*")).isEqualTo("*1\r\n_\r\n");
    }

    @Test
    void storesWhatPatternsName() {
        assertThat(run("SORT w BY weight_* GET name_* STORE to")).isEqualTo(":4\r\n");
        assertThat(run("LRANGE to 0 -1")).isEqualTo(array(List.of("", "77", "", "Anna")));
        assertThat(tester.effects()).containsExactly("SORT w BY weight_* GET name_* STORE to");
        assertThat(tester.events()).containsExactly("new to", "sortstore to");
    }

    @Test
    void storesOverAnything() {
        assertThat(run("SORT w ALPHA STORE weight_a")).isEqualTo(":4\r\n");
        assertThat(run("LRANGE weight_a 0 -1")).isEqualTo(array(List.of("a", "b", "c", "d")));
        assertThat(run("SORT w ALPHA DESC STORE w")).isEqualTo(":4\r\n");
        assertThat(run("LRANGE w 0 -1")).isEqualTo(array(List.of("d", "c", "b", "a")));
        assertThat(tester.events()).containsExactly("sortstore weight_a", "sortstore w");
    }

    @Test
    void storingNothingDeletes() {
        assertThat(run("SORT no STORE weight_a")).isEqualTo(":0\r\n");
        assertThat(run("GET weight_a")).isEqualTo("$-1\r\n");
        assertThat(tester.effects()).containsExactly("SORT no STORE weight_a");
        assertThat(tester.events()).containsExactly("del weight_a");
        assertThat(run("SORT w ALPHA LIMIT 9 1 STORE weight_a")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
    }

    @Test
    void theLastDestinationCounts() {
        assertThat(run("SORT w ALPHA STORE one STORE two")).isEqualTo(":4\r\n");
        assertThat(run("LLEN one")).isEqualTo(":0\r\n");
        assertThat(run("SORT w ALPHA STORE three BY store")).isEqualTo(":4\r\n");
        assertThat(run("LLEN three")).isEqualTo(":4\r\n");
    }

    @Test
    void weightsMayHaveBlanksBeforeThem() {
        tester.run("RPUSH", "blanks", " 5", "", "\t-1");
        assertThat(run("SORT blanks")).isEqualTo("*3\r\n$3\r\n\t-1\r\n$0\r\n\r\n$2\r\n 5\r\n");
        tester.run("RPUSH", "blanks", " ");
        assertThat(run("SORT blanks")).isEqualTo("-ERR One or more scores can't be converted into double\r\n");
    }

    @Test
    void readsFieldsOfHashes() {
        run("HSET h_a weight 3 name Anna");
        run("HSET h_b weight 1");
        run("HSET h_c weight 2 name Carl");
        assertThat(run("SORT w BY h_*->weight GET # GET h_*->name").split("\r\n"))
                .containsExactly(
                        "*8", "$1", "d", "$-1", "$1", "b", "$-1", "$1", "c", "$4", "Carl", "$1", "a", "$4", "Anna");
        assertThat(run("SORT w BY nosort GET h_*")).isEqualTo("*4\r\n$-1\r\n$-1\r\n$-1\r\n$-1\r\n");
        assertThat(run("SORT w BY nosort GET weight_*->f")).isEqualTo("*4\r\n$-1\r\n$-1\r\n$-1\r\n$-1\r\n");
    }

    @Test
    void sortsSets() {
        run("SADD set d b a c");
        assertThat(run("SORT set ALPHA DESC")).isEqualTo(array(List.of("d", "c", "b", "a")));
        assertThat(run("SORT set BY weight_* LIMIT 1 3")).isEqualTo(array(List.of("b", "c", "a")));
        assertThat(run("SORT set BY nosort STORE to")).isEqualTo(":4\r\n");
        assertThat(run("LRANGE to 0 -1")).isEqualTo(array(List.of("a", "b", "c", "d")));
    }

    @Test
    void sortsSortedSets() {
        run("ZADD zset 30 a 20 b 10 c");
        assertThat(run("SORT zset ALPHA")).isEqualTo(array(List.of("a", "b", "c")));
        assertThat(run("SORT zset BY nosort")).isEqualTo(array(List.of("c", "b", "a")));
        assertThat(run("SORT zset BY nosort LIMIT 1 5")).isEqualTo(array(List.of("b", "a")));
        assertThat(run("SORT zset BY nosort DESC LIMIT 0 2")).isEqualTo(array(List.of("a", "b")));
        assertThat(run("SORT zset BY weight_* DESC")).isEqualTo(array(List.of("a", "c", "b")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    SORT w                   | ERR One or more scores can't be converted into double
                    SORT w STORE n           | ERR One or more scores can't be converted into double
                    SORT w BY name_*         | ERR One or more scores can't be converted into double
                    SORT weight_a            | WRONGTYPE Operation against a key holding the wrong kind of value
                    SORT weight_a LIMIT 1    | ERR syntax error
                    SORT n LIMIT 1 x         | ERR value is not an integer or out of range
                    SORT n BY                | ERR syntax error
                    SORT n GET               | ERR syntax error
                    SORT n STORE             | ERR syntax error
                    SORT n UPWARD            | ERR syntax error
                    SORT_RO n STORE to       | ERR syntax error
                    """)
    void refuses(String command, String error) {
        assertThat(run(command)).isEqualTo("-" + error + "\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(run("LLEN n")).isEqualTo(":6\r\n");
    }

    private static String array(List<String> elements) {
        StringBuilder text = new StringBuilder("*" + elements.size() + "\r\n");
        for (String element : elements) {
            text.append("$" + element.length() + "\r\n" + element + "\r\n");
        }
        return text.toString();
    }
}
