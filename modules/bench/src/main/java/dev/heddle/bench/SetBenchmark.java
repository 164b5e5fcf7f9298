package dev.heddle.bench;

import dev.heddle.resp.Numbers;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.SetValue;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/** How the cost of one set operation grows with the number of members. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SetBenchmark {

    private static final CompactLimits LIMITS = new CompactLimits(512, 128, 64);
    private static final int PROBES = 1 << 12;

    /** Members in the set. */
    @Param({"1000", "10000", "100000", "1000000"})
    public int size;

    private final Random random = new Random(1);
    private final byte[][] present = new byte[PROBES][];
    private final byte[][] absent = new byte[PROBES][];
    private SetValue set = SetValue.packed();
    private int next;

    @Setup
    public void fill() {
        set = SetValue.packed();
        for (int i = 0; i < size; i++) {
            set.add(member(i), LIMITS);
        }
        for (int i = 0; i < PROBES; i++) {
            present[i] = member(random.nextInt(size));
            absent[i] = member(size + i);
        }
    }

    private static byte[] member(int number) {
        byte[] member = new byte[16];
        Arrays.fill(member, (byte) 'm');
        Numbers.write(1_000_000_000L + number, member, 4);
        return member;
    }

    private int probe() {
        next = (next + 1) & (PROBES - 1);
        return next;
    }

    /** SISMEMBER of a member. */
    @Benchmark
    public boolean contains() {
        byte[] member = present[probe()];
        return set.contains(member, 0, member.length);
    }

    /** SADD and SREM of a new member. */
    @Benchmark
    public boolean addAndRemove() {
        byte[] member = absent[probe()];
        return set.add(member, 0, member.length, LIMITS) && set.remove(member, 0, member.length);
    }

    /** SRANDMEMBER. */
    @Benchmark
    public byte[] random() {
        return set.random(random);
    }
}
