package dev.heddle.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one client of a kill campaign has written: a small data set of all types, and the steps that change it.
 *
 * <p>Confined to the client's thread.
 */
final class KillModel {

    private static final int LONGEST_LIST = 40;
    private static final long DEADLINE = 33_177_117_420_000L;

    private final String name;
    /** After the steps that the server is obliged to have. */
    private State folded = new State();
    /** After all steps that have been made up. */
    private State newest = new State();

    private long number;

    KillModel(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** A step: its commands, and what they do if all of them are carried out. */
    record Change(List<List<String>> commands, List<Effect> effects) {
        void apply(State state) {
            effects.forEach(effect -> effect.apply(state));
        }
    }

    /** What one command does. */
    @FunctionalInterface
    interface Effect {
        void apply(State state);
    }

    /** The contents of the keys. */
    static final class State {
        private String string = "";
        private long deadline = -1;
        private long counter;
        private List<String> list = new ArrayList<>();
        private TreeMap<String, String> hash = new TreeMap<>();
        private TreeSet<String> set = new TreeSet<>();
        private TreeMap<String, Long> scores = new TreeMap<>();
        private String elsewhere = "";
        private List<String> moved = new ArrayList<>();

        State copy() {
            State copy = new State();
            copy.string = string;
            copy.deadline = deadline;
            copy.counter = counter;
            copy.list = new ArrayList<>(list);
            copy.hash = new TreeMap<>(hash);
            copy.set = new TreeSet<>(set);
            copy.scores = new TreeMap<>(scores);
            copy.elsewhere = elsewhere;
            copy.moved = new ArrayList<>(moved);
            return copy;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof State state && toString().equals(state.toString());
        }

        @Override
        public int hashCode() {
            return toString().hashCode();
        }

        @Override
        public String toString() {
            return "string=" + string + " deadline=" + deadline + " counter=" + counter + " list=" + list + " hash="
                    + hash + " set=" + set + " scores=" + scores + " elsewhere=" + elsewhere + " moved=" + moved;
        }
    }

    State folded() {
        return folded.copy();
    }

    void fold(Change change) {
        change.apply(folded);
    }

    /** What was made up and is not there any more never happened. */
    void restart() {
        newest = folded.copy();
    }

    /** Makes up a step. */
    Change next(Random random) {
        Change change = random.nextInt(5) == 0 ? transaction(random) : single(random);
        change.apply(newest);
        return change;
    }

    private Change transaction(Random random) {
        List<List<String>> commands = new ArrayList<>();
        List<Effect> effects = new ArrayList<>();
        commands.add(List.of("MULTI"));
        State start = newest.copy();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            Change part = single(random);
            part.apply(newest); // the next part may depend on it
            commands.addAll(part.commands());
            effects.addAll(part.effects());
        }
        newest = start;
        commands.add(List.of("EXEC"));
        return new Change(commands, effects);
    }

    private Change single(Random random) {
        String n = name + "-" + number++;
        String small = Integer.toString(random.nextInt(20));
        return switch (random.nextInt(14)) {
            case 0 -> change(state -> setString(state, n, -1), "SET", key("string"), n);
            case 1 ->
                change(
                        state -> setString(state, n, DEADLINE),
                        "SET",
                        key("string"),
                        n,
                        "PXAT",
                        Long.toString(DEADLINE));
            case 2 -> change(state -> state.string += "+", "APPEND", key("string"), "+");
            case 3 ->
                newest.string.isEmpty() ? increment() : change(state -> state.deadline = -1, "PERSIST", key("string"));
            case 4 -> increment();
            case 5 -> push(n);
            case 6 -> pop();
            case 7 -> move();
            case 8 -> change(state -> state.hash.put(small, n), "HSET", key("hash"), small, n);
            case 9 -> change(state -> state.hash.remove(small), "HDEL", key("hash"), small);
            case 10 -> change(state -> state.set.add(small), "SADD", key("set"), small);
            case 11 -> change(state -> state.set.remove(small), "SREM", key("set"), small);
            case 12 -> change(state -> state.scores.merge(small, 3L, Long::sum), "ZINCRBY", key("scores"), "3", small);
            default -> elsewhere(n);
        };
    }

    private static void setString(State state, String value, long deadline) {
        state.string = value;
        state.deadline = deadline;
    }

    private Change increment() {
        return change(state -> state.counter++, "INCR", key("counter"));
    }

    private Change push(String value) {
        return newest.list.size() >= LONGEST_LIST
                ? change(
                        state -> state.list =
                                new ArrayList<>(state.list.subList(state.list.size() - 5, state.list.size())),
                        "LTRIM",
                        key("list"),
                        "-5",
                        "-1")
                : change(state -> state.list.add(value), "RPUSH", key("list"), value);
    }

    private Change pop() {
        return newest.list.isEmpty() ? increment() : change(state -> state.list.removeFirst(), "LPOP", key("list"));
    }

    private Change move() {
        if (newest.list.isEmpty()) {
            return increment();
        }
        if (newest.moved.size() >= LONGEST_LIST) {
            return change(state -> state.moved.clear(), "DEL", key("moved"));
        }
        return change(
                state -> state.moved.addFirst(state.list.removeLast()),
                "LMOVE",
                key("list"),
                key("moved"),
                "RIGHT",
                "LEFT");
    }

    /** In another database: what comes back must be in the right one. */
    private Change elsewhere(String value) {
        return new Change(
                List.of(List.of("SELECT", "7"), List.of("SET", key("string"), value), List.of("SELECT", "0")),
                List.of(state -> state.elsewhere = value));
    }

    private static Change change(Effect effect, String... command) {
        return new Change(List.of(List.of(command)), List.of(effect));
    }

    private String key(String what) {
        return name + ":" + what;
    }

    /** Reads the keys from a server. */
    State read(RawClient client) {
        State state = new State();
        state.string = text(client.call("GET", key("string")));
        state.deadline = state.string.isEmpty()
                ? -1
                : client.call("PEXPIRETIME", key("string")).integer();
        String counter = text(client.call("GET", key("counter")));
        state.counter = counter.isEmpty() ? 0 : Long.parseLong(counter);
        state.list.addAll(client.call("LRANGE", key("list"), "0", "-1").texts());
        state.moved.addAll(client.call("LRANGE", key("moved"), "0", "-1").texts());
        pairs(client.call("HGETALL", key("hash"))).forEach(state.hash::put);
        state.set.addAll(client.call("SMEMBERS", key("set")).texts());
        pairs(client.call("ZRANGE", key("scores"), "0", "-1", "WITHSCORES"))
                .forEach((member, score) -> state.scores.put(member, Long.valueOf(score)));
        client.call("SELECT", "7");
        state.elsewhere = text(client.call("GET", key("string")));
        client.call("SELECT", "0");
        return state;
    }

    private static String text(Reply reply) {
        return reply.head().equals("$-1") ? "" : reply.text();
    }

    private static Map<String, String> pairs(Reply reply) {
        Map<String, String> pairs = new TreeMap<>();
        List<String> texts = reply.texts();
        for (int i = 0; i < texts.size(); i += 2) {
            pairs.put(texts.get(i), texts.get(i + 1));
        }
        return pairs;
    }
}
