package dev.heddle.bench;

import dev.heddle.resp.Request;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.StreamCursor;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamLimits;
import dev.heddle.store.value.StreamTrim;
import dev.heddle.store.value.StreamValue;
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
 * How the cost of stream operations grows with the stream: appending must not feel its size, finding an id only by its logarithm.
 *
 * <p>Confined to the benchmark's thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StreamBenchmark {

    private static final StreamLimits LIMITS = new StreamLimits(4096, 100);
    private static final int RANGE = 10;

    /** How many entries the stream has. */
    @Param({"1000", "10000", "100000", "1000000"})
    int size;

    private final Request fields = Request.of(ascii("sensor"), ascii("kitchen"), ascii("value"), ascii("215"));
    private final SplittableRandom random = new SplittableRandom(1);
    private StreamValue stream = new StreamValue();

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Setup(Level.Trial)
    public void fill() {
        stream = filled();
    }

    /** XADD with MAXLEN ~, so that the length stays about the same. */
    @Benchmark
    public long append() {
        stream.append(stream.lastId().next(), fields, 0, 2, LIMITS);
        return stream.trim(new StreamTrim.ToLength(size, true, 0));
    }

    /** XRANGE with COUNT 10 from anywhere. */
    @Benchmark
    public long range() {
        Lengths lengths = new Lengths();
        long seq = stream.lastId().seq() - random.nextLong(size);
        StreamCursor cursor = stream.log().cursor(new StreamId(0, seq), StreamId.MAX, false);
        for (int i = 0; i < RANGE && cursor.next(); i++) {
            cursor.give(lengths);
        }
        return lengths.sum;
    }

    /** XREVRANGE with COUNT 1: the last entry. */
    @Benchmark
    public StreamId last() {
        return stream.log().last();
    }

    /** All appends from nothing to the full size, the growth of the structure with them: divide by the size. */
    @Benchmark
    public StreamValue growth() {
        return filled();
    }

    private StreamValue filled() {
        StreamValue fresh = new StreamValue();
        for (int i = 1; i <= size; i++) {
            fresh.append(new StreamId(0, i), fields, 0, 2, LIMITS);
        }
        return fresh;
    }

    /** Adds up the lengths of what it is given. */
    private static final class Lengths implements ElementSink {
        private long sum;

        @Override
        public void slice(byte[] array, int offset, int length) {
            sum += length;
        }

        @Override
        public void number(long value) {
            sum += value;
        }

        @Override
        public void whole(byte[] array) {
            sum += array.length;
        }
    }
}
