package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.STREAM;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.value.ConsumerGroup;
import dev.heddle.store.value.PendingEntry;
import dev.heddle.store.value.StreamConsumer;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** XCLAIM and XAUTOCLAIM, by which a consumer takes over what others have left undone. Stateless. */
final class StreamClaimCommands {

    private static final long DEFAULT_COUNT = 100;
    /** How many pending entries XAUTOCLAIM looks at for each that it may claim. */
    private static final int LOOKS = 10;
    /** The largest COUNT of XAUTOCLAIM that Redis takes. */
    private static final long MOST = Long.MAX_VALUE / 16;

    private StreamClaimCommands() {}

    static void declare(CommandTable.Builder t) {
        t.write("XCLAIM", atLeast(5), StreamClaimCommands::claim, FAST)
                .key(Access.RW)
                .tips("nondeterministic_output")
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(log N) with N being the number of messages in the PEL of the consumer group.",
                        "key group consumer min-idle-time:string id [id ...] [IDLE ms:integer]"
                                + " [TIME unix-time-milliseconds:unix-time] [RETRYCOUNT count] [FORCE] [JUSTID]"
                                + " [LASTID lastid:string]",
                        "Makes pending entries another consumer's.");
        t.write("XAUTOCLAIM", atLeast(5), StreamClaimCommands::autoClaim, FAST)
                .key(Access.RW_DELETE)
                .tips("nondeterministic_output")
                .docs(
                        STREAM,
                        "6.2.0",
                        "O(1) if COUNT is small.",
                        "key group consumer min-idle-time:string start:string [COUNT count] [JUSTID]",
                        "Makes entries that have been pending for long another consumer's.");
    }

    private static long number(Call call, int index, String refusal) {
        Request request = call.request();
        byte[] array = request.array(index);
        if (!Numbers.isLong(array, request.offset(index), request.length(index))) {
            throw CommandException.err(refusal);
        }
        return Numbers.parseLong(array, request.offset(index), request.length(index));
    }

    /**
     * {@code XCLAIM key group consumer min-idle-time id [id ...] [IDLE ms] [TIME unix-time-milliseconds] [RETRYCOUNT count] [FORCE]
     * [JUSTID] [LASTID id]}
     */
    private static void claim(Call call) {
        StreamValue found = Streams.of(call.find(1));
        ConsumerGroup group = Streams.group(call, found, 1, 2);
        StreamValue stream = Objects.requireNonNull(found);
        long leastIdle = Math.max(0, number(call, 4, "Invalid min-idle-time argument for XCLAIM"));
        List<StreamId> ids = new ArrayList<>();
        StreamId id = StreamIds.find(call, 5);
        while (id != null) {
            ids.add(id);
            int next = 5 + ids.size();
            id = next < call.argc() ? StreamIds.find(call, next) : null;
        }
        ClaimOptions options = ClaimOptions.parse(call, 5 + ids.size());
        boolean progress = options.lastId().isAfter(group.lastId());
        if (progress && call.session().repeats()) {
            stream.advance(group, options.lastId()); // this is the record of an entry that XREADGROUP has given out
        } else if (progress) {
            group.lastId(options.lastId());
        }
        StreamConsumer consumer = Streams.consumer(call, 1, group.name(), group, call.arg(3));
        Claim claim = new Claim(call, stream, group, consumer, options);
        for (StreamId one : ids) {
            claim.one(one, leastIdle);
        }
        claim.reply();
        if (progress && !claim.recordedProgress()) {
            Streams.recordProgress(call, 1, group);
            call.countChanges(1);
        }
    }

    /** What stands behind the ids of XCLAIM. Immutable. */
    private record ClaimOptions(long delivered, long deliveries, boolean force, boolean justId, StreamId lastId) {

        static ClaimOptions parse(Call call, int from) {
            long now = call.clockMillis();
            long delivered = -1;
            long deliveries = -1;
            boolean force = false;
            boolean justId = false;
            StreamId lastId = StreamId.ZERO;
            for (int i = from; i < call.argc(); i++) {
                boolean more = i + 1 < call.argc();
                if (call.is(i, "FORCE")) {
                    force = true;
                } else if (call.is(i, "JUSTID")) {
                    justId = true;
                } else if (more && call.is(i, "IDLE")) {
                    i++;
                    delivered = now - number(call, i, "Invalid IDLE option argument for XCLAIM");
                } else if (more && call.is(i, "TIME")) {
                    i++;
                    delivered = number(call, i, "Invalid TIME option argument for XCLAIM");
                } else if (more && call.is(i, "RETRYCOUNT")) {
                    i++;
                    deliveries = number(call, i, "Invalid RETRYCOUNT option argument for XCLAIM");
                } else if (more && call.is(i, "LASTID")) {
                    i++;
                    lastId = StreamIds.parse(call, i);
                } else {
                    throw CommandException.err("Unrecognized XCLAIM option '" + call.text(i) + "'");
                }
            }
            if (delivered < 0 || delivered > now) {
                delivered = now; // the client's clock may go wrong: nothing was delivered in the future
            }
            return new ClaimOptions(delivered, deliveries, force, justId, lastId);
        }
    }

    /** One run of XCLAIM or XAUTOCLAIM. Confined to one call. */
    private static final class Claim {

        private final Call call;
        private final StreamValue stream;
        private final ConsumerGroup group;
        private final StreamConsumer consumer;
        private final ClaimOptions options;
        private final List<StreamId> claimed = new ArrayList<>();
        private boolean recorded;

        Claim(Call call, StreamValue stream, ConsumerGroup group, StreamConsumer consumer, ClaimOptions options) {
            this.call = call;
            this.stream = stream;
            this.group = group;
            this.consumer = consumer;
            this.options = options;
        }

        /** Whether how far the group has come has been recorded together with something else. */
        boolean recordedProgress() {
            return recorded;
        }

        void one(StreamId id, long leastIdle) {
            PendingEntry pending = group.pending(id);
            if (!stream.log().contains(id)) {
                if (pending != null) {
                    forget(pending);
                }
                return;
            }
            if (pending == null && options.force()) {
                long deliveries = options.deliveries() >= 0 ? options.deliveries() : options.justId() ? 1 : 2;
                finish(group.addPending(id, consumer, options.delivered(), deliveries));
            } else if (pending != null && isIdle(pending, leastIdle)) {
                take(pending);
            }
        }

        boolean isIdle(PendingEntry pending, long leastIdle) {
            return leastIdle == 0 || call.clockMillis() - pending.deliveredMillis() >= leastIdle;
        }

        /** An entry that is no longer in the stream is of no use to anybody. */
        void forget(PendingEntry pending) {
            record(pending);
            group.removePending(pending);
        }

        void take(PendingEntry pending) {
            long more = options.justId() ? 0 : 1;
            pending.delivered(
                    options.delivered(),
                    options.deliveries() >= 0 ? options.deliveries() : pending.deliveries() + more);
            group.reassign(pending, consumer);
            finish(pending);
        }

        private void finish(PendingEntry pending) {
            claimed.add(pending.id());
            consumer.active(call.clockMillis());
            record(pending);
        }

        /** Answers what was claimed. */
        void reply() {
            ReplyWriter reply = call.reply();
            reply.array(claimed.size());
            for (StreamId id : claimed) {
                if (options.justId()) {
                    Streams.id(reply, id);
                } else {
                    Streams.entry(reply, stream, id);
                }
            }
        }

        private void record(PendingEntry pending) {
            Streams.recordClaim(call, 1, group, pending);
            call.countChanges(1);
            recorded = true;
        }
    }

    /** {@code XAUTOCLAIM key group consumer min-idle-time start [COUNT count] [JUSTID]} */
    private static void autoClaim(Call call) {
        long leastIdle = Math.max(0, number(call, 4, "Invalid min-idle-time argument for XAUTOCLAIM"));
        StreamId at = StreamIds.rangeStart(call, 5);
        long count = DEFAULT_COUNT;
        boolean justId = false;
        for (int i = 6; i < call.argc(); i++) {
            if (i + 1 < call.argc() && call.is(i, "COUNT")) {
                i++;
                count = number(call, i, "COUNT must be > 0");
                if (count < 1 || count > MOST) {
                    throw CommandException.err("COUNT must be > 0");
                }
            } else if (call.is(i, "JUSTID")) {
                justId = true;
            } else {
                throw CommandException.SYNTAX;
            }
        }
        StreamValue stream = Streams.of(call.find(1));
        ConsumerGroup group = Streams.group(call, stream, 1, 2);
        StreamConsumer consumer = Streams.consumer(call, 1, group.name(), group, call.arg(3));
        ClaimOptions options = new ClaimOptions(call.clockMillis(), -1, false, justId, StreamId.ZERO);
        walk(
                call,
                new Claim(call, Objects.requireNonNull(stream), group, consumer, options),
                at,
                new Bounds(leastIdle, count));
    }

    private record Bounds(long leastIdle, long count) {}

    private static void walk(Call call, Claim claim, StreamId start, Bounds bounds) {
        ConsumerGroup group = claim.group;
        List<StreamId> gone = new ArrayList<>();
        PendingEntry next = group.firstPending(start);
        long left = bounds.count();
        for (long looks = left * LOOKS; looks > 0 && left > 0 && next != null; looks--) {
            StreamId id = next.id();
            if (!claim.stream.log().contains(id)) {
                claim.forget(next);
                gone.add(id);
                left--;
            } else if (claim.isIdle(next, bounds.leastIdle())) {
                claim.take(next);
                left--;
            }
            next = id.equals(StreamId.MAX) ? null : group.firstPending(id.next());
        }
        ReplyWriter reply = call.reply();
        reply.array(3);
        Streams.id(reply, next == null ? StreamId.ZERO : next.id());
        claim.reply();
        reply.array(gone.size());
        gone.forEach(id -> Streams.id(reply, id));
    }
}
