package dev.heddle.resp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Encodes replies in the client's protocol version into memory, from where {@link #drainTo} takes them.
 *
 * <p>A reply is written in the order of the wire: an aggregate's header, then its elements. When the number of
 * elements is known only afterwards, {@link #deferred()} marks the place and {@link #closeArray} puts the header there.
 *
 * <p>Texts are Strings of one character per byte (ISO 8859-1).
 *
 * <p>Confined to one connection's thread.
 */
public final class ReplyWriter {
    /** Takes the encoded bytes; it must be done with the array when it returns. */
    @FunctionalInterface
    public interface Sink {
        /** Takes {@code length} bytes of {@code array} from {@code offset} on. */
        void write(byte[] array, int offset, int length) throws IOException;
    }

    private static final byte[] OK = Numbers.ascii("+OK\r\n");
    private static final byte[] PONG = Numbers.ascii("+PONG\r\n");
    private static final byte[] QUEUED = Numbers.ascii("+QUEUED\r\n");
    private static final byte[] NIL_2 = Numbers.ascii("$-1\r\n");
    private static final byte[] NIL_ARRAY_2 = Numbers.ascii("*-1\r\n");
    private static final byte[] NIL_3 = Numbers.ascii("_\r\n");
    private static final byte[] TRUE_3 = Numbers.ascii("#t\r\n");
    private static final byte[] FALSE_3 = Numbers.ascii("#f\r\n");

    /** An array of this size or more is kept by reference if it may be. */
    private static final int SHARED = 16 * 1024;

    /** More than any header or number needs: a type byte, a number, two line ends. */
    private static final int HEADER = 32;

    private final Output out = new Output();

    /** Confined like the class: 2 or 3. */
    private boolean three;

    /** A writer for RESP2. */
    public ReplyWriter() {}

    /** The protocol version, 2 or 3. */
    public int protocol() {
        return three ? 3 : 2;
    }

    /** Sets the protocol version, 2 or 3, of what is written from now on. */
    public void protocol(int version) {
        if (version != 2 && version != 3) {
            throw new IllegalArgumentException("no protocol version: " + version);
        }
        three = version == 3;
    }

    /** Whether the first reply that is held here is an error. */
    public boolean beginsWithError() {
        return out.first() == '-';
    }

    /** {@code +OK}. */
    public void ok() {
        out.bytes(OK, 0, OK.length);
    }

    /** {@code +PONG}. */
    public void pong() {
        out.bytes(PONG, 0, PONG.length);
    }

    /** {@code +QUEUED}. */
    public void queued() {
        out.bytes(QUEUED, 0, QUEUED.length);
    }

    /** A simple string; line ends in it become blanks. */
    public void simple(String text) {
        line('+', Numbers.ascii(text));
    }

    /** An error, the code word first ({@code "ERR syntax error"}); line ends in it become blanks. */
    public void error(String text) {
        line('-', Numbers.ascii(text));
    }

    /** An error as bytes, the code word first; line ends in it become blanks. */
    public void error(byte[] text) {
        line('-', text);
    }

    /** An integer. */
    public void integer(long n) {
        number((byte) ':', n);
    }

    /** A bulk string with the bytes of an array. */
    public void bulk(byte[] value) {
        bulk(value, 0, value.length);
    }

    /** A bulk string with some bytes of an array. */
    public void bulk(byte[] value, int offset, int length) {
        if (length > SHARED / 2) {
            number((byte) '$', length);
            out.bytes(value, offset, length);
            out.lineEnd();
            return;
        }
        byte[] b = out.reserve(length + HEADER);
        int at = header((byte) '$', length, b, out.at());
        System.arraycopy(value, offset, b, at, length);
        out.at(lineEnd(b, at + length));
    }

    /** A bulk string with the bytes of an array that nobody will ever change; a large one is not copied. */
    public void bulkShared(byte[] value) {
        if (value.length < SHARED) {
            bulk(value, 0, value.length);
        } else {
            number((byte) '$', value.length);
            out.shared(value);
            out.lineEnd();
        }
    }

    /** A bulk string with one byte for each character of a text. */
    public void bulk(String text) {
        byte[] bytes = Numbers.ascii(text);
        bulk(bytes, 0, bytes.length);
    }

    /** A bulk string with the decimal digits of a number. */
    public void bulkLong(long n) {
        byte[] b = out.reserve(2 * HEADER);
        int at = header((byte) '$', Numbers.length(n), b, out.at());
        out.at(lineEnd(b, Numbers.write(n, b, at)));
    }

    /** The null that stands for a value: {@code $-1} in RESP2. */
    public void nil() {
        byte[] nil = three ? NIL_3 : NIL_2;
        out.bytes(nil, 0, nil.length);
    }

    /** The null that stands for an array: {@code *-1} in RESP2. */
    public void nilArray() {
        byte[] nil = three ? NIL_3 : NIL_ARRAY_2;
        out.bytes(nil, 0, nil.length);
    }

    /** The header of an array of {@code n} elements, which follow. */
    public void array(int n) {
        number((byte) '*', n);
    }

    /** The header of a map of {@code pairs} keys and values; in RESP2 an array of twice as many elements. */
    public void map(int pairs) {
        number(mapType(), mapLength(pairs));
    }

    /** The header of a set of {@code n} elements; in RESP2 an array. */
    public void set(int n) {
        number(setType(), n);
    }

    /** The header of a push message of {@code n} elements; in RESP2 an array. */
    public void push(int n) {
        number((byte) (three ? '>' : '*'), n);
    }

    /** A real number by its digits: a double in RESP3, a bulk string in RESP2. */
    public void real(String digits) {
        if (three) {
            line(',', Numbers.ascii(digits));
        } else {
            bulk(digits);
        }
    }

    /** A floating-point number as {@link Numbers#format} prints it; in RESP2 a bulk string. */
    public void real(double value) {
        byte[] text = Numbers.toBytes(value);
        if (three) {
            line(',', text);
        } else {
            bulk(text, 0, text.length);
        }
    }

    /** A boolean; in RESP2 the integer 1 or 0. */
    public void bool(boolean value) {
        if (three) {
            byte[] text = value ? TRUE_3 : FALSE_3;
            out.bytes(text, 0, text.length);
        } else {
            integer(value ? 1 : 0);
        }
    }

    /** An integer of any size, in decimal digits; in RESP2 a bulk string. */
    public void bigNumber(String digits) {
        if (three) {
            line('(', Numbers.ascii(digits));
        } else {
            bulk(digits);
        }
    }

    /** A text with its format, three characters such as {@code txt}; in RESP2 a bulk string without the format. */
    public void verbatim(String format, byte[] text) {
        if (format.length() != 3) {
            throw new IllegalArgumentException("a verbatim format has three characters: " + format);
        }
        if (three) {
            number((byte) '=', text.length + 4L);
            raw(Numbers.ascii(format + ':'));
            out.bytes(text, 0, text.length);
            out.lineEnd();
        } else {
            bulk(text, 0, text.length);
        }
    }

    /** Bytes that are encoded already. */
    public void raw(byte[] encoded) {
        out.bytes(encoded, 0, encoded.length);
    }

    /** Bytes that are encoded already, in an array that nobody will ever change; a large one is not copied. */
    public void rawShared(byte[] encoded) {
        if (encoded.length < SHARED) {
            out.bytes(encoded, 0, encoded.length);
        } else {
            out.shared(encoded);
        }
    }

    /** Some bytes of an array that are encoded already. */
    public void raw(byte[] encoded, int offset, int length) {
        out.bytes(encoded, offset, length);
    }

    /**
     * Begins an aggregate whose length is not yet known: its elements are written next, then one of the close methods
     * is called with the mark returned. Marks nest: the last one opened is closed first.
     */
    public int deferred() {
        return out.open();
    }

    /** Makes what was written since the mark the {@code n} elements of an array. */
    public void closeArray(int mark, int n) {
        close(mark, (byte) '*', n);
    }

    /** Makes what was written since the mark the {@code pairs} keys and values of a map. */
    public void closeMap(int mark, int pairs) {
        close(mark, mapType(), mapLength(pairs));
    }

    /** Makes what was written since the mark the {@code n} elements of a set. */
    public void closeSet(int mark, int n) {
        close(mark, setType(), n);
    }

    /** The present end of the output, for {@link #rollback}; valid until the next {@link #drainTo}. */
    public long mark() {
        return out.mark();
    }

    /**
     * Takes back all that was written since the mark, deferred aggregates opened since then included. Those that were
     * open at the mark must still be open.
     */
    public void rollback(long mark) {
        out.rollback(mark);
    }

    /** Whether a header is still to come ({@link #deferred}), so that nothing can be drained yet. */
    public boolean isOpen() {
        return out.isOpen();
    }

    /** Bytes written and not yet drained. */
    public long size() {
        return out.size();
    }

    /** Bytes of memory held, arrays that are only referred to included. */
    public long capacity() {
        return out.capacity();
    }

    /**
     * Hands over all bytes in order; the writer is empty afterwards even if the sink fails. No deferred aggregate may
     * be open.
     */
    public void drainTo(Sink sink) throws IOException {
        out.drainTo(sink);
    }

    /** Appends all that was written to another writer; this one is empty afterwards. No deferred aggregate may be open. */
    public void moveTo(ReplyWriter other) {
        out.moveTo(other.out);
    }

    /** The bytes not yet drained, in one fresh array; they stay. */
    public byte[] toByteArray() {
        return out.toByteArray();
    }

    /** Drops what was written. */
    public void clear() {
        out.clear();
    }

    /** The connection will wait: gives up memory that an empty writer need not hold. */
    public void idle() {
        out.idle();
    }

    private byte mapType() {
        return (byte) (three ? '%' : '*');
    }

    private long mapLength(int pairs) {
        return three ? pairs : 2L * pairs;
    }

    private byte setType() {
        return (byte) (three ? '~' : '*');
    }

    private void number(byte type, long n) {
        byte[] b = out.reserve(HEADER);
        out.at(header(type, n, b, out.at()));
    }

    /** A type, a number and a line end; returns the index behind them. */
    private static int header(byte type, long n, byte[] b, int at) {
        b[at] = type;
        return lineEnd(b, Numbers.write(n, b, at + 1));
    }

    private static int lineEnd(byte[] b, int at) {
        b[at] = '\r';
        b[at + 1] = '\n';
        return at + 2;
    }

    private void close(int mark, byte type, long n) {
        var header = new byte[HEADER];
        out.close(mark, header, header(type, n, header, 0));
    }

    private void line(char type, byte[] text) {
        byte[] b = out.reserve(1);
        b[out.at()] = (byte) type;
        out.at(out.at() + 1);
        byte[] clean = withoutLineEnds(text);
        out.bytes(clean, 0, clean.length);
        out.lineEnd();
    }

    private static byte[] withoutLineEnds(byte[] text) {
        for (byte c : text) {
            if (c == '\r' || c == '\n') {
                return new String(text, StandardCharsets.ISO_8859_1)
                        .replace('\r', ' ')
                        .replace('\n', ' ')
                        .getBytes(StandardCharsets.ISO_8859_1);
            }
        }
        return text;
    }
}
