package dev.heddle.command.data;

import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.STRING;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.store.Entry;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Strings as numbers. Stateless. */
public final class CounterCommands {

    private static final byte[] KEEPTTL = "KEEPTTL".getBytes(StandardCharsets.US_ASCII);

    private CounterCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.write("INCR", exactly(1), CounterCommands::incr, DENYOOM, FAST)
                .key(Access.RW_ACCESS)
                .docs(STRING, "1.0.0", "O(1)", "key", "Adds one to an integer.");
        t.write("DECR", exactly(1), CounterCommands::decr, DENYOOM, FAST)
                .key(Access.RW_ACCESS)
                .docs(STRING, "1.0.0", "O(1)", "key", "Takes one from an integer.");
        t.write("INCRBY", exactly(2), CounterCommands::incrBy, DENYOOM, FAST)
                .key(Access.RW_ACCESS)
                .docs(STRING, "1.0.0", "O(1)", "key increment", "Adds to an integer.");
        t.write("DECRBY", exactly(2), CounterCommands::decrBy, DENYOOM, FAST)
                .key(Access.RW_ACCESS)
                .docs(STRING, "1.0.0", "O(1)", "key decrement", "Takes from an integer.");
        t.write("INCRBYFLOAT", exactly(2), CounterCommands::incrByFloat, DENYOOM, FAST)
                .key(Access.RW_ACCESS)
                .docs(STRING, "2.6.0", "O(1)", "key increment:double", "Adds to a floating-point number.");
    }

    /** {@code INCR key} */
    private static void incr(Call call) {
        add(call, 1);
    }

    /** {@code DECR key} */
    private static void decr(Call call) {
        add(call, -1);
    }

    /** {@code INCRBY key increment} */
    private static void incrBy(Call call) {
        add(call, call.longArg(2));
    }

    /** {@code DECRBY key decrement} */
    private static void decrBy(Call call) {
        long decrement = call.longArg(2);
        if (decrement == Long.MIN_VALUE) {
            throw CommandException.err("decrement would overflow");
        }
        add(call, -decrement);
    }

    private static void add(Call call, long delta) {
        Entry entry = call.findForWrite(1);
        Object value = StringValues.valueOf(entry);
        long old = value == null ? 0 : number(value);
        long sum = old + delta;
        if (((old ^ sum) & (delta ^ sum)) < 0) { // both have the other sign than their sum
            throw CommandException.OVERFLOW;
        }
        if (entry == null) {
            call.add(1, StringValues.number(sum));
        } else {
            call.value(1, entry, StringValues.number(sum));
        }
        call.changed(1, EventClass.STRING, "incrby");
        call.reply().integer(sum);
    }

    private static long number(Object value) {
        if (value instanceof Long number) {
            return number;
        }
        byte[] array = StringValues.array(value);
        int length = StringValues.length(value);
        if (!Numbers.isLong(array, 0, length)) {
            throw CommandException.NOT_INTEGER;
        }
        return Numbers.parseLong(array, 0, length);
    }

    /** {@code INCRBYFLOAT key increment} */
    private static void incrByFloat(Call call) {
        Entry entry = call.findForWrite(1);
        Object value = StringValues.valueOf(entry);
        BigDecimal old = value == null ? BigDecimal.ZERO : decimal(value);
        BigDecimal increment = decimal(
                call.request().array(2),
                call.request().offset(2),
                call.request().length(2));
        BigDecimal sum = old == null || increment == null ? null : Numbers.addDecimals(old, increment);
        if (sum == null) {
            throw CommandException.NAN_OR_INFINITY;
        }
        byte[] text = Numbers.plain(sum).getBytes(StandardCharsets.US_ASCII);
        if (entry == null) {
            call.add(1, text);
        } else {
            call.value(1, entry, text);
        }
        call.changed(1, EventClass.STRING, "incrbyfloat");
        if (call.recorded()) {
            // Who replays this may round otherwise: the result is what counts.
            call.effect("SET", call.arg(1), text, KEEPTTL);
        }
        call.reply().bulk(text);
    }

    private static @Nullable BigDecimal decimal(Object value) {
        return value instanceof Long number
                ? BigDecimal.valueOf(number)
                : decimal(StringValues.array(value), 0, StringValues.length(value));
    }

    /** The number, or null if it is infinite. @throws CommandException "value is not a valid float" */
    private static @Nullable BigDecimal decimal(byte[] array, int offset, int length) {
        BigDecimal number = Numbers.parseDecimal(array, offset, length);
        if (number == null && !Numbers.isInfinite(array, offset, length)) {
            throw CommandException.NOT_FLOAT;
        }
        return number;
    }
}
