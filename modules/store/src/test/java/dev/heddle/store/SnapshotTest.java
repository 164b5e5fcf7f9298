package dev.heddle.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.store.SnapshotBed.Held;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A snapshot against the state at its beginning, with everything that may happen meanwhile. */
class SnapshotTest {

    /** What can happen between two turns of the walk, with two keys of each of two databases there at the beginning. */
    private enum Step {
        WALK,
        CHANGE_IN_PLACE,
        REPLACE,
        REMOVE,
        REMOVE_AND_ADD,
        ADD,
        EXPIRE_LATER,
        PERSIST,
        RENAME,
        CLEAR,
        SWAP;

        void run(SnapshotBed bed) {
            switch (this) {
                case WALK -> bed.walk(1);
                case CHANGE_IN_PLACE -> bed.changeInPlace(0, "a", "changed");
                case REPLACE -> bed.replace(0, "b", "replaced");
                case REMOVE -> bed.remove(0, "a");
                case REMOVE_AND_ADD -> {
                    bed.remove(1, "b");
                    bed.add(1, "b", "new", Entry.NEVER);
                }
                case ADD -> bed.add(0, "c", "new", Entry.NEVER);
                case EXPIRE_LATER -> bed.expireAt(0, "b", 99);
                case PERSIST -> bed.expireAt(1, "a", Entry.NEVER);
                case RENAME -> bed.rename(0, "a", 1, "d");
                case CLEAR -> bed.clear(0);
                case SWAP -> bed.swap();
            }
        }
    }

    private static SnapshotBed bed() {
        SnapshotBed bed = new SnapshotBed(1);
        bed.add(0, "a", "a0", Entry.NEVER);
        bed.add(0, "b", "b0", 7);
        bed.add(1, "a", "a1", 8);
        bed.add(1, "b", "b1", Entry.NEVER);
        return bed;
    }

    /** All sequences of five such steps: 11^5, in each of which the walk may be anywhere. */
    @Test
    void equalsTheStateAtItsBeginningWhateverHappensInBetween() {
        Step[] steps = Step.values();
        int sequences = (int) Math.pow(steps.length, 5);
        for (int sequence = 0; sequence < sequences; sequence++) {
            SnapshotBed bed = bed();
            Map<String, Held> before = bed.contents();
            bed.begin();
            for (int rest = sequence, i = 0; i < 5; i++, rest /= steps.length) {
                steps[rest % steps.length].run(bed);
            }
            bed.finish();
            if (!bed.saved().equals(before)) {
                assertThat(bed.saved()).as("sequence %d", sequence).isEqualTo(before);
            }
        }
    }

    /** Large tables that grow and shrink under the walk, and one snapshot after the other, some of them abandoned. */
    @Property(tries = 40)
    void staysRightOverManySnapshots(@ForAll long seed, @ForAll @IntRange(min = 1, max = 6000) int keys) {
        Random random = new Random(seed);
        SnapshotBed bed = new SnapshotBed(random.nextInt(1, 4));
        for (int round = 0; round < 4; round++) {
            bed.randomSteps(random, keys, 2 * keys);
            Map<String, Held> before = bed.contents();
            bed.begin();
            boolean abandoned = random.nextInt(3) == 0;
            int abandonAt = random.nextInt(1, 30);
            for (int turn = 1; bed.walk(random.nextInt(1, 40)); turn++) {
                bed.randomSteps(random, keys, random.nextInt(40));
                if (abandoned && turn == abandonAt) {
                    bed.abandon();
                }
            }
            bed.finish();
            assertThat(bed.everybodyIsInTheCurrentEpoch()).isTrue();
            if (!abandoned) {
                assertThat(bed.saved()).isEqualTo(before);
            }
        }
    }

    @Test
    void nothingIsSavedAfterItHasBeenAbandoned() {
        SnapshotBed bed = bed();
        bed.begin();
        bed.abandon();
        bed.remove(0, "a");
        bed.finish();
        assertThat(bed.saved()).isEmpty();
        assertThat(bed.everybodyIsInTheCurrentEpoch()).isTrue();
    }

    @Test
    void onlyOneRunsAtATime() {
        SnapshotBed bed = bed();
        bed.begin();
        assertThatThrownBy(bed::begin).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void countsWhatThereIs() {
        SnapshotBed bed = bed();
        Snapshot snapshot = bed.begin();
        assertThat(snapshot.total()).isEqualTo(4);
        assertThat(snapshot.size(0)).isEqualTo(2);
        assertThat(snapshot.expiring(1)).isEqualTo(1);
        assertThat(snapshot.size(5)).isZero();
        bed.finish();
        assertThat(snapshot.walked()).isEqualTo(4);
    }
}
