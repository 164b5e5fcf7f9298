package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Strings as arrays of bits, through the table; the replies are those of redis-server 7.2. */
class BitCommandsTest {

    private static final String BAD_OFFSET = "-ERR bit offset is not an integer or out of range\r\n";
    private static final String BAD_BIT = "-ERR bit is not an integer or out of range\r\n";
    private static final String SYNTAX = "-ERR syntax error\r\n";
    private static final String NOT_INTEGER = "-ERR value is not an integer or out of range\r\n";

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    private void set(String key, byte[] value) {
        tester.run("SET", key, new String(value, StandardCharsets.ISO_8859_1));
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    @Test
    void setAndGetBit() {
        assertThat(run("SETBIT k 7 1")).isEqualTo(":0\r\n");
        assertThat(run("GET k")).isEqualTo(bulk("\u0001"));
        assertThat(tester.effects()).containsExactly("SETBIT k 7 1");
        assertThat(tester.events()).containsExactly("new k", "setbit k");
        assertThat(run("SETBIT k 7 1")).isEqualTo(":1\r\n");
        assertThat(tester.effects()).as("nothing new").isEmpty();
        assertThat(run("SETBIT k 20 0")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).as("the string has grown").containsExactly("SETBIT k 20 0");
        assertThat(run("STRLEN k")).isEqualTo(":3\r\n");
        assertThat(run("GETBIT k 7")).isEqualTo(":1\r\n");
        assertThat(run("GETBIT k 8")).isEqualTo(":0\r\n");
        assertThat(run("GETBIT k 4000000000")).isEqualTo(":0\r\n");
        assertThat(run("GETBIT none 0")).isEqualTo(":0\r\n");
        run("SET n 1");
        assertThat(run("SETBIT n 6 1")).isEqualTo(":0\r\n");
        assertThat(run("GET n")).isEqualTo(bulk("3"));
    }

    @Test
    void refusals() {
        run("RPUSH l x");
        tester.effects();
        assertThat(run("SETBIT k -1 1")).isEqualTo(BAD_OFFSET);
        assertThat(run("SETBIT k x 1")).isEqualTo(BAD_OFFSET);
        assertThat(run("SETBIT k 4294967296 1")).isEqualTo(BAD_OFFSET);
        assertThat(run("SETBIT k 0 2")).isEqualTo(BAD_BIT);
        assertThat(run("SETBIT k 0 x")).isEqualTo(BAD_BIT);
        assertThat(run("GETBIT k x")).isEqualTo(BAD_OFFSET);
        assertThat(run("SETBIT l 0 1")).startsWith("-WRONGTYPE");
        assertThat(run("GETBIT l 0")).startsWith("-WRONGTYPE");
        assertThat(run("BITCOUNT l")).startsWith("-WRONGTYPE");
        assertThat(run("BITPOS l 1")).startsWith("-WRONGTYPE");
        assertThat(run("BITOP AND d l")).startsWith("-WRONGTYPE");
        assertThat(run("BITFIELD l SET u8 0 1")).startsWith("-WRONGTYPE");
        assertThat(run("BITFIELD l GET u8 0")).startsWith("-WRONGTYPE");
        assertThat(run("EXISTS k d")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', 26",
        "0 0, 4",
        "1 1, 6",
        "0 -1, 26",
        "-2 -1, 7",
        "-1 -2, 0",
        "5 1, 0",
        "1 1 BYTE, 6",
        "5 30 BIT, 17",
        "0 -1 bit, 26",
        "5 5 BIT, 1",
        "4 4 BIT, 0",
        "-100 -1 BIT, 26"
    })
    void bitCount(String range, int count) {
        run("SET k foobar");
        assertThat(run("BITCOUNT k " + range)).isEqualTo(":" + count + "\r\n");
    }

    @Test
    void bitCountOfBadRanges() {
        run("SET k foobar");
        assertThat(run("BITCOUNT k 0")).isEqualTo(SYNTAX);
        assertThat(run("BITCOUNT k 0 1 what")).isEqualTo(SYNTAX);
        assertThat(run("BITCOUNT k 0 1 BIT 2")).isEqualTo(SYNTAX);
        assertThat(run("BITCOUNT k x 1")).isEqualTo(NOT_INTEGER);
        assertThat(run("BITCOUNT none 0")).isEqualTo(":0\r\n");
    }

    @Test
    void bitPos() {
        tester.run("SET", "k", "\u00ff\u00f0\u0000");
        assertThat(run("BITPOS k 0")).isEqualTo(":12\r\n");
        assertThat(run("BITPOS k 1 2")).isEqualTo(":-1\r\n");
        assertThat(run("BITPOS k 1 0 -1 BIT")).isEqualTo(":0\r\n");
        assertThat(run("BITPOS k 0 5 15 BIT")).isEqualTo(":12\r\n");
        assertThat(run("BITPOS k 1 12 -1 BIT")).isEqualTo(":-1\r\n");
        tester.run("SET", "ones", "\u00ff\u00ff");
        assertThat(run("BITPOS ones 0")).as("zeros follow").isEqualTo(":16\r\n");
        assertThat(run("BITPOS ones 0 1")).isEqualTo(":16\r\n");
        assertThat(run("BITPOS ones 0 0 -1"))
                .as("but not in a range with an end")
                .isEqualTo(":-1\r\n");
        assertThat(run("BITPOS ones 0 5")).isEqualTo(":-1\r\n");
        assertThat(run("BITPOS none 0")).isEqualTo(":0\r\n");
        assertThat(run("BITPOS none 1")).isEqualTo(":-1\r\n");
        tester.run("SET", "empty", "");
        assertThat(run("BITPOS empty 0")).isEqualTo(":-1\r\n");
        assertThat(run("BITPOS k 2")).isEqualTo("-ERR The bit argument must be 1 or 0.\r\n");
        assertThat(run("BITPOS k x")).isEqualTo(NOT_INTEGER);
        assertThat(run("BITPOS k 1 0 1 what")).isEqualTo(SYNTAX);
        assertThat(run("BITPOS k 1 0 1 BIT 5")).isEqualTo(SYNTAX);
        assertThat(run("BITPOS k 1 x")).isEqualTo(NOT_INTEGER);
    }

    private static boolean bit(byte[] bytes, int i) {
        return (bytes[i / 8] >> (7 - i % 8) & 1) != 0;
    }

    @Property(tries = 300)
    void countAndPositionAreWhatLookingAtEachBitGives(
            @ForAll @Size(max = 40) byte[] bytes,
            @ForAll @IntRange(max = 330) int start,
            @ForAll @IntRange(max = 330) int end,
            @ForAll boolean sought) {
        set("k", bytes);
        int count = 0;
        int first = -1;
        for (int i = start; i <= end && i < bytes.length * 8; i++) {
            count += bit(bytes, i) ? 1 : 0;
            first = first < 0 && bit(bytes, i) == sought ? i : first;
        }
        String range = start + " " + end + " BIT";
        assertThat(run("BITCOUNT k " + range)).isEqualTo(":" + count + "\r\n");
        assertThat(run("BITPOS k " + (sought ? 1 : 0) + " " + range)).isEqualTo(":" + first + "\r\n");
    }

    @Test
    void aLongRunOfEqualBitsIsSkipped() {
        byte[] bytes = new byte[1000];
        bytes[999] = 1;
        set("k", bytes);
        assertThat(run("BITPOS k 1")).isEqualTo(":7999\r\n");
        assertThat(run("BITCOUNT k")).isEqualTo(":1\r\n");
    }

    @Property(tries = 200)
    void operationsWorkByteByByte(@ForAll @Size(min = 1, max = 4) List<@Size(max = 40) byte[]> sources) {
        StringBuilder keys = new StringBuilder();
        int longest = 0;
        for (int i = 0; i < sources.size(); i++) {
            set("s" + i, sources.get(i));
            keys.append(" s").append(i);
            longest = Math.max(longest, sources.get(i).length);
        }
        for (String operation : new String[] {"AND", "or", "XOR"}) {
            StringBuilder expected = new StringBuilder();
            for (int at = 0; at < longest; at++) {
                int sum = at < sources.getFirst().length ? sources.getFirst()[at] : 0;
                for (byte[] source : sources.subList(1, sources.size())) {
                    int b = at < source.length ? source[at] : 0;
                    sum = operation.equals("AND") ? sum & b : operation.equals("or") ? sum | b : sum ^ b;
                }
                expected.append((char) (sum & 0xff));
            }
            assertThat(run("BITOP " + operation + " d" + keys)).isEqualTo(":" + longest + "\r\n");
            assertThat(run("GET d")).isEqualTo(longest == 0 ? "$-1\r\n" : bulk(expected.toString()));
        }
        StringBuilder inverse = new StringBuilder();
        for (byte b : sources.getFirst()) {
            inverse.append((char) (~b & 0xff));
        }
        run("BITOP NOT d s0");
        assertThat(run("GET d")).isEqualTo(inverse.isEmpty() ? "$-1\r\n" : bulk(inverse.toString()));
    }

    @Test
    void bitOpOverwritesItsTarget() {
        run("SET a abc");
        run("SET d v EX 100");
        tester.effects();
        tester.events();
        assertThat(run("BITOP OR d a none")).isEqualTo(":3\r\n");
        assertThat(tester.effects()).containsExactly("BITOP OR d a none");
        assertThat(tester.events()).containsExactly("set d");
        assertThat(run("TTL d")).isEqualTo(":-1\r\n");
        assertThat(run("BITOP AND a a a")).isEqualTo(":3\r\n");
        tester.events();
        assertThat(run("BITOP AND d none")).isEqualTo(":0\r\n");
        assertThat(tester.events()).containsExactly("del d");
        assertThat(run("EXISTS d")).isEqualTo(":0\r\n");
        tester.effects();
        assertThat(run("BITOP AND d none")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(run("BITOP NOT d a a")).isEqualTo("-ERR BITOP NOT must be called with a single source key.\r\n");
        assertThat(run("BITOP NAND d a")).isEqualTo(SYNTAX);
    }
}
