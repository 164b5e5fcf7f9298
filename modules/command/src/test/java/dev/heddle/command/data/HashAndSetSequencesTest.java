package dev.heddle.command.data;

import static dev.heddle.command.data.Wire.strings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.config.Settings.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random commands on sets and hashes while time goes on, against plain sets and maps; and what was recorded, run on a second server, makes
 * the same data.
 */
class HashAndSetSequencesTest {

    private static final String[] KEYS = {"a", "b", "c"};

    private record Field(String value, long expireAt) {}

    private final Map<String, Map<String, Field>> hashes = new HashMap<>();
    private final Map<String, Set<String>> sets = new HashMap<>();

    @Property(tries = 60)
    void sequencesDoWhatTheyDoToPlainCollections(@ForAll long seed) {
        Random random = new Random(seed);
        CommandTester tester = new CommandTester();
        CommandTester copy = new CommandTester();
        for (CommandTester each : List.of(tester, copy)) {
            each.settings()
                    .set(
                            List.of(
                                    Map.entry("hash-max-listpack-entries", "6"),
                                    Map.entry("set-max-listpack-entries", "6"),
                                    Map.entry("set-max-intset-entries", "7")),
                            new Origin(true, false));
        }
        hashes.clear();
        sets.clear();
        for (int i = 0; i < 200; i++) {
            if (random.nextBoolean()) {
                hashStep(random, tester);
            } else {
                setStep(random, tester);
            }
            long millis = random.nextInt(4);
            tester.advance(millis);
            if (random.nextInt(5) == 0) {
                tester.expire();
            }
            replay(tester, copy);
            copy.advance(millis);
            expireFields(tester.now());
            assertSame(tester);
        }
        tester.expire();
        replay(tester, copy);
        assertSame(copy);
    }

    private static void replay(CommandTester from, CommandTester to) {
        for (String effect : from.effects()) {
            assertThat(to.run(effect.split(" "))).doesNotStartWith("-");
        }
    }

    private void expireFields(long now) {
        hashes.values().forEach(hash -> hash.values().removeIf(field -> field.expireAt() <= now));
    }

    private void assertSame(CommandTester tester) {
        for (String key : KEYS) {
            Map<String, Field> hash = hashes.getOrDefault(key, Map.of());
            List<String> pairs = strings(tester.run("HGETALL", "h" + key));
            Map<String, String> found = new TreeMap<>();
            for (int i = 0; i < pairs.size(); i += 2) {
                found.put(pairs.get(i), pairs.get(i + 1));
            }
            Map<String, String> expected = new TreeMap<>();
            hash.forEach((field, content) -> expected.put(field, content.value()));
            assertThat(found).isEqualTo(expected);
            assertThat(tester.run("HLEN", "h" + key)).isEqualTo(":" + hash.size() + "\r\n");
            assertThat(tester.run("EXISTS", "h" + key)).isEqualTo(hash.isEmpty() ? ":0\r\n" : ":1\r\n");
            Set<String> set = sets.getOrDefault(key, Set.of());
            assertThat(new TreeSet<>(strings(tester.run("SMEMBERS", "s" + key))))
                    .isEqualTo(set);
            assertThat(tester.run("SCARD", "s" + key)).isEqualTo(":" + set.size() + "\r\n");
            assertThat(tester.run("EXISTS", "s" + key)).isEqualTo(set.isEmpty() ? ":0\r\n" : ":1\r\n");
        }
    }

    private void hashStep(Random random, CommandTester tester) {
        String name = KEYS[random.nextInt(KEYS.length)];
        String key = "h" + name;
        Map<String, Field> hash = hashes.computeIfAbsent(name, k -> new TreeMap<>());
        String field = "f" + random.nextInt(10);
        Field old = hash.get(field);
        String value = "" + random.nextInt(1000);
        long at = tester.now() + random.nextInt(20) - 2;
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                tester.run("HSET", key, field, value);
                hash.put(field, new Field(value, Long.MAX_VALUE));
            }
            case 2 -> {
                assertThat(tester.run("HDEL", key, field)).isEqualTo(old == null ? ":0\r\n" : ":1\r\n");
                hash.remove(field);
            }
            case 3 -> {
                assertThat(tester.run("HSETNX", key, field, value)).isEqualTo(old == null ? ":1\r\n" : ":0\r\n");
                hash.putIfAbsent(field, new Field(value, Long.MAX_VALUE));
            }
            case 4 -> {
                long sum = (old == null ? 0 : Long.parseLong(old.value())) + 7;
                assertThat(tester.run("HINCRBY", key, field, "7")).isEqualTo(":" + sum + "\r\n");
                hash.put(field, new Field("" + sum, old == null ? Long.MAX_VALUE : old.expireAt()));
            }
            case 5 -> {
                String code = old == null ? "-2" : at <= tester.now() ? "2" : "1";
                assertThat(tester.run("HPEXPIREAT", key, "" + at, "FIELDS", "1", field))
                        .isEqualTo("*1\r\n:" + code + "\r\n");
                hash.computeIfPresent(field, (f, content) -> new Field(content.value(), at));
            }
            case 6 -> {
                tester.run("HPERSIST", key, "FIELDS", "1", field);
                hash.computeIfPresent(field, (f, content) -> new Field(content.value(), Long.MAX_VALUE));
            }
            case 7 -> {
                tester.run("HSETEX", key, "PXAT", "" + at, "FIELDS", "1", field, value);
                hash.put(field, new Field(value, at));
            }
            default -> {
                tester.run("HSETEX", key, "KEEPTTL", "FIELDS", "1", field, value);
                hash.put(field, new Field(value, old == null ? Long.MAX_VALUE : old.expireAt()));
            }
        }
        expireFields(tester.now());
    }

    private void setStep(Random random, CommandTester tester) {
        String name = KEYS[random.nextInt(KEYS.length)];
        String other = KEYS[random.nextInt(KEYS.length)];
        Set<String> set = sets.computeIfAbsent(name, k -> new TreeSet<>());
        Set<String> source = sets.computeIfAbsent(other, k -> new TreeSet<>());
        String member = (random.nextInt(3) == 0 ? "m" : "") + random.nextInt(12);
        switch (random.nextInt(7)) {
            case 0, 1 -> {
                List<String> members = new ArrayList<>(List.of(member, "" + random.nextInt(9)));
                tester.run("SADD", "s" + name, members.get(0), members.get(1));
                set.addAll(members);
            }
            case 2 ->
                assertThat(tester.run("SREM", "s" + name, member)).isEqualTo(set.remove(member) ? ":1\r\n" : ":0\r\n");
            case 3 -> {
                int count = random.nextInt(4);
                List<String> popped = strings(tester.run("SPOP", "s" + name, "" + count));
                assertThat(popped).hasSize(Math.min(count, set.size()));
                popped.forEach(gone -> assertThat(set.remove(gone)).isTrue());
            }
            case 4 -> {
                boolean moved = source.contains(member);
                assertThat(tester.run("SMOVE", "s" + other, "s" + name, member)).isEqualTo(moved ? ":1\r\n" : ":0\r\n");
                if (moved) {
                    source.remove(member);
                    set.add(member);
                }
            }
            default -> store(random, tester, name, source);
        }
    }

    private void store(Random random, CommandTester tester, String name, Set<String> source) {
        String third = KEYS[random.nextInt(KEYS.length)];
        Set<String> with = sets.getOrDefault(third, Set.of());
        String from = Arrays.stream(KEYS)
                .filter(key -> sets.get(key) == source)
                .findFirst()
                .orElseThrow();
        Set<String> result = new TreeSet<>(source);
        String command;
        switch (random.nextInt(3)) {
            case 0 -> {
                command = "SUNIONSTORE";
                result.addAll(with);
            }
            case 1 -> {
                command = "SINTERSTORE";
                result.retainAll(with);
            }
            default -> {
                command = "SDIFFSTORE";
                result.removeAll(with);
            }
        }
        assertThat(tester.run(command, "s" + name, "s" + from, "s" + third)).isEqualTo(":" + result.size() + "\r\n");
        sets.put(name, result);
    }
}
