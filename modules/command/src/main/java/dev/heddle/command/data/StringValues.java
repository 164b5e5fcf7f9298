package dev.heddle.command.data;

import dev.heddle.command.CommandException;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.store.Entry;
import dev.heddle.store.value.GrowableString;
import org.jspecify.annotations.Nullable;

/**
 * The three forms of a string value: {@code byte[]}, {@code Long} for what reads as an integer, {@link GrowableString} for what is changed in
 * place. Stateless.
 */
final class StringValues {

    /** A string up to this length is "embstr" to OBJECT ENCODING, as in Redis, where it lies in one block with its header. */
    private static final int EMBEDDED = 44;

    private StringValues() {}

    /** The value to be stored for these bytes, which belong to it from now on. */
    static Object of(byte[] bytes) {
        int length = bytes.length;
        if (length == 0 || length > Numbers.MAX_LONG_BYTES || bytes[0] > '9' || !Numbers.isLong(bytes, 0, length)) {
            return bytes;
        }
        return Numbers.parseLong(bytes, 0, length);
    }

    /** Whether this value is a string in one of its forms. */
    static boolean isString(Object value) {
        return value instanceof byte[] || value instanceof Long || value instanceof GrowableString;
    }

    /** The value of an entry, null if there is none. @throws CommandException WRONGTYPE */
    static @Nullable Object valueOf(@Nullable Entry entry) {
        if (entry == null) {
            return null;
        }
        Object value = entry.value();
        if (!isString(value)) {
            throw CommandException.WRONG_TYPE;
        }
        return value;
    }

    static int length(Object value) {
        return switch (value) {
            case byte[] bytes -> bytes.length;
            case Long number -> Numbers.length(number);
            case GrowableString string -> string.length();
            default -> throw CommandException.WRONG_TYPE;
        };
    }

    /** The bytes: perhaps the value's own, so not to be changed, and valid under the lock only. See {@link #length} for how many count. */
    static byte[] array(Object value) {
        return switch (value) {
            case byte[] bytes -> bytes;
            case Long number -> Numbers.toBytes(number);
            case GrowableString string -> string.array();
            default -> throw CommandException.WRONG_TYPE;
        };
    }

    /** The bytes as an array of exactly their length that nobody will change. */
    static byte[] bytes(Object value) {
        return value instanceof GrowableString string ? string.copy() : array(value);
    }

    /** Writes the value as a bulk string. */
    static void reply(ReplyWriter reply, Object value) {
        switch (value) {
            case byte[] bytes -> reply.bulkShared(bytes);
            case Long number -> reply.bulkLong(number);
            case GrowableString string -> reply.bulk(string.array(), 0, string.length());
            default -> throw CommandException.WRONG_TYPE;
        }
    }

    /** The name that OBJECT ENCODING answers. */
    static String encoding(Object value) {
        return switch (value) {
            case byte[] bytes -> bytes.length <= EMBEDDED ? "embstr" : "raw";
            case Long number -> "int";
            case GrowableString string -> string.encoding();
            default -> throw CommandException.WRONG_TYPE;
        };
    }
}
