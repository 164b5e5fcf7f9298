package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.config.Settings.Origin;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands on sorted sets do besides answering: records, events, encodings. The replies are in {@link SortedSetTranscriptTest}. */
class SortedSetCommandsTest {

    private static final String LONG_MEMBER = "m".repeat(65);

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    private void forget() {
        tester.effects();
        tester.events();
    }

    private String encoding(String key) {
        return run("OBJECT ENCODING " + key).split("\r\n")[1];
    }

    private void addMany(String key, int count) {
        for (int i = 0; i < count; i++) {
            tester.run("ZADD", key, Integer.toString(i), "m" + i);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ZADD z 9 a | ZADD z 9 a | zadd z",
                "ZADD z 9 a 9 new | ZADD z 9 a 9 new | zadd z",
                "ZADD z 1 a | - | -",
                "ZADD z NX 9 a | - | -",
                "ZADD z GT 0 a | - | -",
                "ZADD z INCR 1 a | ZADD z INCR 1 a | zincr z",
                "ZADD z INCR 0 a | - | -",
                "ZADD new XX 1 a | - | -",
                "ZADD new 1 a | ZADD new 1 a | new new,zadd new",
                "ZINCRBY z 1.5 a | ZINCRBY z 1.5 a | zincr z",
                "ZREM z a x b | ZREM z a x b | zrem z",
                "ZREM z x | - | -",
                "ZREM z a b c | ZREM z a b c | zrem z,del z",
                "ZREMRANGEBYRANK z 0 0 | ZREMRANGEBYRANK z 0 0 | zremrangebyrank z",
                "ZREMRANGEBYSCORE z 1 9 | ZREMRANGEBYSCORE z 1 9 | zremrangebyscore z,del z",
                "ZREMRANGEBYLEX z - + | ZREMRANGEBYLEX z - + | zremrangebylex z,del z",
                "ZREMRANGEBYSCORE z 7 9 | - | -",
                "ZPOPMIN z | ZPOPMIN z | zpopmin z",
                "ZPOPMAX z 5 | ZPOPMAX z 5 | zpopmax z,del z",
                "ZPOPMAX z 0 | - | -",
                "ZMPOP 2 none z MIN | ZPOPMIN z 1 | zpopmin z",
                "ZMPOP 2 z none MAX COUNT 9 | ZPOPMAX z 3 | zpopmax z,del z",
                "ZMPOP 1 none MAX | - | -",
                "ZRANGESTORE d z 0 0 | ZRANGESTORE d z 0 0 | new d,zrangestore d",
                "ZRANGESTORE z none 0 0 | ZRANGESTORE z none 0 0 | del z",
                "ZRANGESTORE none z 5 9 | - | -",
                "ZUNIONSTORE z 1 z | ZUNIONSTORE z 1 z | zunionstore z",
                "ZINTERSTORE d 2 z z | ZINTERSTORE d 2 z z | new d,zinterstore d",
                "ZDIFFSTORE z 2 z z | ZDIFFSTORE z 2 z z | del z",
                "ZDIFFSTORE none 2 z z | - | -",
                "ZDIFFSTORE d 1 z | ZDIFFSTORE d 1 z | new d,zdiffstore d",
            })
    void recordsAndTellsOfWhatHasChanged(String command, String effect, String events) {
        run("ZADD z 1 a 2 b 3 c");
        forget();
        run(command);
        assertThat(tester.effects()).isEqualTo(effect.equals("-") ? List.of() : List.of(effect));
        assertThat(tester.events()).isEqualTo(events.equals("-") ? List.of() : List.of(events.split(",")));
    }

    @Test
    void countsEachMemberAsAChange() {
        long before = tester.engine().stats().changes();
        run("ZADD z 1 a 2 b 3 c 4 d 5 e");
        run("ZADD z 9 a 2 b 6 f");
        run("ZREM z a f");
        run("ZPOPMIN z 2");
        run("ZREMRANGEBYRANK z 0 -1");
        assertThat(tester.engine().stats().changes() - before).isEqualTo(5 + 2 + 2 + 2 + 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ZADD new x a",
                "ZADD new 1 a x b",
                "ZADD new 1",
                "ZADD new NX XX 1 a",
                "ZINCRBY new x a",
                "ZADD new XX INCR 1 a",
                "ZRANGESTORE new str 0 -1",
                "ZRANGESTORE new z x -1",
                "ZUNIONSTORE new 2 z str",
                "ZUNIONSTORE new 1 z WEIGHTS x",
                "ZINTERSTORE new 1 z AGGREGATE x",
                "ZDIFFSTORE new 1 z WEIGHTS 1",
            })
    void errorsLeaveNothingBehind(String command) {
        run("SET str x");
        run("ZADD z 1 a");
        forget();
        run(command);
        assertThat(run("EXISTS new")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(tester.events()).isEmpty();
    }

    @Test
    void anIncrementThatGivesNoNumberChangesNothing() {
        run("ZADD z inf a");
        forget();
        assertThat(run("ZINCRBY z -inf a")).isEqualTo("-ERR resulting score is not a number (NaN)\r\n");
        assertThat(run("ZSCORE z a")).isEqualTo("$3\r\ninf\r\n");
        assertThat(tester.effects()).isEmpty();
    }

    @Test
    void storingReplacesAnyTypeAndDropsTheTimeToLive() {
        run("ZADD z 1 a");
        run("SET d x");
        run("EXPIRE d 100");
        assertThat(run("ZRANGESTORE d z 0 -1")).isEqualTo(":1\r\n");
        assertThat(run("TYPE d")).isEqualTo("+zset\r\n");
        assertThat(run("TTL d")).isEqualTo(":-1\r\n");
    }

    @Test
    void changingKeepsTheTimeToLive() {
        run("ZADD z 1 a 2 b");
        run("EXPIRE z 100");
        run("ZADD z 3 c");
        run("ZPOPMIN z");
        assertThat(run("TTL z")).isEqualTo(":100\r\n");
    }

    // ---- encodings

    @Test
    void becomesASkipListWithTheFirstMemberBeyondTheLimit() {
        addMany("z", 128);
        assertThat(encoding("z")).isEqualTo("listpack");
        run("ZADD z 5 m5");
        assertThat(encoding("z")).isEqualTo("listpack");
        run("ZADD z 5 one-more");
        assertThat(encoding("z")).isEqualTo("skiplist");
        run("ZREMRANGEBYRANK z 1 -1");
        assertThat(encoding("z")).isEqualTo("skiplist");
        assertThat(run("ZRANGE z 0 -1")).isEqualTo("*1\r\n$2\r\nm0\r\n");
    }

    @Test
    void becomesASkipListWithTheFirstLongMember() {
        run("ZADD z 1 " + "m".repeat(64));
        assertThat(encoding("z")).isEqualTo("listpack");
        run("ZADD z XX 1 " + LONG_MEMBER);
        assertThat(encoding("z")).isEqualTo("listpack");
        run("ZADD z 1 " + LONG_MEMBER);
        assertThat(encoding("z")).isEqualTo("skiplist");
    }

    @Test
    void looksAtTheNumberOfPairsAndNotOfMembers() {
        tester.settings().set(List.of(Map.entry("zset-max-listpack-entries", "2")), new Origin(true, false));
        run("ZADD z 1 a 2 a 3 a");
        assertThat(encoding("z")).isEqualTo("skiplist");
        run("ZADD y 1 a");
        assertThat(encoding("y")).isEqualTo("listpack");
        run("ZADD y XX 1 x 2 x 3 x");
        assertThat(encoding("y")).isEqualTo("skiplist");
        run("ZADD x 1 a 2 b");
        assertThat(encoding("x")).isEqualTo("listpack");
    }

    @Test
    void resultsOfAlgebraAreCompactIfTheyAreSmall() {
        addMany("big", 200);
        run("ZADD small 1 m1 2 m2 3 x");
        run("ZINTERSTORE d 2 big small");
        assertThat(encoding("d")).isEqualTo("listpack");
        run("ZUNIONSTORE d 2 big small");
        assertThat(encoding("d")).isEqualTo("skiplist");
        run("ZADD long 1 " + LONG_MEMBER);
        run("ZDIFFSTORE d 1 long");
        assertThat(encoding("d")).isEqualTo("skiplist");
    }

    @Test
    void onlyStoredRangesOfRanksAreCompact() {
        run("ZADD z 0 a 0 b");
        run("ZRANGESTORE d z 0 -1");
        assertThat(encoding("d")).isEqualTo("listpack");
        run("ZRANGESTORE d z 0 9 BYSCORE");
        assertThat(encoding("d")).isEqualTo("skiplist");
        run("ZRANGESTORE d z - + BYLEX");
        assertThat(encoding("d")).isEqualTo("skiplist");
    }

    @Test
    void aNegativeZeroLivesInSkipListsOnly() {
        run("ZADD z -0 a");
        assertThat(run("ZSCORE z a")).isEqualTo("$1\r\n0\r\n");
        run("ZADD y -0 " + LONG_MEMBER);
        assertThat(run("ZSCORE y " + LONG_MEMBER)).isEqualTo("$2\r\n-0\r\n");
    }

    // ---- chance, scanning

    @ParameterizedTest
    @CsvSource({"100, 20", "100, 60", "1000, 20", "1000, 900"})
    void randomMembersAreDifferentOnesOfTheSet(int size, int count) {
        addMany("z", size);
        for (int round = 0; round < 20; round++) {
            String reply = run("ZRANDMEMBER z " + count + " WITHSCORES");
            Matcher matcher = Pattern.compile("\\$\\d+\r\nm(\\d+)\r\n\\$\\d+\r\n(\\d+)\r\n")
                    .matcher(reply);
            Set<String> members = new HashSet<>();
            while (matcher.find()) {
                assertThat(matcher.group(1)).isEqualTo(matcher.group(2));
                members.add(matcher.group(1));
            }
            assertThat(members).hasSize(count);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 500})
    void everyMemberIsChosenAtSomeTime(int size) {
        addMany("z", size);
        Set<String> seen = new HashSet<>();
        for (String word : run("ZRANDMEMBER z -" + 20 * size).split("\r\n")) {
            if (word.startsWith("m")) {
                seen.add(word);
            }
        }
        assertThat(seen).hasSize(size);
    }

    @Test
    void aScanSeesAllMembersThatStay() {
        addMany("z", 3000);
        Set<String> seen = new HashSet<>();
        String cursor = "0";
        int calls = 0;
        do {
            String[] reply = tester.run("ZSCAN", "z", cursor, "MATCH", "m*", "COUNT", "50")
                    .split("\r\n");
            cursor = reply[2];
            for (String word : reply) {
                if (word.startsWith("m")) {
                    seen.add(word);
                }
            }
            // What comes and goes meanwhile makes the table grow, then shrink.
            for (int i = 0; i < 50; i++) {
                if (calls < 30) {
                    tester.run("ZADD", "z", "1", "x" + calls + "/" + i);
                } else {
                    tester.run("ZREM", "z", "x" + (calls - 30) + "/" + i);
                }
            }
            calls++;
        } while (!cursor.equals("0"));
        assertThat(calls).isGreaterThan(30);
        assertThat(seen).hasSize(3000);
    }

    @ParameterizedTest
    @CsvSource({
        "0.1, 0.10000000000000001",
        "3, 3",
        "-0.0, -0",
        "1e16, 10000000000000000",
        "1e17, 1e+17",
        "123456789012345678, 1.2345678901234568e+17",
        "0.0001, 0.0001",
        "0.00001, 1.0000000000000001e-05",
        "1e300, 1.0000000000000001e+300",
        "-2.5, -2.5",
        "4.9e-324, 4.9406564584124654e-324",
        "Infinity, inf",
    })
    void scansOfSkipListsShowSeventeenDigits(double score, String text) {
        assertThat(new String(SortedSetSamples.seventeenDigits(score), StandardCharsets.US_ASCII))
                .isEqualTo(text);
    }

    @Test
    void theParentOfACopyDoesNotFeelItsChanges() {
        addMany("z", 200);
        run("COPY z y");
        run("ZPOPMIN y 100");
        assertThat(run("ZCARD z")).isEqualTo(":200\r\n");
        assertThat(run("ZRANK z m150")).isEqualTo(":150\r\n");
        assertThat(run("ZRANK y m150")).isEqualTo(":50\r\n");
    }
}
