package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Group.STREAM;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.store.value.ConsumerGroup;
import dev.heddle.store.value.PendingEntry;
import dev.heddle.store.value.StreamConsumer;
import dev.heddle.store.value.StreamId;
import java.util.Collection;

/** XPENDING, which tells what consumers have not acknowledged. Stateless. */
final class StreamPendingCommands {

    private StreamPendingCommands() {}

    static void declare(CommandTable.Builder t) {
        t.read("XPENDING", atLeast(2), StreamPendingCommands::pending)
                .key(Access.RO)
                .tips("nondeterministic_output")
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(log N + M) for M of N pending entries; O(C) for the summary of C consumers",
                        "key group [[IDLE min-idle-time:integer] start:string end:string count [consumer]]",
                        "Tells what the consumers of a group have been given and not acknowledged.");
        StreamClaimCommands.declare(t);
    }

    /** {@code XPENDING key group [[IDLE min-idle-time] start end count [consumer]]} */
    private static void pending(Call call) {
        if (call.argc() == 3) {
            summary(call, Streams.group(call, Streams.of(call.find(1)), 1, 2));
            return;
        }
        if (call.argc() < 6 || call.argc() > 9) {
            throw CommandException.SYNTAX;
        }
        int at = 3;
        long leastIdle = 0;
        if (call.is(3, "IDLE")) {
            leastIdle = call.longArg(4);
            if (call.argc() < 8) {
                throw CommandException.SYNTAX;
            }
            at = 5;
        }
        long count = Math.max(0, call.longArg(at + 2));
        StreamId from = StreamIds.rangeStart(call, at);
        StreamId to = StreamIds.rangeEnd(call, at + 1);
        ConsumerGroup group = Streams.group(call, Streams.of(call.find(1)), 1, 2);
        Collection<PendingEntry> entries = group.pending(from, to);
        if (at + 3 < call.argc()) {
            StreamConsumer consumer = group.consumer(call.arg(at + 3));
            if (consumer == null) {
                call.reply().array(0);
                return;
            }
            entries = consumer.pending(from, to);
        }
        list(call, entries, leastIdle, count);
    }

    private static void summary(Call call, ConsumerGroup group) {
        ReplyWriter reply = call.reply();
        reply.array(4);
        reply.integer(group.pendingCount());
        PendingEntry first = group.firstPending(StreamId.ZERO);
        PendingEntry last = group.lastPending();
        if (first == null || last == null) {
            reply.nil();
            reply.nil();
            reply.nilArray();
            return;
        }
        Streams.id(reply, first.id());
        Streams.id(reply, last.id());
        int mark = reply.deferred();
        int count = 0;
        for (StreamConsumer consumer : group.consumers()) {
            if (consumer.pendingCount() > 0) {
                reply.array(2);
                reply.bulk(consumer.name());
                reply.bulkLong(consumer.pendingCount());
                count++;
            }
        }
        reply.closeArray(mark, count);
    }

    private static void list(Call call, Collection<PendingEntry> entries, long leastIdle, long most) {
        ReplyWriter reply = call.reply();
        long now = call.clockMillis();
        int mark = reply.deferred();
        int count = 0;
        for (PendingEntry entry : entries) {
            if (count >= most) {
                break;
            }
            long idle = now - entry.deliveredMillis();
            if (leastIdle != 0 && idle < leastIdle) {
                continue;
            }
            reply.array(4);
            Streams.id(reply, entry.id());
            reply.bulk(entry.consumer().name());
            reply.integer(Math.max(0, idle));
            reply.integer(entry.deliveries());
            count++;
        }
        reply.closeArray(mark, count);
    }
}
