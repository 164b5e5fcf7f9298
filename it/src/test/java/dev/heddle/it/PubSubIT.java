package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.RedisProtocol;

/** Publishing and subscribing with Jedis and with raw sockets: who is told, in which order, and what a subscriber that does not read costs. */
class PubSubIT {

    private static final int MANY = 1_000;
    private static final int SMALL_BUFFER = 16 * 1024;

    private static RunningServer heddle;

    @BeforeAll
    static void start() {
        heddle = HeddleServer.start();
    }

    @AfterAll
    static void stop() {
        heddle.close();
    }

    private static Jedis jedis(RedisProtocol protocol) {
        return new Jedis(
                new HostAndPort("127.0.0.1", heddle.port()),
                DefaultJedisClientConfig.builder().protocol(protocol).build());
    }

    /** Notes what it hears, and stops at "bye". */
    private static final class Listener extends JedisPubSub {

        private final List<String> heard = new ArrayList<>();
        private final CountDownLatch ready = new CountDownLatch(2);

        @Override
        public void onSubscribe(String channel, int subscribed) {
            heard.add("subscribed " + channel + " " + subscribed);
            ready.countDown();
        }

        @Override
        public void onMessage(String channel, String message) {
            heard.add(channel + " " + message);
            if (message.equals("bye")) {
                unsubscribe();
            }
        }

        @Override
        public void onUnsubscribe(String channel, int subscribed) {
            heard.add("unsubscribed " + channel + " " + subscribed);
        }
    }

    @ParameterizedTest
    @EnumSource(RedisProtocol.class)
    void jedisListensAndStops(RedisProtocol protocol) throws Exception {
        Listener listener = new Listener();
        CompletableFuture<Void> subscriber = CompletableFuture.runAsync(() -> {
            try (Jedis jedis = jedis(protocol)) {
                jedis.subscribe(listener, "one", "two");
            }
        });
        assertThat(listener.ready.await(30, TimeUnit.SECONDS)).isTrue();
        try (Jedis jedis = jedis(protocol)) {
            assertThat(jedis.publish("one", "hello")).isEqualTo(1);
            assertThat(jedis.publish("nobody", "hello")).isZero();
            assertThat(jedis.pubsubNumSub("one", "two"))
                    .containsEntry("one", 1L)
                    .containsEntry("two", 1L);
            assertThat(jedis.publish("two", "bye")).isEqualTo(1);
        }
        subscriber.get(30, TimeUnit.SECONDS);
        assertThat(listener.heard.subList(0, 4))
                .containsExactly("subscribed one 1", "subscribed two 2", "one hello", "two bye");
        assertThat(listener.heard.subList(4, 6))
                .anyMatch(line -> line.startsWith("unsubscribed ") && line.endsWith(" 1"))
                .anyMatch(line -> line.startsWith("unsubscribed ") && line.endsWith(" 0"));
    }

    @Test
    void everyPublishersOrderIsKept() {
        int publishers = 4;
        int each = 2_000;
        try (RawClient subscriber = heddle.connect()) {
            subscriber.call("SUBSCRIBE", "ordered");
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (int p = 0; p < publishers; p++) {
                int publisher = p;
                running.add(CompletableFuture.runAsync(() -> publish("ordered", publisher, each)));
            }
            int[] next = new int[publishers];
            for (int i = 0; i < publishers * each; i++) {
                String[] message = subscriber.read().texts().get(2).split(":");
                int publisher = Integer.parseInt(message[0]);
                assertThat(Integer.parseInt(message[1])).isEqualTo(next[publisher]++);
            }
            running.forEach(CompletableFuture::join);
        }
    }

    /** Publishes numbered messages, pipelined in hundreds. */
    private static void publish(String channel, int publisher, int count) {
        try (RawClient client = heddle.connect()) {
            for (int i = 0; i < count; i += 100) {
                for (int j = i; j < i + 100; j++) {
                    client.send("PUBLISH", channel, publisher + ":" + j);
                }
                for (int j = 0; j < 100; j++) {
                    assertThat(client.read().integer()).isEqualTo(1);
                }
            }
        }
    }

    @Test
    void repliesAndMessagesOfOneConnectionDoNotMix() {
        try (RawClient client = heddle.connect(3);
                RawClient publisher = heddle.connect()) {
            client.call("SUBSCRIBE", "mixed");
            publisher.call("DEL", "list");
            publisher.call("RPUSH", "list", "a", "b", "c");
            CompletableFuture<Void> publishing = CompletableFuture.runAsync(() -> publish("mixed", 0, 2_000));
            int messages = 0;
            for (int i = 0; i < 500; i++) {
                client.send("LRANGE", "list", "0", "-1");
                Reply reply = client.read();
                while (reply.type() == '>') {
                    assertThat(reply.texts()).containsExactly("message", "mixed", "0:" + messages);
                    messages++;
                    reply = client.read();
                }
                assertThat(reply.texts()).containsExactly("a", "b", "c");
            }
            for (; messages < 2_000; messages++) {
                assertThat(client.read().texts()).containsExactly("message", "mixed", "0:" + messages);
            }
            publishing.join();
        }
    }

    @Test
    void aThousandSubscribersAreTold() {
        List<RawClient> subscribers = new ArrayList<>();
        try (RawClient publisher = heddle.connect()) {
            for (int i = 0; i < MANY; i++) {
                RawClient client = heddle.connect();
                subscribers.add(client);
                client.call("SUBSCRIBE", "crowd");
            }
            long start = System.nanoTime();
            for (int i = 0; i < 10; i++) {
                assertThat(publisher.call("PUBLISH", "crowd", "m" + i).integer())
                        .isEqualTo(MANY);
            }
            for (RawClient client : subscribers) {
                for (int i = 0; i < 10; i++) {
                    assertThat(client.read().texts()).containsExactly("message", "crowd", "m" + i);
                }
            }
            System.out.printf(
                    "PubSubIT: 10 messages reached %d subscribers after %.0f ms%n",
                    MANY, (System.nanoTime() - start) / 1e6);
        } finally {
            subscribers.forEach(RawClient::close);
        }
        try (RawClient client = heddle.connect()) {
            await().until(() ->
                    client.call("PUBSUB", "NUMSUB", "crowd").elements().get(1).integer() == 0);
        }
    }

    private static RawClient slowSubscriber(String channel) {
        RawClient slow =
                RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), heddle.port()), SMALL_BUFFER);
        slow.call("SUBSCRIBE", channel);
        return slow;
    }

    private static long disconnections(RawClient client) {
        String info = client.call("INFO", "stats").text();
        String name = "client_output_buffer_limit_disconnections:";
        int at = info.indexOf(name) + name.length();
        return Long.parseLong(info.substring(at, info.indexOf('\r', at)));
    }

    @Test
    void aSlowSubscriberIsDroppedAndHoldsUpNobody() {
        try (RawClient publisher = heddle.connect();
                RawClient slow = slowSubscriber("hard")) {
            publisher.call("CONFIG", "SET", "client-output-buffer-limit", "pubsub 4mb 0 0");
            long before = disconnections(publisher);
            String text = "x".repeat(10_000);
            double longest = 0;
            long met = 1;
            int published = 0;
            while (met == 1 && published < 100_000) {
                long start = System.nanoTime();
                met = publisher.call("PUBLISH", "hard", text).integer();
                longest = Math.max(longest, (System.nanoTime() - start) / 1e6);
                published++;
            }
            System.out.printf(
                    "PubSubIT: a slow subscriber was dropped after %d messages of 10 kB; the longest PUBLISH took %.1f ms%n",
                    published, longest);
            assertThat(published).isBetween(400, 99_999);
            assertThat(longest).isLessThan(250);
            assertThat(disconnections(publisher)).isEqualTo(before + 1);
            assertThat(heddle.log()).contains("more waited for it than client-output-buffer-limit allows");
            slow.readToEnd();
        }
    }

    @Test
    void theSoftLimitDropsASubscriberAfterItsTime() {
        try (RawClient publisher = heddle.connect();
                RawClient slow = slowSubscriber("soft")) {
            publisher.call("CONFIG", "SET", "client-output-buffer-limit", "pubsub 0 2mb 1");
            long before = disconnections(publisher);
            String text = "x".repeat(100_000);
            for (int i = 0; i < 100; i++) {
                assertThat(publisher.call("PUBLISH", "soft", text).integer()).isEqualTo(1);
            }
            assertThat(publisher.call("CLIENT", "LIST", "TYPE", "pubsub").text())
                    .containsPattern("omem=[0-9]{7,} ");
            assertThat(disconnections(publisher)).isEqualTo(before);
            await().atMost(Duration.ofSeconds(10)).until(() -> disconnections(publisher) == before + 1);
            await().until(() -> publisher.call("PUBLISH", "soft", text).integer() == 0);
            slow.readToEnd();
        }
    }

    @Test
    void monitorShowsTheCommandsOfOthers() {
        try (RawClient monitor = heddle.connect();
                RawClient client = heddle.connect()) {
            assertThat(monitor.call("MONITOR").text()).isEqualTo("OK");
            client.call("SET", "k", "a \"b\"\r\n\u00ff");
            client.call("AUTH", "default", "secret");
            assertThat(monitor.read().text())
                    .matches(
                            "\\d+\\.\\d{6} \\[0 127\\.0\\.0\\.1:\\d+] \"SET\" \"k\" \"a \\\\\"b\\\\\"\\\\r\\\\n\\\\xff\"");
            assertThat(monitor.read().text()).endsWith(" \"AUTH\" \"(redacted)\" \"(redacted)\"");
            assertThat(monitor.call("RESET").text()).endsWith("RESET");
        }
    }
}
