package dev.heddle.persistence.rdb;

import static dev.heddle.persistence.rdb.RdbBytes.intset;
import static dev.heddle.persistence.rdb.RdbBytes.latin;
import static dev.heddle.persistence.rdb.RdbBytes.listpack;
import static dev.heddle.persistence.rdb.RdbBytes.listpackOf;
import static dev.heddle.persistence.rdb.RdbBytes.packed;
import static dev.heddle.persistence.rdb.RdbBytes.packedText;
import static dev.heddle.persistence.rdb.RdbBytes.zipNumber;
import static dev.heddle.persistence.rdb.RdbBytes.zipText;
import static dev.heddle.persistence.rdb.RdbBytes.ziplist;
import static dev.heddle.persistence.rdb.RdbBytes.zipmap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.command.config.Settings;
import dev.heddle.resp.Numbers;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.HashValue;
import dev.heddle.store.value.ListValue;
import dev.heddle.store.value.SetValue;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ValueReaderTest {

    private static final long MOMENT = 1_900_000_000_000L;

    /** Writes down each element. */
    private record Texts(List<String> texts) implements ElementSink {
        @Override
        public void slice(byte[] array, int offset, int length) {
            texts.add(new String(array, offset, length, StandardCharsets.ISO_8859_1));
        }

        @Override
        public void number(long value) {
            texts.add(Long.toString(value));
        }

        @Override
        public void whole(byte[] array) {
            slice(array, 0, array.length);
        }
    }

    private static @Nullable Object read(int type, byte[] bytes) throws IOException {
        RdbInput in = new RdbInput(bytes, 0, bytes.length);
        Object value = new ValueReader(new Settings().encoding, new Random(1)).read(type, in);
        assertThat(in.remaining()).isZero();
        return value;
    }

    private static @Nullable Object read(int type, RdbBytes bytes) throws IOException {
        return read(type, bytes.bytes());
    }

    private static @Nullable Object readBlob(int type, byte[] blob) throws IOException {
        return read(type, new RdbBytes().string(blob));
    }

    private static List<String> elements(@Nullable Object value) {
        List<String> texts = new ArrayList<>();
        Texts sink = new Texts(texts);
        switch (value) {
            case ListValue list -> list.give(0, list.size(), false, sink);
            case SetValue set -> set.forEach(sink);
            case HashValue hash -> hash.forEach(HashValue.Part.BOTH, Long.MIN_VALUE, sink);
            case SortedSetValue sorted ->
                sorted.forEach((array, offset, length, score) -> {
                    sink.slice(array, offset, length);
                    texts.add(Numbers.format(score));
                });
            case null, default -> throw new AssertionError("not a collection: " + value);
        }
        return texts;
    }

    private static void assertRefused(int type, RdbBytes bytes, String message) {
        assertThatThrownBy(() -> read(type, bytes))
                .isInstanceOf(RdbException.class)
                .hasMessageContaining(message);
    }

    private static void assertDamaged(int type, byte[] blob) {
        assertRefused(type, new RdbBytes().string(blob), "damaged");
    }

    private static byte[] number(RdbBytes bytes) {
        return packed(bytes);
    }

    @Test
    void stringsInAllForms() throws IOException {
        assertThat(read(0, new RdbBytes().string("hello"))).isEqualTo(latin("hello"));
        assertThat(read(0, new RdbBytes().string(""))).isEqualTo(latin(""));
        assertThat(read(0, new RdbBytes().string("123456789012"))).isEqualTo(123456789012L);
        assertThat(read(0, new RdbBytes().string("007"))).isEqualTo(latin("007"));
        assertThat(read(0, new RdbBytes().raw(0xc0, 0x85))).isEqualTo(-123L);
        assertThat(read(0, new RdbBytes().raw(0xc1).little(-12345, 2))).isEqualTo(-12345L);
        assertThat(read(0, new RdbBytes().raw(0xc2).little(1234567890, 4))).isEqualTo(1234567890L);
        assertThat(read(0, new RdbBytes().raw(0xc3, 5, 12, 0, 'a', 0xe0, 2, 0))).isEqualTo(latin("aaaaaaaaaaaa"));
        byte[] long14 = latin("x".repeat(16383));
        byte[] long32 = latin("x".repeat(16384));
        assertThat(read(0, new RdbBytes().big(0x4000 | 16383, 2).raw(long14))).isEqualTo(long14);
        assertThat(read(0, new RdbBytes().raw(0x80).big(16384, 4).raw(long32))).isEqualTo(long32);
        assertThat(read(0, new RdbBytes().raw(0x81).big(16384, 8).raw(long32))).isEqualTo(long32);
    }

    @Test
    void stringsThatCannotBe() {
        assertRefused(0, new RdbBytes().raw(0xc4), "unknown form of a string: 4");
        assertRefused(0, new RdbBytes().raw(0x82), "unknown form of a length");
        assertRefused(0, new RdbBytes().raw(0x81).big(-1, 8), "more than 63 bits");
        assertRefused(0, new RdbBytes().raw(0x81).big(1L << 40, 8), "only 0 bytes are left");
        assertRefused(
                0, new RdbBytes().raw(0xc3, 1, 0x80).big(Integer.MAX_VALUE, 4).raw(0), "cannot become");
        assertRefused(0, new RdbBytes().raw(0xc3, 3, 5, 1, 'a', 'b'), "damaged");
        assertRefused(0, new RdbBytes().raw(0xc2, 1), "too early");
        assertRefused(1, new RdbBytes().raw(0xc0, 1), "a length was expected");
    }

    @Test
    void listpackElementsInEveryForm() throws IOException {
        byte[] blob = listpack(
                number(new RdbBytes().raw(0)),
                number(new RdbBytes().raw(127)),
                number(new RdbBytes().big(0xc000 | 4095, 2)),
                number(new RdbBytes().big(0xc000 | (-4096 & 0x1fff), 2)),
                number(new RdbBytes().big(0xc000 | (-1 & 0x1fff), 2)),
                number(new RdbBytes().raw(0xf1).little(-32768, 2)),
                number(new RdbBytes().raw(0xf2).little(-8388608, 3)),
                number(new RdbBytes().raw(0xf3).little(2147483647, 4)),
                number(new RdbBytes().raw(0xf4).little(Long.MIN_VALUE, 8)),
                packedText(""),
                packedText("s".repeat(63)),
                packedText("m".repeat(64)),
                packedText("m".repeat(4095)),
                packedText("l".repeat(4096)));
        assertThat(elements(read(18, new RdbBytes().length(1).raw(2).string(blob))))
                .containsExactly(
                        "0",
                        "127",
                        "4095",
                        "-4096",
                        "-1",
                        "-32768",
                        "-8388608",
                        "2147483647",
                        "-9223372036854775808",
                        "",
                        "s".repeat(63),
                        "m".repeat(64),
                        "m".repeat(4095),
                        "l".repeat(4096));
    }

    /** Redis keeps the largest size of two and of three groups in one group more. */
    @Test
    void sizesAtTheBorders() throws IOException {
        for (int size : new int[] {127, 128, 16382, 16383, 16384, 2097150, 2097151, 2097152}) {
            int head = size < 4096 ? 2 : 5;
            String text = "x".repeat(size - head);
            byte[] blob = listpack(packedText(text), packedText("end"));
            assertThat(elements(read(18, new RdbBytes().length(1).raw(2).string(blob))))
                    .containsExactly(text, "end");
        }
        byte[] short16383 = new RdbBytes()
                .raw(0xf0)
                .little(16378, 4)
                .raw(new byte[16378])
                .raw(0x7f, 0xff)
                .bytes();
        assertRefused(18, new RdbBytes().length(1).raw(2).string(listpack(short16383)), "damaged");
    }

    @Test
    void listpacksThatCannotBe() {
        byte[] good = listpack(packedText("a"), packedText("b"));
        assertDamaged(20, listpackOf(3, packedText("a"), packedText("b")));
        assertDamaged(20, listpack(new RdbBytes().raw(0xf5, 1).bytes()));
        assertDamaged(20, listpack(new RdbBytes().raw(0x81, 'a', 3).bytes()));
        assertDamaged(20, listpack(new RdbBytes().raw(0xf0).little(-1, 4).raw(5).bytes()));
        assertDamaged(20, java.util.Arrays.copyOf(good, good.length - 1));
        good[good.length - 1] = 0;
        assertDamaged(20, good);
        assertDamaged(20, new byte[0]);
    }

    @Test
    void aListpackWithTooManyElementsToCount() throws IOException {
        byte[] blob = listpackOf(0xffff, packedText("a"), packedText("b"));
        assertThat(elements(readBlob(20, blob))).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void ziplistElementsInEveryForm() throws IOException {
        byte[] blob = ziplist(
                zipNumber(0xf1, 0, 0),
                zipNumber(0xfd, 0, 0),
                zipNumber(0xfe, -128, 1),
                zipNumber(0xc0, -32768, 2),
                zipNumber(0xf0, -8388608, 3),
                zipNumber(0xd0, 2147483647, 4),
                zipNumber(0xe0, Long.MAX_VALUE, 8),
                zipText(""),
                zipText("s".repeat(63)),
                zipText("m".repeat(64)),
                zipText("m".repeat(251)),
                zipText("m".repeat(16383)),
                zipText("l".repeat(16384)),
                zipText("end"));
        List<String> expected = List.of(
                "0",
                "12",
                "-128",
                "-32768",
                "-8388608",
                "2147483647",
                "9223372036854775807",
                "",
                "s".repeat(63),
                "m".repeat(64),
                "m".repeat(251),
                "m".repeat(16383),
                "l".repeat(16384),
                "end");
        assertThat(elements(readBlob(10, blob))).isEqualTo(expected);
        List<String> twice = new ArrayList<>(expected);
        twice.addAll(expected);
        assertThat(elements(read(14, new RdbBytes().length(2).string(blob).string(blob))))
                .isEqualTo(twice);
    }

    @Test
    void ziplistsThatCannotBe() {
        byte[] good = ziplist(zipText("a"), zipText("b"));
        for (int at : new int[] {0, 4, 8, 10, 11, 13, 14, good.length - 1}) {
            byte[] bad = good.clone();
            bad[at] = (byte) 0xcf;
            assertDamaged(10, bad);
        }
        byte[] first = zipText("x".repeat(252));
        byte[] marked = ziplist(first, zipText("b"));
        assertThat(marked[10 + 1 + first.length] & 0xff).isEqualTo(254);
        marked[10 + 1 + first.length] = (byte) 0xff;
        assertDamaged(10, marked);
    }

    @Test
    void listsOfSinglesAndLargeNodes() throws IOException {
        assertThat(elements(read(
                        1, new RdbBytes().length(3).string("a").raw(0xc0, 5).string("a"))))
                .containsExactly("a", "5", "a");
        RdbBytes nodes = new RdbBytes()
                .length(3)
                .raw(2)
                .string(listpack(packedText("a")))
                .raw(1)
                .string("plain");
        assertThat(elements(read(18, nodes.raw(2).string(listpack())))).containsExactly("a", "plain");
        assertRefused(18, new RdbBytes().length(1).raw(3).string("x"), "unknown kind: 3");
    }

    @Test
    void setsOfIntegersOfEachWidth() throws IOException {
        assertThat(elements(readBlob(11, intset(2, -32768, 0, 32767)))).containsExactly("-32768", "0", "32767");
        assertThat(elements(readBlob(11, intset(4, -70000, 1, 70000)))).containsExactly("-70000", "1", "70000");
        assertThat(elements(readBlob(11, intset(8, Long.MIN_VALUE, 1, Long.MAX_VALUE))))
                .containsExactly("-9223372036854775808", "1", "9223372036854775807");
        assertThat(((Value) readBlob(11, intset(2, 1, 2))).encoding()).isEqualTo("intset");
        assertDamaged(11, intset(3, 1, 2));
        assertDamaged(11, intset(2, 2, 1));
        assertDamaged(11, intset(2, 1, 1));
        assertDamaged(11, new byte[7]);
        assertDamaged(11, new RdbBytes().little(2, 4).little(-1, 4).little(1, 2).bytes());
    }

    @Test
    void theSettingsDecideTheForm() throws IOException {
        RdbBytes many = new RdbBytes().length(600);
        long[] numbers = new long[600];
        for (int i = 0; i < 600; i++) {
            numbers[i] = i;
            many.string("member" + i);
        }
        assertThat(((Value) readBlob(11, intset(2, numbers))).encoding()).isEqualTo("hashtable");
        assertThat(((Value) read(2, many)).encoding()).isEqualTo("hashtable");
        assertThat(((Value) read(2, new RdbBytes().length(2).string("a").string("b"))).encoding())
                .isEqualTo("listpack");
        assertThat(((Value) read(2, new RdbBytes().length(2).string("1").string("2"))).encoding())
                .isEqualTo("intset");
        assertThat(((Value) readBlob(16, listpack(packedText("f"), packedText("x".repeat(65))))).encoding())
                .isEqualTo("hashtable");
        assertThat(((Value) read(4, new RdbBytes().length(1).string("f").string("v"))).encoding())
                .isEqualTo("listpack");
    }

    @Test
    void hashesInAllForms() throws IOException {
        assertThat(elements(read(4, new RdbBytes().length(1).string("f").raw(0xc0, 7))))
                .containsExactly("f", "7");
        assertThat(elements(readBlob(9, zipmap(0, "f", "v", "g", "")))).containsExactly("f", "v", "g", "");
        assertThat(elements(readBlob(9, zipmap(3, "f", "v", "g", "x".repeat(300)))))
                .containsExactlyInAnyOrder("f", "v", "g", "x".repeat(300));
        assertThat(elements(readBlob(13, ziplist(zipText("f"), zipText("v"))))).containsExactly("f", "v");
        assertThat(elements(readBlob(16, listpack(packedText("f"), packedText("v")))))
                .containsExactly("f", "v");
        assertDamaged(9, new RdbBytes().raw(2, 1, 'f', 1, 0, 'v', 0xff).bytes());
        assertDamaged(9, new RdbBytes().raw(1, 1, 'f', 0xff).bytes());
        assertDamaged(9, new RdbBytes().raw(1, 1, 'f', 1, 9, 'v', 0xff).bytes());
    }

    @Test
    void hashesWithDeadlines() throws IOException {
        RdbBytes table = new RdbBytes().little(MOMENT, 8).length(3);
        table.length(0).string("stays").string("1").length(1).string("first").string("2");
        HashValue hash = (HashValue) read(24, table.length(501).string("later").string("3"));
        assertThat(elements(hash)).containsExactly("stays", "1", "first", "2", "later", "3");
        assertThat(deadline(hash, "stays")).isEqualTo(-1);
        assertThat(deadline(hash, "first")).isEqualTo(MOMENT);
        assertThat(deadline(hash, "later")).isEqualTo(MOMENT + 500);

        byte[] blob = listpack(
                packedText("first"),
                packedText("2"),
                number(new RdbBytes().raw(0xf4).little(MOMENT, 8)),
                packedText("stays"),
                packedText("1"),
                number(new RdbBytes().raw(0)));
        HashValue packed = (HashValue) read(25, new RdbBytes().little(MOMENT, 8).string(blob));
        assertThat(elements(packed)).containsExactly("first", "2", "stays", "1");
        assertThat(deadline(packed, "first")).isEqualTo(MOMENT);
        assertThat(deadline(packed, "stays")).isEqualTo(-1);
        assertThat(packed.encoding()).isEqualTo("listpackex");

        RdbBytes tooLate = new RdbBytes()
                .little(Long.MAX_VALUE, 8)
                .length(1)
                .length(2)
                .string("f")
                .string("v");
        assertRefused(24, tooLate, "out of range");
        byte[] noNumber = listpack(packedText("f"), packedText("v"), packedText("soon"));
        assertRefused(25, new RdbBytes().little(0, 8).string(noNumber), "not a number");
        assertRefused(25, new RdbBytes().little(0, 8).string(listpack(packedText("f"))), "lacks one");
    }

    private static long deadline(HashValue hash, String field) {
        return hash.deadline(latin(field), 0, field.length());
    }

    @Test
    void sortedSetsInAllForms() throws IOException {
        RdbBytes texts =
                new RdbBytes().length(4).string("inf").raw(254).string("-inf").raw(255);
        texts.string("a").raw(3).raw(latin("1.5")).string("b").raw(18).raw(latin("0.1000000000000000"));
        assertThat(elements(read(3, texts))).containsExactly("-inf", "-inf", "b", "0.1", "a", "1.5", "inf", "inf");
        RdbBytes binary = new RdbBytes().length(2).string("a").little(Double.doubleToLongBits(-0.5), 8);
        binary.string("b").little(Double.doubleToLongBits(Double.NEGATIVE_INFINITY), 8);
        assertThat(elements(read(5, binary))).containsExactly("b", "-inf", "a", "-0.5");
        byte[] zip = ziplist(zipText("a"), zipNumber(0xf2, 0, 0), zipText("b"), zipText("inf"));
        assertThat(elements(readBlob(12, zip))).containsExactly("a", "1", "b", "inf");
        byte[] pack = listpack(packedText("b"), packedText("-inf"), packedText("a"), packedText("1e+100"));
        assertThat(elements(readBlob(17, pack))).containsExactly("b", "-inf", "a", "1e+100");
    }

    @Test
    void scoresThatAreNone() {
        assertRefused(3, new RdbBytes().length(1).string("a").raw(253), "not a number");
        assertRefused(3, new RdbBytes().length(1).string("a").raw(1, 'x'), "not a number");
        long nan = Double.doubleToLongBits(Double.NaN);
        assertRefused(5, new RdbBytes().length(1).string("a").little(nan, 8), "not a number");
        assertRefused(17, new RdbBytes().string(listpack(packedText("a"), packedText("nan"))), "not a number");
    }

    @Test
    void nothingIsThereTwice() {
        RdbBytes strings = new RdbBytes().length(2).string("a").string("a");
        assertRefused(2, strings, "twice");
        assertRefused(20, new RdbBytes().string(listpack(packedText("a"), packedText("a"))), "twice");
        byte[] pairs = listpack(packedText("a"), packedText("1"), packedText("a"), packedText("2"));
        assertRefused(16, new RdbBytes().string(pairs), "twice");
        assertRefused(17, new RdbBytes().string(pairs), "twice");
        assertRefused(
                4, new RdbBytes().length(2).string("a").string("1").string("a").string("2"), "twice");
    }

    @Test
    void collectionsWithoutElementsAreNothing() throws IOException {
        for (int type : new int[] {1, 2, 3, 4, 5, 14, 18}) {
            assertThat(read(type, new RdbBytes().length(0))).isNull();
        }
        for (int type : new int[] {10, 12, 13}) {
            assertThat(readBlob(type, ziplist())).isNull();
        }
        for (int type : new int[] {16, 17, 20}) {
            assertThat(readBlob(type, listpack())).isNull();
        }
        assertThat(readBlob(11, intset(2))).isNull();
        assertThat(readBlob(9, zipmap(0))).isNull();
    }

    @Test
    void oddPairs() {
        assertRefused(16, new RdbBytes().string(listpack(packedText("a"))), "odd number");
        assertRefused(12, new RdbBytes().string(ziplist(zipText("a"))), "odd number");
    }

    @Test
    void typesThatAreNotReadAreNamed() {
        // the number of a module: its name in nine characters of six bits, and a version
        RdbBytes module = new RdbBytes().raw(0x81).big(0x81a69c75d04c0001L, 8);
        assertRefused(7, module, "a value of the module ");
        assertRefused(26, new RdbBytes(), "a stream as Redis 8 writes it (type 26)");
        assertRefused(22, new RdbBytes(), "release candidates of Redis 7.4");
        assertRefused(99, new RdbBytes(), "a value of unknown type 99");
    }
}
