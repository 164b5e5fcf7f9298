package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.Request;
import dev.heddle.store.value.StreamId;
import org.jspecify.annotations.Nullable;

/** Reads ids of stream entries from arguments: {@code milliseconds-sequence}, or parts of it. Stateless. */
final class StreamIds {

    static final CommandException INVALID =
            CommandException.err("Invalid stream ID specified as stream command argument");
    private static final CommandException NOTHING_BEHIND = CommandException.err("invalid start ID for the interval");
    private static final CommandException NOTHING_BEFORE = CommandException.err("invalid end ID for the interval");

    /** Longer arguments are no ids, whatever they are. */
    private static final int LONGEST = 127;

    private static final long LARGEST_TENTH = Long.divideUnsigned(-1, 10);

    private StreamIds() {}

    /** An id; without a sequence it has 0. @throws CommandException if it is none */
    static StreamId parse(Call call, int index) {
        StreamId id = find(call, index);
        if (id == null) {
            throw INVALID;
        }
        return id;
    }

    /** As {@link #parse}; null if the argument is no id. */
    static @Nullable StreamId find(Call call, int index) {
        return find(call.request(), index, 0, 0);
    }

    /** An id to be completed: {@code milliseconds-*}, of which the milliseconds are answered; null if it is not of that form. */
    static @Nullable StreamId findPartial(Call call, int index) {
        Request request = call.request();
        byte[] array = request.array(index);
        int end = request.offset(index) + request.length(index);
        boolean partial = request.length(index) > 2 && array[end - 1] == '*' && array[end - 2] == '-';
        Long ms = partial ? number(array, request.offset(index), end - 2) : null;
        return ms == null ? null : new StreamId(ms, 0);
    }

    /** An id, or {@code -} or {@code +} for the least and the greatest one. */
    static StreamId parseOrExtreme(Call call, int index, long missingSequence) {
        Request request = call.request();
        if (request.length(index) == 1) {
            byte only = request.array(index)[request.offset(index)];
            if (only == '-' || only == '+') {
                return only == '-' ? StreamId.ZERO : StreamId.MAX;
            }
        }
        StreamId id = find(request, index, 0, missingSequence);
        if (id == null) {
            throw INVALID;
        }
        return id;
    }

    /** Where a range begins: an id, {@code -}, {@code +}, or {@code (id} for the one behind it. */
    static StreamId rangeStart(Call call, int index) {
        if (!isExclusive(call.request(), index)) {
            return parseOrExtreme(call, index, 0);
        }
        StreamId id = exclusive(call, index, 0);
        if (id.equals(StreamId.MAX)) {
            throw NOTHING_BEHIND;
        }
        return id.next();
    }

    /** Where a range ends. */
    static StreamId rangeEnd(Call call, int index) {
        if (!isExclusive(call.request(), index)) {
            return parseOrExtreme(call, index, -1);
        }
        StreamId id = exclusive(call, index, -1);
        if (id.isZero()) {
            throw NOTHING_BEFORE;
        }
        return id.previous();
    }

    private static StreamId exclusive(Call call, int index, long missingSequence) {
        StreamId id = find(call.request(), index, 1, missingSequence);
        if (id == null) {
            throw INVALID;
        }
        return id;
    }

    private static boolean isExclusive(Request request, int index) {
        return request.length(index) > 1 && request.array(index)[request.offset(index)] == '(';
    }

    /** All arguments from one on as ids. */
    static StreamId[] parseAll(Call call, int from) {
        StreamId[] ids = new StreamId[call.argc() - from];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = parse(call, from + i);
        }
        return ids;
    }

    private static @Nullable StreamId find(Request request, int index, int skip, long missingSequence) {
        byte[] array = request.array(index);
        int from = request.offset(index) + skip;
        int end = request.offset(index) + request.length(index);
        if (end - from > LONGEST) {
            return null;
        }
        int dash = from;
        while (dash < end && array[dash] != '-') {
            dash++;
        }
        Long ms = number(array, from, dash);
        Long seq = dash == end ? (Long) missingSequence : number(array, dash + 1, end);
        return ms == null || seq == null ? null : new StreamId(ms, seq);
    }

    /** An unsigned number of 64 bits, as the C library reads it: blanks and a plus sign may stand before it. Null if it is none. */
    private static @Nullable Long number(byte[] array, int from, int end) {
        int at = from;
        while (at < end && (array[at] == ' ' || (array[at] >= '\t' && array[at] <= '\r'))) {
            at++;
        }
        if (at < end && array[at] == '+') {
            at++;
        }
        if (at == end) {
            return null;
        }
        long value = 0;
        for (; at < end; at++) {
            int digit = array[at] - '0';
            boolean tooLarge = Long.compareUnsigned(value, LARGEST_TENTH) > 0 || (value == LARGEST_TENTH && digit > 5);
            if (digit < 0 || digit > 9 || tooLarge) {
                return null;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
