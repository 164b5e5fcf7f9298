package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Values go between Heddle and a real redis-server, in both directions, and are the same there. */
class DumpRestoreIT {

    private static final int[] COUNTS = {1, 2, 127, 128, 129, 512, 513, 2000};
    private static final int[] LENGTHS = {0, 20, 21, 63, 64, 65, 8184, 8192, 70_000};

    /** Keys of all types around the limits of every form. */
    private static void fill(RawClient client) {
        client.call("FLUSHALL");
        for (String number :
                List.of("0", "-1", "127", "-129", "32768", "2147483648", "9223372036854775807", "01", "")) {
            client.call("SET", "string:" + number, number);
        }
        for (int count : COUNTS) {
            fill(client, "RPUSH", "list:numbers:" + count, count, 1, "%d");
            fill(client, "RPUSH", "list:words:" + count, count, 1, "word number %d of a list");
            fill(client, "SADD", "set:numbers:" + count, count, 1, "%d");
            fill(client, "SADD", "set:large:" + count, count, 1, "1%d00000000000");
            fill(client, "SADD", "set:words:" + count, count, 1, "word %d");
            fill(client, "HSET", "hash:" + count, count, 2, "%d");
            fill(client, "ZADD", "zset:" + count, count, 2, "%d.5");
        }
        for (int length : LENGTHS) {
            String text = "ab".repeat(length).substring(length);
            client.call("SET", "text:" + length, text);
            client.call("RPUSH", "list:text:" + length, text, "x", text);
            client.call("SADD", "set:text:" + length, text, "x");
            client.call("HSET", "hash:text:" + length, "field", text, text, "value");
            client.call("ZADD", "zset:text:" + length, "-inf", "x", "0.25", text);
        }
    }

    private static void fill(RawClient client, String command, String key, int count, int width, String format) {
        List<String> words = new ArrayList<>(List.of(command, key));
        for (int i = 0; i < count * width; i++) {
            words.add(String.format(Locale.ROOT, format, i));
        }
        assertThat(client.call(words).isError()).isFalse();
    }

    private static List<String> keys(RawClient client) {
        return client.call("KEYS", "*").texts();
    }

    private static String digest(RawClient client, String key) {
        return client.call("DEBUG", "DIGEST-VALUE", key).printable();
    }

    private static void exchange(RawClient from, RawClient to) {
        fill(from);
        to.call("FLUSHALL");
        List<String> keys = keys(from);
        assertThat(keys).hasSizeGreaterThan(100);
        for (String key : keys) {
            String payload = from.call("DUMP", key).text();
            assertThat(to.call("RESTORE", key, "0", payload).text()).as(key).isEqualTo("OK");
            assertThat(digest(to, key)).as(key).isEqualTo(digest(from, key));
        }
    }

    /** @param target where the keys go, and its port */
    private static void migrate(RawClient from, RawClient target, int port) {
        fill(from);
        target.call("FLUSHALL");
        List<String> keys = keys(from);
        List<String> digests = keys.stream().map(key -> digest(from, key)).toList();
        String host = "127.0.0.1";
        String timeout = "20000";
        String first = keys.getFirst();
        assertThat(from.call("MIGRATE", host, "" + port, first, "0", timeout, "COPY")
                        .text())
                .isEqualTo("OK");
        assertThat(from.call("MIGRATE", host, "" + port, first, "0", timeout).text())
                .isEqualTo("ERR Target instance replied with error: BUSYKEY Target key name already exists.");
        List<String> all = new ArrayList<>(List.of("MIGRATE", host, "" + port, "", "0", timeout, "REPLACE", "KEYS"));
        all.addAll(keys);
        assertThat(from.call(all).text()).isEqualTo("OK");
        assertThat(from.call("DBSIZE").integer()).isZero();
        assertThat(from.call("MIGRATE", host, "" + port, first, "0", timeout).text())
                .isEqualTo("NOKEY");
        assertThat(keys.stream().map(key -> digest(target, key)).toList()).isEqualTo(digests);
    }

    @Test
    void valuesAreTheSameOnEitherSide() {
        try (RunningServer heddle = HeddleServer.start("--enable-debug-command", "yes");
                RunningServer redis =
                        RedisServer.start("--enable-debug-command", "yes", "--sanitize-dump-payload", "yes");
                RawClient ours = heddle.connect();
                RawClient theirs = redis.connect()) {
            exchange(ours, theirs);
            exchange(theirs, ours);
            migrate(ours, theirs, redis.port());
            migrate(theirs, ours, heddle.port());
        }
    }
}
