package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All commands on sorted sets with their options and errors, one after the other on the same data, as redis-server 7.2 has answered them. In the
 * transcripts {@code ""} is an empty argument, {@code |} a line end and {@code \x00} a byte.
 */
class SortedSetTranscriptTest {

    private static final Pattern BYTE = Pattern.compile("\\\\x(..)");

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void answersAsRedisDoes(int protocol) throws IOException {
        CommandTester tester = new CommandTester();
        tester.run("SET", "str", "x");
        tester.client().session().reply().protocol(protocol);
        List<String> actual = new ArrayList<>();
        List<String> lines = transcript(protocol);
        for (String line : lines) {
            if (line.startsWith("#")) {
                actual.add(line);
            } else if (line.startsWith("> ")) {
                actual.add(line);
                actual.add(show(tester.run(words(line.substring(2)))));
            }
        }
        assertThat(actual).hasSizeGreaterThan(500).isEqualTo(lines);
    }

    private static List<String> transcript(int protocol) throws IOException {
        String name = "sorted-sets-resp" + protocol + ".txt";
        try (InputStream in = SortedSetTranscriptTest.class.getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
    }

    private static String[] words(String line) {
        String[] words = line.split(" ");
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].equals("\"\"")
                    ? ""
                    : BYTE.matcher(words[i]).replaceAll(hex -> Character.toString(Integer.parseInt(hex.group(1), 16)));
        }
        return words;
    }

    private static String show(String reply) {
        StringBuilder text = new StringBuilder();
        for (char c : reply.replace("\r\n", "|").toCharArray()) {
            text.append(c >= ' ' && c <= '~' ? Character.toString(c) : String.format("\\x%02x", (int) c));
        }
        return text.toString();
    }
}
