package dev.heddle.command.data;

import static dev.heddle.command.data.Wire.NIL;
import static dev.heddle.command.data.Wire.NOT_INTEGER;
import static dev.heddle.command.data.Wire.array;
import static dev.heddle.command.data.Wire.bulk;
import static dev.heddle.command.data.Wire.error;
import static dev.heddle.command.data.Wire.integers;
import static dev.heddle.command.data.Wire.strings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that expire, through the table; codes and errors as the reference of Redis 7.4 and 8.0 has them. */
class HashFieldExpiryCommandsTest {

    private final CommandTester tester = new CommandTester();
    private final long start = tester.now();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    private void clean() {
        tester.effects();
        tester.events();
    }

    @BeforeEach
    void fill() {
        run("HSET h a 1 b 2 c 3");
        clean();
    }

    @Test
    void setsAndTellsDeadlines() {
        assertThat(run("HEXPIRE h 10 FIELDS 3 a x b")).isEqualTo(integers(1, -2, 1));
        assertThat(tester.effects()).containsExactly("HPEXPIREAT h " + (start + 10_000) + " FIELDS 2 a b");
        assertThat(tester.events()).containsExactly("hexpire h");
        assertThat(run("HTTL h FIELDS 3 a c x")).isEqualTo(integers(10, -1, -2));
        assertThat(run("HPTTL h FIELDS 1 b")).isEqualTo(integers(10_000));
        assertThat(run("HEXPIRETIME h FIELDS 1 a")).isEqualTo(integers(start / 1000 + 10));
        assertThat(run("HPEXPIRETIME h FIELDS 1 a")).isEqualTo(integers(start + 10_000));
        tester.advance(1);
        assertThat(run("HTTL h FIELDS 1 a")).isEqualTo(integers(10));
        assertThat(run("HPTTL h FIELDS 1 a")).isEqualTo(integers(9_999));
        assertThat(run("OBJECT ENCODING h")).isEqualTo(bulk("listpackex"));
    }

    @ParameterizedTest
    @CsvSource({"HEXPIRE,5,5000", "HPEXPIRE,1234,1234"})
    void relativeTimes(String command, String given, long expected) {
        tester.run(command, "h", given, "FIELDS", "1", "a");
        assertThat(run("HPEXPIRETIME h FIELDS 1 a")).isEqualTo(integers(start + expected));
    }

    @Test
    void absoluteTimes() {
        tester.run("HEXPIREAT", "h", "" + (start / 1000 + 7), "FIELDS", "1", "a");
        tester.run("HPEXPIREAT", "h", "" + (start + 1), "FIELDS", "1", "b");
        assertThat(run("HPEXPIRETIME h FIELDS 2 a b")).isEqualTo(integers((start / 1000 + 7) * 1000, start + 1));
    }

    @Test
    void conditions() {
        run("HPEXPIRE h 1000 FIELDS 1 a");
        assertThat(run("HPEXPIRE h 2000 NX FIELDS 2 a b")).isEqualTo(integers(0, 1));
        assertThat(run("HPEXPIRE h 1500 XX FIELDS 2 a c")).isEqualTo(integers(1, 0));
        assertThat(run("HPEXPIRE h 1800 GT FIELDS 3 a b c")).isEqualTo(integers(1, 0, 0));
        assertThat(run("HPEXPIRE h 1900 LT FIELDS 3 a b c")).isEqualTo(integers(0, 1, 1));
        assertThat(run("HPEXPIRE h 1900 gt FIELDS 1 b")).isEqualTo(integers(0));
        assertThat(run("HPTTL h FIELDS 3 a b c")).isEqualTo(integers(1800, 1900, 1900));
    }

    @Test
    void aTimeInThePastDeletes() {
        assertThat(run("HEXPIREAT h 1 FIELDS 2 a x")).isEqualTo(integers(2, -2));
        assertThat(tester.effects()).containsExactly("HDEL h a");
        assertThat(tester.events()).containsExactly("hdel h");
        assertThat(run("HPEXPIRE h 0 FIELDS 2 b c")).isEqualTo(integers(2, 2));
        assertThat(tester.events()).containsExactly("hdel h", "del h");
        assertThat(run("EXISTS h")).isEqualTo(":0\r\n");
    }

    @Test
    void whatIsNotThereHasNoDeadline() {
        assertThat(run("HEXPIRE none 10 FIELDS 2 a b")).isEqualTo(integers(-2, -2));
        assertThat(run("HTTL none FIELDS 2 a b")).isEqualTo(integers(-2, -2));
        assertThat(run("HPERSIST none FIELDS 1 a")).isEqualTo(integers(-2));
        assertThat(run("HEXPIRE h 10 XX FIELDS 1 a")).isEqualTo(integers(0));
        assertThat(tester.effects()).isEmpty();
        assertThat(tester.events()).isEmpty();
    }

    @Test
    void persists() {
        run("HEXPIRE h 10 FIELDS 2 a b");
        clean();
        assertThat(run("HPERSIST h FIELDS 3 a c x")).isEqualTo(integers(1, -1, -2));
        assertThat(tester.effects()).containsExactly("HPERSIST h FIELDS 1 a");
        assertThat(tester.events()).containsExactly("hpersist h");
        assertThat(run("HPERSIST h FIELDS 1 a")).isEqualTo(integers(-1));
        assertThat(tester.effects()).isEmpty();
        tester.advance(10_000);
        tester.expire();
        assertThat(run("HGETALL h")).isEqualTo(array("a", "1", "c", "3"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HGETALL h|*4",
                "HKEYS h|*2",
                "HVALS h|*2",
                "HLEN h|:2",
                "HEXISTS h a|:0",
                "HGET h a|$-1",
                "HMGET h a|*1",
                "HSTRLEN h a|:0",
                "HTTL h FIELDS 1 a|*1",
                "HRANDFIELD h 5|*2",
                "HSETNX h a 9|:1",
                "HINCRBY h a 5|:5",
                "HSET h a 9|:1",
                "HDEL h a|:0",
                "HEXPIRE h 5 FIELDS 1 a|*1",
                "HGETDEL h FIELDS 1 a|*1",
                "HGETEX h FIELDS 1 a|*1",
                "HSETEX h FNX FIELDS 1 a 9|:1",
                "HSETEX h FXX FIELDS 1 a 9|:0"
            })
    void anExpiredFieldIsNeverSeenAndSoonRemoved(String row) {
        run("HPEXPIRE h 100 FIELDS 1 a");
        tester.advance(100);
        clean();
        String[] parts = row.split("\\|");
        assertThat(run(parts[0])).startsWith(parts[1] + "\r\n");
        assertThat(tester.effects().getFirst()).isEqualTo("HDEL h a");
        assertThat(tester.events().getFirst()).isEqualTo("hexpired h");
        assertThat(run("HMGET h b c")).isEqualTo(array("2", "3"));
    }

    @Test
    void removesExpiredFieldsWithoutBeingAsked() {
        run("HPEXPIRE h 100 FIELDS 1 a");
        run("HPEXPIRE h 200 FIELDS 1 b");
        clean();
        tester.expire();
        assertThat(tester.effects()).isEmpty();
        tester.advance(100);
        tester.expire();
        assertThat(tester.effects()).containsExactly("HDEL h a");
        assertThat(tester.events()).containsExactly("hexpired h");
        tester.advance(100);
        tester.expire();
        assertThat(tester.effects()).containsExactly("HDEL h b");
        tester.advance(1_000_000);
        tester.expire();
        assertThat(run("HGETALL h")).isEqualTo(array("c", "3"));
    }

    @Test
    void aHashWhoseLastFieldHasExpiredIsGone() {
        run("HPEXPIRE h 100 FIELDS 3 a b c");
        tester.advance(100);
        clean();
        assertThat(run("EXISTS h")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).containsExactly("DEL h");
        assertThat(tester.events()).containsExactly("hexpired h", "del h");
        assertThat(run("DBSIZE")).isEqualTo(":0\r\n");
        run("HSETEX h PX 50 FIELDS 2 a 1 b 2");
        tester.advance(50);
        clean();
        tester.expire();
        assertThat(tester.events()).containsExactly("hexpired h", "del h");
        assertThat(run("TYPE h")).isEqualTo("+none\r\n");
        run("HSETEX h PX 50 FIELDS 1 a 1");
        tester.advance(50);
        assertThat(run("SADD h x")).isEqualTo(":1\r\n");
    }

    @Test
    void overwritingClearsTheDeadlineAddingKeepsIt() {
        run("HPEXPIRE h 100 FIELDS 3 a b c");
        clean();
        run("HSET h a 5");
        run("HINCRBY h b 5");
        run("HINCRBYFLOAT h c 0.5");
        assertThat(tester.effects())
                .containsExactly(
                        "HSET h a 5", "HINCRBY h b 5", "HSET h c 3.5", "HPEXPIREAT h " + (start + 100) + " FIELDS 1 c");
        assertThat(run("HPTTL h FIELDS 3 a b c")).isEqualTo(integers(-1, 100, 100));
        tester.advance(100);
        tester.expire();
        assertThat(run("HGETALL h")).isEqualTo(array("a", "5"));
    }

    @Test
    void deadlinesFollowTheKey() {
        run("HPEXPIRE h 100 FIELDS 1 a");
        run("RENAME h h2");
        run("COPY h2 h3");
        run("HDEL h3 b c");
        assertThat(run("HPTTL h2 FIELDS 1 a")).isEqualTo(integers(100));
        assertThat(run("HPTTL h3 FIELDS 1 a")).isEqualTo(integers(100));
        tester.advance(100);
        clean();
        tester.expire();
        assertThat(tester.effects()).containsExactlyInAnyOrder("HDEL h2 a", "DEL h3");
        assertThat(run("HKEYS h2")).isEqualTo(array("b", "c"));
    }

    @Test
    void deadlinesGoWithTheValue() {
        run("HPEXPIRE h 100 FIELDS 1 a");
        run("SET h string");
        run("HSET g a 1");
        run("HPEXPIRE g 100 FIELDS 1 a");
        run("DEL g");
        run("HSET g a 1");
        tester.advance(100);
        clean();
        tester.expire();
        assertThat(tester.effects()).isEmpty();
        assertThat(run("GET h")).isEqualTo(bulk("string"));
        assertThat(run("HGET g a")).isEqualTo(bulk("1"));
    }

    @Test
    void manyFieldsExpireInAllSizes() {
        for (int i = 0; i < 2000; i++) {
            tester.run("HSET", "big", "f" + i, "v");
            tester.run("HPEXPIRE", "big", "" + (1 + i % 100), "FIELDS", "1", "f" + i);
        }
        run("HSET big stays v");
        tester.advance(50);
        assertThat(run("HLEN big")).isEqualTo(":1001\r\n");
        assertThat(strings(run("HKEYS big"))).hasSize(1001);
        assertThat(run("HSET big f0 w")).isEqualTo(":1\r\n");
        assertThat(run("HLEN big")).isEqualTo(":1002\r\n");
        tester.advance(50);
        tester.expire();
        assertThat(strings(run("HGETALL big"))).containsExactlyInAnyOrder("stays", "v", "f0", "w");
        assertThat(run("HPEXPIRETIME big FIELDS 2 stays f0")).isEqualTo(integers(-1, -1));
    }

    @Test
    void readsAndRemoves() {
        assertThat(run("HGETDEL h FIELDS 3 a x c")).isEqualTo("*3\r\n" + bulk("1") + NIL + bulk("3"));
        assertThat(tester.effects()).containsExactly("HDEL h a c");
        assertThat(tester.events()).containsExactly("hdel h");
        assertThat(run("HGETDEL h FIELDS 2 b b")).isEqualTo("*2\r\n" + bulk("2") + NIL);
        assertThat(tester.events()).containsExactly("hdel h", "del h");
        assertThat(run("HGETDEL h FIELDS 1 b")).isEqualTo("*1\r\n" + NIL);
        assertThat(run("HGETDEL h FIELD 1 b"))
                .isEqualTo(error("Mandatory argument FIELDS is missing or not at the right position"));
        assertThat(run("HGETDEL h FIELDS 0 b")).isEqualTo(error("Number of fields must be a positive integer"));
        assertThat(run("HGETDEL h FIELDS 2 b"))
                .isEqualTo(error("The `numfields` parameter must match the number of arguments"));
    }

    @Test
    void readsAndSetsDeadlines() {
        assertThat(run("HGETEX h FIELDS 2 a x")).isEqualTo("*2\r\n" + bulk("1") + NIL);
        assertThat(tester.effects()).isEmpty();
        assertThat(run("HGETEX h EX 10 FIELDS 2 a x")).isEqualTo("*2\r\n" + bulk("1") + NIL);
        assertThat(tester.effects()).containsExactly("HPEXPIREAT h " + (start + 10_000) + " FIELDS 1 a");
        assertThat(tester.events()).containsExactly("hexpire h");
        assertThat(run("HGETEX h PERSIST FIELDS 2 a b")).isEqualTo(array("1", "2"));
        assertThat(tester.effects()).containsExactly("HPERSIST h FIELDS 1 a");
        assertThat(tester.events()).containsExactly("hpersist h");
        assertThat(run("HGETEX h PXAT 1 FIELDS 3 a b c")).isEqualTo(array("1", "2", "3"));
        assertThat(tester.effects()).containsExactly("HDEL h a b c");
        assertThat(tester.events()).containsExactly("hdel h", "del h");
        assertThat(run("HGETEX none EX 5 FIELDS 1 a")).isEqualTo("*1\r\n" + NIL);
        assertThat(run("HGETEX h PERSIST 1 FIELDS 1 a"))
                .isEqualTo(error("Mandatory argument FIELDS is missing or not at the right position"));
        assertThat(run("HGETEX h EX x FIELDS 1 a")).isEqualTo(NOT_INTEGER);
        assertThat(run("HGETEX h PX -1 FIELDS 1 a")).isEqualTo(error("invalid expire time, must be >= 0"));
    }

    @Test
    void setsFieldsWithDeadlines() {
        assertThat(run("HSETEX n EX 10 FIELDS 2 a 1 b 2")).isEqualTo(":1\r\n");
        assertThat(tester.effects())
                .containsExactly("HSET n a 1 b 2", "HPEXPIREAT n " + (start + 10_000) + " FIELDS 2 a b");
        assertThat(tester.events()).containsExactly("new n", "hset n", "hexpire n");
        assertThat(run("HSETEX n KEEPTTL FIELDS 2 a 3 c 4")).isEqualTo(":1\r\n");
        assertThat(tester.effects())
                .containsExactly("HSET n a 3 c 4", "HPEXPIREAT n " + (start + 10_000) + " FIELDS 1 a");
        assertThat(run("HPTTL n FIELDS 3 a b c")).isEqualTo(integers(10_000, 10_000, -1));
        assertThat(run("HSETEX n FIELDS 1 a 5")).isEqualTo(":1\r\n");
        assertThat(run("HTTL n FIELDS 1 a")).isEqualTo(integers(-1));
        assertThat(run("HSETEX n FNX FIELDS 2 z 1 a 1")).isEqualTo(":0\r\n");
        assertThat(run("HSETEX n FXX FIELDS 2 z 1 a 1")).isEqualTo(":0\r\n");
        assertThat(run("HSETEX none FXX FIELDS 1 z 1")).isEqualTo(":0\r\n");
        assertThat(run("HSETEX n FXX PX 5 FIELDS 2 b 6 c 7")).isEqualTo(":1\r\n");
        assertThat(run("HGETALL n")).isEqualTo(array("a", "5", "b", "6", "c", "7"));
        assertThat(run("EXISTS none")).isEqualTo(":0\r\n");
    }

    @Test
    void fieldsSetInThePastAreGone() {
        assertThat(run("HSETEX h PXAT 1 FIELDS 2 a 9 z 9")).isEqualTo(":1\r\n");
        assertThat(tester.effects()).containsExactly("HDEL h a z");
        assertThat(tester.events()).containsExactly("hset h", "hdel h");
        assertThat(run("HSETEX new PX 0 FIELDS 1 a 9")).isEqualTo(":1\r\n");
        assertThat(run("EXISTS new")).isEqualTo(":0\r\n");
        assertThat(run("HGETALL h")).isEqualTo(array("b", "2", "c", "3"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HEXPIRE h x FIELDS 1 a | value is not an integer or out of range",
                "HEXPIRE h -1 FIELDS 1 a | invalid expire time, must be >= 0",
                "HEXPIRE h 70368744178 FIELDS 1 a | invalid expire time in 'hexpire' command",
                "HPEXPIREAT h 70368744177664 FIELDS 1 a | invalid expire time in 'hpexpireat' command",
                "HPEXPIRE h 70368744177663 FIELDS 1 a | invalid expire time in 'hpexpire' command",
                "HEXPIRE h 1 BAD FIELDS 1 a | Mandatory argument FIELDS is missing or not at the right position",
                "HEXPIRE h 1 FIELDS 0 a | Parameter `numFields` should be greater than 0",
                "HEXPIRE h 1 FIELDS x a | Parameter `numFields` should be greater than 0",
                "HEXPIRE h 1 FIELDS 2 a | The `numfields` parameter must match the number of arguments",
                "HEXPIRE h 1 NX FIELDS 1 a b | The `numfields` parameter must match the number of arguments",
                "HTTL h FIELD 1 a | Mandatory argument FIELDS is missing or not at the right position",
                "HTTL h FIELDS 0 a | Number of fields must be a positive integer",
                "HPTTL h FIELDS 2 a | The `numfields` parameter must match the number of arguments",
                "HPERSIST h FIELDS x a | Number of fields must be a positive integer",
                "HSETEX h FNX FXX FIELDS 1 a 1 | Only one of FXX or FNX arguments can be specified",
                "HSETEX h EX 1 KEEPTTL FIELDS 1 a 1 |"
                        + " Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified",
                "HSETEX h BAD FIELDS 1 a 1 | unknown argument: BAD",
                "HSETEX h EX 1 FNX KEEP | unknown argument: KEEP",
                "HSETEX h FNX EX 1 PX | Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified",
                "HSETEX h FIELDS 0 a 1 | invalid number of fields",
                "HSETEX h FIELDS 2 a 1 | wrong number of arguments for 'hsetex' command",
                "HSETEX h EX 1 FNX FIELDS | wrong number of arguments for 'hsetex' command",
                "HSETEX h EX -1 FIELDS 1 a 1 | invalid expire time, must be >= 0",
                "HSETEX h FIELDS 1 | wrong number of arguments for 'hsetex' command"
            })
    void refusesBadArguments(String command, String text) {
        assertThat(run(command)).isEqualTo(error(text));
        assertThat(tester.effects()).isEmpty();
        assertThat(run("HGETALL h")).isEqualTo(array("a", "1", "b", "2", "c", "3"));
        assertThat(run("HTTL h FIELDS 3 a b c")).isEqualTo(integers(-1, -1, -1));
    }

    @Test
    void anEventForEachChangeOnly() {
        run("HEXPIRE h 10 FIELDS 1 a");
        clean();
        run("HEXPIRE h 10 NX FIELDS 1 a");
        run("HPERSIST h FIELDS 1 b");
        run("HGETDEL h FIELDS 1 x");
        run("HGETEX h PERSIST FIELDS 1 b");
        run("HSETEX h FNX FIELDS 1 a 1");
        assertThat(tester.events()).isEmpty();
        assertThat(tester.effects()).isEqualTo(List.of());
    }
}
