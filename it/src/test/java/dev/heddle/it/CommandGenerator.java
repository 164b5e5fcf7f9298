package dev.heddle.it;

import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Makes random commands from the templates in {@code random-commands.txt}. A word that starts with {@code $} is a
 * hole; what may stand there says {@link #HOLES}. Stateless.
 */
final class CommandGenerator {

    private static final String LONG = "x".repeat(70);

    /** By name: keys of a type (now and then of another), elements, numbers, ranges, times. */
    private static final Map<String, Arbitrary<String>> HOLES = Map.ofEntries(
            Map.entry("str", keys("s1", "s2", "s3")),
            Map.entry("list", keys("l1", "l2", "l3")),
            Map.entry("set", keys("S1", "S2", "S3")),
            Map.entry("hash", keys("h1", "h2")),
            Map.entry("zset", keys("z1", "z2", "z3")),
            // All members have the same score: by name is undefined otherwise.
            Map.entry("lex", Arbitraries.of("x1", "x2")),
            Map.entry("bits", keys("b1", "b2", "b3")),
            Map.entry("stream", keys("t1", "t2")),
            Map.entry("end", Arbitraries.of("$")),
            Map.entry("group", often(List.of("g1", "g2"), "g3")),
            Map.entry("consumer", Arbitraries.of("c1", "c2", "c3")),
            Map.entry("newid", often(List.of("1-*", "2-*", "3-*", "4-*", "5-1", "5-2", "6-0", "7-9"), "0-0", "x", "8")),
            Map.entry(
                    "id", often(List.of("1-0", "1-1", "1-2", "2-0", "2-1", "3-0", "4-0", "5-1", "6-0"), "0", "x", "9")),
            Map.entry("from", often(List.of("-", "1", "1-1", "(1-1", "2", "(2-0"), "+", "x")),
            Map.entry("to", often(List.of("+", "5", "2-1", "(5-1", "3", "(2"), "-", "x")),
            Map.entry(
                    "key",
                    Arbitraries.of(
                            "s1", "s2", "l1", "l2", "S1", "S2", "h1", "h2", "z1", "z2", "b1", "t1", "t2", "none")),
            Map.entry(
                    "e",
                    often(List.of("a", "b", "c", "d", "e", "f", "1", "2", "3", "-7", "10"), "", LONG, "\u0001\u00ff")),
            Map.entry(
                    "text", often(List.of("hello", "12", "-3", "x", "abcdef"), "", "9223372036854775807", "1.5", LONG)),
            Map.entry("int", often(List.of("1", "2", "-1", "10", "-25"), "9223372036854775807", "abc", "1.5")),
            Map.entry("float", often(List.of("0.1", "1.5", "-2.25", "3", "1e5"), "nan", "inf", "abc", "1e300")),
            Map.entry("index", Arbitraries.integers().between(-8, 8).map(String::valueOf)),
            Map.entry("count", Arbitraries.integers().between(0, 5).map(String::valueOf)),
            Map.entry("offset", Arbitraries.integers().between(0, 120).map(String::valueOf)),
            Map.entry("bit", often(List.of("0", "1"), "2")),
            Map.entry("score", often(List.of("0", "1", "1.5", "2", "-3", "100"), "inf", "-inf", "1e10", "nan", "abc")),
            Map.entry("weight", Arbitraries.of("1", "2", "-1", "0")),
            Map.entry("min", often(List.of("-inf", "0", "(1", "1", "-3"), "(-inf", "abc")),
            Map.entry("max", often(List.of("+inf", "2", "(2", "100", "1.5"), "(inf", "abc")),
            Map.entry("lmin", often(List.of("-", "[a", "(b", "[1"), "+", "a")),
            Map.entry("lmax", often(List.of("+", "[d", "(e", "[c"), "-", "d")),
            Map.entry("type", Arbitraries.of("u1", "u4", "i5", "u8", "i8", "i16", "u31", "i64", "u63")),
            Map.entry("ms", often(List.of("33177117420000", "33177117420123", "4102444800000"), "1", "-5")),
            Map.entry("sec", often(List.of("33177117420", "4102444800"), "1", "-5")));

    private CommandGenerator() {}

    /** Any command, as its words. */
    static Arbitrary<List<String>> commands() {
        List<Arbitrary<List<String>>> templates = Resources.lines("random-commands.txt").stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(CommandGenerator::command)
                .toList();
        return Arbitraries.oneOf(templates);
    }

    private static Arbitrary<List<String>> command(String template) {
        List<Arbitrary<String>> words = List.of(template.split(" ")).stream()
                .map(word -> word.startsWith("$") ? hole(word.substring(1)) : Arbitraries.just(word))
                .toList();
        return Combinators.combine(words).as(List::copyOf);
    }

    private static Arbitrary<String> hole(String name) {
        Arbitrary<String> values = HOLES.get(name);
        if (values == null) {
            throw new IllegalArgumentException("no such hole: " + name);
        }
        return values;
    }

    private static Arbitrary<String> keys(String... usual) {
        return often(List.of(usual), "s1", "l1", "S1", "h1", "z1", "none");
    }

    private static Arbitrary<String> often(List<String> usual, String... rare) {
        return Arbitraries.frequencyOf(Tuple.of(12, Arbitraries.of(usual)), Tuple.of(1, Arbitraries.of(rare)));
    }
}
