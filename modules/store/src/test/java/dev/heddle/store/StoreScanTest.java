package dev.heddle.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Walks through a whole database, across stripes and tables. */
class StoreScanTest {

    private final Store store = new Store(2, 2, new Random(5));
    private final StripeLocks locks = new StripeLocks(store);

    private static byte[] key(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    private void add(String name) {
        locks.lock(store.hash(key(name)), true);
        store.add(0, key(name), store.hash(key(name)), name, Entry.NEVER);
        locks.unlock();
    }

    private void remove(String name) {
        long hash = store.hash(key(name));
        locks.lock(hash, true);
        Entry entry = store.find(0, key(name), 0, key(name).length, hash);
        assertThat(entry).isNotNull();
        store.remove(0, entry, hash);
        locks.unlock();
    }

    private long scan(long cursor, List<Object> seen) {
        locks.lockStripe(store.scanStripe(cursor), false);
        try {
            return store.scan(0, cursor, entry -> seen.add(entry.value()));
        } finally {
            locks.unlock();
        }
    }

    @Property(tries = 30)
    void aScanSeesAllWhoStay(@ForAll long seed, @ForAll @IntRange(max = 2000) int staying) {
        Random random = new Random(seed);
        Set<Object> unseen = new HashSet<>();
        for (int i = 0; i < staying; i++) {
            add("s" + seed + "-" + i);
            unseen.add("s" + seed + "-" + i);
        }
        List<String> guests = new ArrayList<>();
        int number = 0;
        long cursor = 0;
        List<Object> seen = new ArrayList<>();
        do {
            for (int i = random.nextInt(40); i > 0; i--) {
                if (random.nextBoolean() || guests.isEmpty()) {
                    String guest = "g" + seed + "-" + number++;
                    add(guest);
                    guests.add(guest);
                } else {
                    remove(guests.remove(random.nextInt(guests.size())));
                }
            }
            cursor = scan(cursor, seen);
            assertThat(cursor).isBetween(0L, (1L << 31) - 1);
        } while (cursor != 0);
        seen.forEach(unseen::remove);
        assertThat(unseen).isEmpty();
    }

    @Test
    void aDatabaseAtRestIsSeenOnceInAFewSteps() {
        for (int i = 0; i < 20; i++) {
            add("k" + i);
        }
        List<Object> seen = new ArrayList<>();
        long cursor = 0;
        int steps = 0;
        do {
            cursor = scan(cursor, seen);
            steps++;
        } while (cursor != 0);
        assertThat(seen).hasSize(20).doesNotHaveDuplicates();
        // Each key has at most a table of four buckets to itself, each stripe without keys costs one step.
        assertThat(steps).isLessThanOrEqualTo(20 * 4 + store.stripeCount());
    }

    @Test
    void anyCursorIsGoodForAStep() {
        for (int i = 0; i < 100; i++) {
            add("k" + i);
        }
        Random random = new Random(9);
        for (int i = 0; i < 10_000; i++) {
            assertThat(scan(random.nextLong(), new ArrayList<>())).isBetween(0L, (1L << 31) - 1);
        }
    }

    @Test
    void tablesTogetherHoldEveryKeyOnce() {
        for (int i = 0; i < 5000; i++) {
            add("k" + i);
        }
        List<Object> seen = new ArrayList<>();
        for (int table = 0; table < store.tables(); table++) {
            int stripe = store.tableStripe(table);
            locks.lockStripe(stripe, false);
            store.forEachInTable(0, table, entry -> {
                assertThat(store.stripeIndex(store.hash(entry.key()))).isEqualTo(stripe);
                seen.add(entry.value());
            });
            locks.unlock();
        }
        assertThat(seen).hasSize(5000).doesNotHaveDuplicates();
    }

    @Test
    void countsClearsAndSwapsDatabases() {
        for (int i = 0; i < 100; i++) {
            add("k" + i);
        }
        locks.wantAll();
        locks.lockWanted(true);
        assertThat(store.size(0)).isEqualTo(100);
        store.swap(0, 1);
        assertThat(store.size(0)).isZero();
        assertThat(store.size(1)).isEqualTo(100);
        store.clear(1);
        assertThat(store.size(1)).isZero();
        locks.unlock();
    }

    @Test
    void drawsStripesThatHaveKeys() {
        assertThat(store.randomStripe(0, new Random(1))).isEqualTo(-1);
        add("only");
        int stripe = store.stripeIndex(store.hash(key("only")));
        assertThat(store.randomStripe(0, new Random(1))).isEqualTo(stripe);
        Entry entry = store.randomIn(stripe, 0, new Random(1));
        assertThat(entry).isNotNull();
        assertThat(entry.value()).isEqualTo("only");
        assertThat(store.randomIn(stripe, 1, new Random(1))).isNull();
    }
}
