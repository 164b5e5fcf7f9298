package dev.heddle.bench;

import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Where the lock should be: one for each stripe of keys, or one in each value, below a concurrent map. Two threads work on 100,000 keys,
 * or all on the same.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@Threads(2)
public class LockChoiceBenchmark {

    private static final int KEYS = 100_000;
    private static final byte[][] NAMES = new byte[KEYS][];

    static {
        for (int i = 0; i < KEYS; i++) {
            NAMES[i] = ("key:" + (1_000_000_000_000L + i)).getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** Uniform over all keys, or always the same. */
    private static int pick(boolean hot) {
        return hot ? 0 : ThreadLocalRandom.current().nextInt(KEYS);
    }

    /** Heddle's own store, with more or fewer stripes. */
    @State(Scope.Benchmark)
    public static class Striped {

        /** The store takes 16 stripes for each. */
        @Param({"1", "4", "16", "64"})
        public int threads;

        @Param({"false", "true"})
        public boolean hot;

        private Store store = new Store(1, 1, new Random(1));

        @Setup
        public void fill() {
            store = new Store(1, threads, new Random(1));
            StripeLocks locks = new StripeLocks(store);
            for (byte[] name : NAMES) {
                long hash = store.hash(name);
                locks.lock(hash, true);
                store.add(0, name, hash, 0L, Entry.NEVER);
                locks.unlock();
            }
        }

        private Entry entry(byte[] name, long hash) {
            Entry entry = store.find(0, name, 0, name.length, hash);
            if (entry == null) {
                throw new IllegalStateException("a key is missing");
            }
            return entry;
        }
    }

    /** What a connection owns. */
    @State(Scope.Thread)
    public static class Holder {

        private StripeLocks locks = new StripeLocks(new Store(1, 1, new Random(1)));

        @Setup
        public void attach(Striped striped) {
            locks = new StripeLocks(striped.store);
        }
    }

    /** A concurrent map of cells that have a lock each. */
    @State(Scope.Benchmark)
    public static class PerValue {

        @Param({"false", "true"})
        public boolean hot;

        private final Store hasher = new Store(1, 1, new Random(1));
        private final ConcurrentHashMap<Key, Cell> cells = new ConcurrentHashMap<>();

        @Setup
        public void fill() {
            for (byte[] name : NAMES) {
                cells.put(new Key(name, hasher.hash(name)), new Cell());
            }
        }

        private Cell cell(byte[] name) {
            Cell cell = cells.get(new Key(name, hasher.hash(name)));
            if (cell == null) {
                throw new IllegalStateException("a key is missing");
            }
            return cell;
        }
    }

    private static final class Cell {
        final StampedLock lock = new StampedLock();
        Object value = 0L; // guarded by lock
    }

    @SuppressWarnings("ArrayRecordComponent") // compared below
    private record Key(byte[] name, long hash) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(name, key.name);
        }

        @Override
        public int hashCode() {
            return (int) hash;
        }
    }

    /** GET under the stripe's shared lock. */
    @Benchmark
    public Object stripeGet(Striped striped, Holder holder) {
        byte[] name = NAMES[pick(striped.hot)];
        long hash = striped.store.hash(name);
        holder.locks.lock(hash, false);
        try {
            return striped.entry(name, hash).value();
        } finally {
            holder.locks.unlock();
        }
    }

    /** INCR under the stripe's exclusive lock. */
    @Benchmark
    public void stripeIncrement(Striped striped, Holder holder) {
        byte[] name = NAMES[pick(striped.hot)];
        long hash = striped.store.hash(name);
        holder.locks.lock(hash, true);
        try {
            Entry entry = striped.entry(name, hash);
            striped.store.value(0, entry, hash, (Long) entry.value() + 1);
        } finally {
            holder.locks.unlock();
        }
    }

    /** What FLUSHALL and scripts pay: all stripes, exclusively. */
    @Benchmark
    @Threads(1)
    public void stripeLockAll(Striped striped, Holder holder) {
        holder.locks.wantAll();
        holder.locks.lockWanted(true);
        holder.locks.unlock();
    }

    /** GET under the value's shared lock. */
    @Benchmark
    public Object valueGet(PerValue perValue) {
        Cell cell = perValue.cell(NAMES[pick(perValue.hot)]);
        long stamp = cell.lock.readLock();
        try {
            return cell.value;
        } finally {
            cell.lock.unlockRead(stamp);
        }
    }

    /** GET that reads first and checks afterwards whether a writer came between. */
    @Benchmark
    public Object valueGetOptimistic(PerValue perValue) {
        Cell cell = perValue.cell(NAMES[pick(perValue.hot)]);
        long stamp = cell.lock.tryOptimisticRead();
        Object value = cell.value;
        if (cell.lock.validate(stamp)) {
            return value;
        }
        stamp = cell.lock.readLock();
        try {
            return cell.value;
        } finally {
            cell.lock.unlockRead(stamp);
        }
    }

    /** INCR under the value's exclusive lock. */
    @Benchmark
    public void valueIncrement(PerValue perValue) {
        Cell cell = perValue.cell(NAMES[pick(perValue.hot)]);
        long stamp = cell.lock.writeLock();
        try {
            cell.value = (Long) cell.value + 1;
        } finally {
            cell.lock.unlockWrite(stamp);
        }
    }
}
