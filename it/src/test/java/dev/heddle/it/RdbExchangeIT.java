package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The data folder of a real redis-server is opened by Heddle, and the other way round: the data is the same. */
class RdbExchangeIT {

    private static final int DATABASES = 16;
    private static final int[] COUNTS = {1, 128, 129, 513, 3000};
    private static final int[] LENGTHS = {0, 20, 64, 65, 8190, 70_000};
    private static final long FAR = 4_000_000_000_000L;

    private static void ok(RawClient client, List<String> words) {
        Reply reply = client.call(words);
        assertThat(reply.isError()).as("%s: %s", words.get(0), reply).isFalse();
    }

    private static void ok(RawClient client, String... words) {
        ok(client, List.of(words));
    }

    private static void many(RawClient client, String command, String key, int count, String... formats) {
        List<String> words = new ArrayList<>(List.of(command, key));
        for (int i = 0; i < count; i++) {
            for (String format : formats) {
                words.add(String.format(Locale.ROOT, format, i));
            }
        }
        ok(client, words);
    }

    private static String noise(Random random, int length) {
        StringBuilder text = new StringBuilder();
        random.ints(length, 0, 256).forEach(c -> text.append((char) c));
        return text.toString();
    }

    /** Keys of all types around the limits of all forms, with bytes of all values, some of which expire. */
    private static void fill(RawClient client) {
        Random random = new Random(5);
        for (String number : List.of("0", "-1", "127", "-129", "32768", "2147483648", "9223372036854775807", "01")) {
            ok(client, "SET", "string:" + number, number);
        }
        for (int count : COUNTS) {
            many(client, "RPUSH", "list:numbers:" + count, count, "%d");
            many(client, "RPUSH", "list:words:" + count, count, "word number %d of a list");
            many(client, "SADD", "set:numbers:" + count, count, "%d");
            many(client, "SADD", "set:large:" + count, count, "-%d00000000000");
            many(client, "SADD", "set:words:" + count, count, "word %d");
            many(client, "HSET", "hash:" + count, count, "field %d", "%d");
            many(client, "ZADD", "zset:" + count, count, "%d.5", "member %d");
            many(client, "ZADD", "zset:numbers:" + count, count, "%d", "%d");
        }
        for (int length : LENGTHS) {
            for (String text : List.of("ab".repeat(length).substring(length), noise(random, length))) {
                String id = length + (text.startsWith("ab") ? ":text" : ":noise");
                ok(client, "SET", "string:" + id, text);
                ok(client, "RPUSH", "list:" + id, text, "x", text);
                ok(client, "SADD", "set:" + id, text, "x");
                ok(client, "HSET", "hash:" + id, "field", text, text, "value");
                ok(client, "ZADD", "zset:" + id, "-inf", "x", "0.125", text, "inf", "y", "-40000", "z");
            }
        }
        fillStreams(client, random);
        for (int i = 0; i < 40; i++) {
            ok(client, "SET", noise(random, 1 + i * 7), noise(random, 10), "PXAT", Long.toString(FAR + i));
        }
        ok(client, "PEXPIREAT", "hash:129", Long.toString(FAR));
        ok(client, "PEXPIREAT", "zset:1", Long.toString(FAR));
        for (int database = 1; database < DATABASES; database++) {
            ok(client, "SELECT", Integer.toString(database));
            ok(client, "SET", "database", Integer.toString(database));
            ok(client, "RPUSH", "list", "in", Integer.toString(database));
        }
        ok(client, "SELECT", "0");
    }

    /** Streams with chunks of all kinds, with and without groups that have given out something. */
    private static void fillStreams(RawClient client, Random random) {
        for (int count : COUNTS) {
            for (int i = 1; i <= count; i++) {
                String name = i % 7 == 0 ? "other" : "field";
                ok(
                        client,
                        "XADD",
                        "stream:" + count,
                        i + "-" + i % 3,
                        name,
                        "value " + i,
                        "number",
                        Integer.toString(i));
            }
        }
        ok(client, "XADD", "stream:ids", "1700000000000-5", "f", noise(random, 300), "", "", noise(random, 70), "-5");
        ok(client, "XADD", "stream:ids", "18446744073709551615-18446744073709551614", "f", "9999999999999999999");
        ok(client, "XGROUP", "CREATE", "stream:empty", "g", "$", "MKSTREAM");
        ok(client, "XADD", "stream:emptied", "5-5", "f", "v");
        ok(client, "XDEL", "stream:emptied", "5-5");
        ok(client, "XSETID", "stream:emptied", "7-7", "ENTRIESADDED", "12", "MAXDELETEDID", "6-6");
        for (String key : List.of("stream:129", "stream:3000")) {
            ok(client, "XDEL", key, "3-0", "4-1", "120-0");
            ok(client, "XTRIM", key, "MAXLEN", "=", "121");
            ok(client, "XGROUP", "CREATE", key, "first", "0");
            ok(client, "XGROUP", "CREATE", key, "second", "$");
            ok(client, "XREADGROUP", "GROUP", "first", "alice", "COUNT", "40", "STREAMS", key, ">");
            ok(client, "XREADGROUP", "GROUP", "first", "bob", "COUNT", "30", "STREAMS", key, ">");
            ok(client, "XAUTOCLAIM", key, "first", "carol", "0", "-", "COUNT", "5");
            ok(client, "XGROUP", "CREATECONSUMER", key, "second", "dave");
            ok(client, "XREADGROUP", "GROUP", "second", "erin", "STREAMS", key, ">");
        }
    }

    /** Changes that go into an increment, some of them about keys of the base. */
    private static void change(RawClient client) {
        ok(client, "APPEND", "string:127", "and more");
        ok(client, "INCRBY", "string:-1", "12");
        ok(client, "RPOPLPUSH", "list:words:3000", "list:numbers:1");
        ok(client, "SPOP", "set:words:129", "5");
        ok(client, "HINCRBYFLOAT", "hash:1", "field 0", "0.25");
        ok(client, "ZINCRBY", "zset:128", "3.5", "member 7");
        ok(client, "DEL", "zset:513");
        ok(client, "PERSIST", "hash:129");
        ok(client, "SET", "late", "value", "EX", "1000");
        changeStreams(client);
        ok(client, "MULTI");
        ok(client, "SET", "one", "1");
        ok(client, "SELECT", "7");
        ok(client, "SET", "two", "2");
        ok(client, "EXEC");
        ok(client, "SELECT", "0");
    }

    private static void changeStreams(RawClient client) {
        ok(client, "XADD", "stream:129", "*", "field", "late");
        ok(client, "XADD", "stream:129", "MAXLEN", "~", "100", "*", "field", "late");
        ok(client, "XREADGROUP", "GROUP", "first", "bob", "COUNT", "5", "STREAMS", "stream:129", ">");
        ok(client, "XREADGROUP", "GROUP", "second", "erin", "NOACK", "STREAMS", "stream:129", ">");
        ok(client, "XREADGROUP", "GROUP", "first", "bob", "COUNT", "1", "NOACK", "STREAMS", "stream:129", ">");
        ok(client, "XCLAIM", "stream:129", "first", "frank", "0", "50-2", "RETRYCOUNT", "9");
        ok(client, "XACK", "stream:129", "first", "51-0", "52-1");
        ok(client, "XTRIM", "stream:3000", "MINID", "~", "2950");
        ok(client, "XDEL", "stream:3000", "2999-2");
        ok(client, "XADD", "stream:empty", "*", "f", "v");
    }

    private static String contents(RawClient client, String key) {
        String type = client.call("TYPE", key).text();
        if (type.equals("stream")) {
            return DataDump.stream(client, key);
        }
        Reply reply = switch (type) {
            case "string" -> client.call("GET", key);
            case "list" -> client.call("LRANGE", key, "0", "-1");
            case "set" -> client.call("SMEMBERS", key);
            case "hash" -> client.call("HGETALL", key);
            case "zset" -> client.call("ZRANGE", key, "0", "-1", "WITHSCORES");
            default -> throw new AssertionError(type);
        };
        List<String> all = new ArrayList<>();
        if (type.equals("hash")) {
            for (int i = 0; i < reply.elements().size(); i += 2) {
                all.add(reply.elements().get(i).bytes()
                        + reply.elements().get(i + 1).bytes());
            }
        } else if (reply.body() == null) {
            reply.elements().forEach(element -> all.add(element.bytes()));
        } else {
            all.add(reply.bytes());
        }
        if (type.equals("hash") || type.equals("set")) {
            all.sort(null);
        }
        return type + " " + client.call("PEXPIRETIME", key).text() + " " + String.join("", all);
    }

    /** All data, as a client reads it, and the server's own fingerprint of it. */
    private static Map<String, String> everything(RawClient client) {
        TreeMap<String, String> all = new TreeMap<>();
        for (int database = 0; database < DATABASES; database++) {
            ok(client, "SELECT", Integer.toString(database));
            for (String key : client.call("KEYS", "*").texts()) {
                all.put(database + " " + Quoting.escape(key), Quoting.escape(contents(client, key)));
            }
        }
        ok(client, "SELECT", "0");
        all.put("digest", client.call("DEBUG", "DIGEST").text());
        return all;
    }

    private static String[] directives(RunningServer folderOf, String... more) {
        List<String> all = new ArrayList<>(List.of("--save", "", "--enable-debug-command", "yes"));
        if (folderOf != null) {
            all.addAll(List.of("--dir", folderOf.folder().toString()));
        }
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static void awaitRewritten(RawClient client) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            String info = client.call("INFO", "persistence").text();
            return info.contains("aof_rewrite_in_progress:0") && info.contains("aof_rewrite_scheduled:0");
        });
    }

    private static void assertSame(Map<String, String> there, Map<String, String> here) {
        assertThat(here.keySet()).isEqualTo(there.keySet());
        there.forEach((key, value) -> assertThat(here.get(key)).as(key).isEqualTo(value));
        assertThat(there.size())
                .isGreaterThan(IntStream.of(COUNTS).map(count -> 8).sum());
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "no"})
    void heddleReadsASnapshotOfRedis(String compression) {
        Map<String, String> written;
        RunningServer redis = RedisServer.start(directives(null, "--rdbcompression", compression));
        try (redis;
                RawClient client = redis.connect()) {
            fill(client);
            written = everything(client);
            ok(client, "SAVE");
        }
        try (RunningServer heddle = HeddleServer.start(directives(redis));
                RawClient client = heddle.connect()) {
            assertSame(written, everything(client));
            assertThat(heddle.log()).contains("keys expired: 0, empty keys skipped: 0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "no"})
    void redisReadsASnapshotOfHeddle(String compression) {
        Map<String, String> written;
        RunningServer heddle = HeddleServer.start(directives(null, "--rdbcompression", compression));
        try (heddle;
                RawClient client = heddle.connect()) {
            fill(client);
            written = everything(client);
            ok(client, "SAVE");
            ok(client, "DEBUG", "RELOAD");
            assertSame(written, everything(client));
        }
        try (RunningServer redis = RedisServer.start(directives(heddle));
                RawClient client = redis.connect()) {
            assertSame(written, everything(client));
        }
    }

    private static String[] journal(RunningServer folderOf, String preamble) {
        return directives(folderOf, "--appendonly", "yes", "--aof-use-rdb-preamble", preamble);
    }

    private static Map<String, String> write(RunningServer server) {
        try (server;
                RawClient client = server.connect()) {
            fill(client);
            ok(client, "BGREWRITEAOF");
            awaitRewritten(client);
            change(client);
            return everything(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "no"})
    void heddleGoesOnWithAppendOnlyFilesOfRedis(String preamble) {
        RunningServer redis = RedisServer.start(journal(null, preamble));
        Map<String, String> written = write(redis);
        try (RunningServer heddle = HeddleServer.start(journal(redis, preamble));
                RawClient client = heddle.connect()) {
            assertSame(written, everything(client));
            change(client);
            written = everything(client);
        }
        try (RunningServer again = RedisServer.start(journal(redis, preamble));
                RawClient client = again.connect()) {
            assertSame(written, everything(client));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "no"})
    void redisGoesOnWithAppendOnlyFilesOfHeddle(String preamble) {
        RunningServer heddle = HeddleServer.start(journal(null, preamble));
        Map<String, String> written = write(heddle);
        try (RunningServer redis = RedisServer.start(journal(heddle, preamble));
                RawClient client = redis.connect()) {
            assertSame(written, everything(client));
            change(client);
            written = everything(client);
        }
        try (RunningServer again = HeddleServer.start(journal(heddle, preamble));
                RawClient client = again.connect()) {
            assertSame(written, everything(client));
        }
    }

    @Test
    void keysThatHaveExpiredMeanwhileAreLeftOut() {
        RunningServer redis = RedisServer.start(directives(null));
        try (redis;
                RawClient client = redis.connect()) {
            ok(client, "DEBUG", "SET-ACTIVE-EXPIRE", "0");
            ok(client, "SET", "gone", "1", "PX", "1");
            ok(client, "SET", "there", "1");
            Awaitility.await().until(() -> client.call("EXISTS", "gone").integer() == 0);
            ok(client, "SET", "soon", "1", "PX", "1");
            ok(client, "SAVE");
        }
        try (RunningServer heddle = HeddleServer.start(directives(redis));
                RawClient client = heddle.connect()) {
            assertThat(heddle.log()).contains("Done loading RDB, keys loaded: 1, keys expired: 1");
            assertThat(client.call("DBSIZE").integer()).isEqualTo(1);
        }
    }
}
