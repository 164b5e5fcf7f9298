package dev.heddle.store;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One of the small hash tables into which a {@link Partition} is cut.
 *
 * <p>Guarded by the stripe's lock.
 */
final class KeyTable {

    /*
     * Problem: a hash table that holds all keys must at some time move all of them, and everybody waits. Redis keeps two tables
     * and moves a bucket per command. Here the keyspace is cut into about a thousand tables that double on their own, so
     * that no single doubling touches more than about a thousandth of the keys: 10 million keys, 10,000 entries, well below
     * two milliseconds. That needs no second table and no bookkeeping.
     *
     * Buckets are chains through Entry.next. Open addressing would save the reference but would need tombstones, and SCAN's
     * guarantee below rests on an entry staying in the bucket that its hash names.
     *
     * SCAN: the cursor counts through bucket numbers with the bits reversed (most significant bit of the mask first). When a
     * table doubles, bucket b splits into b and b + oldSize, which agree in the low bits; with the high bits counted first, all
     * buckets that came out of visited ones are themselves passed, and when it halves, nothing unvisited is. So whoever is
     * there for the whole scan is seen at least once. (Pieter Noordhuis's idea for Redis.)
     */

    private static final int SMALLEST = 4;

    private @Nullable Entry[] buckets = new Entry[SMALLEST];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Entry find(byte[] bytes, int offset, int length, int hash) {
        int wanted = hash & Entry.HASH_BITS;
        for (Entry e = buckets[wanted & (buckets.length - 1)]; e != null; e = e.next) {
            if (e.hash() == wanted
                    && e.key.length == length
                    && Arrays.equals(e.key, 0, length, bytes, offset, offset + length)) {
                return e;
            }
        }
        return null;
    }

    /** Adds an entry whose key is not in the table. */
    void add(Entry entry) {
        if (size == buckets.length) {
            resize(buckets.length * 2);
        }
        size++;
        link(entry);
    }

    /** Takes out an entry that is in the table. */
    void remove(Entry entry) {
        int index = entry.hash() & (buckets.length - 1);
        Entry e = buckets[index];
        if (e == entry) {
            buckets[index] = entry.next;
        } else {
            before(e, entry).next = entry.next;
        }
        entry.next = null;
        size--;
        if (size < buckets.length / 8 && buckets.length > SMALLEST) {
            resize(buckets.length / 2);
        }
    }

    /** Puts {@code replacement}, which has the same key, in the place of {@code entry}. */
    void replace(Entry entry, Entry replacement) {
        int index = entry.hash() & (buckets.length - 1);
        replacement.next = entry.next;
        Entry e = buckets[index];
        if (e == entry) {
            buckets[index] = replacement;
        } else {
            before(e, entry).next = replacement;
        }
        entry.next = null;
    }

    void forEach(Consumer<? super Entry> action) {
        for (Entry head : buckets) {
            for (Entry e = head; e != null; e = e.next) {
                action.accept(e);
            }
        }
    }

    /**
     * Visits the bucket that the cursor names.
     *
     * @return the next cursor, 0 when the table is done
     */
    int scan(int cursor, Consumer<? super Entry> action) {
        int mask = buckets.length - 1;
        for (Entry e = buckets[cursor & mask]; e != null; e = e.next) {
            action.accept(e);
        }
        // Set the bits above the mask, then add one to the reversed number: the carry leaves the mask at the end of the
        // round.
        return Integer.reverse(Integer.reverse(cursor | ~mask) + 1);
    }

    /** An entry of a table that is not empty, each bucket's turn equally likely. */
    Entry random(RandomGenerator random) {
        Entry head;
        do {
            head = buckets[random.nextInt(buckets.length)];
        } while (head == null);
        int length = 0;
        for (Entry e = head; e != null; e = e.next) {
            length++;
        }
        Entry chosen = head;
        for (int skip = random.nextInt(length); skip > 0 && chosen.next != null; skip--) {
            chosen = chosen.next;
        }
        return chosen;
    }

    /** Visits keys from a random bucket on, at most so many. @return how many */
    int sample(RandomGenerator random, int most, Consumer<? super Entry> action) {
        int start = random.nextInt(buckets.length);
        int visited = 0;
        for (int i = 0; i < buckets.length; i++) {
            for (Entry e = buckets[(start + i) & (buckets.length - 1)]; e != null; e = e.next) {
                if (visited == most) {
                    return visited;
                }
                action.accept(e);
                visited++;
            }
        }
        return visited;
    }

    /** Bytes of the table itself, without its entries. */
    long bytes() {
        return 24 + 16 + 4L * buckets.length;
    }

    /** The entry before {@code entry} in the chain that begins with {@code head}. */
    private static Entry before(@Nullable Entry head, Entry entry) {
        Entry e = head;
        while (e != null && e.next != entry) {
            e = e.next;
        }
        if (e == null) {
            throw new IllegalStateException("not in this table");
        }
        return e;
    }

    private void resize(int length) {
        Entry[] old = buckets;
        buckets = new Entry[length];
        for (Entry head : old) {
            for (Entry e = head; e != null; ) {
                Entry following = e.next;
                link(e);
                e = following;
            }
        }
    }

    private void link(Entry entry) {
        int index = entry.hash() & (buckets.length - 1);
        entry.next = buckets[index];
        buckets[index] = entry;
    }
}
