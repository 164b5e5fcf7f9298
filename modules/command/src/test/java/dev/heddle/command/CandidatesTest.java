package dev.heddle.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.Candidates.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CandidatesTest {

    private static KeyName key(int number) {
        return new KeyName(0, new byte[] {(byte) number}, number);
    }

    @Property(tries = 300)
    void keepsTheBestOfDifferentScores(@ForAll @Size(max = 60) List<@IntRange(max = 100) Integer> numbers) {
        Candidates candidates = new Candidates();
        Map<Integer, Integer> offered = new LinkedHashMap<>();
        for (int number : numbers) {
            candidates.offer(key(number), number);
            offered.put(number, number);
        }
        List<Integer> best = new ArrayList<>(offered.keySet());
        best.sort(Comparator.reverseOrder());
        for (int number : best.subList(0, Math.min(Candidates.MOST, best.size()))) {
            Candidate taken = candidates.take();
            assertThat(taken).isNotNull();
            assertThat(taken.key()).isEqualTo(key(number));
            assertThat(taken.score()).isEqualTo(number);
        }
        assertThat(candidates.take()).isNull();
    }
}
