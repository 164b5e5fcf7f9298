package dev.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.command.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Blocking commands over real sockets: what a waiting connection sends, and how it notices that its client has left. */
class BlockingSocketTest {

    private final List<Client> clients = new ArrayList<>();
    private Engine engine;
    private Server server;
    private Client other;

    @BeforeEach
    void open() throws IOException {
        engine = TestEngine.onFreePort();
        server = Server.open(engine);
        other = connect();
    }

    @AfterEach
    void close() throws IOException {
        for (Client client : clients) {
            client.close();
        }
        server.close();
        await().until(() -> server.connections() == 0);
        assertThat(engine.waiters().count()).isZero();
    }

    private Client connect() throws IOException {
        Client client = new Client(new Socket(InetAddress.getLoopbackAddress(), server.port()));
        clients.add(client);
        return client;
    }

    private void awaitBlocked(int count) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> engine.waiters().count() == count);
    }

    @Test
    void repliesOfEarlierCommandsAreSentBeforeTheWait() throws IOException {
        Client client = connect();
        client.send("PING\r\nBLPOP k 0\r\nPING\r\n");
        client.expect("+PONG\r\n");
        awaitBlocked(1);
        assertThat(other.ask("RPUSH k v")).isEqualTo(":1\r\n");
        client.expect("*2\r\n$1\r\nk\r\n$1\r\nv\r\n+PONG\r\n");
    }

    @Test
    void commandsSentDuringTheWaitRunAfterIt() throws IOException {
        Client client = connect();
        client.send("BLPOP k 0\r\n");
        awaitBlocked(1);
        String large = "x".repeat(50_000);
        client.send("SET s " + large + "\r\n");
        client.send("STRLEN s\r\n");
        assertThat(other.ask("EXISTS s")).isEqualTo(":0\r\n");
        other.ask("RPUSH k v");
        client.expect("*2\r\n$1\r\nk\r\n$1\r\nv\r\n+OK\r\n:50000\r\n");
        client.send("BLPOP k 0.001\r\nPING\r\n");
        client.expect("*-1\r\n+PONG\r\n");
    }

    @Test
    void aClientThatHasLeftReceivesNothing() throws IOException {
        Client client = connect();
        client.send("BLPOP k 0\r\n");
        awaitBlocked(1);
        client.close();
        awaitBlocked(0);
        assertThat(other.ask("RPUSH k v")).isEqualTo(":1\r\n");
        assertThat(other.ask("LLEN k")).isEqualTo(":1\r\n");
    }

    @Test
    void aClientThatWasKilledReceivesNothing() throws IOException {
        Client client = connect();
        String id = client.ask("CLIENT ID").substring(1).strip();
        client.send("BLPOP k 0\r\n");
        awaitBlocked(1);
        assertThat(other.ask("CLIENT KILL ID " + id)).isEqualTo(":1\r\n");
        assertThat(other.ask("RPUSH k v")).isEqualTo(":1\r\n");
        assertThat(other.ask("LLEN k")).isEqualTo(":1\r\n");
        client.expectEnd();
    }

    @Test
    void aConnectionThatIsResetReceivesNothing() throws IOException {
        Client client = connect();
        client.send("PING\r\nBLMOVE k dst LEFT LEFT 0\r\n");
        awaitBlocked(1);
        client.reset();
        awaitBlocked(0);
        other.ask("RPUSH k v");
        assertThat(other.ask("LLEN k")).isEqualTo(":1\r\n");
        assertThat(other.ask("EXISTS dst")).isEqualTo(":0\r\n");
    }

    @Test
    void aChainOfMoves() throws IOException {
        Client last = connect();
        last.send("BLPOP d 0\r\n");
        awaitBlocked(1);
        Client middle = connect();
        middle.send("BRPOPLPUSH s d 0\r\n");
        awaitBlocked(2);
        assertThat(other.ask("LPUSH s v")).isEqualTo(":1\r\n");
        middle.expect("$1\r\nv\r\n");
        last.expect("*2\r\n$1\r\nd\r\n$1\r\nv\r\n");
    }

    @Test
    void aWorkerThatAsksAgainAndAgainMissesNothing() throws IOException {
        Client worker = connect();
        for (int i = 0; i < 300; i++) {
            worker.send("BRPOPLPUSH jobs done 0\r\n");
            if (i % 3 == 0) {
                awaitBlocked(1);
            }
            other.ask("LPUSH jobs " + (1000 + i));
            worker.expect("$4\r\n" + (1000 + i) + "\r\n");
        }
        assertThat(other.ask("LLEN done")).isEqualTo(":300\r\n");
    }

    @Test
    void shortTimeouts() throws IOException {
        Client client = connect();
        client.send("BLPOP k 0.001\r\nBLMOVE k l LEFT LEFT 0.001\r\nBZPOPMIN z 0.0005\r\n");
        client.expect("*-1\r\n*-1\r\n*-1\r\n");
    }

    @Test
    void idleTimeoutSparesWhoWaits() throws IOException {
        engine.settings().network.timeout.settle(1);
        Client client = connect();
        client.send("BLPOP k 0\r\n");
        Client idle = connect();
        assertThat(idle.ask("PING")).isEqualTo("+PONG\r\n");
        awaitBlocked(1);
        await().until(() -> {
            assertThat(other.ask("PING")).isEqualTo("+PONG\r\n");
            server.tick();
            return server.connections() == 2;
        });
        other.ask("RPUSH k v");
        client.expect("*2\r\n$1\r\nk\r\n$1\r\nv\r\n");
    }

    @Test
    void shutdownEndsWaits() throws Exception {
        Client client = connect();
        client.send("BLPOP k 0\r\n");
        awaitBlocked(1);
        server.shutdown(10_000);
        client.expectEnd();
        assertThat(engine.waiters().count()).isZero();
    }

    @Test
    void aSkippedReplyOfACommandThatWaitedLeavesNothing() throws IOException {
        Client client = connect();
        client.send("PING\r\nCLIENT REPLY SKIP\r\nBLPOP k 0\r\nECHO end\r\n");
        client.expect("+PONG\r\n");
        awaitBlocked(1);
        other.ask("RPUSH k v");
        client.expect("$3\r\nend\r\n");
    }

    @Test
    void repliesOfEarlierCommandsAreSentBeforeAPause() throws IOException {
        assertThat(other.ask("CLIENT PAUSE 60000 WRITE")).isEqualTo("+OK\r\n");
        Client client = connect();
        client.send("PING\r\nSET k v\r\nPING\r\n");
        client.expect("+PONG\r\n");
        awaitPaused(1);
        assertThat(other.ask("CLIENT UNPAUSE")).isEqualTo("+OK\r\n");
        client.expect("+OK\r\n+PONG\r\n");
    }

    @Test
    void aClientThatLeavesDuringAPauseHasNothingRun() throws IOException {
        other.ask("CLIENT PAUSE 60000 WRITE");
        Client client = connect();
        client.send("SET k v\r\n");
        awaitPaused(1);
        client.close();
        awaitPaused(0);
        other.ask("CLIENT UNPAUSE");
        assertThat(other.ask("EXISTS k")).isEqualTo(":0\r\n");
    }

    @Test
    void shutdownEndsPauses() throws Exception {
        other.ask("CLIENT PAUSE 60000 WRITE");
        Client client = connect();
        client.send("SET k v\r\n");
        awaitPaused(1);
        server.shutdown(10_000);
        client.expectEnd();
    }

    @Test
    void idleTimeoutSparesWhoseCommandWasHeldBack() throws IOException {
        engine.settings().network.timeout.settle(1);
        Client client = connect();
        other.ask("CLIENT PAUSE 2500 WRITE");
        client.send("SET k v\r\n");
        awaitPaused(1);
        await().until(() -> {
            server.tick();
            other.ask("PING");
            return engine.pauses().waiting() == 0;
        });
        server.tick();
        client.expect("+OK\r\n");
        assertThat(client.ask("PING")).isEqualTo("+PONG\r\n");
    }

    private void awaitPaused(int count) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> engine.pauses().waiting() == count);
    }

    @Test
    void queuedCommandsCountAgainstTheQueryBufferLimit() throws IOException {
        engine.settings().network.queryBufferLimit.settle(1024L * 1024);
        server.close();
        server = Server.open(engine);
        Client client = connect();
        client.send("MULTI\r\n");
        client.expect("+OK\r\n");
        String large = "x".repeat(60_000);
        int sent = 0;
        try {
            while (sent < 100) {
                client.send("*2\r\n$4\r\nECHO\r\n$60000\r\n" + large + "\r\n");
                client.expect("+QUEUED\r\n");
                sent++;
            }
        } catch (IOException | AssertionError closed) {
            assertThat(sent).isBetween(10, 40);
        }
        assertThat(sent).isLessThan(100);
    }

    /** A plain socket. */
    private static final class Client {

        private final Socket socket;
        private final InputStream in;

        Client(Socket socket) throws IOException {
            this.socket = socket;
            socket.setSoTimeout(10_000);
            socket.setTcpNoDelay(true);
            in = socket.getInputStream();
        }

        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        void expect(String reply) throws IOException {
            byte[] bytes = in.readNBytes(reply.length());
            assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).isEqualTo(reply);
        }

        void expectEnd() throws IOException {
            assertThat(in.read()).isEqualTo(-1);
        }

        /** Sends a command whose reply is one line, and reads that. */
        String ask(String command) throws IOException {
            send(command + "\r\n");
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c >= 0; c = in.read()) {
                line.append((char) c);
                if (c == '\n') {
                    break;
                }
            }
            return line.toString();
        }

        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        void close() throws IOException {
            socket.close();
        }
    }
}
