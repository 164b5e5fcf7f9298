package dev.heddle.command.admin;

import dev.heddle.resp.Numbers;
import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.FieldDeadlines;
import dev.heddle.store.value.GrowableString;
import dev.heddle.store.value.HashValue;
import dev.heddle.store.value.HashValue.Part;
import dev.heddle.store.value.ListValue;
import dev.heddle.store.value.SetValue;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.StreamCursor;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamValue;
import dev.heddle.store.value.Value;
import dev.heddle.store.value.ValueType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Fingerprints of data, equal to those of Redis 7.2 for equal data: what DEBUG DIGEST and DEBUG DIGEST-VALUE answer. Deadlines of single
 * fields, which Redis 7.2 does not have, count too.
 *
 * <p>Confined to one thread; reads entries under the lock of their stripe.
 */
public final class DataDigest {

    /*
     * Where order matters (a list, a field and its value) parts are mixed: xor the SHA-1 of the part into the state, then replace the state
     * by its own SHA-1. Where it does not (members of a set, keys of a database) they are only xored. So no sorting is needed.
     */

    private static final int LENGTH = 20;
    private static final byte[] EXPIRES = "!!expire!!".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FIELD_EXPIRES = "!!hexpire!!".getBytes(StandardCharsets.US_ASCII);

    /** What is done with an element, in whatever form it comes. */
    private interface Slice {
        void take(byte[] array, int offset, int length);
    }

    private record Slices(Slice slice) implements ElementSink {
        @Override
        public void slice(byte[] array, int offset, int length) {
            slice.take(array, offset, length);
        }

        @Override
        public void number(long value) {
            whole(Numbers.toBytes(value));
        }

        @Override
        public void whole(byte[] array) {
            slice.take(array, 0, array.length);
        }
    }

    /** With more zeros than that, Redis writes a score with an exponent. */
    private static final int MOST_ZEROS = 7;

    private static final int MOST_LEADING_ZEROS = 4;

    private final MessageDigest sha1;

    public DataDigest() {
        try {
            sha1 = MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-1", e);
        }
    }

    /** The fingerprint of all databases. Needs all stripes. */
    public String ofStore(Store store) {
        byte[] whole = new byte[LENGTH];
        for (int database = 0; database < store.databases(); database++) {
            if (store.size(database) > 0) {
                mix(whole, number(database));
                for (int table = 0; table < store.tables(); table++) {
                    store.forEachInTable(database, table, entry -> {
                        byte[] one = new byte[LENGTH];
                        mix(one, entry.key());
                        addEntry(one, entry);
                        xorHash(whole, one);
                    });
                }
            }
        }
        return HexFormat.of().formatHex(whole);
    }

    /** The fingerprint of a value, and of whether it expires. */
    public String ofValue(Entry entry) {
        byte[] one = new byte[LENGTH];
        addEntry(one, entry);
        return HexFormat.of().formatHex(one);
    }

    /** What a key that is not there has. */
    public static String ofNothing() {
        return "00".repeat(LENGTH);
    }

    private void addEntry(byte[] state, Entry entry) {
        mix(state, number(typeNumber(ValueType.of(entry.value()))));
        switch (entry.value()) {
            case byte[] bytes -> mix(state, bytes);
            case Long number -> mix(state, Numbers.toBytes(number));
            case Value value -> addValue(state, value);
            default -> throw new IllegalStateException("no value");
        }
        if (entry.expireAt() != Entry.NEVER) {
            xorHash(state, EXPIRES);
        }
    }

    private void addValue(byte[] state, Value value) {
        switch (value) {
            case GrowableString string -> mix(state, string.toByteArray());
            case ListValue list -> list.give(0, list.size(), false, new Slices((a, at, n) -> mix(state, a, at, n)));
            case SetValue set -> set.forEach(new Slices((a, at, n) -> xorHash(state, a, at, n)));
            case SortedSetValue sorted ->
                sorted.forEach((array, offset, length, score) -> {
                    byte[] one = new byte[LENGTH];
                    mix(one, array, offset, length);
                    mix(one, score(score).getBytes(StandardCharsets.US_ASCII));
                    xorHash(state, one);
                });
            case HashValue hash -> addHash(state, hash);
            case StreamValue stream -> addStream(state, stream);
        }
    }

    /** Redis has a type of its own, that of modules, before streams. */
    private static int typeNumber(ValueType type) {
        return type == ValueType.STREAM ? type.ordinal() + 1 : type.ordinal();
    }

    private void addStream(byte[] state, StreamValue stream) {
        StreamCursor cursor = stream.log().cursor(StreamId.ZERO, StreamId.MAX, false);
        while (cursor.next()) {
            StreamId id = cursor.id();
            String name = Long.toUnsignedString(id.ms()) + "." + Long.toUnsignedString(id.seq());
            mix(state, name.getBytes(StandardCharsets.US_ASCII));
            cursor.give(new Slices((array, offset, length) -> mix(state, array, offset, length)));
        }
    }

    private void addHash(byte[] state, HashValue hash) {
        byte[][] field = new byte[1][];
        hash.forEach(Part.BOTH, Long.MIN_VALUE, new Slices((array, offset, length) -> {
            byte[] name = field[0];
            if (name == null) {
                field[0] = Arrays.copyOfRange(array, offset, offset + length);
                return;
            }
            byte[] one = new byte[LENGTH];
            mix(one, name);
            mix(one, array, offset, length);
            if (hash.deadline(name, 0, name.length) != FieldDeadlines.NONE) {
                mix(one, FIELD_EXPIRES);
            }
            xorHash(state, one);
            field[0] = null;
        }));
    }

    /** The shortest digits that name the number, with an exponent if that saves zeros. */
    static String score(double score) {
        if (score == 0 || Double.isInfinite(score)) {
            return Numbers.format(score);
        }
        BigDecimal shortest = new BigDecimal(Double.toString(score)).stripTrailingZeros();
        int zeros = -shortest.scale();
        int exponent = shortest.precision() + zeros - 1;
        boolean plain = zeros >= 0
                ? exponent < shortest.precision() + MOST_ZEROS
                : zeros > -MOST_ZEROS || Math.abs(exponent) < MOST_LEADING_ZEROS;
        return plain
                ? shortest.toPlainString()
                : shortest.scaleByPowerOfTen(-exponent).toPlainString()
                        + (exponent < 0 ? "e-" : "e+")
                        + Math.abs(exponent);
    }

    private static byte[] number(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    private static void xor(byte[] state, byte[] other) {
        for (int i = 0; i < LENGTH; i++) {
            state[i] ^= other[i];
        }
    }

    private void xorHash(byte[] state, byte[] bytes) {
        xorHash(state, bytes, 0, bytes.length);
    }

    private void xorHash(byte[] state, byte[] array, int offset, int length) {
        sha1.update(array, offset, length);
        xor(state, sha1.digest());
    }

    private void mix(byte[] state, byte[] bytes) {
        mix(state, bytes, 0, bytes.length);
    }

    private void mix(byte[] state, byte[] array, int offset, int length) {
        xorHash(state, array, offset, length);
        System.arraycopy(sha1.digest(state), 0, state, 0, LENGTH);
    }
}
