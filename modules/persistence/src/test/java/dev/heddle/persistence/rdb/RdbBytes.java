package dev.heddle.persistence.rdb;

import dev.heddle.store.base.Crc64;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** Makes the forms of Redis's snapshots, of today and of earlier versions, byte by byte. Confined to one test. */
final class RdbBytes {

    private static final int WIDE = 254;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    RdbBytes raw(int... bytes) {
        for (int one : bytes) {
            out.write(one);
        }
        return this;
    }

    RdbBytes raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    RdbBytes little(long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            out.write((int) (value >>> 8 * i));
        }
        return this;
    }

    RdbBytes big(long value, int bytes) {
        for (int i = bytes - 1; i >= 0; i--) {
            out.write((int) (value >>> 8 * i));
        }
        return this;
    }

    RdbBytes length(long value) {
        if (value < 64) {
            return raw((int) value);
        }
        return value < 16384 ? big(0x4000 | value, 2) : raw(0x80).big(value, 4);
    }

    RdbBytes string(byte[] bytes) {
        return length(bytes.length).raw(bytes);
    }

    RdbBytes string(String text) {
        return string(latin(text));
    }

    /** The bytes so far. */
    byte[] bytes() {
        return out.toByteArray();
    }

    /** The bytes so far with the end of a file, checksum included. */
    byte[] ended() {
        raw(0xff);
        return little(Crc64.update(0, bytes(), 0, out.size()), 8).bytes();
    }

    static RdbBytes file(int version) {
        return new RdbBytes().raw(latin(String.format("REDIS%04d", version)));
    }

    // ---- listpacks: each element in a given form

    static byte[] listpack(byte[]... elements) {
        return listpackOf(elements.length, elements);
    }

    static byte[] listpackOf(int count, byte[]... elements) {
        RdbBytes body = new RdbBytes();
        for (byte[] element : elements) {
            body.raw(element);
        }
        return new RdbBytes()
                .little(body.out.size() + 7, 4)
                .little(count, 2)
                .raw(body.bytes())
                .raw(0xff)
                .bytes();
    }

    /** A head and data with their size behind them, as it is read backwards. */
    static byte[] packed(RdbBytes element) {
        int size = element.out.size();
        int[] smallest = {0, 128, 16383, 2097151};
        int groups = 0;
        while (groups < smallest.length && size >= smallest[groups]) {
            groups++;
        }
        for (int i = groups - 1; i >= 0; i--) {
            element.raw(size >>> 7 * i & 0x7f | (i == groups - 1 ? 0 : 0x80));
        }
        return element.bytes();
    }

    static byte[] packedText(String text) {
        byte[] bytes = latin(text);
        RdbBytes element = new RdbBytes();
        if (bytes.length < 64) {
            element.raw(0x80 | bytes.length);
        } else if (bytes.length < 4096) {
            element.big(0xe000 | bytes.length, 2);
        } else {
            element.raw(0xf0).little(bytes.length, 4);
        }
        return packed(element.raw(bytes));
    }

    // ---- ziplists

    static byte[] ziplist(byte[]... elements) {
        RdbBytes body = new RdbBytes();
        int previous = 0;
        int tail = 10;
        for (byte[] element : elements) {
            tail = 10 + body.out.size();
            if (previous < WIDE) {
                body.raw(previous);
            } else {
                body.raw(WIDE).little(previous, 4);
            }
            body.raw(element);
            previous = 10 + body.out.size() - tail;
        }
        return new RdbBytes()
                .little(body.out.size() + 11, 4)
                .little(tail, 4)
                .little(elements.length, 2)
                .raw(body.bytes())
                .raw(0xff)
                .bytes();
    }

    static byte[] zipText(String text) {
        byte[] bytes = latin(text);
        RdbBytes element = new RdbBytes();
        if (bytes.length < 64) {
            element.raw(bytes.length);
        } else if (bytes.length < 16384) {
            element.big(0x4000 | bytes.length, 2);
        } else {
            element.raw(0x80).big(bytes.length, 4);
        }
        return element.raw(bytes).bytes();
    }

    static byte[] zipNumber(int head, long value, int bytes) {
        return new RdbBytes().raw(head).little(value, bytes).bytes();
    }

    // ---- the others

    static byte[] intset(int width, long... numbers) {
        RdbBytes all = new RdbBytes().little(width, 4).little(numbers.length, 4);
        for (long number : numbers) {
            all.little(number, width);
        }
        return all.bytes();
    }

    /** A zipmap whose values have so many unused bytes behind them. */
    static byte[] zipmap(int unused, String... pairs) {
        RdbBytes all = new RdbBytes().raw(Math.min(pairs.length / 2, WIDE));
        for (int i = 0; i < pairs.length; i++) {
            byte[] bytes = latin(pairs[i]);
            if (bytes.length < WIDE) {
                all.raw(bytes.length);
            } else {
                all.raw(WIDE).little(bytes.length, 4);
            }
            boolean value = i % 2 == 1;
            if (value) {
                all.raw(unused);
            }
            all.raw(bytes);
            for (int u = 0; value && u < unused; u++) {
                all.raw('!');
            }
        }
        return all.raw(0xff).bytes();
    }

    /** A value of each form that is read, small enough to be mutated everywhere. */
    static List<Sample> samples() {
        byte[] packedPairs =
                listpack(packedText("a"), packed(new RdbBytes().raw(1)), packedText("b"), packedText("2.5"));
        byte[] zipPairs = ziplist(zipText("a"), zipNumber(0xf2, 0, 0), zipText("b"), zipText("2.5"));
        byte[] triples = listpack(
                packedText("a"),
                packedText("1"),
                packed(new RdbBytes().raw(0)),
                packedText("b"),
                packedText("2"),
                packed(new RdbBytes().raw(0xf4).little(1_900_000_000_000L, 8)));
        RdbBytes strings = new RdbBytes().length(2).string("a").string("b");
        return List.of(
                new Sample(0, new RdbBytes().string("hello").bytes()),
                new Sample(0, new RdbBytes().raw(0xc1, 0x39, 0x30).bytes()),
                new Sample(
                        0, new RdbBytes().raw(0xc3, 5, 12, 0, 'a', 0xe0, 2, 0).bytes()),
                new Sample(1, strings.bytes()),
                new Sample(2, strings.bytes()),
                new Sample(
                        3,
                        new RdbBytes()
                                .length(2)
                                .string("a")
                                .raw(1, '7')
                                .string("b")
                                .raw(254)
                                .bytes()),
                new Sample(4, new RdbBytes().length(1).string("f").string("v").bytes()),
                new Sample(19, HexFormat.of().parseHex(StreamFormTest.OF_REDIS_7_0)),
                new Sample(
                        5,
                        new RdbBytes()
                                .length(1)
                                .string("m")
                                .little(Double.doubleToLongBits(0.5), 8)
                                .bytes()),
                new Sample(
                        9, new RdbBytes().string(zipmap(2, "f", "v", "g", "w")).bytes()),
                new Sample(10, new RdbBytes().string(zipPairs).bytes()),
                new Sample(11, new RdbBytes().string(intset(2, -5, 7, 300)).bytes()),
                new Sample(12, new RdbBytes().string(zipPairs).bytes()),
                new Sample(13, new RdbBytes().string(zipPairs).bytes()),
                new Sample(
                        14,
                        new RdbBytes()
                                .length(2)
                                .string(zipPairs)
                                .string(zipPairs)
                                .bytes()),
                new Sample(16, new RdbBytes().string(packedPairs).bytes()),
                new Sample(17, new RdbBytes().string(packedPairs).bytes()),
                new Sample(
                        18,
                        new RdbBytes()
                                .length(2)
                                .raw(2)
                                .string(packedPairs)
                                .raw(1)
                                .string("big")
                                .bytes()),
                new Sample(
                        20,
                        new RdbBytes()
                                .string(listpack(packedText("a"), packedText("b")))
                                .bytes()),
                new Sample(
                        24,
                        new RdbBytes()
                                .little(1_900_000_000_000L, 8)
                                .length(2)
                                .length(0)
                                .string("a")
                                .string("1")
                                .length(11)
                                .string("b")
                                .string("2")
                                .bytes()),
                new Sample(
                        25,
                        new RdbBytes()
                                .little(1_900_000_000_000L, 8)
                                .string(triples)
                                .bytes()));
    }

    /** @param value without its type */
    record Sample(int type, byte[] value) {}
}
