package dev.heddle.command.linearizability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.command.TestServer;
import dev.heddle.command.linearizability.TestCommands.Locking;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Nobody waits for ever, whatever keys commands name in whatever order; and it is the order of the locks that sees to it. */
class DeadlockTest {

    private static final int THREADS = 8;
    private static final int COMMANDS = 3000;
    private static final int KEYS = 40;

    @Test
    void commandsOnSeveralKeysAndOnAllFinish() {
        TestServer server = new TestServer(new TestCommands(Locking.CORRECT)::declare);
        AtomicInteger finished = new AtomicInteger();
        for (int i = 0; i < THREADS; i++) {
            TestServer.Client client = server.connect();
            Random random = new Random(i);
            Thread.ofVirtual().start(() -> {
                for (int n = 0; n < COMMANDS; n++) {
                    client.run(command(random));
                }
                finished.incrementAndGet();
            });
        }
        await().atMost(Duration.ofSeconds(60)).untilAtomic(finished, org.hamcrest.Matchers.is(THREADS));
        for (int stripe = 0; stripe < server.engine().store().stripeCount(); stripe++) {
            assertFree(server.engine().store(), stripe);
        }
    }

    private static String[] command(Random random) {
        List<String> words = new ArrayList<>();
        int kind = random.nextInt(10);
        int keys = 2 + random.nextInt(4);
        if (kind == 0) {
            words.add("T.SNAPSHOT");
        } else if (kind == 1) {
            words.add("INCR");
            keys = 1;
        } else {
            words.add(kind < 6 ? "T.MSET" : "T.MGET");
        }
        for (int i = 0; i < keys; i++) {
            words.add("k" + random.nextInt(KEYS));
            if (words.getFirst().equals("T.MSET")) {
                words.add("1");
            }
        }
        return words.toArray(String[]::new);
    }

    private static void assertFree(Store store, int stripe) {
        CountDownLatch got = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> {
            StripeLocks locks = new StripeLocks(store);
            locks.lockStripe(stripe, true);
            locks.unlock();
            got.countDown();
        });
        await("stripe " + stripe).until(() -> got.getCount() == 0);
    }

    @Test
    void twoThreadsThatAskInOppositeOrderBlockEachOther() throws InterruptedException {
        Store store = new Store(1, 1, new Random(7));
        CyclicBarrier bothHoldOne = new CyclicBarrier(2);
        StripeLocks first = new StripeLocks(store);
        StripeLocks other = new StripeLocks(store);
        Thread ascending = Thread.ofPlatform().daemon().start(() -> lockOneThenOther(store, first, 3, 9, bothHoldOne));
        Thread descending = Thread.ofPlatform().daemon().start(() -> lockOneThenOther(store, other, 9, 3, bothHoldOne));
        await().until(() -> ascending.getState() == Thread.State.WAITING
                && descending.getState() == Thread.State.WAITING
                && bothHoldOne.getNumberWaiting() == 0
                && first.isHeld()
                && other.isHeld());
        first.unlock(); // a StampedLock has no owner: this resolves the deadlock from outside
        ascending.join();
        descending.join();
    }

    /** What {@link StripeLocks} does not allow: one lock after the other, in an order of one's own, which takes two of its kind. */
    private static void lockOneThenOther(
            Store store, StripeLocks locks, int one, int other, CyclicBarrier bothHoldOne) {
        locks.lockStripe(one, true);
        try {
            bothHoldOne.await();
            StripeLocks more = new StripeLocks(store);
            more.lockStripe(other, true);
            more.unlock();
        } catch (InterruptedException | java.util.concurrent.BrokenBarrierException e) {
            throw new AssertionError(e);
        } finally {
            locks.unlock();
        }
    }

    @Test
    void theSameTwoThroughOneSetOfLocksFinish() throws InterruptedException {
        Store store = new Store(1, 1, new Random(7));
        AtomicInteger rounds = new AtomicInteger();
        long[] hashes = {hashOf(store, 3), hashOf(store, 9)};
        Thread one = Thread.ofPlatform().daemon().start(() -> lockBoth(store, hashes[0], hashes[1], rounds));
        Thread other = Thread.ofPlatform().daemon().start(() -> lockBoth(store, hashes[1], hashes[0], rounds));
        await().atMost(Duration.ofSeconds(60)).untilAtomic(rounds, org.hamcrest.Matchers.is(2 * COMMANDS));
        one.join();
        other.join();
        assertThat(store.stripeIndex(hashes[0])).isEqualTo(3);
    }

    private static void lockBoth(Store store, long a, long b, AtomicInteger rounds) {
        StripeLocks locks = new StripeLocks(store);
        for (int i = 0; i < COMMANDS; i++) {
            locks.want(a);
            locks.want(b);
            locks.lockWanted(true);
            Thread.yield();
            locks.unlock();
            rounds.incrementAndGet();
        }
    }

    private static long hashOf(Store store, int stripe) {
        for (int i = 0; ; i++) {
            long hash = store.hash(new byte[] {(byte) i, (byte) (i >> 8)});
            if (store.stripeIndex(hash) == stripe) {
                return hash;
            }
        }
    }
}
