package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** BITFIELD through the table; the replies are those of redis-server 7.2. */
class BitFieldCommandsTest {

    private static final String BAD_TYPE = "-ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not"
            + " supported but i64 is.\r\n";

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    @Test
    void setsGetsAndIncrements() {
        assertThat(run("BITFIELD k SET u8 0 255 GET u4 4 INCRBY i5 100 1 GET u8 #0"))
                .isEqualTo("*4\r\n:0\r\n:15\r\n:1\r\n:255\r\n");
        assertThat(tester.effects()).containsExactly("BITFIELD k SET u8 0 255 GET u4 4 INCRBY i5 100 1 GET u8 #0");
        assertThat(tester.events()).containsExactly("new k", "setbit k");
        assertThat(run("STRLEN k")).isEqualTo(":14\r\n");
        assertThat(run("BITFIELD k GET i8 0 GET u63 1000 GET i1 0")).isEqualTo("*3\r\n:-1\r\n:0\r\n:-1\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(run("BITFIELD k SET u8 0 255")).isEqualTo("*1\r\n:255\r\n");
        assertThat(tester.effects()).as("the same again is no change").isEmpty();
        assertThat(run("BITFIELD k")).isEqualTo("*0\r\n");
        assertThat(run("BITFIELD none GET u8 0")).isEqualTo("*1\r\n:0\r\n");
        assertThat(run("EXISTS none")).isEqualTo(":0\r\n");
        run("SET n 1");
        assertThat(run("BITFIELD n GET u8 0")).isEqualTo("*1\r\n:49\r\n");
    }

    @Test
    void overflowHoldsForWhatFollowsIt() {
        run("BITFIELD k SET u2 0 3");
        assertThat(run("BITFIELD k INCRBY u2 0 1 OVERFLOW SAT INCRBY u2 0 9 OVERFLOW fail INCRBY u2 0 1 GET u2 0"))
                .isEqualTo("*4\r\n:0\r\n:3\r\n$-1\r\n:3\r\n");
        tester.client().session().reply().protocol(3);
        assertThat(run("BITFIELD k OVERFLOW FAIL INCRBY u2 0 1")).isEqualTo("*1\r\n_\r\n");
    }

    @Test
    void whatFailsHasGrownTheStringAllTheSame() {
        assertThat(run("BITFIELD k OVERFLOW FAIL SET u2 100 5")).isEqualTo("*1\r\n$-1\r\n");
        assertThat(run("STRLEN k")).isEqualTo(":13\r\n");
        assertThat(tester.effects()).containsExactly("BITFIELD k OVERFLOW FAIL SET u2 100 5");
        assertThat(tester.events()).containsExactly("new k");
    }

    @Test
    void readOnly() {
        run("SET k a");
        tester.effects();
        assertThat(run("BITFIELD_RO k GET u8 0 GET i4 4")).isEqualTo("*2\r\n:97\r\n:1\r\n");
        assertThat(run("BITFIELD_RO k GET u8 0 SET u8 0 1"))
                .isEqualTo("-ERR BITFIELD_RO only supports the GET subcommand\r\n");
        assertThat(run("BITFIELD_RO k OVERFLOW SAT")).isEqualTo("*0\r\n");
        assertThat(tester.effects()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"u0", "i0", "u64", "i65", "x8", "u", "i", "8", "u-1", "U8", "u08", "u1x"})
    void typesThatAreNone(String type) {
        assertThat(run("BITFIELD k GET " + type + " 0")).isEqualTo(BAD_TYPE);
        assertThat(run("BITFIELD k SET u8 0 1 SET " + type + " 0 1")).isEqualTo(BAD_TYPE);
        assertThat(run("EXISTS k")).isEqualTo(":0\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "x", "#", "#-1", "#x", "4294967296", "#4294967296", "#9223372036854775807", "1.5"})
    void offsetsThatAreNone(String offset) {
        assertThat(run("BITFIELD k GET u8 " + offset))
                .isEqualTo("-ERR bit offset is not an integer or out of range\r\n");
    }

    @Test
    void otherBadInput() {
        assertThat(run("BITFIELD k OVERFLOW what")).isEqualTo("-ERR Invalid OVERFLOW type specified\r\n");
        assertThat(run("BITFIELD k OVERFLOW")).isEqualTo("-ERR syntax error\r\n");
        assertThat(run("BITFIELD k GET u8")).isEqualTo("-ERR syntax error\r\n");
        assertThat(run("BITFIELD k SET u8 0")).isEqualTo("-ERR syntax error\r\n");
        assertThat(run("BITFIELD k WHAT u8 0")).isEqualTo("-ERR syntax error\r\n");
        assertThat(run("BITFIELD k SET u8 0 x")).isEqualTo("-ERR value is not an integer or out of range\r\n");
        assertThat(run("EXISTS k")).isEqualTo(":0\r\n");
    }

    @Provide
    Arbitrary<Long> operands() {
        return Arbitraries.oneOf(
                Arbitraries.longs(),
                Arbitraries.longs().between(-300, 300),
                Arbitraries.of(Long.MAX_VALUE, Long.MIN_VALUE, -1L, 0L, 1L));
    }

    /** Numbers of any width, side by side in one string, against exact arithmetic. */
    @Property(tries = 1000)
    void isExactArithmetic(
            @ForAll boolean signed,
            @ForAll @IntRange(min = 1, max = 64) int anyWidth,
            @ForAll @IntRange(max = 70) int offset,
            @ForAll("operands") long first,
            @ForAll("operands") long increment,
            @ForAll @IntRange(max = 2) int overflow) {
        int width = signed ? anyWidth : Math.min(anyWidth, 63);
        run("DEL k");
        String type = (signed ? " i" : " u") + width + " ";
        run("BITFIELD k SET u63 " + (offset + width) + " 6148914691236517205"); // a neighbour
        run("BITFIELD k SET" + type + offset + " " + first);
        BigInteger size = BigInteger.ONE.shiftLeft(width);
        BigInteger least = signed ? size.shiftRight(1).negate() : BigInteger.ZERO;
        BigInteger most = least.add(size).subtract(BigInteger.ONE);
        BigInteger old = wrapped(BigInteger.valueOf(first), least, size);
        BigInteger sum = old.add(BigInteger.valueOf(increment));
        boolean fits = sum.compareTo(least) >= 0 && sum.compareTo(most) <= 0;
        String word = new String[] {"WRAP", "SAT", "FAIL"}[overflow];
        BigInteger expected = fits
                ? sum
                : overflow == 0 ? wrapped(sum, least, size) : sum.min(most).max(least);
        boolean fails = overflow == 2 && !fits;
        assertThat(run("BITFIELD k GET" + type + offset)).isEqualTo("*1\r\n:" + old + "\r\n");
        assertThat(run("BITFIELD k OVERFLOW " + word + " INCRBY" + type + offset + " " + increment))
                .isEqualTo(fails ? "*1\r\n$-1\r\n" : "*1\r\n:" + expected + "\r\n");
        assertThat(run("BITFIELD k GET" + type + offset + " GET u63 " + (offset + width)))
                .isEqualTo("*2\r\n:" + (fails ? old : expected) + "\r\n:6148914691236517205\r\n");
    }

    private static BigInteger wrapped(BigInteger value, BigInteger least, BigInteger size) {
        return value.subtract(least).mod(size).add(least);
    }

    @Test
    void setsSaturate() {
        assertThat(run("BITFIELD k OVERFLOW SAT SET i8 0 1000 GET i8 0 SET i8 0 -1000 GET i8 0"))
                .isEqualTo("*4\r\n:0\r\n:127\r\n:127\r\n:-128\r\n");
        assertThat(run("BITFIELD k OVERFLOW SAT SET u8 0 -1 GET u8 0")).isEqualTo("*2\r\n:128\r\n:255\r\n");
        assertThat(run("BITFIELD k OVERFLOW SAT SET i8 0 -9223372036854775808 GET i8 0"))
                .as("Redis takes the most negative values for positive ones")
                .isEqualTo("*2\r\n:-1\r\n:127\r\n");
    }
}
