package dev.heddle.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.KeyValue;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.support.caching.CacheAccessor;
import io.lettuce.core.support.caching.CacheFrontend;
import io.lettuce.core.support.caching.ClientSideCaching;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lettuce, with its own defaults (RESP3), against the server. */
class LettuceIT {

    private static final Duration SOON = Duration.ofSeconds(5);

    private static RunningServer heddle;
    private static RedisClient client;

    @BeforeAll
    static void start() {
        heddle = HeddleServer.start();
        client = RedisClient.create("redis://127.0.0.1:" + heddle.port() + "?clientName=lettuce-it");
    }

    @AfterAll
    static void stop() {
        client.close();
        heddle.close();
    }

    @BeforeEach
    void clear() {
        try (RawClient raw = heddle.connect()) {
            raw.call("FLUSHALL");
            raw.call("SCRIPT", "FLUSH");
        }
    }

    private static <T> T reply(RedisFuture<T> future) {
        return future.toCompletableFuture()
                .orTimeout(SOON.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Test
    void allTypesOfValuesComeBack() {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisCommands<String, String> redis = connection.sync();
            assertThat(redis.ping()).isEqualTo("PONG");
            assertThat(redis.clientGetname()).isEqualTo("lettuce-it");
            assertThat(redis.set("k", "v", SetArgs.Builder.nx().ex(100))).isEqualTo("OK");
            assertThat(redis.set("k", "w", SetArgs.Builder.nx())).isNull();
            assertThat(redis.setGet("k", "x")).isEqualTo("v");
            assertThat(redis.mget("k", "nosuch")).containsExactly(KeyValue.just("k", "x"), KeyValue.empty("nosuch"));
            assertThat(redis.hset("h", Map.of("a", "1", "b", "2"))).isEqualTo(2);
            assertThat(redis.hgetall("h")).isEqualTo(Map.of("a", "1", "b", "2"));
            assertThat(redis.zadd("z", 0.1, "a", 2.0, "b")).isEqualTo(2);
            assertThat(redis.zrangebyscoreWithScores("z", Range.unbounded()))
                    .containsExactly(ScoredValue.just(0.1, "a"), ScoredValue.just(2, "b"));
            assertThat(redis.zscore("z", "a")).isEqualTo(0.1);
            assertThat(redis.sadd("s", "a", "b")).isEqualTo(2);
            assertThat(redis.smembers("s")).containsExactlyInAnyOrder("a", "b");
            assertThat(redis.sismember("s", "a")).isTrue();
            assertThat(redis.incrbyfloat("f", 1.5)).isEqualTo(1.5);
            assertThat(redis.pexpire("f", Duration.ofMinutes(1))).isTrue();
            assertThat(redis.commandCount()).isGreaterThan(150);
            assertThat(redis.info("server")).contains("redis_version:7.2.4");
            assertThatThrownBy(() -> redis.lpush("k", "x"))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageStartingWith("WRONGTYPE ");
        }
    }

    @Test
    void bytesAreBytes() {
        try (StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            byte[] bytes = new byte[256];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) i;
            }
            connection.sync().set(bytes, bytes);
            assertThat(connection.sync().get(bytes)).isEqualTo(bytes);
        }
    }

    @Test
    void scansGoThroughAllKeys() {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisCommands<String, String> redis = connection.sync();
            for (int i = 0; i < 1_000; i++) {
                redis.set("key:" + i, "v");
            }
            ScanIterator<String> keys =
                    ScanIterator.scan(redis, ScanArgs.Builder.matches("key:*").limit(50));
            assertThat(keys.stream().distinct()).hasSize(1_000);
        }
    }

    @Test
    void aPipelineIsAnsweredInOrder() {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisAsyncCommands<String, String> redis = connection.async();
            connection.setAutoFlushCommands(false);
            List<RedisFuture<Long>> replies = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                replies.add(redis.incr("counter"));
            }
            connection.flushCommands();
            connection.setAutoFlushCommands(true);
            for (int i = 0; i < replies.size(); i++) {
                assertThat(reply(replies.get(i))).isEqualTo(i + 1L);
            }
        }
    }

    @Test
    void reactiveStreamsWork() {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().rpush("l", "a", "b", "c");
            assertThat(connection.reactive().lrange("l", 0, -1).collectList().block(SOON))
                    .containsExactly("a", "b", "c");
        }
    }

    @Test
    void transactions() {
        try (StatefulRedisConnection<String, String> connection = client.connect();
                StatefulRedisConnection<String, String> other = client.connect()) {
            RedisCommands<String, String> redis = connection.sync();
            redis.multi();
            redis.set("t", "1");
            redis.incr("t");
            redis.lpush("t", "x");
            TransactionResult result = redis.exec();
            assertThat(result.wasDiscarded()).isFalse();
            assertThat(result.<String>get(0)).isEqualTo("OK");
            assertThat(result.<Long>get(1)).isEqualTo(2L);
            assertThat(result.<Exception>get(2)).isInstanceOf(RedisCommandExecutionException.class);

            redis.watch("t");
            other.sync().set("t", "changed");
            redis.multi();
            redis.set("t", "mine");
            assertThat(redis.exec().wasDiscarded()).isTrue();
            assertThat(redis.get("t")).isEqualTo("changed");

            redis.multi();
            redis.set("t", "never");
            assertThat(redis.discard()).isEqualTo("OK");
            assertThat(redis.get("t")).isEqualTo("changed");
        }
    }

    @Test
    void aBlockingPopWaitsForTheOtherConnection() {
        try (StatefulRedisConnection<String, String> waiting = client.connect();
                StatefulRedisConnection<String, String> pushing = client.connect()) {
            RedisFuture<KeyValue<String, String>> popped = waiting.async().blpop(10.0, "q1", "q2");
            RedisFuture<String> after = waiting.async().ping();
            try (RawClient raw = heddle.connect()) {
                Awaitility.await()
                        .atMost(SOON)
                        .until(() -> raw.call("INFO", "clients").text().contains("blocked_clients:1"));
            }
            assertThat(popped.isDone()).isFalse();
            pushing.sync().rpush("q2", "job");
            assertThat(reply(popped)).isEqualTo(KeyValue.just("q2", "job"));
            assertThat(reply(after)).isEqualTo("PONG");
            assertThat(pushing.sync().blpop(0.01, "q1")).isNull();
            pushing.sync().zadd("z", 1, "m");
            assertThat(pushing.sync().bzpopmin(1.0, "z").getValue()).isEqualTo(ScoredValue.just(1, "m"));
        }
    }

    /** What subscribers have received, in order. */
    private static BlockingQueue<String> listen(StatefulRedisPubSubConnection<String, String> connection) {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                received.add(channel + " " + message);
            }

            @Override
            public void message(String pattern, String channel, String message) {
                received.add(pattern + " " + channel + " " + message);
            }

            @Override
            public void smessage(String channel, String message) {
                received.add("shard " + channel + " " + message);
            }
        });
        return received;
    }

    @Test
    void pubSub() throws InterruptedException {
        try (StatefulRedisPubSubConnection<String, String> subscriber = client.connectPubSub();
                StatefulRedisConnection<String, String> publisher = client.connect()) {
            BlockingQueue<String> received = listen(subscriber);
            subscriber.sync().subscribe("news", "sport");
            subscriber.sync().psubscribe("new?");
            subscriber.sync().ssubscribe("shard");
            assertThat(publisher.sync().publish("news", "hello")).isEqualTo(2);
            assertThat(publisher.sync().publish("sport", "goal")).isEqualTo(1);
            assertThat(publisher.sync().spublish("shard", "s")).isEqualTo(1);
            assertThat(List.of(take(received), take(received), take(received), take(received)))
                    .containsExactlyInAnyOrder("news hello", "new? news hello", "sport goal", "shard shard s");
            assertThat(publisher.sync().pubsubNumsub("news", "none")).isEqualTo(Map.of("news", 1L, "none", 0L));
            // RESP3: ordinary commands work beside the subscriptions.
            assertThat(subscriber.sync().set("k", "v")).isEqualTo("OK");
            subscriber.sync().unsubscribe("news");
            subscriber.sync().punsubscribe("new?");
            assertThat(publisher.sync().publish("news", "to nobody")).isZero();
        }
    }

    private static String take(BlockingQueue<String> received) throws InterruptedException {
        return received.poll(5, TimeUnit.SECONDS);
    }

    @Test
    void clientSideCaching() {
        try (StatefulRedisConnection<String, String> connection = client.connect();
                StatefulRedisConnection<String, String> other = client.connect()) {
            Map<String, String> near = new ConcurrentHashMap<>();
            CacheFrontend<String, String> cache =
                    ClientSideCaching.enable(CacheAccessor.forMap(near), connection, TrackingArgs.Builder.enabled());
            other.sync().set("cached", "1");
            assertThat(cache.get("cached")).isEqualTo("1");
            assertThat(near).containsEntry("cached", "1");
            other.sync().set("cached", "2");
            Awaitility.await().atMost(SOON).until(() -> !near.containsKey("cached"));
            assertThat(cache.get("cached")).isEqualTo("2");
            other.sync().pexpire("cached", 20);
            Awaitility.await().atMost(SOON).until(() -> cache.get("cached") == null);
            assertThat(cache.get("computed", () -> "made")).isEqualTo("made");
            assertThat(other.sync().get("computed")).isEqualTo("made");
        }
    }

    @Test
    void scripts() {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisCommands<String, String> redis = connection.sync();
            String[] keys = {"k"};
            assertThat(redis.<String>eval(
                            "return redis.call('set', KEYS[1], ARGV[1])", ScriptOutputType.STATUS, keys, "v"))
                    .isEqualTo("OK");
            assertThat(redis.<List<Object>>eval("return {1, 'two', false, {3.9}}", ScriptOutputType.MULTI))
                    .containsExactly(1L, "two", null, List.of(3L));
            String digest = redis.digest("return 42");
            assertThatThrownBy(() -> redis.evalsha(digest, ScriptOutputType.INTEGER))
                    .isInstanceOf(RedisNoScriptException.class);
            assertThat(redis.scriptLoad("return 42")).isEqualTo(digest);
            assertThat(redis.<Long>evalsha(digest, ScriptOutputType.INTEGER)).isEqualTo(42);
            assertThat(redis.scriptExists(digest, "0".repeat(40))).containsExactly(true, false);
            assertThat(redis.<Boolean>evalReadOnly(
                            "return redis.call('exists', KEYS[1])".getBytes(UTF_8), ScriptOutputType.BOOLEAN, keys))
                    .isTrue();
            assertThatThrownBy(() -> redis.eval("return redis.error_reply('MY own')", ScriptOutputType.STATUS))
                    .hasMessage("MY own");
        }
    }

    @Test
    void itComesBackAfterItsConnectionWasKilled() {
        try (StatefulRedisConnection<String, String> connection = client.connect();
                StatefulRedisPubSubConnection<String, String> subscriber = client.connectPubSub();
                RawClient raw = heddle.connect()) {
            BlockingQueue<String> received = listen(subscriber);
            subscriber.sync().subscribe("again");
            connection.sync().set("k", "v");
            raw.call("CLIENT", "KILL", "TYPE", "normal");
            raw.call("CLIENT", "KILL", "TYPE", "pubsub");
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> raw.call("PUBLISH", "again", "m").integer() == 1);
            Awaitility.await().atMost(SOON).until(() -> received.contains("again m"));
            assertThat(connection.sync().get("k")).isEqualTo("v");
        }
    }
}
