package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
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
import dev.heddle.store.value.GrowableString;

/** Strings as whole values. Stateless. */
public final class StringCommands {

    private StringCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.read("GET", exactly(1), StringCommands::get, FAST)
                .key(Access.RO)
                .docs(STRING, "1.0.0", "O(1)", "key", "Answers the value of a string.");
        t.write("SET", atLeast(2), StringCommands::set, DENYOOM)
                .key(Access.OW)
                .docs(STRING, "1.0.0", "O(1)", "key value", "Sets a key to a string, whatever it held before.");
        t.write("INCR", exactly(1), StringCommands::incr, DENYOOM, FAST)
                .key(Access.RW_ACCESS)
                .docs(STRING, "1.0.0", "O(1)", "key", "Adds one to an integer.");
    }

    /** {@code GET key} */
    private static void get(Call call) {
        Object value = StringValues.valueOf(call.find(1));
        if (value == null) {
            call.reply().nil();
        } else {
            StringValues.reply(call.reply(), value);
        }
    }

    private static void set(Call call) {
        call.set(1, StringValues.of(call.take(2)));
        call.changed(1, EventClass.STRING, "set");
        call.reply().ok();
    }

    /** {@code INCR key} */
    private static void incr(Call call) {
        add(call, 1);
    }

    private static void add(Call call, long delta) {
        Entry entry = call.findForWrite(1);
        Object value = StringValues.valueOf(entry);
        long sum;
        try {
            sum = Math.addExact(value == null ? 0 : number(value), delta);
        } catch (ArithmeticException overflow) {
            throw CommandException.OVERFLOW;
        }
        if (entry == null) {
            call.add(1, sum);
        } else {
            entry.value(sum);
        }
        call.changed(1, EventClass.STRING, "incrby");
        call.reply().integer(sum);
    }

    private static long number(Object value) {
        return switch (value) {
            case Long number -> number;
            case byte[] bytes -> throw CommandException.NOT_INTEGER;
            case GrowableString string -> {
                if (!Numbers.isLong(string.array(), 0, string.length())) {
                    throw CommandException.NOT_INTEGER;
                }
                yield Numbers.parseLong(string.array(), 0, string.length());
            }
            default -> throw CommandException.WRONG_TYPE;
        };
    }
}
