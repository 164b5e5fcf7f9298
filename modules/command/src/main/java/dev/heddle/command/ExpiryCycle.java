package dev.heddle.command;

import dev.heddle.store.Entry;
import dev.heddle.store.Partition;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import dev.heddle.store.value.FieldDeadlines;
import dev.heddle.store.value.HashValue;
import org.jspecify.annotations.Nullable;

/**
 * Removes keys, and fields of hashes, that have expired without anybody asking for them.
 *
 * <p>Runs on the housekeeping thread; {@link #enabled} may be set by any thread.
 */
public final class ExpiryCycle {

    /*
     * Every partition knows its next deadline, so a round costs one look per partition when nothing is due. What is due is removed in
     * slices: a stripe is held for at most SLICE_NANOS, then given back so that commands that wait for it go first. A round stops
     * after its budget, a quarter of the time between rounds, and the next one goes on behind the stripe where this one stopped:
     * a mass expiry takes longer, but never takes the machine.
     */

    private static final long SLICE_NANOS = 500_000;
    /** Between two looks at the clock. */
    private static final int KEYS_PER_LOOK = 16;

    private static final int FIELDS_PER_LOOK = 64;

    private final Store store;
    private final Engine engine;
    private final StripeLocks locks;
    private final Recorder recorder;
    /** Serves those who wait at what has expired; made by the first round, whose thread is the only one to use it. */
    private @Nullable Session session;

    private volatile boolean enabled = true;
    private int nextStripe;

    ExpiryCycle(Engine engine) {
        this.engine = engine;
        this.store = engine.store();
        this.locks = new StripeLocks(store);
        this.recorder = new Recorder(engine.keyspace());
    }

    /** DEBUG SET-ACTIVE-EXPIRE. */
    public void enabled(boolean on) {
        enabled = on;
    }

    /**
     * One round.
     *
     * @param budgetNanos how long it may take
     */
    public void run(long budgetNanos) {
        if (!enabled || engine.loading().active() || engine.pauses().writesPaused()) {
            return;
        }
        expire(System.nanoTime() + budgetNanos);
        recorder.nudge();
    }

    private void expire(long end) {
        for (int i = 0; i < store.stripeCount(); i++) {
            while (expireSlice(nextStripe)) {
                if (System.nanoTime() - end > 0) {
                    return;
                }
                Thread.onSpinWait();
            }
            nextStripe = (nextStripe + 1) % store.stripeCount();
        }
    }

    /** @return whether there is more to do in this stripe */
    private boolean expireSlice(int stripe) {
        long now = engine.clock().millis();
        if (!anythingDue(stripe, now)) {
            return false;
        }
        locks.lockStripe(stripe, true);
        try {
            long end = System.nanoTime() + SLICE_NANOS;
            for (int database = 0; database < store.databases(); database++) {
                Partition partition = store.stripe(stripe).partition(database);
                if (partition != null && expireUntil(partition, database, now, end)) {
                    return true;
                }
            }
            return false;
        } finally {
            serveWaiters();
        }
    }

    /** Tells those who wait at what has just been removed, and gives the stripe back. */
    private void serveWaiters() {
        Session own = session;
        if (own == null || !own.handsOver()) {
            locks.unlock();
            return;
        }
        try {
            engine.waiters().serve(own);
        } finally {
            locks.unlock();
        }
        engine.waiters().finish(own);
    }

    /** @return whether time ran out before everything that is due was removed */
    private boolean expireUntil(Partition partition, int database, long now, long end) {
        int removed = 0;
        for (Entry entry = due(partition, now); entry != null; entry = due(partition, now)) {
            expire(database, entry);
            removed++;
            if (removed % KEYS_PER_LOOK == 0 && System.nanoTime() - end > 0) {
                return true;
            }
        }
        return expireFieldsUntil(partition, database, now, end);
    }

    private void expire(int database, Entry entry) {
        long hash = store.hash(entry.key());
        engine.keyspace().expire(database, entry, hash, recorder);
        if (engine.waiters().any()) {
            engine.waiters().noteGone(session().handover(), new KeyName(database, entry.key(), hash), entry.value());
        }
    }

    private Session session() {
        Session own = session;
        if (own == null) {
            own = new Session(engine, new NoClient(), false, locks);
            session = own;
        }
        return own;
    }

    /** @return whether time ran out before every field that is due was removed */
    private boolean expireFieldsUntil(Partition partition, int database, long now, long end) {
        FieldDeadlines due = partition.firstFieldToExpire();
        while (due != null && due.deadline() <= now) {
            byte[] key = due.key();
            long hash = store.hash(key);
            Entry entry = partition.find(key, 0, key.length, hash);
            if (entry == null || !(entry.value() instanceof HashValue value) || !isSame(value.deadlines(), due)) {
                partition.forgetFields(due);
            } else if (value.anyDue(now)) {
                engine.keyspace().expireFields(database, entry, hash, value, now, FIELDS_PER_LOOK, recorder);
            } else {
                partition.scheduleFields(key, value);
            }
            if (System.nanoTime() - end > 0) {
                return true;
            }
            due = partition.firstFieldToExpire();
        }
        return false;
    }

    private boolean anythingDue(int stripe, long now) {
        locks.lockStripe(stripe, false);
        try {
            for (int database = 0; database < store.databases(); database++) {
                Partition partition = store.stripe(stripe).partition(database);
                if (partition != null && (due(partition, now) != null || anyFieldDue(partition, now))) {
                    return true;
                }
            }
            return false;
        } finally {
            locks.unlock();
        }
    }

    private static @Nullable Entry due(Partition partition, long now) {
        Entry first = partition.firstToExpire();
        return first != null && first.isExpired(now) ? first : null;
    }

    @SuppressWarnings("ReferenceEquality") // whether the hash is still the one that was scheduled
    private static boolean isSame(@Nullable FieldDeadlines one, FieldDeadlines other) {
        return one == other;
    }

    private static boolean anyFieldDue(Partition partition, long now) {
        FieldDeadlines first = partition.firstFieldToExpire();
        return first != null && first.deadline() <= now;
    }
}
