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
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;

/** Parts of strings. Stateless. */
public final class StringRangeCommands {

    private static final byte[] EMPTY = {};

    private StringRangeCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.read("GETRANGE", exactly(3), StringRangeCommands::getRange)
                .key(Access.RO)
                .docs(STRING, "2.4.0", "O(N) for N bytes answered", "key start end", "Answers a part of a string.");
        t.read("SUBSTR", exactly(3), StringRangeCommands::getRange)
                .key(Access.RO)
                .deprecated("2.0.0", "`GETRANGE`")
                .docs(
                        STRING,
                        "1.0.0",
                        "O(N) for N bytes answered",
                        "key start end",
                        "Answers a part of a string: the old name of GETRANGE.");
        t.write("SETRANGE", exactly(3), StringRangeCommands::setRange, DENYOOM)
                .key(Access.RW)
                .docs(
                        STRING,
                        "2.2.0",
                        "O(N) for N bytes written",
                        "key offset value",
                        "Overwrites a part of a string, which grows if need be.");
        t.write("APPEND", exactly(2), StringRangeCommands::append, DENYOOM, FAST)
                .key(Access.RW_INSERT)
                .docs(STRING, "2.0.0", "O(1) amortised", "key value", "Adds to the end of a string.");
        t.read("STRLEN", exactly(1), StringRangeCommands::strLen, FAST)
                .key(Access.RO_META)
                .docs(STRING, "2.2.0", "O(1)", "key", "Answers the length of a string in bytes.");
    }

    /** {@code GETRANGE key start end} */
    private static void getRange(Call call) {
        long start = call.longArg(2);
        long end = call.longArg(3);
        Object value = StringValues.valueOf(call.find(1));
        int length = value == null ? 0 : StringValues.length(value);
        if (value == null || (start < 0 && end < 0 && start > end)) {
            call.reply().bulk(EMPTY);
            return;
        }
        long from = Math.max(0, start < 0 ? length + start : start);
        long to = Math.min(length - 1, Math.max(0, end < 0 ? length + end : end));
        if (from > to) {
            call.reply().bulk(EMPTY);
        } else if (from == 0 && to == length - 1) {
            StringValues.reply(call.reply(), value);
        } else {
            call.reply().bulk(StringValues.array(value), (int) from, (int) (to - from + 1));
        }
    }

    /** {@code SETRANGE key offset value} */
    private static void setRange(Call call) {
        long offset = call.longArg(2);
        if (offset < 0) {
            throw CommandException.err("offset is out of range");
        }
        Request request = call.request();
        int count = request.length(3);
        Entry entry = call.findForWrite(1);
        Object value = StringValues.valueOf(entry);
        if (count == 0) {
            call.reply().integer(value == null ? 0 : StringValues.length(value));
            return;
        }
        int end = StringValues.sum(call, offset, count);
        var string = StringValues.growable(call, 1, entry, end);
        string.write((int) offset, request.array(3), request.offset(3), count);
        call.changed(1, EventClass.STRING, "setrange");
        call.reply().integer(string.length());
    }

    /** {@code APPEND key value} */
    private static void append(Call call) {
        Request request = call.request();
        int count = request.length(2);
        Entry entry = call.findForWrite(1);
        Object value = StringValues.valueOf(entry);
        int sum = count;
        if (value == null) {
            call.add(1, StringValues.take(call, 2));
        } else {
            int length = StringValues.length(value);
            sum = StringValues.sum(call, length, count);
            StringValues.growable(call, 1, entry, sum).write(length, request.array(2), request.offset(2), count);
        }
        call.changed(1, EventClass.STRING, "append");
        call.reply().integer(sum);
    }

    /** {@code STRLEN key} */
    private static void strLen(Call call) {
        Object value = StringValues.valueOf(call.find(1));
        call.reply().integer(value == null ? 0 : StringValues.length(value));
    }
}
