package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.catalog.CommandTester.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that wait, each on a thread of its own. Replies were recorded from redis-server 7.2.4. */
class BlockingCommandsTest {

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

    private static String array(String... elements) {
        StringBuilder text = new StringBuilder("*" + elements.length + "\r\n");
        for (String element : elements) {
            text.append(bulk(element));
        }
        return text.toString();
    }

    private static String bulk(String element) {
        return "$" + element.length() + "\r\n" + element + "\r\n";
    }

    // ---- without waiting

    @Test
    void whatIsThereIsTakenAtOnce() {
        run("RPUSH l 1 2 3 4 5 6");
        tester.effects();
        tester.events();
        assertThat(run("BLPOP none l 0")).isEqualTo(array("l", "1"));
        assertThat(run("BRPOP l 0")).isEqualTo(array("l", "6"));
        assertThat(run("BLMOVE l m LEFT RIGHT 0")).isEqualTo(bulk("2"));
        assertThat(run("BRPOPLPUSH l m 0")).isEqualTo(bulk("5"));
        assertThat(run("BLMPOP 0 2 none l RIGHT COUNT 5")).isEqualTo("*2\r\n" + bulk("l") + array("4", "3"));
        assertThat(tester.effects())
                .containsExactly("LPOP l", "RPOP l", "LMOVE l m LEFT RIGHT", "RPOPLPUSH l m", "RPOP l 2");
        assertThat(tester.events())
                .containsExactly(
                        "lpop l", "rpop l", "new m", "rpush m", "lpop l", "lpush m", "rpop l", "rpop l", "del l");
    }

    @Test
    void membersThatAreThereAreTakenAtOnce() {
        run("ZADD z 1 a 2 b 3 c");
        tester.effects();
        assertThat(run("BZPOPMIN none z 0")).isEqualTo(array("z", "a", "1"));
        assertThat(run("BZPOPMAX z 0")).isEqualTo(array("z", "c", "3"));
        assertThat(run("BZMPOP 0 1 z MIN")).isEqualTo("*2\r\n" + bulk("z") + "*1\r\n" + array("b", "2"));
        assertThat(tester.effects()).containsExactly("ZPOPMIN z", "ZPOPMAX z", "ZPOPMIN z 1");
    }

    @ParameterizedTest
    @CsvSource({
        "BLPOP a x, timeout is not a float or out of range",
        "BLPOP a nan, timeout is not a float or out of range",
        "BLPOP a -1, timeout is negative",
        "BLPOP a inf, timeout is out of range",
        "BLPOP a 1e400, timeout is out of range",
        "BLPOP a 9223372036854775807, timeout is out of range",
        "BRPOPLPUSH a b -1, timeout is negative",
        "BLMOVE a b x RIGHT y, syntax error",
        "BLMOVE a b LEFT RIGHT y, timeout is not a float or out of range",
        "BLMPOP x 0 a LEFT, numkeys should be greater than 0",
        "BLMPOP 1 1 a x, syntax error",
        "BLMPOP 1 1 a LEFT COUNT 0, count should be greater than 0",
        "BLMPOP x 1 a LEFT, timeout is not a float or out of range",
        "BZPOPMIN a -1, timeout is negative",
        "BZMPOP 1 1 a MIN COUNT, syntax error"
    })
    void argumentsAreCheckedFirst(String command, String text) {
        assertThat(run(command)).isEqualTo("-ERR " + text + "\r\n");
    }

    @Test
    void aWrongTypeIsAnErrorAtOnce() {
        run("SET s 1");
        for (String command :
                List.of("BLPOP none s 0", "BZPOPMIN s 0", "BLMOVE s d LEFT LEFT 0", "BLMPOP 0 1 s LEFT")) {
            assertThat(run(command)).as(command).startsWith("-WRONGTYPE");
        }
    }

    @Test
    void aMillisecondIsAMillisecond() throws Exception {
        for (String command : List.of(
                "BLPOP a 0.001",
                "BRPOP a 0.0001",
                "BLMOVE a b LEFT LEFT 0.001",
                "BRPOPLPUSH a b 0.001",
                "BLMPOP 0.001 1 a LEFT",
                "BZPOPMIN a 0.001",
                "BZPOPMAX a 0.001",
                "BZMPOP 0.001 1 a MIN")) {
            assertThat(get(tester.connect().start(command.split(" "))))
                    .as(command)
                    .isEqualTo("*-1\r\n");
        }
        assertThat(run("RPUSH a 1")).isEqualTo(":1\r\n");
        assertThat(run("LLEN a")).isEqualTo(":1\r\n");
    }

    // ---- waiting

    @Test
    void aPushServesWhoWaits() throws Exception {
        CompletableFuture<String> pop = block("BLPOP a b 0");
        tester.effects();
        tester.events();
        assertThat(run("RPUSH b 1 2")).isEqualTo(":2\r\n");
        assertThat(get(pop)).isEqualTo(array("b", "1"));
        assertThat(run("LRANGE b 0 -1")).isEqualTo(array("2"));
        assertThat(tester.effects()).containsExactly("RPUSH b 1 2", "LPOP b");
        assertThat(tester.events()).containsExactly("new b", "rpush b", "lpop b");
        assertThat(tester.engine().waiters().count()).isZero();
        assertThat(tester.engine().waiters().keys()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "BLPOP k 0, LPUSH k v",
        "BLPOP k 0, RENAME other k",
        "BLPOP k 0, COPY other k",
        "BLPOP k 0, SORT other ALPHA STORE k",
        "BLPOP k 0, LMOVE other k LEFT LEFT",
        "BLPOP k 0, SWAPDB 0 3",
        "BLMPOP 0 1 k LEFT, LINSERT k BEFORE x y",
        "BZPOPMIN k 0, ZADD k 1 v",
        "BZPOPMAX k 0, ZINCRBY k 1 v",
        "BZMPOP 0 1 k MAX, ZUNIONSTORE k 1 zother",
        "BZPOPMIN k 0, RENAME zother k"
    })
    void whateverMakesTheKeyAppearServes(String waiting, String making) throws Exception {
        run("RPUSH other v");
        run("ZADD zother 1 v");
        run("SELECT 3");
        run("RPUSH k v");
        run("SELECT 0");
        CompletableFuture<String> pop = block(waiting);
        run(making);
        if (making.startsWith("LINSERT")) {
            assertThat(pop).isNotDone();
            run("LPUSH k v");
        }
        assertThat(get(pop)).startsWith("*").contains("v");
        assertThat(run("EXISTS k")).isEqualTo(":0\r\n");
    }

    @Test
    void anotherTypeWakesNobody() throws Exception {
        CompletableFuture<String> pop = block("BLPOP k 0");
        CompletableFuture<String> member = block("BZPOPMIN k 0");
        run("SET k 1");
        run("DEL k");
        run("ZADD k 1 m");
        assertThat(get(member)).isEqualTo(array("k", "m", "1"));
        assertThat(pop).isNotDone();
        run("SADD k m");
        run("SORT nothing STORE k");
        run("RPUSH k v");
        assertThat(get(pop)).isEqualTo(array("k", "v"));
    }

    @Test
    void firstWaiterFirst() throws Exception {
        List<CompletableFuture<String>> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiters.add(block(i % 2 == 0 ? "BLPOP k 0" : "BRPOP other k 0"));
        }
        for (int i = 0; i < 20; i++) {
            run("RPUSH k " + i);
            assertThat(get(waiters.get(i))).isEqualTo(array("k", "" + i));
        }
        assertThat(run("EXISTS k")).isEqualTo(":0\r\n");
    }

    @Test
    void onePushMayServeSeveral() throws Exception {
        List<CompletableFuture<String>> waiters =
                List.of(block("BLPOP k 0"), block("BLMPOP 0 1 k LEFT COUNT 2"), block("BRPOP k 0"));
        run("RPUSH k 1 2 3 4");
        assertThat(get(waiters.get(0))).isEqualTo(array("k", "1"));
        assertThat(get(waiters.get(1))).isEqualTo("*2\r\n" + bulk("k") + array("2", "3"));
        assertThat(get(waiters.get(2))).isEqualTo(array("k", "4"));
    }

    @Test
    void aTransactionServesOnceItIsOverAndOnlyWithWhatIsLeft() throws Exception {
        CompletableFuture<String> pop = block("BLPOP a b 0");
        run("MULTI");
        run("RPUSH a gone");
        run("DEL a");
        run("EXEC");
        assertThat(pop).isNotDone();
        run("MULTI");
        run("RPUSH b 1");
        run("RPUSH a 2");
        tester.records();
        run("EXEC");
        assertThat(get(pop)).as("left key first").isEqualTo(array("a", "2"));
        assertThat(tester.records()).containsExactly(List.of("0: RPUSH b 1", "0: RPUSH a 2"), List.of("0: LPOP a"));
    }

    @Test
    void aTransactionTakesItsOwnElementBeforeAnyWaiter() {
        CompletableFuture<String> pop = block("BLPOP k 0");
        run("MULTI");
        run("RPUSH k 1");
        run("BLPOP k 0");
        assertThat(run("EXEC")).isEqualTo("*2\r\n:1\r\n" + array("k", "1"));
        assertThat(pop).isNotDone();
    }

    @Test
    void whatHasExpiredServesNobody() throws Exception {
        run("SELECT 1");
        run("RPUSH k old");
        run("PEXPIRE k 10");
        run("SELECT 0");
        CompletableFuture<String> pop = block("BLPOP k 0");
        tester.advance(20);
        run("SWAPDB 0 1");
        assertThat(pop).isNotDone();
        run("RPUSH k new");
        assertThat(get(pop)).isEqualTo(array("k", "new"));
    }

    @Test
    void aRepeatedKeyIsOneKey() throws Exception {
        CompletableFuture<String> pop = block("BLPOP k k k 0");
        run("RPUSH k 1");
        assertThat(get(pop)).isEqualTo(array("k", "1"));
        assertThat(tester.engine().waiters().keys()).isZero();
    }

    @Test
    void aWaiterWaitsInItsDatabase() throws Exception {
        Client client = tester.connect();
        client.run("SELECT", "2");
        CompletableFuture<String> pop = client.block("BLPOP", "k", "0");
        run("RPUSH k zero");
        assertThat(pop).isNotDone();
        run("MOVE k 2");
        assertThat(get(pop)).isEqualTo(array("k", "zero"));
    }

    @Test
    void aReplyIsInTheProtocolOfTheWaiter() throws Exception {
        Client client = tester.connect();
        client.run("HELLO", "3");
        CompletableFuture<String> pop = client.block("BZPOPMIN", "z", "0");
        run("ZADD z 1.5 m");
        assertThat(get(pop)).isEqualTo("*3\r\n" + bulk("z") + bulk("m") + ",1.5\r\n");
        assertThat(get(client.start("BLPOP", "z", "0.001"))).isEqualTo("_\r\n");
    }

    @Test
    void aLargeElementArrivesWhole() throws Exception {
        String large = "x".repeat(100_000);
        CompletableFuture<String> pop = block("BLPOP k 0");
        tester.run("RPUSH", "k", large);
        assertThat(get(pop)).isEqualTo(array("k", large));
    }

    // ---- moves

    @Test
    void aMoveWaitsForItsSource() throws Exception {
        CompletableFuture<String> move = block("BLMOVE src dst LEFT RIGHT 0");
        run("RPUSH dst 0");
        tester.effects();
        run("RPUSH src 1 2");
        assertThat(get(move)).isEqualTo(bulk("1"));
        assertThat(run("LRANGE dst 0 -1")).isEqualTo(array("0", "1"));
        assertThat(run("LRANGE src 0 -1")).isEqualTo(array("2"));
        assertThat(tester.effects()).containsExactly("RPUSH src 1 2", "LMOVE src dst LEFT RIGHT");
    }

    /** With many keys some source and destination lie in one stripe and others do not, in either order. */
    @Test
    void chains() throws Exception {
        for (int i = 0; i < 40; i++) {
            CompletableFuture<String> last = block("BLPOP c" + i + " 0");
            CompletableFuture<String> second = block("BRPOPLPUSH b" + i + " c" + i + " 0");
            CompletableFuture<String> first = block("BLMOVE a" + i + " b" + i + " LEFT LEFT 0");
            tester.effects();
            run("LPUSH a" + i + " v");
            assertThat(get(first)).isEqualTo(bulk("v"));
            assertThat(get(second)).isEqualTo(bulk("v"));
            assertThat(get(last)).isEqualTo(array("c" + i, "v"));
            assertThat(run("DBSIZE")).isEqualTo(":0\r\n");
            assertThat(tester.effects())
                    .containsExactly(
                            "LPUSH a" + i + " v",
                            "LMOVE a" + i + " b" + i + " LEFT LEFT",
                            "RPOPLPUSH b" + i + " c" + i,
                            "LPOP c" + i);
        }
    }

    @Test
    void movesInACircleEnd() throws Exception {
        CompletableFuture<String> there = block("BRPOPLPUSH a b 0");
        CompletableFuture<String> back = block("BRPOPLPUSH b a 0");
        run("RPUSH a v");
        assertThat(get(there)).isEqualTo(bulk("v"));
        assertThat(get(back)).isEqualTo(bulk("v"));
        assertThat(run("LRANGE a 0 -1")).isEqualTo(array("v"));
        CompletableFuture<String> self = block("BRPOPLPUSH s s 0");
        run("RPUSH s 1 2");
        assertThat(get(self)).isEqualTo(bulk("2"));
        assertThat(run("LRANGE s 0 -1")).isEqualTo(array("2", "1"));
    }

    @Test
    void aMoveToAWrongTypeFailsWhenItsTurnComesAndTheNextIsServed() throws Exception {
        CompletableFuture<String> move = block("BLMOVE src dst LEFT RIGHT 0");
        CompletableFuture<String> pop = block("BLPOP src 0");
        run("SET dst 1");
        run("RPUSH src v");
        assertThat(get(move)).startsWith("-WRONGTYPE");
        assertThat(get(pop)).isEqualTo(array("src", "v"));
    }

    @Test
    void fairnessWithinATransaction() throws Exception {
        CompletableFuture<String> one = block("BRPOPLPUSH l1 l3 0");
        CompletableFuture<String> two = block("BLPOP l2 0");
        CompletableFuture<String> three = block("BLMPOP 0 2 l2 l3 LEFT COUNT 1");
        run("MULTI");
        run("LPUSH l1 1");
        run("LPUSH l2 2");
        run("EXEC");
        assertThat(get(one)).isEqualTo(bulk("1"));
        assertThat(get(two)).isEqualTo(array("l2", "2"));
        assertThat(get(three)).isEqualTo("*2\r\n" + bulk("l3") + array("1"));
    }

    @Test
    void aMoveTouchesWatchesOnceItHappens() {
        CompletableFuture<String> move = block("BLMOVE src dst LEFT RIGHT 0");
        run("WATCH dst");
        run("MULTI");
        run("PING");
        assertThat(run("EXEC")).isEqualTo("*1\r\n+PONG\r\n");
        run("WATCH dst");
        tester.connect().run("RPUSH", "src", "v");
        run("MULTI");
        run("PING");
        assertThat(run("EXEC")).isEqualTo("*-1\r\n");
        assertThat(move).succeedsWithin(10, TimeUnit.SECONDS);
    }

    // ---- ends without an element

    @Test
    void whoHasGoneReceivesNothing() throws Exception {
        Client client = tester.connect();
        CompletableFuture<String> pop = client.block("BLPOP", "a", "b", "0");
        CompletableFuture<String> next = block("BLPOP b 0");
        client.vanish();
        assertThat(get(pop)).isEmpty();
        assertThat(client.session().closing()).isTrue();
        run("RPUSH b v");
        assertThat(get(next)).isEqualTo(array("b", "v"));
        run("RPUSH a w");
        assertThat(run("LRANGE a 0 -1")).isEqualTo(array("w"));
    }

    @Test
    void whoIsKilledReceivesNothing() throws Exception {
        Client client = tester.connect();
        CompletableFuture<String> pop = client.block("BLPOP", "k", "0");
        assertThat(run("CLIENT KILL ID " + client.session().id())).isEqualTo(":1\r\n");
        run("RPUSH k v");
        assertThat(run("LLEN k")).isEqualTo(":1\r\n");
        assertThat(get(pop)).isEmpty();
    }

    @Test
    void whoHasTimedOutReceivesNothing() throws Exception {
        CompletableFuture<String> pop = tester.connect().start("BLPOP", "k", "0.02");
        assertThat(get(pop)).isEqualTo("*-1\r\n");
        run("RPUSH k v");
        assertThat(run("LLEN k")).isEqualTo(":1\r\n");
    }

    @Test
    void clientUnblock() throws Exception {
        Client client = tester.connect();
        String id = "" + client.session().id();
        assertThat(run("CLIENT UNBLOCK " + id)).isEqualTo(":0\r\n");
        CompletableFuture<String> pop = client.block("BLPOP", "k", "0");
        assertThat(run("CLIENT LIST ID " + id)).contains(" flags=b ").contains(" cmd=blpop ");
        assertThat(run("INFO clients")).contains("blocked_clients:1\r\n");
        assertThat(run("CLIENT UNBLOCK " + id)).isEqualTo(":1\r\n");
        assertThat(get(pop)).isEqualTo("*-1\r\n");
        pop = client.block("BLPOP", "k", "0");
        assertThat(run("CLIENT UNBLOCK " + id + " ERROR")).isEqualTo(":1\r\n");
        assertThat(get(pop)).isEqualTo("-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
        pop = client.block("BLPOP", "k", "0");
        assertThat(run("CLIENT UNBLOCK " + id + " TIMEOUT")).isEqualTo(":1\r\n");
        assertThat(get(pop)).isEqualTo("*-1\r\n");
        assertThat(run("INFO clients")).contains("blocked_clients:0\r\n");
        assertThat(run("CLIENT UNBLOCK 987654")).isEqualTo(":0\r\n");
    }

    @Test
    void aBlockingCommandCountsOnce() throws Exception {
        CompletableFuture<String> pop = block("BLPOP k 0");
        run("RPUSH k v");
        get(pop);
        var stats = tester.engine().table().find("blpop");
        assertThat(stats).isNotNull();
        await().untilAsserted(() -> assertThat(stats.stats().calls()).isEqualTo(1));
        assertThat(stats.stats().failed()).isZero();
    }
}
