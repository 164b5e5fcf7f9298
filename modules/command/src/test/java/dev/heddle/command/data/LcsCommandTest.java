package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** LCS through the table, and its algorithm against the definition. */
class LcsCommandTest {

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    @Test
    void theSequenceItsLengthAndWhereItLies() {
        run("MSET a ohmytext b mynewtext");
        assertThat(run("LCS a b")).isEqualTo(bulk("mytext"));
        assertThat(run("LCS a b LEN")).isEqualTo(":6\r\n");
        String matches = "*2\r\n*2\r\n*2\r\n:4\r\n:7\r\n*2\r\n:5\r\n:8\r\n*2\r\n*2\r\n:2\r\n:3\r\n*2\r\n:0\r\n:1\r\n";
        assertThat(run("LCS a b IDX")).isEqualTo("*4\r\n" + bulk("matches") + matches + bulk("len") + ":6\r\n");
        assertThat(run("LCS a b idx minmatchlen 4 withmatchlen"))
                .isEqualTo("*4\r\n" + bulk("matches")
                        + "*1\r\n*3\r\n*2\r\n:4\r\n:7\r\n*2\r\n:5\r\n:8\r\n:4\r\n"
                        + bulk("len") + ":6\r\n");
        tester.client().session().reply().protocol(3);
        assertThat(run("LCS a b IDX")).isEqualTo("%2\r\n" + bulk("matches") + matches + bulk("len") + ":6\r\n");
    }

    @Test
    void whatIsNotThereIsEmpty() {
        run("SET n 12345");
        assertThat(run("LCS n none")).isEqualTo(bulk(""));
        assertThat(run("LCS none none LEN")).isEqualTo(":0\r\n");
        assertThat(run("LCS n n")).isEqualTo(bulk("12345"));
        assertThat(run("LCS n none IDX")).isEqualTo("*4\r\n" + bulk("matches") + "*0\r\n" + bulk("len") + ":0\r\n");
    }

    @Test
    void refusals() {
        run("RPUSH l x");
        run("SET a v");
        assertThat(run("LCS a l")).isEqualTo("-ERR The specified keys must contain string values\r\n");
        assertThat(run("LCS a l what")).isEqualTo("-ERR The specified keys must contain string values\r\n");
        assertThat(run("LCS a a what")).isEqualTo("-ERR syntax error\r\n");
        assertThat(run("LCS a a MINMATCHLEN")).isEqualTo("-ERR syntax error\r\n");
        assertThat(run("LCS a a MINMATCHLEN x")).isEqualTo("-ERR value is not an integer or out of range\r\n");
        assertThat(run("LCS a a LEN IDX"))
                .isEqualTo("-ERR If you want both the length and indexes, please just use IDX.\r\n");
        tester.run("SET", "a", "x".repeat(12_000));
        assertThat(run("LCS a a LEN"))
                .isEqualTo("-ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len\r\n");
    }

    @Provide
    Arbitrary<String> words() {
        return Arbitraries.strings().withChars("abc").ofMaxLength(8);
    }

    @Property(tries = 500)
    void nothingLongerIsCommon(@ForAll("words") String a, @ForAll("words") String b) {
        LongestCommonSubsequence common = new LongestCommonSubsequence(
                a.getBytes(StandardCharsets.US_ASCII), b.getBytes(StandardCharsets.US_ASCII));
        String sequence = new String(common.bytes(), StandardCharsets.US_ASCII);
        assertThat(sequence).hasSize(common.length());
        assertThat(isWithin(sequence, a)).isTrue();
        assertThat(isWithin(sequence, b)).isTrue();
        int longest = 0;
        for (int chosen = 0; chosen < 1 << a.length(); chosen++) {
            if (Integer.bitCount(chosen) > longest && isWithin(chosen(a, chosen), b)) {
                longest = Integer.bitCount(chosen);
            }
        }
        assertThat(common.length()).isEqualTo(longest);
    }

    @Property(tries = 300)
    void matchesCoverTheSequence(@ForAll("words") String a, @ForAll("words") String b) {
        LongestCommonSubsequence common = new LongestCommonSubsequence(
                a.getBytes(StandardCharsets.US_ASCII), b.getBytes(StandardCharsets.US_ASCII));
        StringBuilder together = new StringBuilder();
        common.forEachMatch((inA, inB, length) -> {
            assertThat(a.substring(inA, inA + length)).isEqualTo(b.substring(inB, inB + length));
            together.insert(0, a.substring(inA, inA + length));
        });
        assertThat(together).hasToString(new String(common.bytes(), StandardCharsets.US_ASCII));
    }

    private static String chosen(String text, int bits) {
        StringBuilder chosen = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if ((bits >> i & 1) != 0) {
                chosen.append(text.charAt(i));
            }
        }
        return chosen.toString();
    }

    private static boolean isWithin(String sequence, String text) {
        int at = 0;
        for (int i = 0; i < text.length() && at < sequence.length(); i++) {
            at += text.charAt(i) == sequence.charAt(at) ? 1 : 0;
        }
        return at == sequence.length();
    }
}
