package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.config.Settings.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random list commands on three keys, against lists of strings that do the same in the plainest way. */
class ListSequencesTest {

    private static final Origin ORIGIN = new Origin(true, false);
    private static final String[] KEYS = {"a", "b", "c"};

    @Property(tries = 60)
    void sequencesOfCommandsDoWhatTheyDoToPlainLists(@ForAll long seed) {
        Random random = new Random(seed);
        CommandTester tester = new CommandTester();
        tester.settings().set(List.of(Map.entry("list-max-listpack-size", random.nextBoolean() ? "8" : "-1")), ORIGIN);
        Map<String, List<String>> model = new HashMap<>();
        for (int i = 0; i < 150; i++) {
            step(random, tester, model);
            for (String key : KEYS) {
                List<String> list = model.getOrDefault(key, List.of());
                assertThat(tester.run("LRANGE", key, "0", "-1")).isEqualTo(array(list));
                assertThat(tester.run("LLEN", key)).isEqualTo(":" + list.size() + "\r\n");
            }
        }
    }

    private static void step(Random random, CommandTester tester, Map<String, List<String>> model) {
        String key = KEYS[random.nextInt(KEYS.length)];
        List<String> list = model.computeIfAbsent(key, k -> new ArrayList<>());
        int size = list.size();
        int from = random.nextInt(2 * size + 5) - size - 2;
        int to = random.nextInt(2 * size + 5) - size - 2;
        String element = element(random);
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> push(random, tester, key, list);
            case 3 -> pop(random, tester, key, list);
            case 4 -> {
                int start = Math.clamp(from < 0 ? size + from : from, 0, size);
                int stop = Math.clamp((to < 0 ? size + to : to) + 1L, start, Math.max(start, size));
                assertThat(tester.run("LTRIM", key, "" + from, "" + to)).isEqualTo("+OK\r\n");
                model.put(key, new ArrayList<>(list.subList(start, stop)));
            }
            case 5 -> {
                int at = from < 0 ? size + from : from;
                boolean inside = at >= 0 && at < size;
                assertThat(tester.run("LSET", key, "" + from, element).startsWith("+OK"))
                        .isEqualTo(inside);
                if (inside) {
                    list.set(at, element);
                }
            }
            case 6 -> {
                int at = list.indexOf(element);
                assertThat(tester.run("LINSERT", key, "AFTER", element, "inserted"))
                        .isEqualTo(":" + (size == 0 ? 0 : at < 0 ? -1 : size + 1) + "\r\n");
                if (at >= 0) {
                    list.add(at + 1, "inserted");
                }
            }
            case 7 -> {
                int count = random.nextInt(7) - 3;
                assertThat(tester.run("LREM", key, "" + count, element))
                        .isEqualTo(":" + remove(list, count, element) + "\r\n");
            }
            case 8 -> move(random, tester, key, list, model);
            default ->
                assertThat(tester.run("LPOS", key, element, "RANK", "-1"))
                        .isEqualTo(list.contains(element) ? ":" + list.lastIndexOf(element) + "\r\n" : "$-1\r\n");
        }
    }

    private static void push(Random random, CommandTester tester, String key, List<String> list) {
        boolean head = random.nextBoolean();
        List<String> words = new ArrayList<>(List.of(head ? "LPUSH" : "RPUSH", key));
        for (int i = random.nextInt(6); i >= 0; i--) {
            String element = element(random);
            words.add(element);
            list.add(head ? 0 : list.size(), element);
        }
        assertThat(tester.run(words.toArray(String[]::new))).isEqualTo(":" + list.size() + "\r\n");
    }

    private static void pop(Random random, CommandTester tester, String key, List<String> list) {
        boolean head = random.nextBoolean();
        int count = 1 + random.nextInt(5);
        List<String> popped = new ArrayList<>();
        boolean missing = list.isEmpty();
        for (int i = 0; i < count && !list.isEmpty(); i++) {
            popped.add(head ? list.removeFirst() : list.removeLast());
        }
        assertThat(tester.run(head ? "LPOP" : "RPOP", key, "" + count)).isEqualTo(missing ? "*-1\r\n" : array(popped));
    }

    private static int remove(List<String> list, int count, String element) {
        int removed = 0;
        while (list.contains(element) && (count == 0 || removed < Math.abs(count))) {
            list.remove(count < 0 ? list.lastIndexOf(element) : list.indexOf(element));
            removed++;
        }
        return removed;
    }

    private static void move(
            Random random, CommandTester tester, String key, List<String> list, Map<String, List<String>> model) {
        String to = KEYS[random.nextInt(KEYS.length)];
        boolean left = random.nextBoolean();
        boolean atLeft = random.nextBoolean();
        String reply = tester.run("LMOVE", key, to, left ? "LEFT" : "RIGHT", atLeft ? "LEFT" : "RIGHT");
        if (list.isEmpty()) {
            assertThat(reply).isEqualTo("$-1\r\n");
            return;
        }
        String moved = left ? list.removeFirst() : list.removeLast();
        List<String> destination = model.computeIfAbsent(to, k -> new ArrayList<>());
        destination.add(atLeft ? 0 : destination.size(), moved);
        assertThat(reply).isEqualTo("$" + moved.length() + "\r\n" + moved + "\r\n");
    }

    private static String element(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> Integer.toString(random.nextInt(3) - 1);
            case 1 -> Long.toString(random.nextLong());
            case 2 -> "x".repeat(random.nextInt(2) * 300);
            default -> "word";
        };
    }

    private static String array(List<String> elements) {
        StringBuilder text = new StringBuilder("*" + elements.size() + "\r\n");
        for (String element : elements) {
            text.append("$" + element.length() + "\r\n" + element + "\r\n");
        }
        return text.toString();
    }
}
