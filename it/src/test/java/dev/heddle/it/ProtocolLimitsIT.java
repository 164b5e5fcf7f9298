package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What a client may not send: it hears why, in Redis's words, and is disconnected; nobody else notices. */
class ProtocolLimitsIT {

    private static final int LINE_LIMIT = 64 * 1024;
    private static final int MEGABYTE = 1 << 20;
    private static final Duration SOON = Duration.ofSeconds(10);

    private static RunningServer heddle;

    @BeforeAll
    static void start() {
        heddle = HeddleServer.start("--client-query-buffer-limit", "1mb");
    }

    @AfterAll
    static void stop() {
        heddle.close();
    }

    /** What is sent, and what is answered after {@code -ERR Protocol error: }. */
    private static Map<String, String> violations() {
        Map<String, String> violations = new LinkedHashMap<>();
        violations.put("*abc\r\n", "invalid multibulk length");
        violations.put("*2147483648\r\n", "invalid multibulk length");
        violations.put("*1\r\n$abc\r\n", "invalid bulk length");
        violations.put("*1\r\n$-1\r\n", "invalid bulk length");
        violations.put("*1\r\n$536870913\r\n", "invalid bulk length");
        violations.put("*1\r\n:5\r\n", "expected '$', got ':'");
        violations.put("*2\r\n$4\r\nECHO\r\nhello\r\n", "expected '$', got 'h'");
        violations.put("a".repeat(LINE_LIMIT + 2), "too big inline request");
        violations.put("*" + "1".repeat(LINE_LIMIT + 2), "too big mbulk count string");
        violations.put("*1\r\n$" + "1".repeat(LINE_LIMIT + 2), "too big bulk count string");
        violations.put("SET k \"v\r\n", "unbalanced quotes in request");
        return violations;
    }

    @TestFactory
    Stream<DynamicTest> whatIsNoRequestIsAnsweredAndEndsTheConnection() {
        return violations().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(
                        Quoting.escape(head(entry.getKey())), () -> assertRefused(heddle, entry)));
    }

    @TestFactory
    Stream<DynamicTest> redisAnswersTheSame() {
        RunningServer redis = RedisServer.start();
        return violations().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(
                        Quoting.escape(head(entry.getKey())), () -> assertRefused(redis, entry)))
                .onClose(redis::close);
    }

    private static String head(String text) {
        return text.substring(0, Math.min(text.length(), 30));
    }

    /** What came before in the same packet is answered, too. */
    private static void assertRefused(RunningServer server, Map.Entry<String, String> violation) {
        try (RawClient client = server.connect()) {
            client.sendRaw("PING\r\n" + violation.getKey());
            assertThat(client.read().text()).isEqualTo("PONG");
            assertThat(client.read().bytes()).isEqualTo("-ERR Protocol error: " + violation.getValue() + "\r\n");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void whoHasNotSaidThePasswordMaySendLittle() {
        try (RunningServer guarded = HeddleServer.start("--requirepass", "secret")) {
            assertRefusedUnauthenticated(guarded, "*11\r\n", "unauthenticated multibulk length");
            assertRefusedUnauthenticated(guarded, "*2\r\n$4\r\nAUTH\r\n$16385\r\n", "unauthenticated bulk length");
            try (RawClient client = guarded.connect()) {
                assertThat(client.call("AUTH", "x".repeat(16_384)).text()).startsWith("WRONGPASS");
                assertThat(client.call("AUTH", "secret").text()).isEqualTo("OK");
                List<String> many = new ArrayList<>(List.of("DEL"));
                many.addAll(List.of("a".repeat(20_000).split("")));
                assertThat(client.call(many).integer()).isZero();
                assertThat(client.call("ECHO", "x".repeat(100_000)).text()).hasSize(100_000);
            }
        }
    }

    private static void assertRefusedUnauthenticated(RunningServer server, String sent, String reason) {
        try (RawClient client = server.connect()) {
            client.sendRaw(sent);
            assertThat(client.read().text()).isEqualTo("ERR Protocol error: " + reason);
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void whatLooksLikeHttpIsClosedWithoutAWord() {
        for (String request : List.of(
                "POST / HTTP/1.1\r\nHost: x\r\n\r\nSET hacked yes\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\n\r\nSET hacked yes\r\n")) {
            try (RawClient browser = heddle.connect()) {
                browser.sendRaw(request);
                assertThat(browser.readToEnd()).doesNotContain("OK");
            }
        }
        try (RawClient client = heddle.connect()) {
            assertThat(client.call("EXISTS", "hacked").integer()).isZero();
        }
        assertThat(heddle.log()).contains("it speaks HTTP");
    }

    @Test
    void tlsOnThePlainPortIsClosedAtOnceAndTheLogTellsWhy() {
        try (RawClient client = heddle.connect()) {
            long begin = System.nanoTime();
            client.sendRaw("\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003" + "x".repeat(100));
            assertThat(client.readToEnd()).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(1));
        }
        Awaitility.await().atMost(SOON).until(() -> heddle.log().contains("it speaks TLS, but this port is plain"));
    }

    @Test
    void anAnnouncedLengthTakesNoMemoryUntilItsBytesCome() throws IOException {
        int clients = 20;
        List<RawClient> announcers = new ArrayList<>();
        try (RawClient client = heddle.connect()) {
            client.call("PING");
            long before = heddle.residentKib();
            for (int i = 0; i < clients; i++) {
                RawClient announcer = heddle.connect();
                announcers.add(announcer);
                announcer.sendRaw("PING\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$536870912\r\nbegin");
                assertThat(announcer.read().text()).isEqualTo("PONG");
                RawClient counter = heddle.connect();
                announcers.add(counter);
                counter.sendRaw("PING\r\n*2147483647\r\n$3\r\nDEL\r\n");
                assertThat(counter.read().text()).isEqualTo("PONG");
            }
            assertThat(client.call("INFO", "clients").text()).contains("connected_clients:" + (1 + 2 * clients));
            long grown = heddle.residentKib() - before;
            System.out.printf("ProtocolLimitsIT: %d announced arguments of 512 MB took %d KiB%n", clients, grown);
            assertThat(grown).isLessThan(64 * 1024);
        } finally {
            announcers.forEach(RawClient::close);
        }
    }

    @Test
    void moreThanTheQueryBufferLimitEndsTheConnectionOnly() {
        try (RawClient client = heddle.connect();
                RawClient other = heddle.connect()) {
            assertThat(client.call("ECHO", "x".repeat(MEGABYTE - 1000)).text()).hasSize(MEGABYTE - 1000);
            client.sendRaw("*2\r\n$4\r\nECHO\r\n$" + 8 * MEGABYTE + "\r\n");
            assertThat(sendUntilClosed(client, 8 * MEGABYTE)).isTrue();
            assertThat(other.call("PING").text()).isEqualTo("PONG");
        }
        Awaitility.await().atMost(SOON).until(() -> heddle.log().contains("client-query-buffer-limit"));
    }

    private static boolean sendUntilClosed(RawClient client, int bytes) {
        String piece = "x".repeat(64 * 1024);
        try {
            for (int sent = 0; sent < bytes; sent += piece.length()) {
                client.sendRaw(piece);
                client.flush();
            }
            return client.isClosedByServer();
        } catch (java.io.UncheckedIOException closed) {
            return true;
        }
    }
}
