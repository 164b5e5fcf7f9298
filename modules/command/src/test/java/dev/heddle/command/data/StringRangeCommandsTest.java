package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parts of strings, through the table; the replies are those of redis-server 7.2. */
class StringRangeCommandsTest {

    private static final String TOO_LONG = "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n";

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    @ParameterizedTest
    @CsvSource({
        "0, 3, This",
        "0, -1, This is a string",
        "-3, -1, ing",
        "5, 4, ''",
        "5000, 10000, ''",
        "-5, -10, ''",
        "-100, -50, T",
        "0, 9223372036854775807, This is a string",
        "-9223372036854775808, 0, T"
    })
    void getRangeAndItsOldName(String start, String end, String expected) {
        tester.run("SET", "k", "This is a string");
        assertThat(tester.run("GETRANGE", "k", start, end)).isEqualTo(bulk(expected));
        assertThat(tester.run("SUBSTR", "k", start, end)).isEqualTo(bulk(expected));
        assertThat(tester.run("GETRANGE", "none", start, end)).isEqualTo(bulk(""));
    }

    @Test
    void rangesOfNumbers() {
        run("SET k 1234");
        assertThat(run("GETRANGE k 1 2")).isEqualTo(bulk("23"));
        assertThat(run("GETRANGE k x 2")).isEqualTo("-ERR value is not an integer or out of range\r\n");
        assertThat(run("GETRANGE k 0 1.5")).isEqualTo("-ERR value is not an integer or out of range\r\n");
    }

    @Property(tries = 300)
    void getRangeTakesWhatCountingTakes(
            @ForAll @AlphaChars @StringLength(max = 12) String value,
            @ForAll @IntRange(min = -15, max = 15) int start,
            @ForAll @IntRange(min = -15, max = 15) int end) {
        tester.run("SET", "k", value);
        // Byte i is in the range if it is neither before the start nor behind the end, negative ones counted from the
        // end.
        StringBuilder expected = new StringBuilder();
        int last = end < 0 ? Math.max(end + value.length(), 0) : end;
        boolean empty = start < 0 && end < 0 && start > end;
        for (int i = 0; i < value.length() && !empty; i++) {
            if (i >= (start < 0 ? start + value.length() : start) && i <= last) {
                expected.append(value.charAt(i));
            }
        }
        assertThat(run("GETRANGE k " + start + " " + end)).isEqualTo(bulk(expected.toString()));
    }

    @Property(tries = 200)
    void setRangeWritesWhatAnArrayWouldHold(
            @ForAll @AlphaChars @StringLength(max = 12) String value,
            @ForAll @IntRange(max = 20) int offset,
            @ForAll @AlphaChars @StringLength(max = 12) String part) {
        tester.run("SET", "k", value);
        byte[] model = value.getBytes(StandardCharsets.ISO_8859_1);
        if (!part.isEmpty()) {
            model = Arrays.copyOf(model, Math.max(model.length, offset + part.length()));
            System.arraycopy(part.getBytes(StandardCharsets.ISO_8859_1), 0, model, offset, part.length());
        }
        assertThat(tester.run("SETRANGE", "k", "" + offset, part)).isEqualTo(":" + model.length + "\r\n");
        assertThat(tester.run("GET", "k")).isEqualTo(bulk(new String(model, StandardCharsets.ISO_8859_1)));
    }

    @Test
    void setRange() {
        assertThat(run("SETRANGE k 3 ab")).isEqualTo(":5\r\n");
        assertThat(run("GET k")).isEqualTo(bulk("\u0000\u0000\u0000ab"));
        assertThat(tester.effects()).containsExactly("SETRANGE k 3 ab");
        assertThat(tester.events()).containsExactly("new k", "setrange k");
        assertThat(run("OBJECT ENCODING k")).isEqualTo(bulk("raw"));
        run("SET n 12345");
        tester.effects();
        assertThat(run("SETRANGE n 1 x")).isEqualTo(":5\r\n");
        assertThat(run("GET n")).isEqualTo(bulk("1x345"));
    }

    @Test
    void settingNothingChangesNothing() {
        assertThat(tester.run("SETRANGE", "k", "5", "")).isEqualTo(":0\r\n");
        assertThat(run("EXISTS k")).isEqualTo(":0\r\n");
        run("SET k abc");
        tester.effects();
        assertThat(tester.run("SETRANGE", "k", "5", "")).isEqualTo(":3\r\n");
        assertThat(tester.run("SETRANGE", "k", "600000000", "")).isEqualTo(":3\r\n");
        assertThat(tester.effects()).isEmpty();
    }

    @Test
    void keepsToTheLongestString() {
        run("SET k abc");
        tester.effects();
        assertThat(run("SETRANGE k -1 x")).isEqualTo("-ERR offset is out of range\r\n");
        assertThat(run("SETRANGE k x x")).isEqualTo("-ERR value is not an integer or out of range\r\n");
        assertThat(run("SETRANGE k 536870912 x")).isEqualTo(TOO_LONG);
        assertThat(run("SETRANGE none 536870908 hello")).isEqualTo(TOO_LONG);
        assertThat(run("SETRANGE k 9223372036854775807 x")).isEqualTo(TOO_LONG);
        assertThat(run("EXISTS none")).isEqualTo(":0\r\n");
        tester.settings().network.maxBulkLength.settle(10L);
        assertThat(run("APPEND k 12345678")).isEqualTo(TOO_LONG);
        assertThat(run("APPEND k 1234567")).isEqualTo(":10\r\n");
        assertThat(tester.effects()).containsExactly("APPEND k 1234567");
    }

    @Test
    void append() {
        assertThat(run("APPEND k 12")).isEqualTo(":2\r\n");
        assertThat(run("OBJECT ENCODING k")).isEqualTo(bulk("int"));
        assertThat(run("APPEND k 34")).isEqualTo(":4\r\n");
        assertThat(run("OBJECT ENCODING k")).isEqualTo(bulk("raw"));
        assertThat(tester.run("APPEND", "k", "")).isEqualTo(":4\r\n");
        assertThat(run("GET k")).isEqualTo(bulk("1234"));
        assertThat(run("INCR k")).isEqualTo(":1235\r\n");
        assertThat(tester.effects()).containsExactly("APPEND k 12", "APPEND k 34", "APPEND k ", "INCR k");
        assertThat(tester.events()).containsExactly("new k", "append k", "append k", "append k", "incrby k");
    }

    @Test
    void keepsTheTimeToLive() {
        run("SET k v EX 100");
        run("APPEND k w");
        run("SETRANGE k 5 x");
        assertThat(run("TTL k")).isEqualTo(":100\r\n");
        assertThat(run("STRLEN k")).isEqualTo(":6\r\n");
        assertThat(run("STRLEN none")).isEqualTo(":0\r\n");
    }
}
