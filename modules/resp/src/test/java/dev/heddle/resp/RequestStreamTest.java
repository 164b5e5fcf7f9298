package dev.heddle.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Properties of {@link RequestReader} over whole streams. */
class RequestStreamTest {
    @Property(tries = 300)
    void anySplitGivesTheSameCommands(
            @ForAll("streams") List<List<String>> commands, @ForAll("pieces") List<Integer> pieces) {
        byte[] stream = encode(commands);
        var parsing = Parsing.of(stream, pieces.stream().mapToInt(i -> i).toArray());
        assertThat(parsing.error()).isEqualTo("none");
        assertThat(parsing.commands).isEqualTo(commands);
        assertThat(parsing.reader.hasBuffered()).isFalse();
    }

    @Property(tries = 20)
    void oneByteAtATimeGivesTheSameCommands(@ForAll("streams") List<List<String>> commands) {
        assertThat(Parsing.of(encode(commands), 1).commands).isEqualTo(commands);
    }

    @Property(tries = 1500)
    void aDamagedStreamGivesCommandsOrAProtocolError(
            @ForAll("streams") List<List<String>> commands, @ForAll long seed, @ForAll("pieces") List<Integer> pieces) {
        byte[] stream = damage(encode(commands), new Random(seed));
        var whole = Parsing.of(stream);
        var split = Parsing.of(stream, pieces.stream().mapToInt(i -> i).toArray());
        assertThat(split.commands).isEqualTo(whole.commands);
        assertThat(split.error()).isEqualTo(whole.error());
        // Buffers hold what arrived, twice at most while an array doubles, and 1 KiB of slots.
        assertThat(whole.mostCapacity).isLessThan(200_000 + 12L * stream.length);
    }

    @Property(tries = 1500)
    void noiseGivesCommandsOrAProtocolError(@ForAll("noise") String noise, @ForAll("pieces") List<Integer> pieces) {
        byte[] stream = Parsing.bytes(noise);
        var whole = Parsing.of(stream);
        var split = Parsing.of(stream, pieces.stream().mapToInt(i -> i).toArray());
        assertThat(split.commands).isEqualTo(whole.commands);
        assertThat(split.error()).isEqualTo(whole.error());
        assertThat(whole.mostCapacity).isLessThan(200_000);
    }

    private static byte[] encode(List<List<String>> commands) {
        var text = new StringBuilder();
        for (int i = 0; i < commands.size(); i++) {
            text.append(i % 5 == 4 ? inline(commands.get(i)) : Parsing.encode(commands.get(i)));
        }
        return Parsing.bytes(text.toString());
    }

    /** The command on one line, if it may be inline. */
    private static String inline(List<String> command) {
        var line = new StringBuilder();
        for (String argument : command) {
            line.append(line.isEmpty() ? "" : " ").append('"');
            for (int i = 0; i < argument.length(); i++) {
                char c = argument.charAt(i);
                line.append("\\x").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
            line.append('"');
        }
        return line.length() < 60_000 ? line + "\r\n" : Parsing.encode(command);
    }

    private static byte[] damage(byte[] stream, Random random) {
        byte[] damaged = stream.clone();
        int wounds = 1 + random.nextInt(4);
        for (int i = 0; i < wounds && damaged.length > 0; i++) {
            int at = random.nextInt(Math.min(damaged.length, 200));
            damaged[at] = "*$\r\n-0123456789\0\"' x".getBytes(StandardCharsets.ISO_8859_1)[random.nextInt(20)];
        }
        return damaged;
    }

    @Provide
    Arbitrary<List<List<String>>> streams() {
        var character = Arbitraries.chars().range('\0', '\u00ff');
        var small = Arbitraries.strings().withChars("\r\n$*\"ab\0\u00ff").ofMaxLength(12);
        var medium = character.list().ofMaxSize(40).map(RequestStreamTest::join);
        var large = Arbitraries.integers().between(1000, 33_000).map("m"::repeat);
        var big = Arbitraries.integers().between(32_760, 200_000).map("B"::repeat);
        var argument = Arbitraries.frequencyOf(
                Tuple.of(40, small), Tuple.of(10, medium), Tuple.of(3, large), Tuple.of(1, big));
        var command = argument.list().ofMinSize(1).ofMaxSize(12);
        var wide = small.list().ofMinSize(500).ofMaxSize(3000);
        return Arbitraries.frequencyOf(Tuple.of(20, command), Tuple.of(1, wide))
                .list()
                .ofMinSize(1)
                .ofMaxSize(12);
    }

    private static String join(List<Character> characters) {
        var text = new StringBuilder();
        characters.forEach(text::append);
        return text.toString();
    }

    @Provide
    Arbitrary<List<Integer>> pieces() {
        var sizes = Arbitraries.oneOf(
                Arbitraries.integers().between(1, 40),
                Arbitraries.integers().between(1, 2000),
                Arbitraries.integers().between(10_000, 70_000));
        return sizes.list().ofMinSize(1).ofMaxSize(8).map(list -> {
            var pieces = new ArrayList<Integer>(list);
            pieces.add(5000);
            return pieces;
        });
    }

    @Provide
    Arbitrary<String> noise() {
        return Arbitraries.strings()
                .withChars("*$+-:0123456789\r\n\0\"'\\x \u0016\u0003ab")
                .ofMaxLength(200);
    }
}
