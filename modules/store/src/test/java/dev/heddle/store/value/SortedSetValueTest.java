package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Both forms of the sorted set against a sorted list of pairs. */
class SortedSetValueTest {

    private static final double[] SCORES = {
        0,
        -0.0,
        1,
        2,
        3,
        -1,
        0.5,
        1e300,
        -1e300,
        123456.789,
        4e18,
        5e18,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };

    /** A member, one char per byte, with its score. */
    record Pair(String member, double score) {

        byte[] bytes() {
            return member.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    private static final Comparator<Pair> ORDER =
            Comparator.<Pair>comparingDouble(pair -> pair.score() + 0.0).thenComparing(Pair::member);

    /** The plainest sorted set. */
    private static final class Model {

        private final Map<String, Double> scores = new TreeMap<>();

        List<Pair> sorted() {
            List<Pair> pairs = new ArrayList<>();
            scores.forEach((member, score) -> pairs.add(new Pair(member, score)));
            pairs.sort(ORDER);
            return pairs;
        }
    }

    @Property(tries = 80)
    void behavesAsASortedListDoes(
            @ForAll long seed,
            @ForAll @IntRange(max = 60) int limit,
            @ForAll @IntRange(min = 1, max = 300) int universe) {
        Random random = new Random(seed);
        CompactLimits limits = new CompactLimits(0, limit, 8);
        SortedSetValue zset = new SortedSetValue(new Random(seed));
        Model model = new Model();
        boolean once = false;
        for (int burst = 0; burst < 12; burst++) {
            int kind = random.nextInt(8);
            for (int i = random.nextInt(60); i > 0; i--) {
                step(kind, random, zset, model, limits, universe);
            }
            once |= !zset.isCompact();
            assertThat(zset.isCompact()).isEqualTo(!once);
            assertSame(zset, model);
            assertRanges(random, zset, model);
        }
        SortedSetValue copy = zset.copy();
        zset.remove(new Ranks(0, zset.size()));
        assertThat(zset.size()).isZero();
        assertSame(copy, model);
        copy.pack(limits);
        assertThat(copy.isCompact()).isEqualTo(!once || copy.size() <= limit && !hasLong(model));
        assertSame(copy, model);
        copy.unpack();
        assertSame(copy, model);
    }

    private static boolean hasLong(Model model) {
        return model.scores.keySet().stream().anyMatch(member -> member.length() > 8);
    }

    private static void step(
            int kind, Random random, SortedSetValue zset, Model model, CompactLimits limits, int universe) {
        String member = member(random, universe);
        byte[] bytes = new Pair(member, 0).bytes();
        Double before = model.scores.get(member);
        if (kind < 5) {
            double score = random.nextInt(3) == 0 ? SCORES[random.nextInt(SCORES.length)] : random.nextInt(9);
            double answer = zset.put(bytes, 0, bytes.length, score, limits);
            assertThat(answer + 0.0).isEqualTo(Double.valueOf(before == null ? Double.NaN : before + 0.0));
            if (before == null || before != score) {
                model.scores.put(member, score);
            }
        } else if (kind < 7) {
            assertThat(zset.remove(bytes, 0, bytes.length)).isEqualTo(before != null);
            model.scores.remove(member);
        } else if (zset.size() > 0) {
            int from = random.nextInt(zset.size());
            Ranks ranks = new Ranks(from, Math.min(zset.size(), from + random.nextInt(5)));
            List<Pair> sorted = model.sorted();
            zset.remove(ranks);
            sorted.subList(ranks.from(), ranks.to()).forEach(pair -> model.scores.remove(pair.member()));
        }
    }

    private static String member(Random random, int universe) {
        int number = random.nextInt(universe);
        return switch (random.nextInt(40)) {
            case 0 -> "";
            case 1 -> "\u00ff" + number;
            case 2 -> "a long member " + number;
            default -> number % 2 == 0 ? Integer.toString(number) : "m" + number;
        };
    }

    private static void assertSame(SortedSetValue zset, Model model) {
        List<Pair> sorted = model.sorted();
        assertThat(zset.size()).isEqualTo(sorted.size());
        assertThat(pairs(zset, new Ranks(0, zset.size()), Walk.PAIRS)).isEqualTo(plain(sorted));
        assertThat(pairs(zset, new Ranks(0, zset.size()), new Walk(true, true)).reversed())
                .isEqualTo(plain(sorted));
        for (int rank = 0; rank < sorted.size(); rank++) {
            byte[] member = sorted.get(rank).bytes();
            assertThat(zset.rank(member, 0, member.length)).isEqualTo(rank);
            assertThat(zset.score(member, 0, member.length) + 0.0)
                    .isEqualTo(sorted.get(rank).score() + 0.0);
            assertThat(pairs(zset, new Ranks(rank, rank + 1), Walk.PAIRS))
                    .isEqualTo(plain(sorted.subList(rank, rank + 1)));
        }
        Set<Pair> scanned = new HashSet<>();
        long cursor = 0;
        do {
            cursor = zset.scan(
                    cursor,
                    7,
                    (array, offset, length, score) -> scanned.add(
                            new Pair(new String(array, offset, length, StandardCharsets.ISO_8859_1), score + 0.0)));
        } while (cursor != 0);
        assertThat(scanned).isEqualTo(new HashSet<>(plain(sorted)));
    }

    private static void assertRanges(Random random, SortedSetValue zset, Model model) {
        List<Pair> sorted = model.sorted();
        for (int i = 0; i < 10; i++) {
            ScoreRange range = new ScoreRange(
                    random.nextInt(12) - 2.0, random.nextBoolean(), random.nextInt(12) - 2.0, random.nextBoolean());
            List<Pair> expected = sorted.stream()
                    .filter(pair -> range.minExclusive() ? pair.score() > range.min() : pair.score() >= range.min())
                    .filter(pair -> range.maxExclusive() ? pair.score() < range.max() : pair.score() <= range.max())
                    .toList();
            assertThat(pairs(zset, zset.ranks(range), Walk.PAIRS)).isEqualTo(plain(expected));
        }
    }

    private static List<Pair> pairs(SortedSetValue zset, Ranks ranks, Walk walk) {
        List<Pair> pairs = new ArrayList<>();
        zset.forEach(
                ranks,
                walk,
                (array, offset, length, score) -> pairs.add(
                        new Pair(new String(array, offset, length, StandardCharsets.ISO_8859_1), score + 0.0)));
        return pairs;
    }

    /** Without negative zeros, which are kept by one form only. */
    private static List<Pair> plain(List<Pair> pairs) {
        return pairs.stream()
                .map(pair -> new Pair(pair.member(), pair.score() + 0.0))
                .toList();
    }

    @Property(tries = 100)
    void rangesOfMembersAreThoseOfASortedList(@ForAll long seed, @ForAll boolean compact) {
        Random random = new Random(seed);
        CompactLimits limits = compact ? new CompactLimits(0, 1000, 1000) : new CompactLimits(0, 0, 0);
        SortedSetValue zset = new SortedSetValue(new Random(seed));
        Model model = new Model();
        for (int i = random.nextInt(100); i > 0; i--) {
            String member = member(random, 50);
            byte[] bytes = new Pair(member, 0).bytes();
            zset.put(bytes, 0, bytes.length, 7, limits);
            model.scores.put(member, 7.0);
        }
        for (int i = 0; i < 40; i++) {
            String min = member(random, 50);
            String max = member(random, 50);
            boolean minOut = random.nextBoolean();
            boolean maxOut = random.nextBoolean();
            int open = random.nextInt(4);
            LexRange range = new LexRange(
                    open == 0 ? LexRange.Bound.LOWEST : LexRange.Bound.of(new Pair(min, 0).bytes(), minOut),
                    open == 1 ? LexRange.Bound.HIGHEST : LexRange.Bound.of(new Pair(max, 0).bytes(), maxOut));
            List<Pair> expected = model.sorted().stream()
                    .filter(pair -> open == 0 || pair.member().compareTo(min) >= (minOut ? 1 : 0))
                    .filter(pair -> open == 1 || pair.member().compareTo(max) <= (maxOut ? -1 : 0))
                    .toList();
            assertThat(pairs(zset, zset.ranks(range, random.nextBoolean()), Walk.PAIRS))
                    .isEqualTo(expected);
        }
    }

    @Property(tries = 50)
    void aBuilderPutsMembersInOrder(@ForAll long seed) {
        Random random = new Random(seed);
        SortedSetValue.Builder builder = new SortedSetValue.Builder(random);
        Model model = new Model();
        for (int i = random.nextInt(400); i > 0; i--) {
            String member = member(random, 200);
            byte[] bytes = new Pair(member, 0).bytes();
            double score = random.nextInt(20);
            builder.merge(bytes, 0, bytes.length, score, Double::sum);
            model.scores.merge(member, score, Double::sum);
        }
        SortedSetValue zset = builder.build();
        assertSame(zset, model);
        CompactLimits limits = new CompactLimits(0, 0, 0);
        for (int i = 0; i < 200; i++) {
            step(random.nextInt(8), random, zset, model, limits, 200);
        }
        assertSame(zset, model);
    }

    @Test
    void theEstimateOfBytesComesAndGoesWithTheMembers() {
        SortedSetValue zset = new SortedSetValue(new Random(1));
        CompactLimits limits = new CompactLimits(0, 0, 0);
        zset.unpack();
        long empty = zset.bytes();
        for (int i = 0; i < 10_000; i++) {
            byte[] member = ("member" + i).getBytes(StandardCharsets.US_ASCII);
            zset.put(member, 0, member.length, i, limits);
        }
        // 32 bytes of string, 13 of table, 32 of node and a third of a tall node's extras: see the classes
        assertThat((zset.bytes() - empty) / 10_000.0).isBetween(85.0, 110.0);
        zset.remove(new Ranks(0, 10_000));
        assertThat(zset.bytes()).isLessThan(empty + 1_000);
    }

    @Test
    void limitsCountFromTheSideOfTheWalk() {
        assertThat(new Ranks(10, 20).limit(2, 3, false)).isEqualTo(new Ranks(12, 15));
        assertThat(new Ranks(10, 20).limit(2, 3, true)).isEqualTo(new Ranks(15, 18));
        assertThat(new Ranks(10, 20).limit(8, -1, false)).isEqualTo(new Ranks(18, 20));
        assertThat(new Ranks(10, 20).limit(10, 1, false).isEmpty()).isTrue();
        assertThat(new Ranks(10, 20).limit(-1, 1, false).isEmpty()).isTrue();
        assertThat(new Ranks(10, 20).limit(0, Long.MAX_VALUE, true)).isEqualTo(new Ranks(10, 20));
        assertThat(new Ranks(5, 3).isEmpty()).isTrue();
    }
}
