package dev.heddle.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class PauseGateTest {

    private final TestServer server = new TestServer(table -> {});
    private final PauseGate gate = server.engine().pauses();

    /** Runs a command on a thread of its own, for it may have to wait. */
    private CompletableFuture<String> start(TestServer.Client client, String... words) {
        return CompletableFuture.supplyAsync(() -> client.run(words));
    }

    private void awaitWaiting(int count) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> gate.waiting() == count);
    }

    private long in(long millis) {
        return server.now.get() + millis;
    }

    @Test
    void aPauseOfWritesLetsReadsPass() {
        gate.pause(in(60_000), true);
        assertThat(server.connect().run("GET", "k")).isEqualTo("$-1\r\n");
        CompletableFuture<String> write = start(server.connect(), "SET", "k", "v");
        awaitWaiting(1);
        assertThat(write).isNotDone();
        gate.unpause();
        assertThat(write.join()).isEqualTo("+OK\r\n");
    }

    @Test
    void aWeakerPauseAfterAStrongerOneWeakensNothing() {
        gate.pause(in(1_000), false);
        gate.pause(in(60_000), true);
        server.now.addAndGet(2_000);
        CompletableFuture<String> read = start(server.connect(), "GET", "k");
        awaitWaiting(1);
        assertThat(read).isNotDone();
        gate.unpause();
        assertThat(read.join()).isEqualTo("$-1\r\n");
    }

    @Test
    void aStrongerPauseLastsAsLongAsTheWeakerOne() {
        gate.pause(in(60_000), true);
        gate.pause(in(1_000), false);
        server.now.addAndGet(2_000);
        CompletableFuture<String> read = start(server.connect(), "GET", "k");
        awaitWaiting(1);
        server.now.addAndGet(60_000);
        gate.recheck();
        assertThat(read.join()).isEqualTo("$-1\r\n");
    }

    @Test
    void aStrongerPauseThatIsOverDoesNotMakeALaterOneStronger() {
        gate.pause(in(1_000), false);
        server.now.addAndGet(1_000);
        gate.pause(in(60_000), true);
        assertThat(server.connect().run("GET", "k")).isEqualTo("$-1\r\n");
    }

    @Test
    void aTimeToLiveBeginsWhenTheCommandRuns() {
        gate.pause(in(60_000), true);
        TestServer.Client client = server.connect();
        CompletableFuture<String> write = start(client, "SET", "k", "v", "PX", "1000");
        awaitWaiting(1);
        server.now.addAndGet(5_000);
        gate.unpause();
        write.join();
        server.now.addAndGet(999);
        assertThat(client.run("GET", "k")).isEqualTo("$1\r\nv\r\n");
        server.now.addAndGet(1);
        assertThat(client.run("GET", "k")).isEqualTo("$-1\r\n");
    }

    @Test
    void aPauseThatIsOverCostsNothingMore() {
        gate.pause(in(1_000), false);
        server.now.addAndGet(1_000);
        TestServer.Client client = server.connect();
        client.run("SET", "k", "v");
        client.session().beginBatch();
        long reads = server.clockReads.get();
        client.runInBatch("SET", "k", "w");
        client.runInBatch("GET", "k");
        assertThat(server.clockReads.get()).isEqualTo(reads);
    }

    @Test
    void whoIsKilledDuringAPauseRunsNothing() {
        gate.pause(in(60_000), false);
        TestServer.Client client = server.connect();
        CompletableFuture<String> write = start(client, "SET", "k", "v");
        awaitWaiting(1);
        client.session().kill();
        assertThat(write).failsWithin(Duration.ofSeconds(10));
        gate.unpause();
        assertThat(server.connect().run("GET", "k")).isEqualTo("$-1\r\n");
    }
}
