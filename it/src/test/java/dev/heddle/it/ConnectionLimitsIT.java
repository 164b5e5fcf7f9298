package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How many clients there may be, and how long one may be silent. */
class ConnectionLimitsIT {

    private static final int IDLE_CONNECTIONS = 10_000;
    /** Descriptors that the two processes need for other things. */
    private static final int SPARE_DESCRIPTORS = 500;

    private static final Duration SOON = Duration.ofSeconds(10);

    @Test
    void oneClientTooManyIsToldSoUntilAnotherLeaves() {
        try (RunningServer heddle = HeddleServer.start("--maxclients", "3");
                RawClient first = heddle.connect();
                RawClient second = heddle.connect()) {
            first.call("PING");
            second.call("PING");
            RawClient third = heddle.connect();
            third.call("PING");
            assertTurnedAway(heddle);
            assertThat(first.call("INFO", "stats").text()).contains("rejected_connections:1\r\n");

            third.close();
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> first.call("INFO", "clients").text().contains("connected_clients:2\r\n"));
            try (RawClient successor = heddle.connect()) {
                assertThat(successor.call("PING").text()).isEqualTo("PONG");
                assertTurnedAway(heddle);
                assertThat(first.call("CONFIG", "SET", "maxclients", "4").text())
                        .isEqualTo("OK");
                try (RawClient fourth = heddle.connect()) {
                    assertThat(fourth.call("PING").text()).isEqualTo("PONG");
                }
            }
        }
    }

    private static void assertTurnedAway(RunningServer heddle) {
        try (RawClient client = heddle.connect()) {
            assertThat(client.readToEnd()).isEqualTo("-ERR max number of clients reached\r\n");
        }
    }

    @Test
    void silentClientsAreDisconnectedButNotThoseThatWait() {
        try (RunningServer heddle = HeddleServer.start("--timeout", "1", "--hz", "20");
                RawClient blocked = heddle.connect();
                RawClient held = heddle.connect();
                RawClient busy = heddle.connect();
                RawClient silent = heddle.connect()) {
            blocked.send("BLPOP", "queue", "0");
            blocked.flush();
            silent.call("PING");
            held.call("PING");
            busy.call("CLIENT", "PAUSE", "4000", "WRITE");
            held.send("SET", "k", "v");
            held.flush();
            long begin = System.nanoTime();
            Awaitility.await()
                    .atMost(SOON)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> !busy.call("CLIENT", "LIST").text().contains("cmd=ping")
                            && System.nanoTime() - begin > 2e9);
            assertThat(silent.isClosedByServer()).isTrue();
            assertThat(held.read().text()).isEqualTo("OK");
            busy.call("RPUSH", "queue", "element");
            assertThat(blocked.read().texts()).containsExactly("queue", "element");
        }
    }

    @Test
    void tenThousandIdleConnectionsHold() throws IOException {
        int wanted = Math.min(IDLE_CONNECTIONS, descriptorLimit() - SPARE_DESCRIPTORS);
        if (wanted < IDLE_CONNECTIONS) {
            System.out.printf(
                    "ConnectionLimitsIT: only %d connections, for the system allows no more (ulimit -Hn)%n", wanted);
        }
        List<RawClient> clients = new ArrayList<>(wanted);
        try (RunningServer heddle = HeddleServer.start("--maxclients", Integer.toString(wanted + 10));
                RawClient observer = heddle.connect()) {
            observer.call("PING");
            long before = heddle.residentKib();
            for (int i = 0; i < wanted; i++) {
                RawClient client = RawClient.small(heddle.port());
                clients.add(client);
                assertThat(client.call("PING").text()).isEqualTo("PONG");
            }
            assertThat(observer.call("INFO", "clients").text()).contains("connected_clients:" + (wanted + 1) + "\r\n");
            assertThat(clients.getLast().call("PING").text()).isEqualTo("PONG");
            assertThat(clients.getFirst().call("PING").text()).isEqualTo("PONG");
            long grown = heddle.residentKib() - before;
            System.out.printf(
                    "ConnectionLimitsIT: %d idle connections take %d KiB resident, %.1f KiB each%n",
                    wanted, grown, (double) grown / wanted);
            assertThat(grown / wanted).isLessThan(64);
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    /** Open files that a process of ours may have; a JVM raises its limit to the hard one by itself. */
    private static int descriptorLimit() throws IOException {
        Path limits = Path.of("/proc/self/limits");
        if (!Files.exists(limits)) {
            return 4096;
        }
        String line = Files.readAllLines(limits).stream()
                .filter(text -> text.startsWith("Max open files"))
                .findFirst()
                .orElseThrow();
        String hard = line.trim().split("\\s+")[4];
        return hard.equals("unlimited") ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE, Long.parseLong(hard));
    }
}
