package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Streams as logs; replies were recorded from redis-server. */
class StreamCommandsTest {

    private final CommandTester redis = new CommandTester();

    private String run(String line) {
        return redis.run(line.split(" "));
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    private static String entry(String id, String... fields) {
        StringBuilder text = new StringBuilder("*2\r\n" + bulk(id) + "*" + fields.length + "\r\n");
        for (String field : fields) {
            text.append(bulk(field));
        }
        return text.toString();
    }

    @Test
    void anIdThatTheServerMakesFollowsTheClock() {
        assertThat(run("XADD s * a 1")).isEqualTo(bulk("1700000000000-0"));
        assertThat(run("XADD s * a 1")).isEqualTo(bulk("1700000000000-1"));
        redis.advance(5);
        assertThat(run("XADD s * a 1")).isEqualTo(bulk("1700000000005-0"));
        redis.advance(-100);
        assertThat(run("XADD s * a 1")).isEqualTo(bulk("1700000000005-1"));
        assertThat(run("XADD s 1700000000006-* a 1")).isEqualTo(bulk("1700000000006-0"));
        assertThat(run("XADD s 1700000000006-* a 1")).isEqualTo(bulk("1700000000006-1"));
        assertThat(run("XADD s 5-* a 1")).startsWith("-ERR The ID specified in XADD is equal or smaller");
    }

    @Test
    void idsAreRecordedAsTheyCameOut() {
        run("XADD s * a 1");
        run("XADD s 1700000000000-* a 1");
        run("XADD s 1700000000001-1 a 1");
        assertThat(redis.effects())
                .containsExactly(
                        "XADD s 1700000000000-0 a 1", "XADD s 1700000000000-1 a 1", "XADD s 1700000000001-1 a 1");
    }

    @Test
    void whatIsTrimmedAboutIsRecordedExactly() {
        run("CONFIG SET stream-node-max-entries 3");
        for (int i = 1; i <= 10; i++) {
            run("XADD s 1-" + i + " a 1");
        }
        redis.effects();
        run("XADD s MAXLEN ~ 5 1-11 a 1");
        run("XADD s MINID ~ 1-8 LIMIT 100 1-12 a 1");
        run("XADD s MAXLEN 3 1-13 a 1");
        run("XTRIM s MAXLEN ~ 100");
        run("XTRIM s MAXLEN ~ 1");
        run("XTRIM s MAXLEN ~ 0");
        run("XTRIM s MINID 9");
        assertThat(redis.effects())
                .containsExactly(
                        "XADD s MAXLEN = 5 1-11 a 1",
                        "XADD s MINID = 1-7 LIMIT 100 1-12 a 1",
                        "XADD s MAXLEN 3 1-13 a 1",
                        "XTRIM s MAXLEN = 1",
                        "XTRIM s MAXLEN = 0");
        assertThat(run("XLEN s")).isEqualTo(":0\r\n");
    }

    @Test
    void eventsAreThoseOfRedis() {
        run("XADD s 1-1 a 1");
        run("XADD s MAXLEN 1 1-2 a 1");
        run("XTRIM s MAXLEN 0");
        run("XDEL s 1-2");
        run("XADD s 1-3 a 1");
        run("XDEL s 1-3");
        assertThat(redis.events())
                .containsExactly("new s", "xadd s", "xadd s", "xtrim s", "xtrim s", "xadd s", "xdel s");
    }

    @Test
    void anErrorLeavesNoEmptyStreamBehind() {
        assertThat(run("XADD s 0-0 a 1")).isEqualTo("-ERR The ID specified in XADD must be greater than 0-0\r\n");
        assertThat(run("XADD s 1-1 a")).isEqualTo("-ERR wrong number of arguments for 'xadd' command\r\n");
        assertThat(run("XADD s NOMKSTREAM 1-1 a 1")).isEqualTo("$-1\r\n");
        assertThat(run("EXISTS s")).isEqualTo(":0\r\n");
        assertThat(redis.effects()).isEmpty();
    }

    @Test
    void anEmptiedStreamStays() {
        run("XADD s 1-1 a 1");
        run("XDEL s 1-1");
        assertThat(run("TYPE s")).isEqualTo("+stream\r\n");
        assertThat(run("XADD s 1-1 a 1")).startsWith("-ERR The ID");
    }

    @Test
    void rangesOpenAndClosed() {
        run("XADD s 1-1 a 1");
        run("XADD s 1-2 b 2 c 3");
        run("XADD s 2-0 a 1");
        assertThat(run("XRANGE s - +"))
                .isEqualTo(
                        "*3\r\n" + entry("1-1", "a", "1") + entry("1-2", "b", "2", "c", "3") + entry("2-0", "a", "1"));
        assertThat(run("XRANGE s (1-1 (2-0")).isEqualTo("*1\r\n" + entry("1-2", "b", "2", "c", "3"));
        assertThat(run("XREVRANGE s 1 - COUNT 1")).isEqualTo("*1\r\n" + entry("1-2", "b", "2", "c", "3"));
        assertThat(run("XRANGE s - + COUNT 0")).isEqualTo("*-1\r\n");
    }

    @Test
    void aLargeReplyIsWrittenFromACopy() {
        for (int i = 1; i <= 5000; i++) {
            run("XADD s " + i + "-1 f " + i);
        }
        assertThat(run("XRANGE s - +")).startsWith("*5000\r\n" + entry("1-1", "f", "1"));
        assertThat(run("XREVRANGE s + - COUNT 4500")).startsWith("*4500\r\n" + entry("5000-1", "f", "5000"));
        assertThat(run("XREAD STREAMS none s 0 0"))
                .startsWith("*1\r\n*2\r\n" + bulk("s") + "*5000\r\n" + entry("1-1", "f", "1"))
                .endsWith(entry("5000-1", "f", "5000"));
        assertThat(run("XRANGE s 4999 + COUNT 4500"))
                .isEqualTo("*2\r\n" + entry("4999-1", "f", "4999") + entry("5000-1", "f", "5000"));
    }

    @Test
    void readingBehindAnId() {
        run("XADD s 1-1 a 1");
        run("XADD s 1-2 b 2");
        run("XADD t 5-5 c 3");
        assertThat(run("XREAD COUNT 1 STREAMS s t 0 5-5"))
                .isEqualTo("*1\r\n*2\r\n" + bulk("s") + "*1\r\n" + entry("1-1", "a", "1"));
        assertThat(run("XREAD STREAMS s t 1-2 $")).isEqualTo("*-1\r\n");
        assertThat(run("XREAD STREAMS s +")).isEqualTo("*1\r\n*2\r\n" + bulk("s") + "*1\r\n" + entry("1-2", "b", "2"));
        assertThat(run("XREAD STREAMS none +")).isEqualTo("*-1\r\n");
        run("XDEL s 1-2");
        assertThat(run("XREAD STREAMS s +")).isEqualTo("*1\r\n*2\r\n" + bulk("s") + "*1\r\n" + entry("1-1", "a", "1"));
    }

    @Test
    void groupsDoNotDisturbThoseWhoWatchTheStream() {
        run("XADD s 1-1 a 1");
        CommandTester.Client other = redis.connect();
        for (String harmless : List.of("XGROUP CREATE s g 0", "XREADGROUP GROUP g c STREAMS s >", "XACK s g 1-1")) {
            run("WATCH s");
            other.run(harmless.split(" "));
            run("MULTI");
            run("PING");
            assertThat(run("EXEC")).as(harmless).isEqualTo("*1\r\n+PONG\r\n");
        }
        run("WATCH s");
        other.run("XADD", "s", "2-2", "a", "1");
        run("MULTI");
        assertThat(run("EXEC")).isEqualTo("*-1\r\n");
    }

    @Test
    void aCopyIsAStreamOfItsOwn() {
        run("XADD s 1-1 a 1");
        run("XGROUP CREATE s g 0");
        run("XREADGROUP GROUP g c STREAMS s >");
        run("COPY s t");
        run("XADD s 1-2 a 1");
        run("XACK s g 1-1");
        assertThat(run("XLEN t")).isEqualTo(":1\r\n");
        assertThat(run("XPENDING t g")).startsWith("*4\r\n:1\r\n");
        assertThat(run("OBJECT ENCODING t")).isEqualTo(bulk("stream"));
    }

    @Test
    void settingTheIdMovesNewEntries() {
        run("XADD s 1-1 a 1");
        assertThat(run("XSETID s 5-5 ENTRIESADDED 7 MAXDELETEDID 2-2")).isEqualTo("+OK\r\n");
        assertThat(run("XADD s 5-* a 1")).isEqualTo(bulk("5-6"));
        assertThat(run("XSETID s 5-5")).startsWith("-ERR The ID specified in XSETID is smaller than the target");
        assertThat(run("XINFO STREAM s"))
                .contains(bulk("entries-added") + ":8\r\n")
                .contains(bulk("max-deleted-entry-id") + bulk("2-2"))
                .contains(bulk("recorded-first-entry-id") + bulk("1-1"));
    }

    @Test
    void memoryUsageFollowsTheStream() {
        run("XADD s 1-1 a 1");
        String little = run("MEMORY USAGE s");
        for (int i = 2; i < 1000; i++) {
            run("XADD s 1-" + i + " field value");
        }
        assertThat(number(run("MEMORY USAGE s"))).isBetween(10_000L, 40_000L);
        run("XTRIM s MAXLEN 0");
        assertThat(number(run("MEMORY USAGE s"))).isLessThan(number(little));
    }

    private static long number(String reply) {
        return Long.parseLong(reply.substring(1).strip());
    }
}
