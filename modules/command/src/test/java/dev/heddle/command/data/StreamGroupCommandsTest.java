package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.Session;
import dev.heddle.command.catalog.CommandTester;
import dev.heddle.resp.Request;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups of consumers; replies were recorded from redis-server. */
class StreamGroupCommandsTest {

    private final CommandTester redis = new CommandTester();

    private String run(String line) {
        return redis.run(line.split(" "));
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    private static Request request(String line) {
        String[] words = line.split(" ");
        byte[][] arguments = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            arguments[i] = words[i].getBytes(StandardCharsets.US_ASCII);
        }
        return Request.of(arguments);
    }

    @BeforeEach
    void threeEntriesAndAGroup() {
        run("XADD s 1-1 a 1");
        run("XADD s 1-2 a 1");
        run("XADD s 1-3 a 1");
        run("XGROUP CREATE s g 0");
        redis.effects();
        redis.events();
    }

    @Test
    void whatIsGivenOutIsRecordedAsClaims() {
        run("XREADGROUP GROUP g alice COUNT 2 STREAMS s >");
        assertThat(redis.effects())
                .containsExactly(
                        "XGROUP CREATECONSUMER s g alice",
                        "XCLAIM s g alice 0 1-1 TIME 1700000000000 RETRYCOUNT 1 FORCE JUSTID LASTID 1-1",
                        "XCLAIM s g alice 0 1-2 TIME 1700000000000 RETRYCOUNT 1 FORCE JUSTID LASTID 1-2");
        assertThat(redis.events()).isEmpty();
        run("XREADGROUP GROUP g alice STREAMS s 0");
        assertThat(redis.effects()).isEmpty();
        run("XREADGROUP GROUP g alice NOACK STREAMS s >");
        assertThat(redis.effects()).containsExactly("XGROUP SETID s g 1-3 ENTRIESREAD 3");
    }

    @Test
    void recordsRepeatedGiveTheSameGroups() {
        run("XREADGROUP GROUP g alice COUNT 2 STREAMS s >");
        redis.advance(1000);
        run("XCLAIM s g bob 0 1-1");
        run("XACK s g 1-2");
        run("XGROUP CREATE s h $");
        CommandTester other = new CommandTester();
        for (String setUp :
                new String[] {"XADD s 1-1 a 1", "XADD s 1-2 a 1", "XADD s 1-3 a 1", "XGROUP CREATE s g 0"}) {
            other.run(setUp.split(" "));
        }
        other.advance(1000);
        Session journal = other.engine().openRepeating();
        for (String effect : redis.effects()) {
            assertThat(other.engine().dispatcher().repeat(journal, request(effect)))
                    .isTrue();
        }
        String[][] looks = {{"XPENDING", "s", "g", "-", "+", "10"}, {"XPENDING", "s", "g"}, {"XINFO", "GROUPS", "s"}};
        for (String[] look : looks) {
            assertThat(other.run(look)).isEqualTo(redis.run(look));
        }
    }

    @Test
    void claimingMovesAndCounts() {
        run("XREADGROUP GROUP g alice STREAMS s >");
        redis.advance(500);
        assertThat(run("XCLAIM s g bob 1000 1-1")).isEqualTo("*0\r\n");
        assertThat(run("XCLAIM s g bob 500 1-1 JUSTID")).isEqualTo("*1\r\n" + bulk("1-1"));
        assertThat(run("XCLAIM s g bob 0 1-2")).contains(bulk("1-2"));
        redis.advance(10);
        assertThat(run("XPENDING s g - + 10 bob"))
                .isEqualTo("*2\r\n*4\r\n" + bulk("1-1") + bulk("bob") + ":10\r\n:1\r\n*4\r\n" + bulk("1-2")
                        + bulk("bob") + ":10\r\n:2\r\n");
        assertThat(run("XPENDING s g IDLE 100 - + 10"))
                .isEqualTo("*1\r\n*4\r\n" + bulk("1-3") + bulk("alice") + ":510\r\n:1\r\n");
    }

    @Test
    void autoClaimGoesOnWhereItStopped() {
        run("XREADGROUP GROUP g alice STREAMS s >");
        run("XDEL s 1-2");
        assertThat(run("XAUTOCLAIM s g bob 0 - COUNT 2 JUSTID"))
                .isEqualTo("*3\r\n" + bulk("1-3") + "*1\r\n" + bulk("1-1") + "*1\r\n" + bulk("1-2"));
        assertThat(run("XAUTOCLAIM s g bob 0 1-3 COUNT 2 JUSTID"))
                .isEqualTo("*3\r\n" + bulk("0-0") + "*1\r\n" + bulk("1-3") + "*0\r\n");
    }

    @Test
    void consumersAreSeenAndActive() {
        run("XREADGROUP GROUP g alice COUNT 1 STREAMS s 0");
        redis.advance(100);
        assertThat(run("XINFO CONSUMERS s g"))
                .isEqualTo("*1\r\n*8\r\n" + bulk("name") + bulk("alice") + bulk("pending") + ":0\r\n" + bulk("idle")
                        + ":100\r\n" + bulk("inactive") + ":-1\r\n");
        run("XREADGROUP GROUP g alice COUNT 1 STREAMS s >");
        redis.advance(50);
        run("XREADGROUP GROUP g alice COUNT 1 STREAMS s 0");
        assertThat(run("XINFO CONSUMERS s g"))
                .endsWith(bulk("pending") + ":1\r\n" + bulk("idle") + ":0\r\n" + bulk("inactive") + ":50\r\n");
        assertThat(redis.run("XINFO", "STREAM", "s", "FULL"))
                .contains(bulk("seen-time") + ":1700000000150\r\n" + bulk("active-time") + ":1700000000100\r\n");
    }

    @Test
    void theHistoryHasHolesWhereEntriesAreGone() {
        run("XREADGROUP GROUP g alice STREAMS s >");
        run("XDEL s 1-2");
        assertThat(run("XREADGROUP GROUP g alice STREAMS s 1-1"))
                .startsWith("*1\r\n*2\r\n" + bulk("s") + "*2\r\n*2\r\n" + bulk("1-2") + "*-1\r\n");
    }

    @Test
    void consumersGoWithWhatTheyHavePending() {
        run("XREADGROUP GROUP g alice STREAMS s >");
        assertThat(run("XGROUP DELCONSUMER s g alice")).isEqualTo(":3\r\n");
        assertThat(run("XPENDING s g")).isEqualTo("*4\r\n:0\r\n$-1\r\n$-1\r\n*-1\r\n");
        assertThat(run("XGROUP DESTROY s g")).isEqualTo(":1\r\n");
        assertThat(run("XREADGROUP GROUP g alice STREAMS s >"))
                .isEqualTo("-NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option\r\n");
    }
}
