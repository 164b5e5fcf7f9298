package dev.heddle.command.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.MemoryGauge;
import dev.heddle.command.config.EvictionPolicy;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class EvictionTest {

    private static final String OOM = "-OOM command not allowed when used memory > 'maxmemory'.\r\n";
    private static final int KEYS = 2_000;

    private final CommandTester redis = new CommandTester();

    private static String name(EvictionPolicy policy) {
        return policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private long used() {
        return redis.engine().memory().counted();
    }

    private void limit(long bytes, EvictionPolicy policy) {
        assertThat(redis.run("CONFIG", "SET", "maxmemory", String.valueOf(bytes), "maxmemory-policy", name(policy)))
                .isEqualTo("+OK\r\n");
        redis.run("CONFIG", "SET", "maxmemory-eviction-tenacity", "100");
    }

    /** Lets so much of what is stored stay. */
    private void keep(double part, EvictionPolicy policy) {
        limit(MemoryGauge.STARTUP + (long) (part * (used() - MemoryGauge.STARTUP)), policy);
        redis.run("PING");
    }

    private void fill(String prefix, String... options) {
        for (int i = 0; i < KEYS; i++) {
            String[] words = Stream.concat(Stream.of("SET", prefix + i, "x".repeat(50)), Stream.of(options))
                    .toArray(String[]::new);
            assertThat(redis.run(words)).isEqualTo("+OK\r\n");
        }
    }

    private int there(String prefix) {
        int count = 0;
        for (int i = 0; i < KEYS; i++) {
            count += redis.run("EXISTS", prefix + i).equals(":1\r\n") ? 1 : 0;
        }
        return count;
    }

    @Test
    void withoutEvictionWritesAreRefusedAndEverythingElseGoesOn() {
        fill("k");
        limit(used() - 1, EvictionPolicy.NOEVICTION);
        assertThat(redis.run("SET", "more", "x")).isEqualTo(OOM);
        assertThat(redis.run("APPEND", "k1", "x")).isEqualTo(OOM);
        assertThat(redis.run("GET", "k1")).startsWith("$50");
        assertThat(redis.run("MULTI")).isEqualTo("+OK\r\n");
        assertThat(redis.run("GET", "k1")).isEqualTo(OOM);
        assertThat(redis.run("EXEC")).startsWith("-EXECABORT");
        assertThat(redis.run("EVAL", "return redis.pcall('SET', 'a', 'b')['err']", "0"))
                .contains("OOM command not allowed");
        assertThat(redis.run("EVAL", "redis.call('DEL', 'k7'); return redis.call('SET', 'a', 'b')", "0"))
                .isEqualTo("+OK\r\n");
        assertThat(redis.run("EVAL", "#!lua\nreturn 1", "0"))
                .isEqualTo("-OOM allow-oom flag is not set on the script, can not run it when used memory >"
                        + " 'maxmemory'\r\n");
        assertThat(redis.run("EVAL", "#!lua flags=no-writes\nreturn 1", "0")).isEqualTo(":1\r\n");
        assertThat(redis.run("EVAL", "#!lua flags=allow-oom\nreturn redis.call('SET', 'a', 'c')", "0"))
                .isEqualTo("+OK\r\n");
        for (int i = 100; i < 200; i++) {
            assertThat(redis.run("DEL", "k" + i)).isEqualTo(":1\r\n");
        }
        assertThat(redis.run("SET", "more", "x")).isEqualTo("+OK\r\n");
    }

    @Test
    void aTransactionThatIsQueuedIsRefusedWhenMemoryIsFull() {
        fill("k");
        redis.run("MULTI");
        redis.run("SET", "a", "b");
        CommandTester.Client other = redis.connect();
        other.run("CONFIG", "SET", "maxmemory", "1000");
        assertThat(redis.run("EXEC"))
                .isEqualTo("-EXECABORT Transaction discarded because of: OOM command not allowed when used memory >"
                        + " 'maxmemory'.\r\n");
        assertThat(redis.run("EXISTS", "a")).isEqualTo(":0\r\n");
    }

    @TestFactory
    Stream<DynamicTest> everyPolicyKeepsTheLimit() {
        return Stream.of(EvictionPolicy.values())
                .filter(policy -> policy != EvictionPolicy.NOEVICTION)
                .map(policy -> DynamicTest.dynamicTest(name(policy), () -> keepsTheLimit(policy)));
    }

    private void keepsTheLimit(EvictionPolicy policy) {
        redis.run("FLUSHALL");
        limit(0, policy);
        fill("stay");
        long limit = used() + 60_000;
        limit(limit, policy);
        redis.effects();
        for (int i = 0; i < KEYS; i++) {
            assertThat(redis.run("SET", "go" + i, "x".repeat(50), "EX", "1000")).isEqualTo("+OK\r\n");
            assertThat(used()).isLessThan(limit + 1_000);
        }
        assertThat(redis.effects()).anyMatch(effect -> effect.startsWith("DEL "));
        assertThat(redis.run("INFO", "stats")).doesNotContain("evicted_keys:0\r\n");
        if (policy.isVolatile()) {
            assertThat(there("stay")).isEqualTo(KEYS);
            redis.run("CONFIG", "SET", "maxmemory", "1000");
            assertThat(redis.run("SET", "more", "x")).isEqualTo(OOM);
            assertThat(there("go")).isZero();
        }
    }

    @Test
    void theLeastRecentlyUsedGoFirst() {
        fill("old");
        redis.advance(10_000);
        fill("new");
        redis.advance(10_000);
        for (int i = 0; i < KEYS; i += 2) {
            redis.run("GET", "old" + i);
        }
        keep(0.75, EvictionPolicy.ALLKEYS_LRU);
        assertThat(there("new")).isGreaterThan(KEYS * 8 / 10);
        int used = 0;
        for (int i = 0; i < KEYS; i += 2) {
            used += redis.run("EXISTS", "old" + i).equals(":1\r\n") ? 1 : 0;
        }
        assertThat(used).isGreaterThan(KEYS / 2 * 9 / 10);
        assertThat(there("old")).isLessThan(KEYS * 7 / 10);
    }

    @Test
    void theLeastFrequentlyUsedGoFirst() {
        limit(0, EvictionPolicy.ALLKEYS_LFU);
        fill("k");
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < KEYS; i += 4) {
                redis.run("GET", "k" + i);
            }
        }
        assertThat(redis.run("OBJECT", "FREQ", "k0")).isGreaterThan(":5");
        keep(0.5, EvictionPolicy.ALLKEYS_LFU);
        int used = 0;
        for (int i = 0; i < KEYS; i += 4) {
            used += redis.run("EXISTS", "k" + i).equals(":1\r\n") ? 1 : 0;
        }
        assertThat(used).isGreaterThan(KEYS / 4 * 95 / 100);
    }

    @Test
    void whatExpiresSoonestGoesFirst() {
        fill("late", "EX", "1000");
        fill("soon", "EX", "100");
        keep(0.75, EvictionPolicy.VOLATILE_TTL);
        assertThat(there("late")).isGreaterThan(KEYS * 9 / 10);
        assertThat(there("soon")).isLessThan(KEYS * 6 / 10);
    }

    @Test
    void evictionIsToldAndSeenByWatch() {
        redis.run("CONFIG", "SET", "notify-keyspace-events", "Ee");
        CommandTester.Client watcher = redis.connect();
        redis.run("SET", "k", "v");
        watcher.run("WATCH", "k");
        watcher.run("MULTI");
        watcher.run("PING");
        limit(1, EvictionPolicy.ALLKEYS_RANDOM);
        redis.run("PING");
        redis.run("CONFIG", "SET", "maxmemory", "0");
        assertThat(redis.run("EXISTS", "k")).isEqualTo(":0\r\n");
        assertThat(watcher.run("EXEC")).isEqualTo("*-1\r\n");
    }

    @Test
    void idleTimeAndFrequencyByPolicy() {
        redis.run("SET", "k", "v");
        redis.advance(3_000);
        assertThat(redis.run("OBJECT", "IDLETIME", "k")).isEqualTo(":3\r\n");
        assertThat(redis.run("OBJECT", "FREQ", "k")).startsWith("-ERR An LFU maxmemory policy is not selected");
        redis.run("CONFIG", "SET", "maxmemory-policy", "allkeys-lfu");
        assertThat(redis.run("OBJECT", "IDLETIME", "k")).startsWith("-ERR An LFU maxmemory policy is selected");
        redis.run("SET", "f", "v");
        assertThat(redis.run("OBJECT", "FREQ", "f")).isEqualTo(":5\r\n");
        redis.run("CONFIG", "SET", "lfu-log-factor", "0");
        for (int i = 0; i < 300; i++) {
            redis.run("GET", "f");
        }
        assertThat(redis.run("OBJECT", "FREQ", "f")).isEqualTo(":255\r\n");
        redis.advance(60_000 * 5);
        assertThat(redis.run("OBJECT", "FREQ", "f")).isEqualTo(":250\r\n");
        redis.run("CONFIG", "SET", "lfu-decay-time", "0");
        assertThat(redis.run("OBJECT", "FREQ", "f")).isEqualTo(":255\r\n");
        assertThat(List.of(redis.run("OBJECT", "FREQ", "nokey"), redis.run("OBJECT", "IDLETIME", "nokey")))
                .containsOnly("$-1\r\n");
    }
}
