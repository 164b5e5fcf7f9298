package dev.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.command.Engine;
import dev.heddle.command.PubSub.Kind;
import dev.heddle.command.catalog.Catalog;
import dev.heddle.command.config.Settings;
import dev.heddle.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages over real sockets: to connections that read, that are busy, that wait, and that do not read at all. */
class MessagesSocketTest {

    private final List<Client> clients = new ArrayList<>();
    private Engine engine;
    private Server server;
    private Client other;

    @BeforeEach
    void open() throws IOException {
        Settings settings = new Settings();
        settings.network.bind.settle(List.of("127.0.0.1"));
        try (ServerSocket free = new ServerSocket(0)) {
            settings.network.port.settle(free.getLocalPort());
        }
        engine = new Engine(
                settings,
                Catalog.build(),
                InstantSource.system(),
                new SecureRandom(),
                () -> {},
                new Store(16, 2, new Random(7)));
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
        assertThat(engine.pubSub().count(Kind.CHANNEL)).isZero();
    }

    private Client connect() throws IOException {
        Client client = new Client(new Socket(InetAddress.getLoopbackAddress(), server.port()));
        clients.add(client);
        return client;
    }

    private static String message(String channel, String text) {
        return "*3\r\n$7\r\nmessage\r\n$" + channel.length() + "\r\n" + channel + "\r\n$" + text.length() + "\r\n"
                + text + "\r\n";
    }

    @Test
    void anIdleSubscriberIsSentMessages() throws IOException {
        Client client = connect();
        client.subscribe("c");
        for (int i = 0; i < 3; i++) {
            assertThat(other.ask("PUBLISH c " + i)).isEqualTo(":1\r\n");
            client.expect(message("c", Integer.toString(i)));
        }
        other.send("PUBLISH c a\r\nPUBLISH c b\r\n");
        client.expect(message("c", "a") + message("c", "b"));
    }

    @Test
    void aWaitingConnectionIsSentMessagesAndThenItsReply() throws IOException {
        Client client = connect();
        client.send("HELLO 3\r\nSUBSCRIBE c\r\n");
        client.skip("subscribe\r\n$1\r\nc\r\n:1\r\n");
        client.send("BLPOP k 0\r\n");
        await().until(() -> engine.waiters().count() == 1);
        other.ask("PUBLISH c x");
        client.expect(message("c", "x").replace('*', '>'));
        other.ask("RPUSH k v");
        client.expect("*2\r\n$1\r\nk\r\n$1\r\nv\r\n");
        other.ask("PUBLISH c y");
        client.expect(message("c", "y").replace('*', '>'));
    }

    @Test
    void whatAServedMoveInvalidatesComesAfterItsReply() throws IOException {
        for (int round = 0; round < 50; round++) {
            Client client = connect();
            client.send("HELLO 3\r\nCLIENT TRACKING ON\r\nLRANGE dst 0 0\r\n");
            client.skip("+OK\r\n");
            client.skip(round == 0 ? "*0\r\n" : "v\r\n");
            client.send("BLMOVE src dst LEFT LEFT 0\r\n");
            await().until(() -> engine.waiters().count() == 1);
            other.ask("RPUSH src v");
            client.expect("$1\r\nv\r\n>2\r\n$10\r\ninvalidate\r\n*1\r\n$3\r\ndst\r\n");
            client.close();
        }
    }

    @Test
    void whoIsHeldBackByAPauseIsSentMessages() throws IOException {
        Client client = connect();
        client.send("HELLO 3\r\nSUBSCRIBE c\r\n");
        client.skip("subscribe\r\n$1\r\nc\r\n:1\r\n");
        other.ask("CLIENT PAUSE 60000 WRITE");
        client.send("PING\r\nSET k v\r\n");
        client.expect("+PONG\r\n");
        await().until(() -> engine.pauses().waiting() == 1);
        engine.pubSub().publish("c".getBytes(StandardCharsets.ISO_8859_1), "x".getBytes(StandardCharsets.ISO_8859_1));
        client.expect(message("c", "x").replace('*', '>'));
        other.ask("CLIENT UNPAUSE");
        client.expect("+OK\r\n");
    }

    @Test
    void aSkippedReplyOfACommandThatHasWaitedLeavesNothing() throws IOException {
        Client client = connect();
        client.send("PING\r\nCLIENT REPLY SKIP\r\nBLPOP k 0.01\r\nECHO end\r\n");
        client.expect("+PONG\r\n$3\r\nend\r\n");
    }

    @Test
    void aSubscriberThatDoesNotReadHoldsUpNobody() throws IOException {
        other.ask("CONFIG SET client-output-buffer-limit \"pubsub 3mb 0 0\"");
        Client slow = connect();
        slow.subscribe("c");
        Client reader = connect();
        reader.subscribe("c");
        String large = "x".repeat(100_000);
        int published = 0;
        for (String met = ":2\r\n"; met.equals(":2\r\n") && published < 1000; published++) {
            met = other.publish("c", large);
            reader.expect(message("c", large));
        }
        assertThat(published).isBetween(30, 999);
        assertThat(engine.stats().outputLimitClosings()).isOne();
        other.ask("CONFIG SET client-output-buffer-limit \"pubsub 32mb 8mb 60\"");
    }

    @Test
    void theHousekeeperEndsWhoIsOverTheSoftLimit() throws IOException {
        other.ask("CONFIG SET client-output-buffer-limit \"pubsub 0 1mb 1\"");
        Client slow = connect();
        slow.subscribe("c");
        String large = "x".repeat(1_000_000);
        for (int i = 0; i < 20; i++) {
            other.publish("c", large);
        }
        await().until(() -> {
            server.tick();
            return engine.stats().outputLimitClosings() == 1;
        });
        await().until(() -> other.ask("PUBLISH c x").equals(":0\r\n"));
    }

    @Test
    void aReplyBeyondTheLimitIsNotSent() throws IOException {
        other.ask("CONFIG SET client-output-buffer-limit \"normal 100000 0 0\"");
        other.ask("SET big " + "x".repeat(30_000));
        Client client = connect();
        client.send("GET big\r\nSET done yes\r\nGET big\r\nGET big\r\nGET big\r\n");
        client.expectEnd();
        assertThat(other.ask("EXISTS done")).isEqualTo(":1\r\n");
        client = connect();
        other.ask("HSET h f v");
        client.send("HRANDFIELD h -99999999\r\n");
        client.expectEnd();
    }

    @Test
    void oneMessageReachesAThousandSubscribers() throws IOException {
        List<Client> subscribers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Client client = connect();
            client.subscribe("c");
            subscribers.add(client);
        }
        for (int i = 0; i < 5; i++) {
            assertThat(other.ask("PUBLISH c " + i)).isEqualTo(":1000\r\n");
        }
        for (Client client : subscribers) {
            for (int i = 0; i < 5; i++) {
                client.expect(message("c", Integer.toString(i)));
            }
        }
    }

    @Test
    void silentSubscribersAreNotIdle() throws IOException {
        other.ask("CONFIG SET timeout 1");
        Client subscriber = connect();
        subscriber.subscribe("c");
        Client silent = connect();
        assertThat(silent.ask("PING")).isEqualTo("+PONG\r\n");
        await().until(() -> {
            server.tick();
            other.ask("PING");
            return server.connections() == 2;
        });
        other.ask("PUBLISH c x");
        subscriber.expect(message("c", "x"));
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

        void subscribe(String channel) throws IOException {
            send("SUBSCRIBE " + channel + "\r\n");
            expect("*3\r\n$9\r\nsubscribe\r\n$" + channel.length() + "\r\n" + channel + "\r\n:1\r\n");
        }

        /** Publishes a message that is too large for one line. */
        String publish(String channel, String text) throws IOException {
            send("*3\r\n$7\r\nPUBLISH\r\n$" + channel.length() + "\r\n" + channel + "\r\n$" + text.length() + "\r\n");
            return ask(text);
        }

        void expect(String reply) throws IOException {
            byte[] bytes = in.readNBytes(reply.length());
            assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).isEqualTo(reply);
        }

        /** Reads on until what it has read ends with this. */
        void skip(String end) throws IOException {
            StringBuilder text = new StringBuilder();
            while (!text.toString().endsWith(end)) {
                int c = in.read();
                assertThat(c).as(text.toString()).isNotNegative();
                text.append((char) c);
            }
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

        void close() throws IOException {
            socket.close();
        }
    }
}
