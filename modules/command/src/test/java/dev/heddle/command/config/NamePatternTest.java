package dev.heddle.command.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamePatternTest {

    @ParameterizedTest
    @CsvSource({
        "*, '', true",
        "*, abc, true",
        "a*c, abbc, true",
        "a*c, abcd, false",
        "a?c, abc, true",
        "a?c, ac, false",
        "[a-c]x, bx, true",
        "[c-a]x, bx, true",
        "[^a-c]x, bx, false",
        "[^a-c]x, dx, true",
        "[ab, b, true",
        "[\\]]x, ]x, true",
        "a\\*, a*, true",
        "a\\*, ab, false",
        "*-*-*, a-b, false",
        "*-*-*, a-b-c, true",
        "'', '', true",
        "[], a, false",
    })
    void globs(String pattern, String name, boolean matches) {
        assertThat(new NamePattern(pattern).matches(name)).isEqualTo(matches);
    }

    @Property
    void matchesLikeTheObviousRecursion(@ForAll("patterns") String pattern, @ForAll("names") String name) {
        assertThat(new NamePattern(pattern).matches(name)).isEqualTo(obvious(pattern, name));
    }

    private static boolean obvious(String pattern, String name) {
        if (pattern.isEmpty()) {
            return name.isEmpty();
        }
        String rest = pattern.substring(1);
        if (pattern.charAt(0) == '*') {
            return obvious(rest, name) || (!name.isEmpty() && obvious(pattern, name.substring(1)));
        }
        boolean first = !name.isEmpty() && (pattern.charAt(0) == '?' || pattern.charAt(0) == name.charAt(0));
        return first && obvious(rest, name.substring(1));
    }

    @Provide
    Arbitrary<String> patterns() {
        return Arbitraries.strings().withChars("ab*?").ofMaxLength(8);
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings().withChars("ab").ofMaxLength(8);
    }

    @Test
    void manyStarsTakeNoExponentialTime() {
        NamePattern pattern = new NamePattern("a*".repeat(1000) + "b");

        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThat(pattern.matches("a".repeat(5000))).isFalse());
    }
}
