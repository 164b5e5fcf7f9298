package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.util.KeyValue;

/** What Jedis does beyond plain commands, in both versions of the protocol. */
class JedisIT {

    private static final Duration SOON = Duration.ofSeconds(5);

    private static RunningServer heddle;

    @BeforeAll
    static void start() {
        heddle = HeddleServer.start();
    }

    @AfterAll
    static void stop() {
        heddle.close();
    }

    @BeforeEach
    void clear() {
        try (RawClient client = heddle.connect()) {
            client.call("FLUSHALL");
            client.call("SCRIPT", "FLUSH");
        }
    }

    private static HostAndPort address() {
        return new HostAndPort("127.0.0.1", heddle.port());
    }

    private static Jedis connect(RedisProtocol protocol) {
        return new Jedis(
                address(), DefaultJedisClientConfig.builder().protocol(protocol).build());
    }

    @ParameterizedTest
    @EnumSource(RedisProtocol.class)
    void transactionsAndPipelines(RedisProtocol protocol) {
        try (Jedis jedis = connect(protocol);
                Jedis other = connect(protocol)) {
            Transaction transaction = jedis.multi();
            Response<Long> incremented = transaction.incr("t");
            transaction.lpush("t", "x");
            List<Object> results = transaction.exec();
            assertThat(results).hasSize(2);
            assertThat(incremented.get()).isEqualTo(1);
            assertThat(results.get(1)).isInstanceOf(JedisDataException.class);

            jedis.watch("t");
            other.set("t", "changed");
            Transaction late = jedis.multi();
            late.set("t", "mine");
            assertThat(late.exec()).isNull();

            Pipeline pipeline = jedis.pipelined();
            for (int i = 0; i < 1_000; i++) {
                pipeline.incr("n");
            }
            assertThat(pipeline.syncAndReturnAll()).hasSize(1_000).endsWith(1_000L);
        }
    }

    @ParameterizedTest
    @EnumSource(RedisProtocol.class)
    void pubSub(RedisProtocol protocol) throws InterruptedException {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        JedisPubSub listener = new JedisPubSub() {
            @Override
            public void onSubscribe(String channel, int count) {
                received.add("+ " + channel + " " + count);
            }

            @Override
            public void onMessage(String channel, String message) {
                received.add(channel + " " + message);
            }

            @Override
            public void onPMessage(String pattern, String channel, String message) {
                received.add(pattern + " " + channel + " " + message);
            }
        };
        CompletableFuture<Void> listening = CompletableFuture.runAsync(() -> {
            try (Jedis jedis = connect(protocol)) {
                jedis.subscribe(listener, "news", "sport");
            }
        });
        assertThat(List.of(take(received), take(received))).containsExactly("+ news 1", "+ sport 2");
        listener.psubscribe("new?");
        try (Jedis jedis = connect(protocol)) {
            Awaitility.await().atMost(SOON).until(() -> jedis.publish("news", "hello") == 2);
            Awaitility.await().atMost(SOON).until(() -> received.contains("new? news hello"));
            listener.unsubscribe();
            listener.punsubscribe();
            assertThat(listening).succeedsWithin(SOON);
            assertThat(jedis.publish("news", "nobody")).isZero();
        }
    }

    private static String take(BlockingQueue<String> received) throws InterruptedException {
        return received.poll(5, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource(RedisProtocol.class)
    void blockingPops(RedisProtocol protocol) {
        try (Jedis jedis = connect(protocol);
                RawClient raw = heddle.connect()) {
            CompletableFuture<KeyValue<String, String>> popped = CompletableFuture.supplyAsync(() -> {
                try (Jedis waiting = connect(protocol)) {
                    return waiting.blpop(10.0, "q1", "q2");
                }
            });
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> raw.call("INFO", "clients").text().contains("blocked_clients:1"));
            jedis.rpush("q2", "job");
            assertThat(popped).succeedsWithin(SOON).isEqualTo(KeyValue.of("q2", "job"));
            assertThat(jedis.blpop(0.01, "q1")).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(RedisProtocol.class)
    void scriptsAndFunctions(RedisProtocol protocol) {
        try (Jedis jedis = connect(protocol)) {
            assertThat(jedis.eval("return {KEYS[1], ARGV[1], 3.9}", List.of("k"), List.of("v")))
                    .isEqualTo(List.of("k", "v", 3L));
            assertThatThrownBy(() -> jedis.evalsha("0".repeat(40))).isInstanceOf(JedisNoScriptException.class);
            assertThat(jedis.evalsha(jedis.scriptLoad("return 42"))).isEqualTo(42L);
            jedis.functionLoadReplace("#!lua name=lib\nredis.register_function('put', function(keys, args)"
                    + " return redis.call('set', keys[1], args[1]) end)");
            assertThat(jedis.fcall("put", List.of("k"), List.of("v"))).isEqualTo("OK");
            assertThat(jedis.get("k")).isEqualTo("v");
            assertThat(jedis.functionList()).hasSize(1);
        }
    }
}
