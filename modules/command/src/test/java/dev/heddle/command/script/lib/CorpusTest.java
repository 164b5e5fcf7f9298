package dev.heddle.command.script.lib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thousands of expressions with what a Redis 7.2 server answers. A case is two lines: the expression, and "=> " with
 * its values in the form of {@link ScriptBench}. Known differences are listed, each with its reason, in a file of their
 * own; one that has gone must go from there, too.
 */
class CorpusTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "base",
                "bit",
                "cjson",
                "cmsgpack",
                "format",
                "math",
                "number",
                "pattern",
                "string",
                "struct",
                "table"
            })
    void answersLikeTheRealServer(String name) {
        ScriptBench bench = new ScriptBench();
        List<String> known = lines("differences");
        List<String> differences = new ArrayList<>();
        List<String> lines = lines(name);
        for (int i = 0; i + 1 < lines.size(); i += 2) {
            String expected = lines.get(i + 1).substring(3);
            String actual = bench.evaluate(lines.get(i));
            if (actual.equals(expected) == known.contains(lines.get(i))) {
                differences.add(lines.get(i) + "\n  real: " + expected + "\n  ours: " + actual);
            }
        }
        assertThat(lines).hasSizeGreaterThan(100);
        assertThat(String.join("\n", differences)).isEmpty();
    }

    private static List<String> lines(String name) {
        try (InputStream in = CorpusTest.class.getResourceAsStream("/lua-corpus/" + name + ".txt")) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
