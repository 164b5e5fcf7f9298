package dev.heddle.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.catalog.CommandTester.Client;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Handing over elements: what it costs, and that none is lost or given twice whatever happens at once. */
class WaitersTest {

    private static final int MANY = 10_000;

    private final CommandTester tester = new CommandTester();

    /** One of many is served, and the others cost nothing: they are not looked at, not woken, and nothing is allocated for them. */
    @Test
    void theCostOfServingOneDoesNotDependOnTheOthers() {
        List<CompletableFuture<String>> few = fill("few", 10);
        List<CompletableFuture<String>> many = fill("many", MANY);
        long steps = tester.engine().waiters().steps();
        long forFew = allocatedBy(() -> push("few", 1));
        long stepsForFew = tester.engine().waiters().steps() - steps;
        steps = tester.engine().waiters().steps();
        long forMany = allocatedBy(() -> push("many", 1));
        long stepsForMany = tester.engine().waiters().steps() - steps;
        assertThat(stepsForMany).isEqualTo(stepsForFew).isLessThan(10);
        assertThat(forMany).isLessThan(2 * forFew + 10_000);
        await().until(() -> done(many) == 1 && done(few) == 1);
        assertThat(tester.engine().waiters().count()).isEqualTo(MANY + 8);
        tester.engine()
                .sessions()
                .all()
                .forEach(session -> tester.engine().waiters().unblock(session, false));
        await().until(() -> done(many) == MANY);
        assertThat(tester.engine().waiters().count()).isZero();
        assertThat(tester.engine().waiters().keys()).isZero();
    }

    private List<CompletableFuture<String>> fill(String key, int count) {
        int before = tester.engine().waiters().count();
        List<CompletableFuture<String>> waiters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waiters.add(tester.connect().start("BLPOP", key, "0"));
        }
        await().until(() -> tester.engine().waiters().count() == before + count);
        return waiters;
    }

    private void push(String key, int value) {
        assertThat(tester.run("RPUSH", key, "" + value)).isEqualTo(":1\r\n");
    }

    private static long done(List<CompletableFuture<String>> replies) {
        return replies.stream().filter(CompletableFuture::isDone).count();
    }

    private static long allocatedBy(Runnable action) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        action.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /**
     * Threads push, pop, move and give up at once. In the end every element has been given to exactly one client or is still there.
     */
    @Property(tries = 15)
    void nothingIsLostOrGivenTwice(@ForAll long seed) throws Exception {
        CommandTester bed = new CommandTester();
        String[] keys = {"a", "b", "c", "d", "e"};
        AtomicInteger pushed = new AtomicInteger();
        List<CompletableFuture<List<String>>> workers = new ArrayList<>();
        for (int w = 0; w < 6; w++) {
            Random random = new Random(seed * 31 + w);
            Client client = bed.connect();
            workers.add(
                    w < 2
                            ? work(() -> pushing(random, client, keys, pushed))
                            : work(() -> popping(random, client, keys)));
        }
        List<String> received = new ArrayList<>();
        for (CompletableFuture<List<String>> worker : workers) {
            received.addAll(worker.get(30, TimeUnit.SECONDS));
        }
        assertThat(bed.engine().waiters().count()).isZero();
        for (String key : keys) {
            String reply = bed.run("LRANGE", key, "0", "-1");
            reply.lines().filter(line -> line.startsWith("v")).forEach(received::add);
        }
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < pushed.get(); i++) {
            expected.add("v" + i);
        }
        assertThat(received).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** As many clients wait without limit as elements are pushed, half of these by way of moves: all must be served. */
    @Property(tries = 25)
    void noWakeUpIsLost(@ForAll long seed) throws Exception {
        CommandTester bed = new CommandTester();
        Random random = new Random(seed);
        String[] ends = {"d0-" + random.nextInt(1000), "d1-" + random.nextInt(1000), "d2-" + random.nextInt(1000)};
        String source = "s" + random.nextInt(1000);
        List<CompletableFuture<String>> replies = new ArrayList<>();
        List<CompletableFuture<List<String>>> pushers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String end = ends[random.nextInt(ends.length)];
            String element = "v" + i;
            replies.add(bed.connect().start("BLPOP", ends[2], ends[0], ends[1], "0"));
            String target = i % 2 == 0 ? end : source;
            if (i % 2 != 0) {
                replies.add(bed.connect().start("BLMOVE", source, end, "LEFT", "RIGHT", "0"));
            }
            Client client = bed.connect();
            pushers.add(work(() -> List.of(client.run("RPUSH", target, element))));
        }
        for (CompletableFuture<String> reply : replies) {
            assertThat(reply.get(10, TimeUnit.SECONDS)).contains("v");
        }
        for (CompletableFuture<List<String>> pusher : pushers) {
            pusher.get(10, TimeUnit.SECONDS);
        }
        assertThat(bed.run("DBSIZE")).isEqualTo(":0\r\n");
        assertThat(bed.engine().waiters().count()).isZero();
    }

    private interface Work {
        List<String> run();
    }

    private static CompletableFuture<List<String>> work(Work work) {
        CompletableFuture<List<String>> result = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(work.run());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static List<String> pushing(Random random, Client client, String[] keys, AtomicInteger pushed) {
        for (int i = 0; i < 150; i++) {
            String key = keys[random.nextInt(keys.length)];
            switch (random.nextInt(3)) {
                case 0 -> client.run("RPUSH", key, "v" + pushed.getAndIncrement());
                case 1 -> client.run("LPUSH", key, "v" + pushed.getAndIncrement(), "v" + pushed.getAndIncrement());
                default -> {
                    client.run("MULTI");
                    client.run("RPUSH", key, "v" + pushed.getAndIncrement());
                    client.run("RPUSH", keys[random.nextInt(keys.length)], "v" + pushed.getAndIncrement());
                    client.run("EXEC");
                }
            }
        }
        return List.of();
    }

    /** Takes elements; moves leave them in the lists. */
    private static List<String> popping(Random random, Client client, String[] keys) {
        List<String> received = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            String key = keys[random.nextInt(keys.length)];
            String other = keys[random.nextInt(keys.length)];
            String time = random.nextBoolean() ? "0.001" : "0.003";
            String reply = switch (random.nextInt(4)) {
                case 0 -> client.run("BLPOP", key, other, time);
                case 1 -> client.run("BLMPOP", time, "2", key, other, "RIGHT", "COUNT", "3");
                case 2 -> client.run("LPOP", key);
                default -> {
                    client.run("BLMOVE", key, other, "LEFT", "RIGHT", time);
                    yield "";
                }
            };
            reply.lines().filter(line -> line.startsWith("v")).forEach(received::add);
        }
        return received;
    }
}
