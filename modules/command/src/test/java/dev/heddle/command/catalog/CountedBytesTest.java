package dev.heddle.command.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.heddle.store.EntrySize;
import dev.heddle.store.Partition;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the store counts as it goes is, after every command, what a walk over everything finds. */
class CountedBytesTest {

    private static final WriteExamples EXAMPLES = new WriteExamples();
    /** What an entry's size has for its slots, which are found in the tables themselves. */
    private static final int SLOT = 4;

    private final CommandTester tester = new CommandTester();

    private static long walk(CommandTester tester) {
        Store store = tester.engine().store();
        StripeLocks locks = new StripeLocks(store);
        long[] sum = {0};
        locks.wantAll();
        locks.lockWanted(false);
        for (int s = 0; s < store.stripeCount(); s++) {
            for (int d = 0; d < store.databases(); d++) {
                Partition partition = store.stripe(s).partition(d);
                if (partition != null) {
                    sum[0] += partition.overhead() - (long) SLOT * partition.expiring();
                    partition.forEach(entry -> sum[0] += EntrySize.of(entry) - SLOT);
                }
            }
        }
        locks.unlock();
        return sum[0];
    }

    private void check() {
        assertThat(tester.engine().store().bytes()).isEqualTo(walk(tester));
    }

    @TestFactory
    Stream<DynamicTest> everyCommandThatWrites() {
        return EXAMPLES.examples().stream()
                .map(words -> dynamicTest(String.join(" ", words), () -> {
                    CommandTester bed = new CommandTester();
                    EXAMPLES.data().forEach(bed::run);
                    assertThat(bed.run(words)).doesNotStartWith("-");
                    assertThat(bed.engine().store().bytes()).isEqualTo(walk(bed));
                }));
    }

    @Test
    void growthAndShrinkingOfEveryType() {
        for (int i = 0; i < 600; i++) {
            String element = "element " + i;
            tester.run("RPUSH", "list", element, element);
            tester.run("SADD", "set", element);
            tester.run("SADD", "integers", String.valueOf(7 * i));
            tester.run("HSET", "hash", element, element);
            tester.run("ZADD", "zset", String.valueOf(i), element);
            tester.run("APPEND", "string", element);
            tester.run("SETBIT", "bits", String.valueOf(100 * i), "1");
            tester.run("HPEXPIRE", "hash", "1000000", "FIELDS", "1", element);
            tester.run("SET", element, element, "EX", "100");
            check();
        }
        long full = tester.engine().store().bytes();
        for (int i = 0; i < 600; i++) {
            String element = "element " + i;
            tester.run("LPOP", "list", "2");
            tester.run("SREM", "set", element);
            tester.run("SREM", "integers", String.valueOf(7 * i));
            tester.run("HDEL", "hash", element);
            tester.run("ZREM", "zset", element);
            tester.run("DEL", element);
            check();
        }
        assertThat(tester.engine().store().bytes()).isLessThan(full / 4);
    }

    @Test
    void whatIsRefusedHalfway() {
        tester.run("RPUSH", "list", "a");
        assertThat(tester.run("SINTERSTORE", "list", "list")).startsWith("-WRONGTYPE");
        assertThat(tester.run("HINCRBY", "hash", "f", "x")).startsWith("-");
        assertThat(tester.run("ZADD", "zset", "1", "a", "x", "b")).startsWith("-");
        check();
    }

    @Test
    void transactionsScriptsWaitersAndExpiry() {
        tester.run("MULTI");
        tester.run("RPUSH", "list", "a", "b", "c");
        tester.run("RENAME", "list", "list2");
        tester.run("RPUSH", "list2", "d");
        tester.run("MOVE", "list2", "3");
        tester.run("EXEC");
        check();
        tester.run("EVAL", "for i = 1, 1000 do redis.call('HSET', 'h', i, i) end", "0");
        check();
        CommandTester.Client blocked = tester.connect();
        var reply = blocked.block("BLMOVE", "from", "to", "LEFT", "LEFT", "0");
        tester.run("RPUSH", "from", "x", "y");
        assertThat(reply.join()).contains("x");
        check();
        tester.run("HPEXPIRE", "h", "10", "FIELDS", "2", "1", "2");
        tester.run("PEXPIRE", "to", "10");
        tester.advance(20);
        tester.expire();
        check();
        tester.run("SWAPDB", "0", "3");
        check();
        tester.run("FLUSHDB");
        check();
        tester.run("FLUSHALL");
        assertThat(tester.engine().store().bytes()).isZero();
    }
}
