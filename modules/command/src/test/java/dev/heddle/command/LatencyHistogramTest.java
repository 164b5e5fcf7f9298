package dev.heddle.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {

    @Property
    void everyTimeLiesInItsClass(@ForAll @LongRange(min = 0, max = (1L << 30) - 1) long nanos) {
        int timeClass = LatencyHistogram.classOf(nanos);
        assertThat(nanos).isLessThanOrEqualTo(LatencyHistogram.largestOf(timeClass));
        if (timeClass > 0) {
            assertThat(nanos).isGreaterThan(LatencyHistogram.largestOf(timeClass - 1));
        }
    }

    @Property
    void levelsCountWhatTookLess(@ForAll @Size(max = 50) List<@LongRange(min = 0, max = 2_000_000_000L) Long> times) {
        LatencyHistogram histogram = new LatencyHistogram();
        times.forEach(nanos -> histogram.add(LatencyHistogram.classOf(nanos), 1));

        assertThat(histogram.total()).isEqualTo(times.size());
        for (int level = 0; level < LatencyHistogram.LEVELS - 1; level++) {
            long limit = 1L << (10 + level);
            assertThat(histogram.atMost(level))
                    .isEqualTo(times.stream().filter(nanos -> nanos < limit).count());
        }
    }

    @Test
    void levelsAreNamedAsInRedis() {
        assertThat(LatencyHistogram.levelMicros(0)).isEqualTo(1);
        assertThat(LatencyHistogram.levelMicros(4)).isEqualTo(16);
        assertThat(LatencyHistogram.levelMicros(5)).isEqualTo(33);
        assertThat(LatencyHistogram.levelMicros(6)).isEqualTo(66);
        assertThat(LatencyHistogram.levelMicros(11)).isEqualTo(2113);
    }

    @Test
    void percentilesAreUpperEnds() {
        LatencyHistogram histogram = new LatencyHistogram();
        assertThat(histogram.percentile(50)).isZero();
        histogram.add(LatencyHistogram.classOf(500), 98);
        histogram.add(LatencyHistogram.classOf(1_000_000), 2);

        assertThat(histogram.percentile(0)).isEqualTo(1023);
        assertThat(histogram.percentile(98)).isEqualTo(1023);
        assertThat(histogram.percentile(99)).isBetween(1_000_000L, 1_250_000L);
        histogram.reset();
        assertThat(histogram.total()).isZero();
    }
}
