package dev.heddle.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The matcher against redis-server's answers, and against one that tries everything. */
class GlobTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean matches(String pattern, String text) {
        return new Glob(bytes(pattern), false).matches(bytes(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "* anything true",
                "'' '' true",
                "'' a false",
                "a '' false",
                "h?llo hello true",
                "h?llo hllo false",
                "h*llo heeeello true",
                "h*llo hllo true",
                "h*llo hell false",
                "h[ae]llo hallo true",
                "h[ae]llo hillo false",
                "h[^e]llo hallo true",
                "h[^e]llo hello false",
                "h[a-c]llo hbllo true",
                "h[c-a]llo hbllo true",
                "h[a-c]llo hdllo false",
                "h\\*llo h*llo true",
                "h\\*llo hello false",
                "a\\ a\\ true",
                "[\\]] ] true",
                "[a\\-z] - true",
                "[a\\-z] b false",
                "[a-] b false",
                "[ab b true",
                "[ab c false",
                "[ a false",
                "[^ a true",
                "[^] a true",
                "[] a false",
                "[]] ] false",
                "a** a true",
                "**a**b** xaxbx true",
                "*a*b bab true",
                "*a*b baba false",
                "*ab aab true",
                "a*bc*d abcbcd true",
                "news.* news.art true",
                "news.* newsXart false",
            })
    void answersAsRedisDoes(String pattern, String text, boolean expected) {
        assertThat(matches(pattern, text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "HeLLo, hEllO, true",
        "H*O, hello, true",
        "[A-C]x, bX, true",
        "[ABC]x, bX, true",
        "[\\A], a, false",
        "[\\A], A, true",
        "hello, jello, false"
    })
    void ignoresCaseIfAsked(String pattern, String text, boolean expected) {
        assertThat(new Glob(bytes(pattern), true).matches(bytes(text))).isEqualTo(expected);
    }

    @Test
    void aStarIsContentWithNothing() {
        assertThat(matches("*", "")).isTrue();
        assertThat(matches("**", "")).isTrue();
        assertThat(matches("*a*", "a")).isTrue();
    }

    @Test
    void bytesAbove127AreSmallerThanTheOthers() {
        assertThat(matches("[\u00e0-a]", "\u00ff")).isTrue();
        assertThat(matches("[\u00e0-a]", "A")).isTrue();
        assertThat(matches("[\u00e0-a]", "z")).isFalse();
    }

    @Test
    void looksAtThePartOfAnArrayThatItIsTold() {
        Glob glob = new Glob(bytes("b*d"), false);
        assertThat(glob.matches(bytes("abcde"), 1, 3)).isTrue();
        assertThat(glob.matches(bytes("abcde"), 1, 4)).isFalse();
    }

    @Provide
    Arbitrary<String> patterns() {
        return Arbitraries.of(
                        "a", "b", "c", "*", "**", "?", "[ab]", "[^a]", "[a-b]", "[^a-b]", "\\a", "\\*", "[", "]", "-")
                .list()
                .ofMaxSize(8)
                .map(parts -> String.join("", parts));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars("abc*]-").ofMaxLength(10);
    }

    @Property(tries = 5000)
    void agreesWithAMatcherThatTriesEverything(@ForAll("patterns") String pattern, @ForAll("texts") String text) {
        assertThat(matches(pattern, text)).isEqualTo(naive(pattern, text));
    }

    /** Straight from the definition: a star matches any number of characters, so try them all. */
    private static boolean naive(String pattern, String text) {
        if (pattern.isEmpty()) {
            return text.isEmpty();
        }
        char first = pattern.charAt(0);
        if (first == '*') {
            for (int skip = 0; skip <= text.length(); skip++) {
                if (naive(pattern.substring(1), text.substring(skip))) {
                    return true;
                }
            }
            return false;
        }
        if (text.isEmpty()) {
            return false;
        }
        int part = 1;
        boolean matches;
        if (first == '?') {
            matches = true;
        } else if (first == '\\' && pattern.length() > 1) {
            part = 2;
            matches = pattern.charAt(1) == text.charAt(0);
        } else if (first == '[') {
            int close = closing(pattern);
            part = Math.min(close + 1, pattern.length());
            matches = inClass(pattern.substring(1, close), text.charAt(0));
        } else {
            matches = first == text.charAt(0);
        }
        return matches && naive(pattern.substring(part), text.substring(1));
    }

    /** The index of the bracket that ends the class with which the pattern begins, or its length. */
    private static int closing(String pattern) {
        int i = pattern.startsWith("[^") ? 2 : 1;
        while (i < pattern.length() && pattern.charAt(i) != ']') {
            boolean escape = pattern.charAt(i) == '\\' && i + 1 < pattern.length();
            boolean range = !escape && i + 2 < pattern.length() && pattern.charAt(i + 1) == '-';
            i += range ? 3 : escape ? 2 : 1;
        }
        return Math.min(i, pattern.length());
    }

    private static boolean inClass(String members, char c) {
        boolean negated = members.startsWith("^");
        String rest = negated ? members.substring(1) : members;
        boolean inside = false;
        while (!rest.isEmpty()) {
            if (rest.charAt(0) == '\\' && rest.length() > 1) {
                inside |= rest.charAt(1) == c;
                rest = rest.substring(2);
            } else if (rest.length() > 2 && rest.charAt(1) == '-') {
                inside |= (rest.charAt(0) <= c && c <= rest.charAt(2)) || (rest.charAt(2) <= c && c <= rest.charAt(0));
                rest = rest.substring(3);
            } else {
                inside |= rest.charAt(0) == c;
                rest = rest.substring(1);
            }
        }
        return inside != negated;
    }

    @Test
    void aHostilePatternCostsNoMoreThanLengthTimesLength() {
        byte[] text = new byte[10_000];
        Arrays.fill(text, (byte) 'a');
        byte[] pattern = bytes("*a".repeat(50) + "*b");
        long steps = new Glob(pattern, false).walk(text, 0, text.length);
        assertThat(steps).as("no match").isNegative();
        // The last star alone runs to the end of the text: about one step forth and one back for each byte.
        assertThat(~steps).isLessThan(3L * text.length);
        byte[] worse = bytes("*" + "a".repeat(100) + "b");
        assertThat(~new Glob(worse, false).walk(text, 0, text.length)).isLessThan(102L * text.length);
    }
}
