package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.resps.ScanResult;
import redis.clients.jedis.resps.Tuple;

/** Clients and tools as they are work against the server: Jedis, redis-cli, redis-benchmark, and what others send at first. */
class ClientsIT {

    private static RunningServer heddle;

    @TempDir
    Path work;

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
        }
    }

    @ParameterizedTest
    @EnumSource(RedisProtocol.class)
    void jedisWorks(RedisProtocol protocol) {
        DefaultJedisClientConfig config = DefaultJedisClientConfig.builder()
                .protocol(protocol)
                .clientName("it")
                .database(2)
                .build();
        try (Jedis jedis = new Jedis(new HostAndPort("127.0.0.1", heddle.port()), config)) {
            assertThat(jedis.ping()).isEqualTo("PONG");
            assertThat(jedis.clientGetname()).isEqualTo("it");
            assertThat(jedis.set("k", "v", SetParams.setParams().ex(100).nx())).isEqualTo("OK");
            assertThat(jedis.set("k", "w", SetParams.setParams().nx())).isNull();
            assertThat(jedis.ttl("k")).isBetween(98L, 100L);
            assertThat(jedis.mget("k", "nosuch")).containsExactly("v", null);
            assertThat(jedis.incrByFloat("f", 1.5)).isEqualTo(1.5);
            assertThat(jedis.rpush("l", "a", "b")).isEqualTo(2);
            assertThat(jedis.lrange("l", 0, -1)).containsExactly("a", "b");
            assertThat(jedis.sadd("s", "a", "b")).isEqualTo(2);
            assertThat(jedis.smembers("s")).isEqualTo(Set.of("a", "b"));
            assertThat(jedis.hset("h", Map.of("a", "1", "b", "2"))).isEqualTo(2);
            assertThat(jedis.hgetAll("h")).isEqualTo(Map.of("a", "1", "b", "2"));
            assertThat(jedis.zadd("z", Map.of("a", 0.1, "b", 2.0))).isEqualTo(2);
            assertThat(jedis.zrangeWithScores("z", 0, -1)).containsExactly(new Tuple("a", 0.1), new Tuple("b", 2.0));
            assertThat(jedis.zscore("z", "nosuch")).isNull();
            assertThat(jedis.configGet("maxmemory-policy")).containsEntry("maxmemory-policy", "noeviction");
            assertThat(jedis.info("server")).contains("redis_version:7.2.4");
            assertThat(scanned(jedis)).containsExactlyInAnyOrder("k", "f", "l", "s", "h", "z");
        }
    }

    private static List<String> scanned(Jedis jedis) {
        List<String> keys = new ArrayList<>();
        String cursor = ScanParams.SCAN_POINTER_START;
        do {
            ScanResult<String> page = jedis.scan(cursor, new ScanParams().count(2));
            keys.addAll(page.getResult());
            cursor = page.getCursor();
        } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
        return keys;
    }

    @Test
    void redisCliTalks() throws IOException, InterruptedException {
        assertThat(cli("ping")).isEqualTo("PONG\n");
        assertThat(cli("hset", "h", "a", "1")).isEqualTo("1\n");
        assertThat(cli("-3", "hgetall", "h")).isEqualTo("a 1\n");
        assertThat(cli("-3", "--json", "hgetall", "h")).isEqualTo("{\"a\":\"1\"}\n");
        assertThat(cli("zadd", "z", "0.5", "x")).isEqualTo("1\n");
        assertThat(cli("-3", "zrange", "z", "0", "-1", "withscores")).isEqualTo("x\n0.5\n");
        assertThat(cli("-n", "3", "set", "k", "v")).isEqualTo("OK\n");
        assertThat(cli("-n", "3", "keys", "*")).isEqualTo("k\n");
        assertThat(cli("info", "keyspace"))
                .contains("db0:keys=2,expires=0,avg_ttl=0", "db3:keys=1,expires=0,avg_ttl=0");
    }

    @Test
    void redisCliReadsCommandsFromItsInput() throws IOException, InterruptedException {
        Path commands = Files.writeString(work.resolve("commands"), "set k \"a b\"\nget k\nstrlen k\n");

        assertThat(Programs.run(cliCommand(), commands).output()).isEqualTo("OK\na b\n3\n");
    }

    @Test
    void redisCliLoadsAndScans() throws IOException, InterruptedException {
        StringBuilder load = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            load.append("SET key:").append(i).append(" value\r\n");
        }
        for (int i = 0; i < 300; i++) {
            load.append("*3\r\n$5\r\nRPUSH\r\n$7\r\nbiglist\r\n$1\r\nx\r\n");
        }
        Path file = Files.writeString(work.resolve("load"), load);

        assertThat(Programs.run(cliCommand("--pipe"), file).output()).contains("errors: 0, replies: 10300");
        assertThat(cli("dbsize")).isEqualTo("10001\n");
        assertThat(cli("--scan").lines().distinct()).hasSize(10_001);
        assertThat(cli("--scan", "--pattern", "key:999*").lines()).hasSize(11);
        assertThat(cli("--bigkeys"))
                .contains("Biggest   list found '\"biglist\"' has 300 items")
                .contains("10000 strings with 50000 bytes");
        assertThat(cli("--memkeys", "--memkeys-samples", "0")).contains("Biggest   list found '\"biglist\"'");
    }

    @Test
    void redisBenchmarkRuns() throws IOException, InterruptedException {
        String program = Programs.require("redis-benchmark", "redis-tools").toString();
        for (String pipeline : List.of("1", "16")) {
            String output = Programs.run(
                            List.of(program, "-p", Integer.toString(heddle.port()), "-q", "-n", "3000", "-P", pipeline))
                    .output();

            assertThat(output).doesNotContainIgnoringCase("error").doesNotContain("WARN");
            for (String test : List.of(
                    "PING_INLINE",
                    "PING_MBULK",
                    "SET",
                    "GET",
                    "INCR",
                    "LPUSH",
                    "RPUSH",
                    "LPOP",
                    "RPOP",
                    "SADD",
                    "HSET",
                    "SPOP",
                    "ZADD",
                    "ZPOPMIN",
                    "LRANGE_100",
                    "LRANGE_600",
                    "MSET (10 keys)")) {
                assertThat(output).containsPattern(Pattern.quote(test) + ".*: [0-9.]+ requests per second");
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> whatClientsSendFirstIsAnswered() {
        return handshakes().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> replay(entry.getValue())));
    }

    private record Exchange(String command, String reply) {}

    private static Map<String, List<Exchange>> handshakes() {
        Map<String, List<Exchange>> handshakes = new LinkedHashMap<>();
        List<Exchange> current = List.of();
        for (String line : Resources.lines("handshakes.txt")) {
            if (line.startsWith("[")) {
                current = new ArrayList<>();
                handshakes.put(line.substring(1, line.length() - 1), current);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                int arrow = line.indexOf(" => ");
                current.add(new Exchange(line.substring(0, arrow), line.substring(arrow + 4)));
            }
        }
        return handshakes;
    }

    /** Sends all at once: there has to be exactly one reply per command, in order. */
    private static void replay(List<Exchange> exchanges) {
        try (RawClient client = heddle.connect()) {
            exchanges.forEach(exchange -> client.send(Quoting.split(exchange.command())));
            for (Exchange exchange : exchanges) {
                assertThat(client.read().printable())
                        .as(exchange.command())
                        .matches(exchange.reply().replace("\\N", "\\\\r\\\\n"));
            }
            assertThat(client.call("ECHO", "end").text()).isEqualTo("end");
        }
    }

    private static String cli(String... arguments) throws IOException, InterruptedException {
        return Programs.run(cliCommand(arguments)).output();
    }

    private static List<String> cliCommand(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Programs.require("redis-cli", "redis-tools").toString(), "-p", Integer.toString(heddle.port())));
        command.addAll(List.of(arguments));
        return command;
    }
}
