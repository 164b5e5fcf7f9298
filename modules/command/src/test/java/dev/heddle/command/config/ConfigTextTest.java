package dev.heddle.command.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTextTest {

    @Property
    void quotedWordsAreReadBack(@ForAll("byteTexts") List<String> words) {
        String line = words.stream().map(ConfigText::quote).collect(Collectors.joining(" "));

        assertThat(ConfigText.split(line)).isEqualTo(words);
        assertThat(line).matches("[ -~]*");
    }

    @Property
    void anyLineGivesWordsOrTheOneError(@ForAll("byteText") String line) {
        try {
            assertThat(ConfigText.split(line))
                    .allSatisfy(word -> assertThat(word.length()).isLessThanOrEqualTo(line.length()));
        } catch (ConfigException e) {
            assertThat(e).hasMessage("Unbalanced quotes in configuration line");
        }
    }

    @Provide
    Arbitrary<List<String>> byteTexts() {
        return byteText().list().ofMaxSize(5);
    }

    @Provide
    Arbitrary<String> byteText() {
        return Arbitraries.oneOf(
                Arbitraries.strings().withCharRange('\0', '\u00ff').ofMaxLength(20),
                Arbitraries.strings().withChars("\"'\\x4 ab\n").ofMaxLength(20));
    }

    /** Each of these was given to redis-server 7.2, too. */
    @Test
    void quotesAndEscapesAreRedissOwn() {
        assertThat(ConfigText.split("  a\tb\u000bc  d ")).containsExactly("a", "b\u000bc", "d");
        assertThat(ConfigText.split("\"a\\n\\r\\t\\a\\b\\x41\\q\\\"\"")).containsExactly("a\n\r\t\u0007\bAq\"");
        assertThat(ConfigText.split("'a\\n\\'b\"'")).containsExactly("a\\n'b\"");
        assertThat(ConfigText.split("\"\\x4g\\x\"")).containsExactly("x4gx");
        assertThat(ConfigText.split("ab\"c d\" e")).containsExactly("abc d", "e");
        assertThat(ConfigText.split("\"\" ''")).containsExactly("", "");
        assertThat(ConfigText.split("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"a", "'a", "\"a\"b", "'a'b", "\"a\\\"", "a 'b", "'a\\'"})
    void unbalancedQuotesAreRefused(String line) {
        assertThatThrownBy(() -> ConfigText.split(line)).hasMessage("Unbalanced quotes in configuration line");
    }

    @ParameterizedTest
    @CsvSource({"plain, \"plain\"", "a b, \"a b\"", "\u00ff, \"\\xff\"", "'\\', '\"\\\\\"'"})
    void quotingShowsOnlyPrintableAscii(String text, String quoted) {
        assertThat(ConfigText.quote(text)).isEqualTo(quoted);
    }

    @Test
    void theOutsideWorldIsUtf8() {
        assertThat(ConfigText.of("\u00e9")).isEqualTo("\u00c3\u00a9");
        assertThat(ConfigText.display("\u00c3\u00a9")).isEqualTo("\u00e9");
        assertThat(ConfigText.path("data/x")).isEqualTo(Path.of("data/x"));
        assertThatThrownBy(() -> ConfigText.path("a\0b")).isInstanceOf(ConfigException.class);
    }
}
