package dev.heddle.store.value;

import dev.heddle.resp.Numbers;
import java.nio.charset.StandardCharsets;

/**
 * The name of an entry in a stream, by which entries are ordered: milliseconds since the epoch, as a rule, and a sequence number among
 * those of the same millisecond. Both are unsigned.
 *
 * <p>Immutable.
 */
public record StreamId(long ms, long seq) implements Comparable<StreamId> {

    /** The least of all, which no entry has. */
    public static final StreamId ZERO = new StreamId(0, 0);

    public static final StreamId MAX = new StreamId(-1, -1);

    @Override
    public int compareTo(StreamId other) {
        int order = Long.compareUnsigned(ms, other.ms);
        return order != 0 ? order : Long.compareUnsigned(seq, other.seq);
    }

    public boolean isBefore(StreamId other) {
        return compareTo(other) < 0;
    }

    public boolean isAfter(StreamId other) {
        return compareTo(other) > 0;
    }

    public boolean isZero() {
        return (ms | seq) == 0;
    }

    /** The least id behind this one; behind {@link #MAX} comes {@link #ZERO}. */
    public StreamId next() {
        return new StreamId(seq == -1 ? ms + 1 : ms, seq + 1);
    }

    /** The greatest id before this one; before {@link #ZERO} comes {@link #MAX}. */
    public StreamId previous() {
        return new StreamId(seq == 0 ? ms - 1 : ms, seq - 1);
    }

    /** {@code milliseconds-sequence} in decimal digits. */
    public byte[] toBytes() {
        if (ms < 0 || seq < 0) {
            return toString().getBytes(StandardCharsets.US_ASCII);
        }
        byte[] text = new byte[Numbers.length(ms) + 1 + Numbers.length(seq)];
        int at = Numbers.write(ms, text, 0);
        text[at] = '-';
        Numbers.write(seq, text, at + 1);
        return text;
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(ms) + "-" + Long.toUnsignedString(seq);
    }
}
