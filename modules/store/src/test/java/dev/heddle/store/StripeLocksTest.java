package dev.heddle.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which locks are taken, in which order, and that taking them never comes to a standstill. */
class StripeLocksTest {

    private final Store store = new Store(1, 4, new Random(1)); // 64 stripes
    private final StripeLocks locks = new StripeLocks(store);

    /** A hash in this stripe: the stripe is named by the lowest bits. */
    private static long in(int stripe) {
        return stripe | 0x5eed_0000_0000_0000L;
    }

    private boolean written(int stripe) {
        return store.stripe(stripe).lock.isWriteLocked();
    }

    private boolean read(int stripe) {
        return store.stripe(stripe).lock.isReadLocked();
    }

    @Test
    void oneStripeForWritingOrReading() {
        assertThat(store.stripeCount()).isEqualTo(64);
        locks.lock(in(5), true);
        assertThat(written(5)).isTrue();
        assertThat(locks.isHeld()).isTrue();
        assertThat(locks.covers(in(5), true)).isTrue();
        assertThat(locks.covers(in(5), false)).isTrue();
        assertThat(locks.covers(in(6), false)).isFalse();
        locks.unlock();
        assertThat(written(5)).isFalse();
        assertThat(locks.isHeld()).isFalse();
        locks.lockStripe(7, false);
        assertThat(read(7)).isTrue();
        assertThat(locks.covers(in(7), true)).isFalse();
        assertThat(locks.covers(in(7), false)).isTrue();
        locks.unlock();
        assertThat(read(7)).isFalse();
    }

    @Test
    void severalStripesThoseWantedAndNoOthers() {
        locks.want(in(63));
        locks.want(in(0));
        locks.want(in(63));
        locks.lockWanted(true);
        for (int i = 0; i < 64; i++) {
            assertThat(written(i)).isEqualTo(i == 0 || i == 63);
            assertThat(locks.covers(in(i), true)).isEqualTo(i == 0 || i == 63);
        }
        locks.unlock();
        locks.want(in(1));
        locks.lockWanted(false);
        assertThat(read(1)).isTrue();
        assertThat(written(0)).as("wishes are forgotten with the locks").isFalse();
        locks.unlock();
    }

    @Test
    void allStripesWhateverTheirNumber() {
        for (int threads : new int[] {1, 4, 64}) {
            Store other = new Store(1, threads, new Random(1));
            StripeLocks all = new StripeLocks(other);
            all.wantAll();
            all.lockWanted(true);
            for (int i = 0; i < other.stripeCount(); i++) {
                assertThat(other.stripe(i).lock.isWriteLocked()).isTrue();
            }
            all.unlock();
            for (int i = 0; i < other.stripeCount(); i++) {
                assertThat(other.stripe(i).lock.isWriteLocked()).isFalse();
            }
        }
    }

    @Test
    void noneWantedIsNoneHeldButUnlockIsDue() {
        locks.lockWanted(true);
        locks.unlock();
        assertThat(locks.isHeld()).isFalse();
        locks.unlock(); // once more does no harm
    }

    @Test
    void takesThemInAscendingOrderWhateverTheOrderOfTheWishes() throws InterruptedException {
        locks.lock(in(20), true);
        Thread other = Thread.ofVirtual().start(() -> {
            StripeLocks theirs = new StripeLocks(store);
            theirs.want(in(40));
            theirs.want(in(20));
            theirs.want(in(3));
            theirs.lockWanted(true);
            theirs.unlock();
        });
        await().until(() -> written(3)); // and now it waits for stripe 20
        assertThat(written(40)).isFalse();
        locks.unlock();
        assertThat(other.join(Duration.ofSeconds(10))).isTrue();
        assertThat(written(3) || written(20) || written(40)).isFalse();
    }

    /** Each thread takes random sets in random order, for reading or writing; in any other order than one this stops for good. */
    @Test
    void manyThreadsWithManyLocksAllComeThrough() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        long[] guarded = new long[64];
        for (int t = 0; t < 4; t++) {
            long seed = t;
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                Random random = new Random(seed);
                StripeLocks mine = new StripeLocks(store);
                for (int round = 0; round < 5_000; round++) {
                    boolean write = random.nextBoolean();
                    int[] stripes = random.ints(1 + random.nextInt(4), 0, 8).toArray();
                    for (int stripe : stripes) {
                        mine.want(in(stripe));
                    }
                    mine.lockWanted(write);
                    for (int stripe : stripes) {
                        guarded[stripe] += write ? 1 : 0;
                    }
                    mine.unlock();
                }
            }));
        }
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(TimeUnit.MINUTES.toSeconds(1))))
                    .isTrue();
        }
        // What the writers counted must be what they would have counted one after the other.
        long[] expected = new long[64];
        for (int t = 0; t < 4; t++) {
            Random random = new Random(t);
            for (int round = 0; round < 5_000; round++) {
                boolean write = random.nextBoolean();
                for (int stripe : random.ints(1 + random.nextInt(4), 0, 8).toArray()) {
                    expected[stripe] += write ? 1 : 0;
                }
            }
        }
        assertThat(guarded).isEqualTo(expected);
    }
}
