package dev.heddle.command.admin;

import dev.heddle.store.Entry;
import dev.heddle.store.Partition;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import java.util.ArrayList;
import java.util.List;

/** How many keys there are, and what the tables that hold them take. Stateless. */
final class StoreFigures {

    /** Of how many keys of a stripe the time to live is looked at for the average. */
    private static final int TTL_SAMPLES = 4;

    private StoreFigures() {}

    /**
     * One database.
     *
     * @param expiring how many of the keys have a time to live
     * @param averageTtl of these, in milliseconds, estimated from a sample
     * @param overhead bytes of its tables, without keys and values
     */
    record Database(int index, long keys, long expiring, long averageTtl, long overhead) {}

    /** The databases that have keys. Takes one stripe after the other. */
    static List<Database> databases(Store store, StripeLocks locks, long now) {
        List<Database> list = new ArrayList<>();
        for (int i = 0; i < store.databases(); i++) {
            if (store.size(i) > 0) {
                list.add(database(store, locks, i, now));
            }
        }
        return list;
    }

    /** How many keys all databases have. */
    static long keys(Store store) {
        long sum = 0;
        for (int i = 0; i < store.databases(); i++) {
            sum += store.size(i);
        }
        return sum;
    }

    private static Database database(Store store, StripeLocks locks, int index, long now) {
        long overhead = 0;
        double ttlSum = 0;
        long sampled = 0;
        boolean lockHere = !locks.isHeld(); // inside of a transaction or script all stripes are held
        for (int s = 0; s < store.stripeCount(); s++) {
            if (lockHere) {
                locks.lockStripe(s, false);
            }
            try {
                Partition partition = store.stripe(s).partition(index);
                if (partition == null) {
                    continue;
                }
                overhead += partition.overhead();
                int samples = Math.min(TTL_SAMPLES, partition.expiring());
                for (int i = 0; i < samples; i++) {
                    Entry entry = partition.expiringAt((int) ((long) i * partition.expiring() / samples));
                    ttlSum += Math.max(0, entry.expireAt() - now);
                    sampled++;
                }
            } finally {
                if (lockHere) {
                    locks.unlock();
                }
            }
        }
        long average = sampled == 0 ? 0 : (long) (ttlSum / sampled);
        return new Database(index, store.size(index), store.expiring(index), average, overhead);
    }
}
