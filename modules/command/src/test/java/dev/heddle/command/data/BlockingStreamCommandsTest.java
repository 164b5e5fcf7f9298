package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Readers of streams that wait, each on a thread of its own. Replies are those of redis-server 7.2. */
class BlockingStreamCommandsTest {

    private static final String NO_GROUP =
            "-NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option\r\n";
    private static final String WRONG_TYPE = "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";

    private final CommandTester tester = new CommandTester();

    private CompletableFuture<String> block(String line) {
        return tester.connect().block(line.split(" "));
    }

    private String run(String line) {
        return tester.run(line.split(" "));
    }

    private static String get(CompletableFuture<String> reply) throws Exception {
        return reply.get(10, TimeUnit.SECONDS);
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    private static String one(String stream, String id) {
        return "*1\r\n*2\r\n" + bulk(stream) + "*1\r\n*2\r\n" + bulk(id) + "*2\r\n" + bulk("f") + bulk("v");
    }

    @Test
    void everyReaderGetsANewEntry() throws Exception {
        List<CompletableFuture<String>> readers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            readers.add(block("XREAD BLOCK 0 STREAMS s $"));
        }
        run("XADD s 1-1 f v");
        for (CompletableFuture<String> reader : readers) {
            assertThat(get(reader)).isEqualTo(one("s", "1-1"));
        }
        assertThat(tester.engine().waiters().count()).isZero();
    }

    @Test
    void newMeansSinceTheCommandCame() throws Exception {
        run("XADD s 1-1 f v");
        CompletableFuture<String> reader = block("XREAD BLOCK 0 STREAMS s t $ $");
        run("XADD other 1-1 f v");
        assertThat(reader).isNotDone();
        run("XADD t 5-5 f v");
        assertThat(get(reader)).isEqualTo(one("t", "5-5"));
    }

    @Test
    void anEntryBeforeTheIdWakesNobody() throws Exception {
        CompletableFuture<String> reader = block("XREAD BLOCK 0 STREAMS s 5-0");
        run("XADD s 3-0 f v");
        assertThat(reader).isNotDone();
        run("XADD s 6-0 f v");
        assertThat(get(reader)).isEqualTo(one("s", "6-0"));
    }

    @Test
    void consumersOfAGroupShare() throws Exception {
        run("XGROUP CREATE s g $ MKSTREAM");
        run("XGROUP CREATE s h $");
        CompletableFuture<String> alice = block("XREADGROUP GROUP g alice BLOCK 0 STREAMS s >");
        CompletableFuture<String> bob = block("XREADGROUP GROUP g bob BLOCK 0 STREAMS s >");
        CompletableFuture<String> carol = block("XREADGROUP GROUP h carol BLOCK 0 STREAMS s >");
        run("XADD s 1-1 f v");
        assertThat(get(alice)).isEqualTo(one("s", "1-1"));
        assertThat(get(carol)).isEqualTo(one("s", "1-1"));
        assertThat(bob).isNotDone();
        run("XADD s 1-2 f v");
        assertThat(get(bob)).isEqualTo(one("s", "1-2"));
        assertThat(run("XPENDING s g")).contains(bulk("alice") + bulk("1")).contains(bulk("bob") + bulk("1"));
        assertThat(tester.effects())
                .contains("XCLAIM s g bob 0 1-2 TIME 1700000000000 RETRYCOUNT 1 FORCE JUSTID LASTID 1-2");
    }

    @ParameterizedTest
    @CsvSource({
        "DEL s, NOGROUP",
        "UNLINK s, NOGROUP",
        "RENAME s t, NOGROUP",
        "XGROUP DESTROY s g, NOGROUP",
        "FLUSHALL, NOGROUP",
        "FLUSHDB, NOGROUP",
        "SWAPDB 0 1, NOGROUP",
        "MOVE s 1, NOGROUP",
        "SET s v, WRONGTYPE",
        "PEXPIRE s -1, NOGROUP"
    })
    void whoWaitsInAGroupIsToldThatItIsGone(String command, String error) throws Exception {
        run("XGROUP CREATE s g $ MKSTREAM");
        CompletableFuture<String> reader = block("XREADGROUP GROUP g alice BLOCK 0 STREAMS s >");
        assertThat(run(command)).doesNotStartWith("-");
        assertThat(get(reader)).isEqualTo(error.equals("NOGROUP") ? NO_GROUP : WRONG_TYPE);
        assertThat(tester.engine().waiters().count()).isZero();
    }

    @Test
    void whoWaitsInAGroupIsToldThatTheStreamHasExpired() throws Exception {
        run("XGROUP CREATE s g $ MKSTREAM");
        run("PEXPIRE s 100");
        CompletableFuture<String> reader = block("XREADGROUP GROUP g alice BLOCK 0 STREAMS s >");
        tester.advance(200);
        tester.expire();
        assertThat(get(reader)).isEqualTo(NO_GROUP);
    }

    @Test
    void whoMeetsAnExpiredStreamTellsThoseWhoWait() throws Exception {
        run("XGROUP CREATE s g $ MKSTREAM");
        run("PEXPIRE s 100");
        CompletableFuture<String> reader = block("XREADGROUP GROUP g alice BLOCK 0 STREAMS s >");
        tester.advance(200);
        run("XADD s 1-1 f v");
        assertThat(get(reader)).isEqualTo(NO_GROUP);
    }

    @Test
    void whoWaitsWithoutAGroupWaitsOnForANewStream() throws Exception {
        run("XADD s 1-1 f v");
        CompletableFuture<String> reader = block("XREAD BLOCK 0 STREAMS s 1-1");
        run("DEL s");
        run("SET s v");
        run("DEL s");
        assertThat(reader).isNotDone();
        run("XADD s 1-2 f v");
        assertThat(get(reader)).isEqualTo(one("s", "1-2"));
    }

    @Test
    void nothingIsGivenOutIfOneOfTheStreamsIsGone() throws Exception {
        run("XGROUP CREATE s g $ MKSTREAM");
        run("XGROUP CREATE other g $ MKSTREAM");
        CompletableFuture<String> reader = block("XREADGROUP GROUP g alice BLOCK 0 STREAMS other s > >");
        run("MULTI");
        run("XADD other 1-1 f v");
        run("DEL s");
        run("EXEC");
        assertThat(get(reader)).isEqualTo(NO_GROUP);
        assertThat(run("XPENDING other g")).startsWith("*4\r\n:0\r\n");
    }

    @Test
    void otherGroupsWaitOn() {
        run("XGROUP CREATE s g $ MKSTREAM");
        run("XGROUP CREATE s h $");
        CompletableFuture<String> reader = block("XREADGROUP GROUP g alice BLOCK 0 STREAMS s >");
        run("XGROUP DESTROY s h");
        run("XGROUP CREATE s h $");
        assertThat(reader).isNotDone();
        assertThat(tester.engine().waiters().count()).isEqualTo(1);
    }

    @Test
    void aTransactionIsSeenAsAWhole() throws Exception {
        run("XGROUP CREATE s g $ MKSTREAM");
        CompletableFuture<String> group = block("XREADGROUP GROUP g alice BLOCK 0 STREAMS s >");
        CompletableFuture<String> reader = block("XREAD BLOCK 0 STREAMS s $");
        run("MULTI");
        run("XADD s 1-1 f v");
        run("DEL s");
        run("XADD s 1-2 f v");
        run("XGROUP CREATE s g 0");
        run("EXEC");
        assertThat(get(group)).isEqualTo(one("s", "1-2"));
        assertThat(get(reader)).isEqualTo(one("s", "1-2"));
    }

    @Test
    void insideTransactionsAndScriptsNobodyWaits() {
        run("MULTI");
        run("XREAD BLOCK 0 STREAMS s $");
        assertThat(run("EXEC")).isEqualTo("*1\r\n*-1\r\n");
        assertThat(tester.run("EVAL", "return redis.pcall('XREAD','BLOCK','0','STREAMS','s','$')", "0"))
                .isEqualTo("-ERR XREAD command is not allowed with BLOCK option from scripts\r\n");
    }

    @Test
    void waitingEnds() throws Exception {
        assertThat(run("XREAD BLOCK 5 STREAMS s $")).isEqualTo("*-1\r\n");
        run("XGROUP CREATE s g $ MKSTREAM");
        assertThat(run("XREADGROUP GROUP g c BLOCK 5 STREAMS s >")).isEqualTo("*-1\r\n");
        CommandTester.Client client = tester.connect();
        CompletableFuture<String> reader = client.block("XREAD", "BLOCK", "0", "STREAMS", "s", "$");
        run("CLIENT UNBLOCK " + client.session().id() + " ERROR");
        assertThat(get(reader)).isEqualTo("-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
    }
}
