package dev.heddle.bench;

import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.Ranks;
import dev.heddle.store.value.ScoreRange;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.Walk;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * How the cost of operations on sorted sets grows with the set: with its logarithm, and with the cache misses that large sets bring.
 *
 * <p>Confined to the benchmark's thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SortedSetBenchmark {

    private static final CompactLimits LIMITS = new CompactLimits(0, 128, 64);

    /** How many members the set has; the smallest is still compact. */
    @Param({"100", "1000", "10000", "100000", "1000000"})
    int size;

    private final SplittableRandom random = new SplittableRandom(1);
    private byte[][] members = {};
    private SortedSetValue set = new SortedSetValue(random);

    @Setup(Level.Trial)
    public void fill() {
        members = new byte[size][];
        for (int i = 0; i < size; i++) {
            members[i] = ("member:" + i).getBytes(StandardCharsets.US_ASCII);
        }
        set = filled();
    }

    /** ZADD of a member that is there, with a score that moves it anywhere. */
    @Benchmark
    public double move() {
        byte[] member = members[random.nextInt(size)];
        return set.put(member, 0, member.length, random.nextInt(size), LIMITS);
    }

    /** ZREM and ZADD. */
    @Benchmark
    public double removeAndAdd() {
        byte[] member = members[random.nextInt(size)];
        set.remove(member, 0, member.length);
        return set.put(member, 0, member.length, random.nextInt(size), LIMITS);
    }

    /** ZSCORE. */
    @Benchmark
    public double score() {
        byte[] member = members[random.nextInt(size)];
        return set.score(member, 0, member.length);
    }

    /** ZRANK. */
    @Benchmark
    public int rank() {
        byte[] member = members[random.nextInt(size)];
        return set.rank(member, 0, member.length);
    }

    /** ZRANGE of ten members anywhere. */
    @Benchmark
    public void rangeByRank(Blackhole sink) {
        int from = random.nextInt(size - 10);
        set.forEach(new Ranks(from, from + 10), Walk.PAIRS, (array, offset, length, score) -> sink.consume(score));
    }

    /** ZRANGE BYSCORE, LIMIT 0 10. */
    @Benchmark
    public void rangeByScore(Blackhole sink) {
        double min = random.nextInt(size);
        Ranks ranks = set.ranks(new ScoreRange(min, false, Double.POSITIVE_INFINITY, false));
        set.forEach(ranks.limit(0, 10, false), Walk.PAIRS, (array, offset, length, score) -> sink.consume(score));
    }

    /** All insertions from nothing to the full size: divide by the size. */
    @Benchmark
    public SortedSetValue growth() {
        return filled();
    }

    private SortedSetValue filled() {
        SortedSetValue fresh = new SortedSetValue(random);
        for (byte[] member : members) {
            fresh.put(member, 0, member.length, random.nextInt(size), LIMITS);
        }
        return fresh;
    }
}
