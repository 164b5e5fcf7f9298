package dev.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.command.Engine;
import dev.heddle.command.Session;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replies that are much larger than a connection's buffers are sent piece by piece. */
class LongReplySocketTest {

    private static final int MEMBERS = 500_000;

    private Engine engine;
    private Server server;
    private Socket socket;
    private InputStream in;

    @BeforeEach
    void open() throws IOException {
        engine = TestEngine.onFreePort();
        server = Server.open(engine);
        socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(20_000);
        in = new BufferedInputStream(socket.getInputStream());
        for (int from = 0; from < MEMBERS; from += 1000) {
            StringBuilder add = new StringBuilder("SADD set");
            for (int i = from; i < from + 1000; i++) {
                add.append(" member:").append(i);
            }
            send(add.toString());
            assertThat(line()).isEqualTo(":1000");
        }
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        server.close();
        await().until(() -> server.connections() == 0);
    }

    private void send(String command) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\r'; c = in.read()) {
            assertThat(c).isNotNegative();
            line.append((char) c);
        }
        assertThat(in.read()).isEqualTo('\n');
        return line.toString();
    }

    private Session session() {
        return engine.sessions().all().iterator().next();
    }

    @Test
    void theWholeReplyArrivesAndTakesLittleMemoryMeanwhile() throws IOException {
        send("PING");
        assertThat(line()).isEqualTo("+PONG");
        send("SMEMBERS set\r\nECHO end");
        assertThat(line()).isEqualTo("*" + MEMBERS);
        // The client reads no further, so that the reply is stuck somewhere in the middle.
        assertThat(session().connection().bufferBytes()).isLessThan(1 << 20);
        Set<String> members = new HashSet<>();
        for (int i = 0; i < MEMBERS; i++) {
            String length = line();
            String member = line();
            assertThat(length).isEqualTo("$" + member.length());
            members.add(member);
        }
        assertThat(members).hasSize(MEMBERS).contains("member:0", "member:" + (MEMBERS - 1));
        assertThat(line()).isEqualTo("$3");
        assertThat(line()).isEqualTo("end");
    }

    @Test
    void aMutedReplyIsDroppedAsItGrows() throws IOException {
        send("CLIENT REPLY SKIP\r\nSMEMBERS set\r\nECHO end");
        assertThat(line()).isEqualTo("$3");
        assertThat(line()).isEqualTo("end");
        send("CLIENT REPLY OFF\r\nHGETALL set\r\nSMEMBERS set\r\nCLIENT REPLY ON");
        assertThat(line()).isEqualTo("+OK");
    }

    @Test
    void aClientThatLeavesInTheMiddleHarmsNobody() throws IOException {
        send("SMEMBERS set");
        assertThat(line()).isEqualTo("*" + MEMBERS);
        socket.setSoLinger(true, 0);
        socket.close();
        await().until(() -> server.connections() == 0);
        socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        in = socket.getInputStream();
        send("SCARD set");
        assertThat(line()).isEqualTo(":" + MEMBERS);
    }
}
