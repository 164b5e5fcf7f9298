package dev.heddle.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables hold what redis-server 7.2 answers to ZADD with ZSCORE, and to INCRBYFLOAT. */
class NumbersTest {
    @Property
    void longsSurvive(@ForAll long n) {
        byte[] bytes = Numbers.toBytes(n);
        assertThat(text(bytes)).isEqualTo(Long.toString(n));
        assertThat(Numbers.length(n)).isEqualTo(bytes.length);
        assertThat(Numbers.parseLong(bytes, 0, bytes.length)).isEqualTo(n);
        assertThat(Numbers.isLong(bytes, 0, bytes.length)).isTrue();
    }

    @Test
    void everyLengthOfLong() {
        long power = 1;
        for (int digits = 1; digits <= 19; digits++, power *= 10) {
            longsSurvive(power);
            longsSurvive(power - 1);
            longsSurvive(-power);
            longsSurvive(power - 1 + power);
        }
        longsSurvive(Long.MIN_VALUE);
        longsSurvive(Long.MIN_VALUE + 1);
        longsSurvive(Long.MAX_VALUE);
    }

    @Property
    void onlyTheTextOfALongIsALong(@ForAll("almostNumbers") String text) {
        byte[] bytes = Parsing.bytes("<" + text + ">");
        assertThat(Numbers.isLong(bytes, 1, text.length())).isEqualTo(isTextOfLong(text));
    }

    private static boolean isTextOfLong(String text) {
        try {
            return Long.toString(Long.parseLong(text)).equals(text);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "+1",
                "-0",
                "00",
                "01",
                " 1",
                "1 ",
                "1.0",
                "9223372036854775808",
                "-9223372036854775809",
                "18446744073709551617",
                "99999999999999999999",
                "0x1",
                "--1"
            })
    void notALong(String text) {
        byte[] bytes = Parsing.bytes(text);
        assertThat(Numbers.parseLong(bytes, 0, bytes.length)).isEqualTo(Numbers.NOT_A_LONG);
        assertThat(Numbers.isLong(bytes, 0, bytes.length)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, -0",
        "3, 3",
        "0.1, 0.1",
        "-1.5, -1.5",
        "0.30000000000000004, 0.30000000000000004",
        "1e16, 10000000000000000",
        "1e18, 1000000000000000000",
        "4611686018427387904, 4611686018427387904",
        "4.7e18, 4.7e+18",
        "1e19, 1e+19",
        "1e21, 1e+21",
        "1.5e300, 1.5e+300",
        "1e-5, 0.00001",
        "1e-6, 0.000001",
        "1e-7, 1e-7",
        "1.5e-7, 1.5e-7",
        "0.00012345678, 1.2345678e-4",
        "0.0012345678, 0.0012345678",
        "123456789012.34567, 123456789012.34567",
        "12345678.12345678, 1.234567812345678e+7",
        "1e308, 1e+308",
        "5e-324, 5e-324",
        "9.9e-323, 1e-322",
        "1.5e-323, 1.5e-323",
        "2.2250738585072014e-308, 2.2250738585072014e-308",
        "0x1.8p3, 12",
        "0x.8, 0.5",
        "inf, inf",
        "+Infinity, inf",
        "-INF, -inf",
        "+5, 5",
        "1., 1",
        ".5, 0.5",
        "00012, 12",
        "1E5, 100000",
        "0e99999999999, 0",
        "0x0p5, 0",
        "9007199254740993, 9007199254740992",
        "123456789012345, 123456789012345",
        "-12345678.123456, -12345678.123456",
    })
    void doublesAreReadAndPrinted(String text, String printed) {
        double value = parse(text);
        assertThat(Numbers.format(value)).isEqualTo(printed);
        assertThat(text(Numbers.toBytes(value))).isEqualTo(printed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " 1", "1 ", "nan", "NaN", "-nan", "nan(1)", "1e400", "-1e400", "1e-400", "1e", "1e+", "--5", "+ 5",
                "-.", ".", "-", "1_0", "1d", "1f", "1,5", "0x", "0x1p", "0x1p2000", "0x1p-2000", "infinit", "i",
                        "1e99999999999",
                "1.2.3", "abc"
            })
    void notADouble(String text) {
        assertThat(parse(text)).isNaN();
    }

    @Property(tries = 5000)
    void printedDoublesReadBackTheSame(@ForAll("doubles") double value) {
        assertThat(parse(Numbers.format(value))).isEqualTo(value);
        assertThat(Numbers.format(value).length()).isLessThanOrEqualTo(25);
    }

    @Property(tries = 5000)
    void decimalsAreReadAsJavaReadsThem(@ForAll("almostNumbers") String text) {
        assertThat(parse(text)).isEqualTo(Double.valueOf(readByJava(text)));
    }

    /** NaN for what is no number, for blanks, which Java allows, and for what a double cannot hold. */
    private static double readByJava(String text) {
        try {
            double value = Double.parseDouble(text);
            int mark = text.indexOf('e');
            boolean zero = !(mark < 0 ? text : text.substring(0, mark)).matches(".*[1-9].*");
            boolean outOfRange = Double.isInfinite(value) || (value == 0 && !zero);
            return text.contains(" ") || outOfRange ? Double.NaN : value;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0.1, 0.2, 0.3",
        "1234.1, 0.1, 1234.19999999999999996",
        "1e30, 1, 1000000000000000000024696061952",
        "5.0e3, 200, 5200",
        "123456789.123, 0.001, 123456789.12399999999615829",
        "-0, 0, 0",
        "0x10, 1, 17",
        "1e-20, 0, 0",
        "0.00000000000000001, 0, 0.00000000000000001",
        "-0.1, 0.1, 0",
        "9007199254740993, 0.5, 9007199254740993.5",
        "17179869184, 1.5, 17179869185.5",
        "+5, 1, 6",
    })
    void sumsHaveThePrecisionOfLongDoubles(String a, String b, String sum) {
        var result = Numbers.addDecimals(decimal(a), decimal(b));
        assertThat(result).isNotNull();
        assertThat(Numbers.plain(result)).isEqualTo(sum);
    }

    @Test
    void theRangeOfLongDoublesIsKept() {
        for (String text : new String[] {
            "1e5000",
            "1.19e4932",
            "0x1p16384",
            "1e-5000",
            "0x1p-16446",
            "nan",
            "inf",
            "",
            "1e",
            " 1",
            "1e99999999999",
            "0." + "1".repeat(5118)
        }) {
            assertThat(tryDecimal(text)).as(text).isNull();
        }
        for (String text : new String[] {"1.18e4932", "0x1p16383", "0x1p-16445", "0e99999999", "3e-4951"}) {
            assertThat(tryDecimal(text)).as(text).isNotNull();
        }
        assertThat(Numbers.addDecimals(decimal("1.18e4932"), decimal("1.18e4932")))
                .isNull();
        assertThat(Numbers.plain(decimal("1e4000"))).hasSizeBetween(4000, 4001).matches("9{18}\\d+|10{18}\\d+");
    }

    @Test
    void infinityIsAWord() {
        for (String text : new String[] {"inf", "-inf", "+INF", "Infinity"}) {
            byte[] bytes = Parsing.bytes(text);
            assertThat(Numbers.isInfinite(bytes, 0, bytes.length)).isTrue();
        }
        byte[] finite = Parsing.bytes("1e400");
        assertThat(Numbers.isInfinite(finite, 0, finite.length)).isFalse();
        assertThat(Numbers.isInfinite(finite, 0, 0)).isFalse();
    }

    @Test
    void humansSeeNoExponent() {
        assertThat(text(Numbers.formatHuman(1e21))).isEqualTo("1000000000000000000000");
        assertThat(text(Numbers.formatHuman(0.1))).isEqualTo("0.10000000000000001");
        assertThat(text(Numbers.formatHuman(-0.0))).isEqualTo("0");
        assertThat(text(Numbers.formatHuman(Double.POSITIVE_INFINITY))).isEqualTo("inf");
    }

    private static double parse(String text) {
        byte[] bytes = Parsing.bytes("1" + text + "1");
        return Numbers.parseDouble(bytes, 1, text.length());
    }

    private static BigDecimal decimal(String text) {
        var value = tryDecimal(text);
        if (value == null) {
            throw new AssertionError(text);
        }
        return value;
    }

    private static @Nullable BigDecimal tryDecimal(String text) {
        byte[] bytes = Parsing.bytes(text);
        return Numbers.parseDecimal(bytes, 0, bytes.length);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Provide
    Arbitrary<String> almostNumbers() {
        return Arbitraries.strings()
                .withChars("0123456789999+-.e ")
                .ofMinLength(1)
                .ofMaxLength(20);
    }

    @Provide
    Arbitrary<Double> doubles() {
        return Arbitraries.oneOf(
                Arbitraries.longs().map(Double::longBitsToDouble).filter(d -> !Double.isNaN(d)),
                Arbitraries.longs().map(n -> n / 1000.0),
                Arbitraries.integers().map(n -> n / 100.0),
                Arbitraries.integers().between(1, 3000).map(n -> n * Double.MIN_VALUE));
    }
}
