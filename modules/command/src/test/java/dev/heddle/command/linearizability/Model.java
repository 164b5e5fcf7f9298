package dev.heddle.command.linearizability;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the commands of {@link TestCommands} do if one runs after the other: strings in a map, and nothing else.
 *
 * <p>Immutable: each step makes a new one.
 */
record Model(Map<String, String> values) {

    static final Model EMPTY = new Model(Map.of());

    /** A reply as it goes over the wire, and the model after it. */
    record Step(String reply, Model next) {}

    Step run(List<String> words) {
        String key = words.get(1);
        return switch (words.getFirst()) {
            case "GET" -> new Step(bulk(values.get(key)), this);
            case "SET" -> new Step("+OK\r\n", with(key, words.get(2)));
            case "INCR", "T.INCR" -> increment(key);
            case "T.GETSET" -> new Step(bulk(values.get(key)), with(key, words.get(2)));
            case "T.APPEND" -> append(key, words.get(2));
            case "T.DEL" -> delete(words.subList(1, words.size()));
            case "T.MSET" -> new Step("+OK\r\n", withAll(words));
            case "T.MGET", "T.SNAPSHOT" -> new Step(replies(words.subList(1, words.size())), this);
            case "T.MSETNX" -> setIfNone(words);
            case "T.RENAME" -> rename(key, words.get(2));
            default -> throw new IllegalArgumentException(words.getFirst());
        };
    }

    private Step increment(String key) {
        String old = values.getOrDefault(key, "0");
        if (!old.matches("-?(0|[1-9][0-9]{0,17})")) {
            return new Step("-ERR value is not an integer or out of range\r\n", this);
        }
        String sum = Long.toString(Long.parseLong(old) + 1);
        return new Step(":" + sum + "\r\n", with(key, sum));
    }

    private Step append(String key, String suffix) {
        String longer = values.getOrDefault(key, "") + suffix;
        return new Step(":" + longer.length() + "\r\n", with(key, longer));
    }

    private Step delete(List<String> keys) {
        Map<String, String> next = new TreeMap<>(values);
        long deleted = keys.stream().filter(key -> next.remove(key) != null).count();
        return new Step(":" + deleted + "\r\n", new Model(next));
    }

    private Step setIfNone(List<String> words) {
        for (int i = 1; i < words.size(); i += 2) {
            if (values.containsKey(words.get(i))) {
                return new Step(":0\r\n", this);
            }
        }
        return new Step(":1\r\n", withAll(words));
    }

    private Step rename(String from, String to) {
        String value = values.get(from);
        if (value == null) {
            return new Step("-ERR no such key\r\n", this);
        }
        Map<String, String> next = new TreeMap<>(values);
        next.remove(from);
        next.put(to, value);
        return new Step("+OK\r\n", new Model(next));
    }

    private Model with(String key, String value) {
        Map<String, String> next = new TreeMap<>(values);
        next.put(key, value);
        return new Model(next);
    }

    private Model withAll(List<String> words) {
        Map<String, String> next = new TreeMap<>(values);
        for (int i = 1; i < words.size(); i += 2) {
            next.put(words.get(i), words.get(i + 1));
        }
        return new Model(next);
    }

    private String replies(List<String> keys) {
        StringBuilder reply = new StringBuilder("*" + keys.size() + "\r\n");
        keys.forEach(key -> reply.append(bulk(values.get(key))));
        return reply.toString();
    }

    private static String bulk(@Nullable String value) {
        return value == null ? "$-1\r\n" : "$" + value.length() + "\r\n" + value + "\r\n";
    }
}
