package dev.heddle.persistence.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {

    @Test
    void takesWhatIsIdle() {
        assertThat(Pace.share(0.0, 0, 2)).isEqualTo(1);
        assertThat(Pace.share(0.5, 1, 2)).isEqualTo(1); // only this thread works
        assertThat(Pace.share(0.75, 0.5, 2)).isEqualTo(1); // another one has one processor, this one the other
        assertThat(Pace.share(0.9, 0.5, 2)).isEqualTo(0.7, org.assertj.core.api.Assertions.within(1e-9));
    }

    @Test
    void takesAQuarterOfAProcessorAtLeast() {
        assertThat(Pace.share(1, 0, 2)).isEqualTo(0.25);
        assertThat(Pace.share(1, 0.25, 2)).isEqualTo(0.25);
        assertThat(Pace.share(1, 0, 64)).isEqualTo(0.25);
    }

    @Test
    void takesHalfIfItCannotKnow() {
        assertThat(Pace.share(-1, 0.3, 2)).isEqualTo(0.5);
        assertThat(Pace.share(Double.NaN, 0.3, 2)).isEqualTo(0.5);
    }
}
