package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.config.Settings.Origin;
import dev.heddle.resp.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random commands on three sorted sets, against maps that do the same in the plainest way. */
class SortedSetSequencesTest {

    private static final Origin ORIGIN = new Origin(true, false);
    private static final String[] KEYS = {"a", "b", "c"};

    private final Map<String, Map<String, Double>> model = new HashMap<>();
    private CommandTester tester = new CommandTester();

    @Property(tries = 40)
    void sequencesOfCommandsDoWhatTheyDoToPlainMaps(@ForAll long seed) {
        Random random = new Random(seed);
        tester = new CommandTester();
        tester.settings()
                .set(List.of(Map.entry("zset-max-listpack-entries", random.nextBoolean() ? "8" : "128")), ORIGIN);
        model.clear();
        for (int i = 0; i < 150; i++) {
            step(random);
            for (String key : KEYS) {
                assertThat(tester.run("ZRANGE", key, "0", "-1", "WITHSCORES")).isEqualTo(pairs(sorted(key)));
            }
        }
    }

    private void step(Random random) {
        String key = KEYS[random.nextInt(KEYS.length)];
        Map<String, Double> set = model.computeIfAbsent(key, k -> new TreeMap<>());
        String member = "m" + random.nextInt(30);
        double score = random.nextInt(40) / 4.0;
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> add(random, key, set, member, score);
            case 3 -> {
                double sum = set.merge(member, score, Double::sum);
                assertThat(tester.run("ZINCRBY", key, Numbers.format(score), member))
                        .isEqualTo(bulk(Numbers.format(sum)));
            }
            case 4 ->
                assertThat(tester.run("ZREM", key, member, "absent"))
                        .isEqualTo(set.remove(member) == null ? ":0\r\n" : ":1\r\n");
            case 5 -> pop(random, key, set);
            case 6 -> removeRange(random, key, set, score);
            case 7 -> algebra(random, key);
            default -> rank(key, member);
        }
    }

    private void add(Random random, String key, Map<String, Double> set, String member, double score) {
        String[] rules = {"CH", "NX", "XX", "GT", "LT"};
        String rule = rules[random.nextInt(rules.length)];
        Double before = set.get(member);
        boolean admitted = switch (rule) {
            case "NX" -> before == null;
            case "XX" -> before != null;
            case "GT" -> before == null || score > before;
            case "LT" -> before == null || score < before;
            default -> true;
        };
        boolean changes = admitted && (before == null || before != score);
        if (admitted) {
            set.put(member, score);
        }
        assertThat(tester.run("ZADD", key, rule, "CH", Numbers.format(score), member))
                .isEqualTo(changes ? ":1\r\n" : ":0\r\n");
    }

    private void pop(Random random, String key, Map<String, Double> set) {
        boolean highest = random.nextBoolean();
        List<Map.Entry<String, Double>> sorted = sorted(key);
        if (highest) {
            sorted = sorted.reversed();
        }
        List<Map.Entry<String, Double>> popped = List.copyOf(sorted.subList(0, Math.min(2, sorted.size())));
        popped.forEach(pair -> set.remove(pair.getKey()));
        assertThat(tester.run(highest ? "ZPOPMAX" : "ZPOPMIN", key, "2")).isEqualTo(pairs(popped));
    }

    private void removeRange(Random random, String key, Map<String, Double> set, double score) {
        if (random.nextBoolean()) {
            List<Map.Entry<String, Double>> doomed = sorted(key).stream()
                    .filter(pair -> pair.getValue() >= score && pair.getValue() < score + 2)
                    .toList();
            doomed.forEach(pair -> set.remove(pair.getKey()));
            assertThat(tester.run("ZREMRANGEBYSCORE", key, Numbers.format(score), "(" + Numbers.format(score + 2)))
                    .isEqualTo(":" + doomed.size() + "\r\n");
        } else {
            List<Map.Entry<String, Double>> sorted = sorted(key);
            int from = Math.max(0, sorted.size() - 3);
            List<Map.Entry<String, Double>> doomed = List.copyOf(sorted.subList(from, sorted.size()));
            doomed.forEach(pair -> set.remove(pair.getKey()));
            assertThat(tester.run("ZREMRANGEBYRANK", key, "-3", "-1")).isEqualTo(":" + doomed.size() + "\r\n");
        }
    }

    private void algebra(Random random, String key) {
        Map<String, Double> a = model.getOrDefault("a", Map.of());
        Map<String, Double> b = model.getOrDefault("b", Map.of());
        Map<String, Double> result = new TreeMap<>(a);
        String[] operations = {"ZUNIONSTORE", "ZINTERSTORE", "ZDIFFSTORE"};
        String operation = operations[random.nextInt(3)];
        switch (operation) {
            case "ZUNIONSTORE" -> b.forEach((member, score) -> result.merge(member, score, Double::sum));
            case "ZINTERSTORE" -> {
                result.keySet().retainAll(b.keySet());
                result.replaceAll((member, score) -> score + b.get(member));
            }
            default -> result.keySet().removeAll(b.keySet());
        }
        model.put(key, result);
        assertThat(tester.run(operation, key, "2", "a", "b")).isEqualTo(":" + result.size() + "\r\n");
    }

    private void rank(String key, String member) {
        List<String> members = sorted(key).stream().map(Map.Entry::getKey).toList();
        int rank = members.indexOf(member);
        assertThat(tester.run("ZRANK", key, member)).isEqualTo(rank < 0 ? "$-1\r\n" : ":" + rank + "\r\n");
        assertThat(tester.run("ZREVRANK", key, member))
                .isEqualTo(rank < 0 ? "$-1\r\n" : ":" + (members.size() - 1 - rank) + "\r\n");
        assertThat(tester.run("ZCARD", key)).isEqualTo(":" + members.size() + "\r\n");
    }

    private List<Map.Entry<String, Double>> sorted(String key) {
        List<Map.Entry<String, Double>> pairs =
                new ArrayList<>(model.getOrDefault(key, Map.of()).entrySet());
        pairs.replaceAll(pair -> Map.entry(pair.getKey(), pair.getValue()));
        pairs.sort(Map.Entry.<String, Double>comparingByValue()
                .thenComparing(Map.Entry::getKey, Comparator.naturalOrder()));
        return pairs;
    }

    private static String pairs(List<Map.Entry<String, Double>> pairs) {
        StringBuilder text = new StringBuilder("*" + 2 * pairs.size() + "\r\n");
        for (Map.Entry<String, Double> pair : pairs) {
            text.append(bulk(pair.getKey())).append(bulk(Numbers.format(pair.getValue())));
        }
        return text.toString();
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }
}
