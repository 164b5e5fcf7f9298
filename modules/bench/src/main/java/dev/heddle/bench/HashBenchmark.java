package dev.heddle.bench;

import dev.heddle.resp.Numbers;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.HashValue;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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

/** How the cost of one hash operation grows with the number of fields. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HashBenchmark {

    private static final CompactLimits LIMITS = new CompactLimits(0, 512, 64);
    private static final int PROBES = 1 << 12;
    private static final byte[] VALUE = new byte[16];

    /** Fields in the hash. */
    @Param({"1000", "10000", "100000", "1000000"})
    public int size;

    private final byte[][] present = new byte[PROBES][];
    private final byte[][] absent = new byte[PROBES][];
    private HashValue hash = new HashValue();
    private int next;

    @Setup
    public void fill() {
        Random random = new Random(1);
        hash = new HashValue();
        for (int i = 0; i < size; i++) {
            byte[] field = field(i);
            hash.put(field, 0, field.length, VALUE, LIMITS);
        }
        for (int i = 0; i < PROBES; i++) {
            present[i] = field(random.nextInt(size));
            absent[i] = field(size + i);
        }
    }

    private static byte[] field(int number) {
        byte[] field = new byte[16];
        Arrays.fill(field, (byte) 'f');
        Numbers.write(1_000_000_000L + number, field, 4);
        return field;
    }

    private int probe() {
        next = (next + 1) & (PROBES - 1);
        return next;
    }

    /** HGET of a field that is there. */
    @Benchmark
    public byte @Nullable [] get() {
        byte[] field = present[probe()];
        return hash.get(field, 0, field.length, 0);
    }

    /** HSET of a field that is there. */
    @Benchmark
    public boolean overwrite() {
        byte[] field = present[probe()];
        return hash.put(field, 0, field.length, VALUE, LIMITS);
    }

    /** HSET and HDEL of a new field. */
    @Benchmark
    public boolean putAndRemove() {
        byte[] field = absent[probe()];
        return hash.put(field, 0, field.length, VALUE, LIMITS) && hash.remove(field, 0, field.length);
    }
}
