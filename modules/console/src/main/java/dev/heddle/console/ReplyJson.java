package dev.heddle.console;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Turns encoded replies (RESP3 or RESP2) into JSON without loss; docs/console.md has the table. A bulk string is a JSON string if its bytes
 * are UTF-8, otherwise an object with its Base64.
 *
 * <p>Confined to one thread.
 */
final class ReplyJson {

    /** Integers beyond this are written as text: JavaScript's numbers are not exact there. */
    private static final long EXACT = (1L << 53) - 1;

    private final byte[] in;
    private final JsonWriter out;
    /** Bytes of strings that may still be written; what comes then is left out, with a note. */
    private long budget;

    private int at;

    ReplyJson(byte[] encoded, JsonWriter out, long budget) {
        this.in = encoded;
        this.out = out;
        this.budget = budget;
    }

    boolean hasNext() {
        return at < in.length;
    }

    /** Whether the next value was sent unasked. */
    boolean isPush() {
        return in[at] == '>';
    }

    /** Whether the next value is a line of MONITOR: {@code +1700000000.123456 [0 127.0.0.1:5] "GET" "k"}. */
    boolean isMonitorLine() {
        int i = at + 1;
        while (i < in.length && (in[i] >= '0' && in[i] <= '9' || in[i] == '.')) {
            i++;
        }
        return in[at] == '+' && i > at + 10 && i + 1 < in.length && in[i] == ' ' && in[i + 1] == '[';
    }

    /** Writes the next value. */
    void write() throws IOException {
        byte type = in[at++];
        switch (type) {
            case '+' -> wrapped("simple", text(line()));
            case '-' -> wrapped("error", text(line()));
            case '!' -> wrapped("error", text(block()));
            case ':' -> integer(text(line()));
            case '$' -> bulk();
            case '*' -> list();
            case '~' -> wrappedList("set");
            case '>' -> wrappedList("push");
            case '%' -> map();
            case '_' -> {
                line();
                out.nullValue();
            }
            case ',' -> wrapped("double", text(line()));
            case '#' -> out.value(line().get() == 't');
            case '(' -> wrapped("big", text(line()));
            case '=' -> verbatim();
            default -> throw new IOException("not a reply: " + type);
        }
    }

    private void integer(String digits) throws IOException {
        long value = Long.parseLong(digits);
        if (Math.abs(value) <= EXACT) {
            out.value(value);
        } else {
            wrapped("integer", digits);
        }
    }

    private void bulk() throws IOException {
        int length = Integer.parseInt(text(line()));
        if (length < 0) {
            out.nullValue();
            return;
        }
        bytes(slice(length));
    }

    private void bytes(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (length > budget) {
            out.beginObject().name("cut");
            long whole = length;
            bytes.limit(bytes.position() + (int) Math.max(0, budget));
            out.value(Base64.getEncoder().encodeToString(copy(bytes)));
            out.name("length").value(whole).endObject();
            budget = 0;
            return;
        }
        budget -= length;
        try {
            out.value(StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(bytes.duplicate())
                    .toString());
        } catch (CharacterCodingException binary) {
            wrapped("base64", Base64.getEncoder().encodeToString(copy(bytes)));
        }
    }

    private void list() throws IOException {
        int n = Integer.parseInt(text(line()));
        if (n < 0) {
            out.nullValue();
            return;
        }
        elements(n);
    }

    private void wrappedList(String name) throws IOException {
        int n = Integer.parseInt(text(line()));
        out.beginObject().name(name);
        elements(n);
        out.endObject();
    }

    private void elements(int n) throws IOException {
        out.beginArray();
        for (int i = 0; i < n; i++) {
            if (budget <= 0) {
                more(n - i);
                skip(n - i);
                break;
            }
            budget -= 4;
            write();
        }
        out.endArray();
    }

    private void map() throws IOException {
        int n = Integer.parseInt(text(line()));
        out.beginObject().name("map").beginArray();
        for (int i = 0; i < n; i++) {
            if (budget <= 0) {
                more(n - i);
                skip(2L * (n - i));
                break;
            }
            out.beginArray();
            write();
            write();
            out.endArray();
        }
        out.endArray().endObject();
    }

    private void more(int count) throws IOException {
        out.beginObject().name("more").value(count).endObject();
    }

    private void verbatim() throws IOException {
        ByteBuffer content = block();
        byte[] format = new byte[3];
        content.get(format).get();
        out.beginObject().name("verbatim").value(new String(format, StandardCharsets.ISO_8859_1));
        out.name("text");
        bytes(content);
        out.endObject();
    }

    /** Passes over so many values. */
    private void skip(long count) throws IOException {
        for (long left = count; left > 0; left--) {
            byte type = in[at++];
            switch (type) {
                case '$', '=', '!' -> {
                    int length = Integer.parseInt(text(line()));
                    if (length >= 0) {
                        slice(length);
                    }
                }
                case '*', '~', '>' -> skip(Math.max(0, Integer.parseInt(text(line()))));
                case '%' -> skip(2L * Integer.parseInt(text(line())));
                default -> line();
            }
        }
    }

    private void wrapped(String name, String value) throws IOException {
        out.beginObject().name(name).value(value).endObject();
    }

    private ByteBuffer line() throws IOException {
        int from = at;
        while (at < in.length && in[at] != '\r') {
            at++;
        }
        if (at + 1 >= in.length) {
            throw new IOException("reply cut short");
        }
        ByteBuffer line = ByteBuffer.wrap(in, from, at - from).slice();
        at += 2;
        return line;
    }

    private ByteBuffer block() throws IOException {
        return slice(Integer.parseInt(text(line())));
    }

    private ByteBuffer slice(int length) throws IOException {
        if (length > in.length - at - 2) {
            throw new IOException("reply cut short");
        }
        ByteBuffer slice = ByteBuffer.wrap(in, at, length).slice();
        at += length + 2;
        return slice;
    }

    /** Errors and simple strings may hold any bytes: what is no UTF-8 shows as U+FFFD. */
    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    private static byte[] copy(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }
}
