package dev.heddle.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** A partition, and the tables in it, against a hash map. */
class PartitionTest {

    private static final int TABLES = 4;

    private record Held(Object value, long expireAt) {}

    private final Partition partition = new Partition(TABLES, new Epoch(), new Stripe(1, TABLES, new Epoch(), 0));
    private final Map<Integer, Held> model = new HashMap<>();

    private static byte[] key(int number) {
        return ("key" + number).getBytes(StandardCharsets.US_ASCII);
    }

    /** Few different hashes, so that buckets hold several keys, some with equal hashes. */
    private static long hash(int number) {
        return (number % 50) * 0x9e3779b97f4a7c15L;
    }

    private Entry find(int number) {
        byte[] padded = ByteBuffer.allocate(20).put((byte) 1).put(key(number)).array();
        return partition.find(padded, 1, key(number).length, hash(number));
    }

    private void check(int number) {
        Held held = model.get(number);
        Entry entry = find(number);
        if (held == null) {
            assertThat(entry).isNull();
        } else {
            assertThat(entry).isNotNull();
            assertThat(entry.key()).isEqualTo(key(number));
            assertThat(entry.value()).isSameAs(held.value);
            assertThat(entry.expireAt()).isEqualTo(held.expireAt);
        }
    }

    @Property(tries = 100)
    void doesWhatAMapDoes(@ForAll @Size(max = 400) List<@IntRange(max = 10_000_000) Integer> steps) {
        for (int step : steps) {
            int number = step / 8 % 120;
            long at = step % 3 == 0 ? Entry.NEVER : step / 1000;
            Entry entry = find(number);
            if (entry == null) {
                Object value = Integer.toString(step);
                partition.add(key(number), hash(number), value, at);
                model.put(number, new Held(value, at));
            } else if (step % 8 < 4) {
                partition.remove(entry, hash(number));
                model.remove(number);
            } else {
                Entry replaced = partition.expireAt(entry, hash(number), at);
                model.put(number, new Held(entry.value(), at));
                assertThat(find(number)).isSameAs(replaced);
            }
            check(number);
        }
        for (int number = 0; number < 120; number++) {
            check(number);
        }
        checkWhole();
    }

    private void checkWhole() {
        assertThat(partition.size()).isEqualTo(model.size());
        Set<String> keys = new HashSet<>();
        partition.forEach(entry -> assertThat(keys.add(new String(entry.key(), StandardCharsets.US_ASCII)))
                .isTrue());
        assertThat(keys).hasSize(model.size());
        long expiring = model.values().stream()
                .filter(held -> held.expireAt != Entry.NEVER)
                .count();
        assertThat(partition.expiring()).isEqualTo((int) expiring);
        Entry first = partition.firstToExpire();
        assertThat(first == null ? Entry.NEVER : first.expireAt())
                .isEqualTo(model.values().stream()
                        .mapToLong(Held::expireAt)
                        .filter(at -> at != Entry.NEVER)
                        .min()
                        .orElse(Entry.NEVER));
    }

    @Test
    void keepsTheTimeOfLastUseWhenATimeToLiveComesAndGoes() {
        Entry entry = partition.add(key(1), hash(1), "v", Entry.NEVER);
        entry.access(77);
        Entry expiring = partition.expireAt(entry, hash(1), 5);
        assertThat(expiring.access()).isEqualTo(77);
        assertThat(expiring.value()).isSameAs("v");
        assertThat(partition.expireAt(expiring, hash(1), Entry.NEVER).access()).isEqualTo(77);
        assertThat(partition.expiring()).isZero();
    }

    @Test
    void drawsEveryTableInProportionToItsKeys() {
        // Table 0 gets 30 keys, table 1 gets 10, the others none.
        for (int i = 0; i < 40; i++) {
            long table = i < 30 ? 0 : 1;
            partition.add(key(i), table << 16 | (long) i << 32, i, Entry.NEVER);
        }
        Random random = new Random(3);
        int[] drawn = new int[40];
        for (int i = 0; i < 40_000; i++) {
            drawn[(int) partition.random(random).value()]++;
        }
        int first = 0;
        for (int i = 0; i < 40; i++) {
            assertThat(drawn[i]).isPositive();
            first += i < 30 ? drawn[i] : 0;
        }
        assertThat(first).isBetween(29_500, 30_500);
    }

    /**
     * A table is scanned bucket by bucket while other keys come and go, so that it doubles and halves in between: whoever was there from
     * start to end must have been seen.
     */
    @Property(tries = 100)
    void aScanSeesAllWhoStay(
            @ForAll long seed, @ForAll @IntRange(max = 300) int staying, @ForAll @IntRange(max = 1000) int crowd) {
        Random random = new Random(seed);
        KeyTable table = new KeyTable();
        Set<Integer> unseen = new HashSet<>();
        for (int i = 0; i < staying; i++) {
            table.add(new Entry(key(i), random.nextInt(), 0, i));
            unseen.add(i);
        }
        List<Entry> others = new ArrayList<>();
        int cursor = 0;
        int calls = 0;
        boolean growing = random.nextBoolean();
        do {
            int visitors = random.nextInt(crowd / 4 + 1);
            growing = random.nextInt(4) == 0 ? !growing : growing;
            for (int i = 0; i < visitors; i++) {
                if (growing && others.size() < crowd) {
                    Entry entry = new Entry(key(-1 - i), random.nextInt(), 0, -1);
                    table.add(entry);
                    others.add(entry);
                } else if (!growing && !others.isEmpty()) {
                    table.remove(others.removeLast());
                }
            }
            cursor = table.scan(cursor, entry -> unseen.remove((Integer) entry.value()));
            calls++;
        } while (cursor != 0 && calls < 100_000);
        assertThat(cursor).as("the scan ends").isZero();
        assertThat(unseen).isEmpty();
    }

    @Test
    void aScanOfATableAtRestSeesEverybodyOnce() {
        KeyTable table = new KeyTable();
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            table.add(new Entry(key(i), random.nextInt(), 0, i));
        }
        List<Object> seen = new ArrayList<>();
        int cursor = 0;
        do {
            cursor = table.scan(cursor, entry -> seen.add(entry.value()));
        } while (cursor != 0);
        assertThat(seen).hasSize(1000).doesNotHaveDuplicates();
    }

    @Test
    void aTableGivesItsRoomBack() {
        KeyTable table = new KeyTable();
        long empty = table.bytes();
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            Entry entry = new Entry(key(i), i * 31, 0, i);
            entries.add(entry);
            table.add(entry);
        }
        assertThat(table.bytes()).isGreaterThan(10_000 * 4);
        entries.forEach(table::remove);
        assertThat(table.size()).isZero();
        assertThat(table.bytes()).isEqualTo(empty);
    }
}
