package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
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

    /** How many small numbers, from 0 on, share one object each, as in Redis. */
    static final int SHARED_NUMBERS = 10_000;

    private static final Long[] SHARED = new Long[SHARED_NUMBERS];
    /** The longest array that every JVM can make, less what a bit field at its end may add. */
    private static final int LONGEST = Integer.MAX_VALUE - 64;

    private static final CommandException TOO_LONG =
            CommandException.err("string exceeds maximum allowed size (proto-max-bulk-len)");

    static {
        for (int i = 0; i < SHARED_NUMBERS; i++) {
            SHARED[i] = (long) i;
        }
    }

    private StringValues() {}

    /** The value to be stored for an argument: a number if it reads as one. Only once per argument. */
    static Object take(Call call, int index) {
        Request request = call.request();
        int length = request.length(index);
        if (length > 0 && length <= Numbers.MAX_LONG_BYTES) {
            byte[] array = request.array(index);
            int offset = request.offset(index);
            long number = Numbers.parseLong(array, offset, length);
            if (number != Numbers.NOT_A_LONG || Numbers.isLong(array, offset, length)) {
                return number(number);
            }
        }
        return request.take(index);
    }

    /** The value to be stored for a number. */
    static Long number(long number) {
        return number >= 0 && number < SHARED_NUMBERS ? SHARED[(int) number] : Long.valueOf(number);
    }

    /** The longest string that a client may make, in bytes: {@code proto-max-bulk-len}. */
    static int maxLength(Call call) {
        return (int) Math.min(call.engine().settings().network.maxBulkLength.value(), LONGEST);
    }

    /** The sum of two lengths from 0 on. @throws CommandException if a string must not be that long */
    static int sum(Call call, long length, long more) {
        long sum = length + more;
        if (sum < 0 || sum > maxLength(call)) {
            throw TOO_LONG;
        }
        return (int) sum;
    }

    /** The string of a key, in place of which it is from now on, to be changed in place; at least so long, filled up with zeros. */
    static GrowableString growable(Call call, int index, @Nullable Entry entry, int length) {
        Object value = valueOf(entry);
        if (entry == null) {
            GrowableString zeros = GrowableString.of(new byte[length]);
            call.add(index, zeros);
            return zeros;
        }
        if (value instanceof GrowableString string) {
            string.ensureLength(length);
            return string;
        }
        byte[] bytes = bytes(entry.value());
        GrowableString string = GrowableString.growing(bytes, bytes.length, Math.max(bytes.length, length));
        string.ensureLength(length);
        call.value(index, entry, string);
        return string;
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
        return value instanceof GrowableString string ? string.toByteArray() : array(value);
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
