package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings as numbers, through the table; the replies are those of redis-server 7.2. */
class CounterCommandsTest {

    private static final String NOT_INTEGER = "-ERR value is not an integer or out of range\r\n";
    private static final String OVERFLOW = "-ERR increment or decrement would overflow\r\n";

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    @Test
    void countsUpAndDown() {
        assertThat(run("INCR k")).isEqualTo(":1\r\n");
        assertThat(run("INCRBY k 41")).isEqualTo(":42\r\n");
        assertThat(run("DECR k")).isEqualTo(":41\r\n");
        assertThat(run("DECRBY k 50")).isEqualTo(":-9\r\n");
        assertThat(run("DECRBY k -10")).isEqualTo(":1\r\n");
        assertThat(tester.effects()).containsExactly("INCR k", "INCRBY k 41", "DECR k", "DECRBY k 50", "DECRBY k -10");
        assertThat(tester.events())
                .containsExactly("new k", "incrby k", "incrby k", "incrby k", "incrby k", "incrby k");
        assertThat(run("OBJECT ENCODING k")).isEqualTo(bulk("int"));
    }

    @Test
    void keepsTheTimeToLive() {
        run("SET k 1 EX 100");
        run("INCR k");
        run("INCRBYFLOAT k 0.5");
        assertThat(run("TTL k")).isEqualTo(":100\r\n");
        assertThat(run("GET k")).isEqualTo(bulk("2.5"));
    }

    @Test
    void doesNotWrapAround() {
        run("SET most 9223372036854775807");
        run("SET least -9223372036854775808");
        tester.effects();
        assertThat(run("INCR most")).isEqualTo(OVERFLOW);
        assertThat(run("INCRBY most 9223372036854775807")).isEqualTo(OVERFLOW);
        assertThat(run("DECR least")).isEqualTo(OVERFLOW);
        assertThat(run("DECRBY least 9223372036854775807")).isEqualTo(OVERFLOW);
        assertThat(run("DECRBY none -9223372036854775808")).isEqualTo("-ERR decrement would overflow\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(run("EXISTS none")).isEqualTo(":0\r\n");
        assertThat(run("INCRBY most -9223372036854775808")).isEqualTo(":-1\r\n");
        assertThat(run("INCRBY least 9223372036854775807")).isEqualTo(":-1\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " 1", "1 ", "1x", "+1", "01", "-0", "1.0", "9223372036854775808", "99999999999999999999"})
    void whatIsNoInteger(String value) {
        tester.run("SET", "k", value);
        assertThat(run("INCR k")).isEqualTo(NOT_INTEGER);
        assertThat(tester.run("INCRBY", "n", value)).isEqualTo(NOT_INTEGER);
        assertThat(run("EXISTS n")).isEqualTo(":0\r\n");
        assertThat(run("GET k")).isEqualTo(bulk(value));
    }

    @Test
    void numbersInOtherFormsOfStrings() {
        run("SETRANGE k 0 12");
        assertThat(run("OBJECT ENCODING k")).isEqualTo(bulk("raw"));
        assertThat(run("INCR k")).isEqualTo(":13\r\n");
        assertThat(run("OBJECT ENCODING k")).isEqualTo(bulk("int"));
        run("SETRANGE k 1 x");
        assertThat(run("INCR k")).isEqualTo(NOT_INTEGER);
        assertThat(run("INCRBYFLOAT f 20")).isEqualTo(bulk("20"));
        assertThat(run("OBJECT ENCODING f")).isEqualTo(bulk("embstr"));
        assertThat(run("INCR f")).isEqualTo(":21\r\n");
        run("SETRANGE b 0 -9223372036854775807");
        assertThat(run("DECR b")).isEqualTo(":-9223372036854775808\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "10.50, 0.1, 10.6",
        "5.0e3, 2.0e2, 5200",
        "3, -3.0, 0",
        "1, 0x10, 17",
        "17179869184, 17179869184, 34359738368",
        "1, 1.5e-20, 1",
        "3.0e3, 200, 3200",
        "1234.1, 0.1, 1234.19999999999999996"
    })
    void addsAsLongDoubles(String old, String increment, String sum) {
        run("SET k " + old);
        tester.effects();
        tester.events();
        assertThat(run("INCRBYFLOAT k " + increment)).isEqualTo(bulk(sum));
        assertThat(run("GET k")).isEqualTo(bulk(sum));
        assertThat(tester.effects()).containsExactly("SET k " + sum + " KEEPTTL");
        assertThat(tester.events()).containsExactly("incrbyfloat k");
    }

    @Test
    void floatsThatAreNone() {
        run("SET k abc");
        tester.effects();
        assertThat(run("INCRBYFLOAT k 1")).isEqualTo("-ERR value is not a valid float\r\n");
        assertThat(run("INCRBYFLOAT none x")).isEqualTo("-ERR value is not a valid float\r\n");
        assertThat(run("INCRBYFLOAT none nan")).isEqualTo("-ERR value is not a valid float\r\n");
        assertThat(tester.run("INCRBYFLOAT", "none", " 1")).isEqualTo("-ERR value is not a valid float\r\n");
        assertThat(run("INCRBYFLOAT none inf")).isEqualTo("-ERR increment would produce NaN or Infinity\r\n");
        assertThat(run("INCRBYFLOAT none -inf")).isEqualTo("-ERR increment would produce NaN or Infinity\r\n");
        assertThat(run("EXISTS none")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
    }
}
