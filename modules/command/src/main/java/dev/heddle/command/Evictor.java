package dev.heddle.command;

import dev.heddle.command.Candidates.Candidate;
import dev.heddle.command.config.EvictionPolicy;
import dev.heddle.command.config.MemorySettings;
import dev.heddle.store.AccessClock;
import dev.heddle.store.Entry;
import dev.heddle.store.Partition;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the server within {@code maxmemory} by evicting keys, and says when that is impossible.
 *
 * <p>Thread-safe. Whoever calls it holds no stripe.
 */
public final class Evictor {

    /*
     * Before a command runs, its own thread makes the room that earlier ones have taken: nobody else would be fast enough, and it slows
     * down just those who fill the memory. One thread evicts at a time; the others go on meanwhile.
     *
     * Which key: an exact order by last use would cost every entry two references and every read a move in a list that all threads share.
     * Instead a few keys that stand side by side somewhere in the tables are looked at, under the shared lock of their stripe, and the best
     * of many such samples wait in Candidates; Redis has shown that this comes close to the exact order. A candidate is looked up
     * again before it goes, under the exclusive lock: it may have been deleted meanwhile.
     *
     * Lock order: the evictor's own lock, then one stripe at a time. Nobody who holds a stripe comes here.
     */

    /** What became of an attempt to make room. */
    public enum Outcome {
        /** There is room. */
        ROOM,
        /** There will be: it takes longer than a command should wait. */
        LATER,
        /** There is none to be had. */
        FULL
    }

    /** Between two looks at the clock. */
    private static final int KEYS_PER_LOOK = 16;

    private static final int NANOS_PER_TENACITY = 50_000;
    private static final int FRUITLESS_SAMPLES = 64;

    private final Engine engine;
    private final Store store;
    private final MemorySettings settings;
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private final Candidates candidates = new Candidates();
    private final StripeLocks locks;
    private @Nullable EvictionPolicy lastPolicy;

    /** The housekeeper's, made when first needed. */
    private @Nullable Session own;

    Evictor(Engine engine) {
        this.engine = engine;
        this.store = engine.store();
        this.settings = engine.settings().memory;
        this.locks = new StripeLocks(store);
    }

    /** What may be in use: {@code maxmemory}, or what the heap has room for if that is less or there is no such setting. */
    private long limit() {
        long limit = settings.maxMemory.value();
        long capacity = engine.memory().capacity();
        return limit > 0 && limit < capacity ? limit : capacity;
    }

    private boolean isFull() {
        return engine.memory().counted() > limit();
    }

    /**
     * Makes room for a command that is about to run, if there is a limit and it is reached. Takes a limited time. While no limit is set and
     * the heap has room this is two field reads.
     */
    Outcome makeRoom(Session session) {
        boolean tight = engine.memory().wasTight();
        if (!tight && (settings.maxMemory.value() == 0 || !isFull())) {
            return Outcome.ROOM;
        }
        if (engine.loading().active() || engine.pauses().writesPaused()) {
            return Outcome.ROOM; // nothing is evicted then, and nothing refused for it
        }
        if (settings.maxMemoryPolicy.value() == EvictionPolicy.NOEVICTION) {
            return Outcome.FULL;
        }
        if (!lock.tryLock()) {
            return Outcome.LATER; // somebody is at it
        }
        try {
            return evict(session, budget(), tight ? KEYS_PER_LOOK : 0);
        } finally {
            lock.unlock();
        }
    }

    /** How long a command may be held up, by {@code maxmemory-eviction-tenacity}. */
    private long budget() {
        int tenacity = settings.maxMemoryEvictionTenacity.value();
        if (tenacity <= 10) {
            return (long) NANOS_PER_TENACITY * tenacity;
        }
        return tenacity == 100 ? Long.MAX_VALUE : (long) (10 * NANOS_PER_TENACITY * Math.pow(1.15, tenacity - 10.0));
    }

    /** @param least how many keys must go in any case */
    private Outcome evict(Session session, long budget, int least) {
        assert lock.isHeldByCurrentThread();
        long begin = System.nanoTime();
        EvictionPolicy policy = settings.maxMemoryPolicy.value();
        if (policy != lastPolicy) {
            candidates.clear(); // their scores mean something else
            lastPolicy = policy;
        }
        for (int evicted = 1; evicted <= least || isFull(); evicted++) {
            if (!evictOne(policy, session)) {
                return Outcome.FULL;
            }
            if (evicted % KEYS_PER_LOOK == 0 && System.nanoTime() - begin > budget) {
                return Outcome.LATER;
            }
        }
        return Outcome.ROOM;
    }

    /** @return false if no key may be evicted */
    private boolean evictOne(EvictionPolicy policy, Session session) {
        for (int fruitless = 0; fruitless < FRUITLESS_SAMPLES; fruitless++) {
            boolean any = false;
            for (int database = 0; database < store.databases(); database++) {
                any |= sample(database, policy);
            }
            for (Candidate next = candidates.take(); next != null; next = candidates.take()) {
                if (remove(next.key(), policy, session)) {
                    return true;
                }
            }
            if (!any) {
                return false;
            }
        }
        return false;
    }

    /** Offers some keys of a database. @return whether it has any that may be evicted */
    private boolean sample(int database, EvictionPolicy policy) {
        boolean expiring = policy.isVolatile();
        if (expiring ? store.expiring(database) == 0 : store.size(database) == 0) {
            return false;
        }
        int stripe = expiring
                ? store.randomExpiringStripe(database, engine.random())
                : store.randomStripe(database, engine.random());
        if (stripe < 0) {
            return false;
        }
        int wanted = policy.isRandom() ? 1 : settings.maxMemorySamples.value();
        locks.lockStripe(stripe, false);
        try {
            Partition partition = store.stripe(stripe).partition(database);
            if (partition == null) {
                return true; // it is just gone
            }
            if (expiring) {
                for (int i = 0; i < wanted && partition.expiring() > 0; i++) {
                    offer(database, partition.expiringAt(engine.random().nextInt(partition.expiring())), policy);
                }
            } else if (partition.size() > 0) {
                partition.sample(engine.random(), wanted, entry -> offer(database, entry, policy));
            }
        } finally {
            locks.unlock();
        }
        return true;
    }

    private void offer(int database, Entry entry, EvictionPolicy policy) {
        long now = engine.clock().millis();
        long score = switch (policy) {
            case ALLKEYS_LRU, VOLATILE_LRU -> AccessClock.idleSeconds(entry.access(), now);
            case ALLKEYS_LFU, VOLATILE_LFU -> -(long) engine.uses().frequency(entry, now);
            case VOLATILE_TTL -> -entry.expireAt();
            case ALLKEYS_RANDOM, VOLATILE_RANDOM, NOEVICTION -> engine.random().nextInt();
        };
        candidates.offer(new KeyName(database, entry.key(), store.hash(entry.key())), score);
    }

    private boolean remove(KeyName key, EvictionPolicy policy, Session session) {
        StripeLocks own = session.locks();
        own.lock(key.hash(), true);
        try {
            Entry entry = store.find(key.database(), key.key(), 0, key.key().length, key.hash());
            if (entry == null || (policy.isVolatile() && entry.expireAt() == Entry.NEVER)) {
                return false;
            }
            engine.keyspace().evict(key.database(), entry, key.hash(), session.recorder());
            if (engine.waiters().any()) {
                engine.waiters().noteGone(session.handover(), key, entry.value());
                engine.waiters().serve(session);
            }
        } finally {
            own.unlock();
        }
        if (session.handsOver()) {
            engine.waiters().finish(session);
        }
        return true;
    }

    /** Goes on where commands had no time to: called by the housekeeper. */
    void tick() {
        Session session = own;
        if (session == null) {
            session = new Session(engine, new NoClient(), false, new StripeLocks(store));
            own = session;
        }
        makeRoom(session);
        session.recorder().nudge();
    }
}
