package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A small heap is filled in every way there is. The server goes on answering, and works as before once there is room again. */
class HeapSafetyIT {

    private static final String OOM = "-OOM command not allowed when used memory > 'maxmemory'.";
    private static final String VALUE = "v".repeat(10_000);
    private static final int FRUITLESS = 100_000;

    private RunningServer heddle;
    private RawClient client;
    private final List<RawClient> others = new ArrayList<>();

    @BeforeEach
    void start() {
        heddle = HeddleServer.startWithHeap("96m", "--save", "");
        client = heddle.connect();
    }

    @AfterEach
    void stop() {
        others.forEach(RawClient::close);
        client.close();
        heddle.close();
    }

    /** A client that has room for next to nothing that is sent to it. */
    private RawClient deaf() {
        RawClient other =
                RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), heddle.port()), 4096);
        others.add(other);
        return other;
    }

    private void checkAlive() {
        assertThat(client.call("PING").printable()).startsWith("+PONG");
    }

    private void awaitRoom() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> !client.call("SET", "room", "there is").isError());
        assertThat(client.call("GET", "room").text()).isEqualTo("there is");
    }

    /** Writes until that is refused. @return how many were not */
    private int fill(String prefix, String value) {
        for (int i = 0; i < FRUITLESS; i++) {
            Reply reply = client.call("SET", prefix + i, value);
            if (reply.isError()) {
                assertThat(reply.printable()).startsWith(OOM);
                return i;
            }
        }
        throw new AssertionError("never refused");
    }

    @Test
    void values() {
        int written = fill("k", VALUE);
        assertThat(written).isGreaterThan(1_000);
        checkAlive();
        assertThat(client.call("GET", "k7").text()).isEqualTo(VALUE);
        for (int i = 0; i < written / 2; i++) {
            assertThat(client.call("DEL", "k" + i).integer()).isEqualTo(1);
        }
        awaitRoom();
        assertThat(fill("again", VALUE)).isGreaterThan(written / 4);
        client.call("FLUSHALL");
        awaitRoom();
    }

    @Test
    void manySmallKeysInPipelines() {
        int sent = 0;
        boolean refused = false;
        while (!refused && sent < 3_000_000) {
            for (int i = 0; i < 1_000; i++) {
                client.send("RPUSH", "list" + sent / 50, "element " + "x".repeat(50) + sent);
                sent++;
            }
            for (int i = 0; i < 1_000; i++) {
                refused |= client.read().isError();
            }
        }
        assertThat(refused).isTrue();
        checkAlive();
        client.call("FLUSHALL");
        awaitRoom();
    }

    @Test
    void largeRepliesThatNobodyReads() {
        for (int i = 0; i < 500; i++) {
            client.call("RPUSH", "list", VALUE);
        }
        for (int i = 0; i < 50; i++) {
            RawClient other = deaf();
            other.sendOrGone("LRANGE list 0 -1\r\n".repeat(10).getBytes(StandardCharsets.US_ASCII));
        }
        checkAlive();
        awaitRoom();
    }

    @Test
    void commandsThatNobodyFinishes() {
        byte[] part = ("*2\r\n$3\r\nGET\r\n$67108864\r\n" + "x".repeat(8_000_000)).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < 20; i++) {
            RawClient other = deaf();
            Thread.ofVirtual().start(() -> other.sendOrGone(part));
            checkAlive();
        }
        awaitRoom();
    }

    @Test
    void scriptsThatCollect() {
        Reply reply = client.call("EVAL", "local t = {} for i = 1, 1e9 do t[i] = 'element ' .. i end return #t", "0");
        assertThat(reply.printable()).contains("not enough memory");
        checkAlive();
        awaitRoom();
    }

    @Test
    void subscribersThatDoNotRead() {
        for (int i = 0; i < 20; i++) {
            RawClient other = deaf();
            other.send("SUBSCRIBE", "channel");
            other.flush();
        }
        Awaitility.await()
                .until(() ->
                        client.call("PUBSUB", "NUMSUB", "channel").printable().contains(":20"));
        for (int i = 0; i < 2_000; i++) {
            assertThat(client.call("PUBLISH", "channel", VALUE).isError()).isFalse();
        }
        checkAlive();
        awaitRoom();
    }

    @Test
    void transactionsThatAreNeverRun() {
        for (int i = 0; i < 20; i++) {
            RawClient other = deaf();
            other.send("MULTI");
            other.flush();
            Thread.ofVirtual().start(() -> {
                byte[] command = ("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$10000\r\n" + VALUE + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
                for (int k = 0; k < 1_000 && other.sendOrGone(command); k++) {
                    // goes on until it is closed, or has sent ten megabytes
                }
            });
            checkAlive();
        }
        awaitRoom();
    }

    @Test
    void aLimitBelowTheHeapIsKept() {
        client.call("CONFIG", "SET", "maxmemory", "20mb", "maxmemory-policy", "allkeys-lru");
        for (int i = 0; i < 10_000; i++) {
            assertThat(client.call("SET", "k" + i, VALUE).isError()).isFalse();
        }
        String info = client.call("INFO", "everything").text();
        long used = info.lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length())))
                .findFirst()
                .orElseThrow();
        assertThat(used).isBetween(15L << 20, 21L << 20);
        assertThat(info).doesNotContain("evicted_keys:0\r\n");
    }
}
