package dev.heddle.command;

import dev.heddle.resp.Numbers;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Something to be told to many clients: encoded when the first one wants it, and once for each protocol.
 *
 * <p>Confined to the thread that tells it; the arrays that it hands out are shared and never change.
 */
final class Message {

    private static final int BULK_EXTRA = 5; // a type byte and two line ends

    private final byte[][] parts;
    private byte @Nullable [] two;
    private byte @Nullable [] three;

    /** An aggregate of bulk strings. */
    Message(byte[]... parts) {
        this.parts = parts;
    }

    static byte[] word(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The message as a push of RESP3, or an array in RESP2. */
    byte[] encoded(int protocol) {
        return protocol == 3 ? push() : array();
    }

    private byte[] array() {
        byte[] bytes = two;
        if (bytes == null) {
            bytes = three == null ? encode() : three.clone();
            bytes[0] = '*';
            two = bytes;
        }
        return bytes;
    }

    private byte[] push() {
        byte[] bytes = three;
        if (bytes == null) {
            bytes = two == null ? encode() : two.clone();
            bytes[0] = '>';
            three = bytes;
        }
        return bytes;
    }

    private byte[] encode() {
        int size = 1 + Numbers.length(parts.length) + 2;
        for (byte[] part : parts) {
            size = Math.addExact(size, BULK_EXTRA + Numbers.length(part.length) + part.length);
        }
        byte[] bytes = new byte[size];
        int at = lineEnd(bytes, Numbers.write(parts.length, bytes, 1));
        for (byte[] part : parts) {
            bytes[at] = '$';
            at = lineEnd(bytes, Numbers.write(part.length, bytes, at + 1));
            System.arraycopy(part, 0, bytes, at, part.length);
            at = lineEnd(bytes, at + part.length);
        }
        return bytes;
    }

    private static int lineEnd(byte[] bytes, int at) {
        bytes[at] = '\r';
        bytes[at + 1] = '\n';
        return at + 2;
    }
}
