package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.StreamCursor;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamLog;

/**
 * A part of a stream that is to be answered. Confined to one call, under the lock of the stream's stripe unless it is a {@link #copy}.
 *
 * @param from the least id, inclusive
 * @param to the greatest id, inclusive
 * @param most how many entries are answered at most
 */
record StreamSlice(StreamLog log, StreamId from, StreamId to, boolean backwards, long most) {

    /** From so many entries on a reply is better written from a copy, without locks. */
    private static final int LARGE = 4096;

    /** Whether this may be so large that others should not have to wait while it is written. */
    boolean isLarge() {
        return Math.min(most, log.length()) >= LARGE;
    }

    /** The same, in a log that nobody changes. */
    StreamSlice copy() {
        return new StreamSlice(log.copyRange(from, to, backwards, most), from, to, backwards, most);
    }

    /** Writes the entries as an array. */
    void answer(Call call) {
        ReplyWriter reply = call.reply();
        ElementSink fields = Patience.before(call, new BulkReplies(reply));
        int count = count();
        reply.array(count);
        StreamCursor cursor = cursor();
        for (int i = 0; i < count && cursor.next(); i++) {
            Streams.entry(reply, cursor, fields);
        }
    }

    private StreamCursor cursor() {
        return log.cursor(from, to, backwards);
    }

    /** How many entries there are: an array that is begun without that cannot be sent in pieces. */
    private int count() {
        StreamCursor cursor = cursor();
        int count = 0;
        while (count < most && cursor.next()) {
            count++;
        }
        return count;
    }
}
