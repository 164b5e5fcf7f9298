package dev.heddle.resp;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decoded reply, of either protocol version. Texts have one character per byte (ISO 8859-1).
 *
 * <p>Immutable, provided that nobody changes the arrays inside.
 */
public sealed interface Reply {
    /** {@code +text}. */
    record Simple(String text) implements Reply {}

    /** {@code -text}, or RESP3's {@code !} with a length. */
    record Failure(String text) implements Reply {}

    /** {@code :n}. */
    record Int(long value) implements Reply {}

    /** {@code $length}, then so many bytes. */
    @SuppressWarnings("ArrayRecordComponent") // equals and hashCode look at the content
    record Bulk(byte[] bytes) implements Reply {
        /** The bytes as one character each. */
        public String text() {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Bulk bulk && Arrays.equals(bytes, bulk.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return "Bulk[" + text() + "]";
        }
    }

    /** {@code $-1}, or RESP3's {@code _}. */
    record Nil() implements Reply {}

    /** {@code *-1}. */
    record NilArray() implements Reply {}

    /** {@code *n}, then so many replies. */
    record Array(List<Reply> elements) implements Reply {}

    /** RESP3: {@code %n}, then so many keys and values. */
    record Mapping(List<Pair> pairs) implements Reply {}

    /** A key and a value of a {@link Mapping}. */
    record Pair(Reply key, Reply value) {}

    /** RESP3: {@code ~n}, then so many replies. */
    record Members(List<Reply> elements) implements Reply {}

    /** RESP3: {@code >n}, then so many replies, without a request. */
    record Push(List<Reply> elements) implements Reply {}

    /** RESP3: {@code ,value}. */
    record Real(double value) implements Reply {}

    /** RESP3: {@code #t} or {@code #f}. */
    record Bool(boolean value) implements Reply {}

    /** RESP3: {@code (digits}. */
    record BigNumber(BigInteger value) implements Reply {}

    /** RESP3: {@code =length}, then a format of three characters, a colon and the text. */
    @SuppressWarnings("ArrayRecordComponent") // equals and hashCode look at the content
    record Verbatim(String format, byte[] bytes) implements Reply {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Verbatim verbatim
                    && format.equals(verbatim.format)
                    && Arrays.equals(bytes, verbatim.bytes);
        }

        @Override
        public int hashCode() {
            return 31 * format.hashCode() + Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return "Verbatim[" + format + ":" + new String(bytes, StandardCharsets.ISO_8859_1) + "]";
        }
    }
}
