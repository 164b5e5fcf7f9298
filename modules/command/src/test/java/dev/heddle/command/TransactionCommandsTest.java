package dev.heddle.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.catalog.CommandTester.Client;
import dev.heddle.command.config.Settings.Origin;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** MULTI and its companions. Replies were recorded from redis-server 7.2.4. */
class TransactionCommandsTest {

    private static final String OK = "+OK\r\n";
    private static final String QUEUED = "+QUEUED\r\n";
    private static final String ABORTED = "-EXECABORT Transaction discarded because of previous errors.\r\n";

    private final CommandTester tester = new CommandTester();
    private final Client other = tester.connect();

    private String run(String line) {
        return tester.run(line.split(" "));
    }

    private void queue(String... lines) {
        assertThat(run("MULTI")).isEqualTo(OK);
        for (String line : lines) {
            assertThat(run(line)).isEqualTo(QUEUED);
        }
    }

    @Test
    void runsWhatWasQueued() {
        queue("SET a b", "LPUSH a x", "GET a");
        assertThat(other.run("GET", "a")).isEqualTo("$-1\r\n");
        assertThat(run("EXEC"))
                .isEqualTo(
                        "*3\r\n+OK\r\n-WRONGTYPE Operation against a key holding the wrong kind of value\r\n$1\r\nb\r\n");
        assertThat(run("EXEC")).isEqualTo("-ERR EXEC without MULTI\r\n");
    }

    @Test
    void anEmptyTransactionAnswersAnEmptyArray() {
        queue();
        assertThat(run("EXEC")).isEqualTo("*0\r\n");
    }

    @Test
    void whatIsRefusedAbortsTheTransaction() {
        for (String bad : List.of("NOSUCH", "GET", "CLIENT NOSUCH")) {
            queue("SET x 1");
            assertThat(run(bad)).startsWith("-ERR");
            assertThat(run("SET y 1")).isEqualTo(QUEUED);
            assertThat(run("EXEC")).as(bad).isEqualTo(ABORTED);
            assertThat(run("EXISTS x y")).isEqualTo(":0\r\n");
        }
    }

    @Test
    void aRefusedExecEndsTheTransaction() {
        queue("SET x 1");
        assertThat(run("EXEC now"))
                .isEqualTo(
                        "-EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command\r\n");
        assertThat(run("EXEC")).isEqualTo("-ERR EXEC without MULTI\r\n");
        assertThat(run("EXISTS x")).isEqualTo(":0\r\n");
    }

    @Test
    void aPasswordSetMeanwhileAborts() {
        queue("SET x 1");
        tester.client().session().deauthenticate();
        tester.settings().set(List.of(Map.entry("requirepass", "secret")), new Origin(true, false));
        tester.client().session().deauthenticate();
        assertThat(run("GET x")).isEqualTo("-NOAUTH Authentication required.\r\n");
        assertThat(run("AUTH secret")).isEqualTo(QUEUED);
        assertThat(run("EXEC")).startsWith("-EXECABORT Transaction discarded because of: NOAUTH");
    }

    @Test
    void whatIsOutOfPlaceDoesNotAbort() {
        queue("SET x 1");
        assertThat(run("MULTI")).isEqualTo("-ERR MULTI calls can not be nested\r\n");
        assertThat(run("WATCH x")).isEqualTo("-ERR WATCH inside MULTI is not allowed\r\n");
        assertThat(run("EXEC")).isEqualTo("*1\r\n+OK\r\n");
    }

    @Test
    void discardForgetsCommandsAndWatches() {
        assertThat(run("DISCARD")).isEqualTo("-ERR DISCARD without MULTI\r\n");
        run("WATCH w");
        queue("SET x 1");
        assertThat(run("DISCARD")).isEqualTo(OK);
        other.run("SET", "w", "1");
        queue("GET x");
        assertThat(run("EXEC")).isEqualTo("*1\r\n$-1\r\n");
    }

    @Test
    void resetEndsATransactionAtOnce() {
        queue("SET x 1");
        assertThat(run("RESET")).isEqualTo("+RESET\r\n");
        assertThat(run("EXEC")).isEqualTo("-ERR EXEC without MULTI\r\n");
    }

    @Test
    void effectsAreOneRecordAcrossDatabases() {
        run("SET gone v PX 5");
        tester.advance(10);
        tester.records();
        queue("SET a 1", "GET gone", "SELECT 3", "LPUSH b x y", "GET b", "SPOP nothing", "SELECT 0", "INCR a");
        run("EXEC");
        assertThat(tester.records())
                .containsExactly(List.of("0: SET a 1", "0: DEL gone", "3: LPUSH b x y", "0: INCR a"));
        queue("GET a");
        run("EXEC");
        assertThat(tester.records()).isEmpty();
    }

    @Test
    void commandsAboutEverythingFindTheLocksTaken() {
        run("MSET a 1 b 2 c 3");
        queue(
                "DBSIZE",
                "RANDOMKEY",
                "KEYS z",
                "SCAN 0 COUNT 100 MATCH z",
                "FLUSHALL",
                "DBSIZE",
                "SWAPDB 0 1",
                "MSET p 1 q 2");
        assertThat(run("EXEC")).startsWith("*8\r\n:3\r\n$1\r\n").endsWith("+OK\r\n:0\r\n+OK\r\n+OK\r\n");
    }

    @Test
    void commandsThatWouldWaitDoNot() {
        queue(
                "BLPOP a 0",
                "BLMOVE a b LEFT RIGHT 0",
                "BRPOPLPUSH a b 0",
                "BLMPOP 0 1 a LEFT",
                "BZPOPMIN a 0",
                "BZMPOP 0 1 a MIN");
        assertThat(run("EXEC")).isEqualTo("*6\r\n*-1\r\n$-1\r\n$-1\r\n*-1\r\n*-1\r\n*-1\r\n");
        assertThat(tester.engine().waiters().count()).isZero();
    }

    // ---- WATCH

    private void assertAborts(String change) {
        tester.run("FLUSHALL");
        tester.run("MSET", "k", "1", "k2", "1");
        run("WATCH k k2 none");
        assertThat(other.run(change.split(" "))).as(change).doesNotStartWith("-");
        queue("PING");
        assertThat(run("EXEC")).as(change).isEqualTo("*-1\r\n");
    }

    @Test
    void anyChangeOfAWatchedKeyAborts() {
        for (String change : List.of(
                "SET k 2",
                "APPEND k x",
                "INCR k2",
                "EXPIRE k 100",
                "DEL k",
                "UNLINK k2",
                "RENAME k other",
                "RENAME k k2",
                "SET none 1",
                "LPUSH none 1",
                "MOVE k 5",
                "FLUSHALL",
                "FLUSHDB",
                "SWAPDB 0 7",
                "COPY k none",
                "GETDEL k",
                "SETRANGE k 0 x",
                "SORT nothing STORE k")) {
            assertAborts(change);
        }
    }

    @Test
    void whatChangesNothingDoesNotAbort() {
        for (String nothing :
                List.of("GET k", "DEL nobody", "SETNX k 1", "SET j 1", "PERSIST k", "SWAPDB 8 9", "LPUSHX none 1")) {
            tester.run("FLUSHALL");
            tester.run("SET", "k", "1");
            run("WATCH k none");
            assertThat(other.run(nothing.split(" "))).doesNotStartWith("-");
            queue("PING");
            assertThat(run("EXEC")).as(nothing).isEqualTo("*1\r\n+PONG\r\n");
        }
    }

    @Test
    void flushingDoesNotTouchWhatWasNotThere() {
        run("WATCH none");
        other.run("FLUSHALL");
        queue("PING");
        assertThat(run("EXEC")).isEqualTo("*1\r\n+PONG\r\n");
    }

    @Test
    void aWatchIsOfOneDatabase() {
        run("WATCH k");
        other.run("SELECT", "5");
        other.run("SET", "k", "1");
        queue("PING");
        assertThat(run("EXEC")).isEqualTo("*1\r\n+PONG\r\n");
    }

    @Test
    void aKeyThatExpiresAfterWatchAborts() {
        run("SET k 1 PX 300");
        run("WATCH k");
        tester.advance(301);
        queue("INCR k");
        assertThat(run("EXEC")).isEqualTo("*-1\r\n");

        run("SET k 1 PX 300");
        run("WATCH k");
        tester.advance(301);
        tester.expire();
        queue("INCR k");
        assertThat(run("EXEC")).isEqualTo("*-1\r\n");
    }

    @Test
    void aKeyThatHadExpiredBeforeWatchDoesNotAbort() {
        run("SET k 1 PX 300");
        tester.advance(301);
        run("WATCH k");
        queue("INCR k");
        assertThat(run("EXEC")).isEqualTo("*1\r\n:1\r\n");

        run("SET k 1 PX 300");
        tester.advance(301);
        run("WATCH k");
        tester.expire();
        queue("INCR k");
        assertThat(run("EXEC")).isEqualTo("*1\r\n:1\r\n");

        run("SET k 1 PX 300");
        tester.advance(301);
        run("WATCH k");
        other.run("SET", "k", "5");
        queue("INCR k");
        assertThat(run("EXEC")).isEqualTo("*-1\r\n");
    }

    @Test
    void onesOwnChangesCountUntilUnwatch() {
        run("WATCH k");
        run("SET k 1");
        run("UNWATCH");
        queue("GET k");
        assertThat(run("EXEC")).isEqualTo("*1\r\n$1\r\n1\r\n");
        run("WATCH k");
        run("SET k 2");
        queue("GET k");
        assertThat(run("EXEC")).isEqualTo("*-1\r\n");
        queue("GET k");
        assertThat(run("EXEC")).as("EXEC has ended the watch").isEqualTo("*1\r\n$1\r\n2\r\n");
    }

    @Test
    void nobodyIsToldOnceNobodyWatches() {
        tester.stopObserving();
        Engine engine = tester.engine();
        assertThat(engine.keyspace().isObserved()).isFalse();
        Client third = tester.connect();
        third.run("WATCH", "k");
        run("WATCH k k2");
        assertThat(engine.keyspace().isObserved()).isTrue();
        third.session().close();
        run("UNWATCH");
        assertThat(engine.watches().isEmpty()).isTrue();
        assertThat(engine.keyspace().isObserved()).isFalse();
    }

    @Test
    void clientListTellsOfTransactions() {
        run("WATCH k");
        queue("GET k", "PING");
        other.run("SET", "k", "1");
        assertThat(other.run("CLIENT", "LIST")).contains(" flags=xd ").contains(" multi=2 ");
        run("DISCARD");
        assertThat(other.run("CLIENT", "LIST")).doesNotContain(" flags=x").contains(" multi=-1 ");
    }
}
