package dev.heddle.resp;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes replies of both protocol versions from a blocking stream: the client's side, for scripts, tools and tests.
 *
 * <p>Attributes ({@code |}) are skipped. Streamed strings and aggregates, which Redis never sends, are refused. Memory
 * is taken as bytes arrive, and nesting is bounded.
 *
 * <p>Confined to one thread.
 */
public final class ReplyReader {
    /** How deep replies may be nested. */
    public static final int DEEPEST = 256;

    private static final int LONGEST_LINE = 64 * 1024;

    private final InputStream in;

    /** A reader of what a stream delivers; it may read ahead. */
    public ReplyReader(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /** A reader of replies that are all there. */
    public ReplyReader(byte[] encoded) {
        this.in = new ByteArrayInputStream(encoded);
    }

    /**
     * The next reply.
     *
     * @throws EOFException if the stream ends, be it between two replies or within one
     * @throws ProtocolException if the bytes are no reply
     */
    public Reply read() throws IOException, ProtocolException {
        return read(0);
    }

    private Reply read(int depth) throws IOException, ProtocolException {
        if (depth > DEEPEST) {
            throw ProtocolException.protocol("reply nested too deep");
        }
        int type = readByte();
        while (type == '|') {
            list(2L * count(false), depth);
            type = readByte();
        }
        return switch (type) {
            case '+' -> new Reply.Simple(line());
            case '-' -> new Reply.Failure(line());
            case ':' -> new Reply.Int(number(line()));
            case '$' -> bulk();
            case '*' -> array(depth);
            case '%' -> new Reply.Mapping(pairs(depth));
            case '~' -> new Reply.Members(list(count(false), depth));
            case '>' -> new Reply.Push(list(count(false), depth));
            case '_' -> nil();
            case ',' -> new Reply.Real(real());
            case '#' -> new Reply.Bool(bool());
            case '(' -> new Reply.BigNumber(bigNumber());
            case '=' -> verbatim();
            case '!' -> new Reply.Failure(new String(blob(count(false)), StandardCharsets.ISO_8859_1));
            default -> throw ProtocolException.protocol("unknown reply type '" + (char) type + "'");
        };
    }

    private Reply bulk() throws IOException, ProtocolException {
        int length = count(true);
        return length < 0 ? new Reply.Nil() : new Reply.Bulk(blob(length));
    }

    private Reply array(int depth) throws IOException, ProtocolException {
        int n = count(true);
        return n < 0 ? new Reply.NilArray() : new Reply.Array(list(n, depth));
    }

    private List<Reply> list(long n, int depth) throws IOException, ProtocolException {
        var elements = new ArrayList<Reply>();
        for (long i = 0; i < n; i++) {
            elements.add(read(depth + 1));
        }
        return List.copyOf(elements);
    }

    private List<Reply.Pair> pairs(int depth) throws IOException, ProtocolException {
        int n = count(false);
        var pairs = new ArrayList<Reply.Pair>();
        for (int i = 0; i < n; i++) {
            var key = read(depth + 1);
            pairs.add(new Reply.Pair(key, read(depth + 1)));
        }
        return List.copyOf(pairs);
    }

    private Reply nil() throws IOException, ProtocolException {
        if (!line().isEmpty()) {
            throw ProtocolException.protocol("invalid null");
        }
        return new Reply.Nil();
    }

    private double real() throws IOException, ProtocolException {
        var text = line();
        byte[] bytes = Numbers.ascii(text);
        double value = Numbers.parseDouble(bytes, 0, bytes.length);
        if (Double.isNaN(value) && !text.equals("nan")) {
            throw ProtocolException.protocol("invalid double");
        }
        return value;
    }

    private boolean bool() throws IOException, ProtocolException {
        var text = line();
        if (!text.equals("t") && !text.equals("f")) {
            throw ProtocolException.protocol("invalid boolean");
        }
        return text.equals("t");
    }

    private BigInteger bigNumber() throws IOException, ProtocolException {
        var text = line();
        int from = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                throw ProtocolException.protocol("invalid big number");
            }
        }
        if (from == text.length()) {
            throw ProtocolException.protocol("invalid big number");
        }
        return new BigInteger(text);
    }

    private Reply verbatim() throws IOException, ProtocolException {
        var text = new String(blob(count(false)), StandardCharsets.ISO_8859_1);
        if (text.length() < 4 || text.charAt(3) != ':') {
            throw ProtocolException.protocol("invalid verbatim string");
        }
        return new Reply.Verbatim(text.substring(0, 3), Numbers.ascii(text.substring(4)));
    }

    /** A length line: from 0 on, or -1 where a null may stand. */
    private int count(boolean nullable) throws IOException, ProtocolException {
        long n = number(line());
        if (n > Integer.MAX_VALUE - 64 || n < (nullable ? -1 : 0)) {
            throw ProtocolException.protocol("invalid reply length");
        }
        return (int) n;
    }

    private static long number(String text) throws ProtocolException {
        byte[] bytes = Numbers.ascii(text);
        if (!Numbers.isLong(bytes, 0, bytes.length)) {
            throw ProtocolException.protocol("invalid number in reply");
        }
        return Numbers.parseLong(bytes, 0, bytes.length);
    }

    /** So many bytes and a line end. */
    private byte[] blob(int length) throws IOException, ProtocolException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("reply cut short");
        }
        if (readByte() != '\r' || readByte() != '\n') {
            throw ProtocolException.protocol("reply without line end");
        }
        return bytes;
    }

    /** The rest of a line. */
    private String line() throws IOException, ProtocolException {
        var line = new ByteArrayOutputStream(32);
        for (int c = readByte(); c != '\r'; c = readByte()) {
            if (line.size() == LONGEST_LINE) {
                throw ProtocolException.protocol("reply line too long");
            }
            line.write(c);
        }
        if (readByte() != '\n') {
            throw ProtocolException.protocol("reply without line end");
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    private int readByte() throws IOException {
        int c = in.read();
        if (c < 0) {
            throw new EOFException("reply cut short");
        }
        return c;
    }
}
