package dev.heddle.bench;

import dev.heddle.store.value.ListEnd;
import dev.heddle.store.value.ListValue;
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

/**
 * How the cost of list operations grows with the list: the ends and the index must not feel its size.
 *
 * <p>Confined to the benchmark's thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ListBenchmark {

    private static final int LIMIT = -2;

    /** How many elements the list has; the smallest is still packed. */
    @Param({"100", "1000", "10000", "100000", "1000000"})
    int size;

    private final byte[] element = "an element of 24 bytes..".getBytes(StandardCharsets.US_ASCII);
    private final SplittableRandom random = new SplittableRandom(1);
    private ListValue list = new ListValue();

    @Setup(Level.Trial)
    public void fill() {
        list = filled();
    }

    /** A queue: in at the tail, out at the head, as RPUSH and LPOP do it. */
    @Benchmark
    public byte[] pushAndPop() {
        push(list);
        byte[] popped = list.pop(ListEnd.HEAD);
        list.shrunk(LIMIT);
        return popped;
    }

    /** LINDEX anywhere. */
    @Benchmark
    public byte[] index() {
        return list.get(random.nextInt(size));
    }

    /** LSET anywhere. */
    @Benchmark
    public void set() {
        list.set(random.nextInt(size), element);
    }

    /** All pushes from nothing to the full size, the growth of the structure with them: divide by the size. */
    @Benchmark
    public ListValue growth() {
        return filled();
    }

    private ListValue filled() {
        ListValue fresh = new ListValue();
        for (int i = 0; i < size; i++) {
            push(fresh);
        }
        return fresh;
    }

    private void push(ListValue to) {
        to.growing(element.length, 1, LIMIT);
        to.push(ListEnd.TAIL, element, 0, element.length);
    }
}
