package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.STREAM;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Request;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamLimits;
import dev.heddle.store.value.StreamLog;
import dev.heddle.store.value.StreamTrim;
import dev.heddle.store.value.StreamValue;
import org.jspecify.annotations.Nullable;

/** Streams as logs of entries; what is about groups of consumers stands in other files. Stateless. */
public final class StreamCommands {

    private static final CommandException EXHAUSTED =
            CommandException.err("The stream has exhausted the last possible ID, unable to add more items");
    private static final CommandException NOT_ABOVE_ZERO =
            CommandException.err("The ID specified in XADD must be greater than 0-0");
    private static final CommandException NOT_ABOVE_LAST =
            CommandException.err("The ID specified in XADD is equal or smaller than the target stream top item");
    private static final CommandException TOO_LARGE = CommandException.err("Elements are too large to be stored");

    private StreamCommands() {}

    /** Declares all commands on streams, those of the other files too. */
    public static void declare(CommandTable.Builder t) {
        declareWrites(t);
        declareReads(t);
        StreamReadCommands.declare(t);
        StreamGroupCommands.declare(t);
        StreamPendingCommands.declare(t);
        StreamInfoCommands.declare(t);
    }

    private static void declareWrites(CommandTable.Builder t) {
        t.write("XADD", atLeast(4), StreamCommands::add, DENYOOM, FAST)
                .key(Access.RW)
                .tips("nondeterministic_output")
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(1) when adding a new entry, O(N) when trimming where N being the number of entries evicted.",
                        "key [NOMKSTREAM] [<MAXLEN | MINID> [= | ~] threshold:string [LIMIT count]]"
                                + " <* | id> field value [field value ...]",
                        "Adds an entry to a stream.");
        t.write("XDEL", atLeast(2), StreamCommands::delete, FAST)
                .key(Access.RW_DELETE)
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(log N) for each entry of N",
                        "key id [id ...]",
                        "Takes entries out of a stream.");
        t.write("XTRIM", atLeast(3), StreamCommands::trim)
                .key(Access.RW_DELETE)
                .tips("nondeterministic_output")
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(N), with N being the number of evicted entries.",
                        "key <MAXLEN | MINID> [= | ~] threshold:string [LIMIT count]",
                        "Takes entries out of a stream from its beginning on.");
        t.write("XSETID", atLeast(2), StreamCommands::setId, DENYOOM, FAST)
                .key(Access.RW)
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(1)",
                        "key last-id [ENTRIESADDED entries-added:integer] [MAXDELETEDID max-deleted-id:string]",
                        "Says what the last id of a stream was.");
    }

    private static void declareReads(CommandTable.Builder t) {
        t.read("XLEN", exactly(1), StreamCommands::length, FAST)
                .key(Access.RO_META)
                .docs(STREAM, "5.0.0", "O(1)", "key", "Answers how many entries a stream has.");
        t.read("XRANGE", atLeast(3), call -> range(call, 2, 3, false))
                .key(Access.RO)
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(log N + M) for M entries of N",
                        "key start:string end:string [COUNT count]",
                        "Answers the entries of a stream whose ids are in a range.");
        t.read("XREVRANGE", atLeast(3), call -> range(call, 3, 2, true))
                .key(Access.RO)
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(log N + M) for M entries of N",
                        "key end:string start:string [COUNT count]",
                        "Answers the entries of a stream whose ids are in a range, from the last one on.");
    }

    /** {@code XADD key [NOMKSTREAM] [<MAXLEN | MINID> [= | ~] threshold [LIMIT count]] <* | id> field value [field value ...]} */
    private static void add(Call call) {
        StreamTrimOptions options = StreamTrimOptions.parse(call, true);
        int idAt = options.next();
        int fields = call.argc() - idAt - 1;
        if (fields < 2 || fields % 2 == 1) {
            throw CommandException.err("wrong number of arguments for 'xadd' command");
        }
        if (options.sequenceGiven() && StreamId.ZERO.equals(options.id())) {
            throw NOT_ABOVE_ZERO;
        }
        StreamValue stream = Streams.of(call.findForWrite(1));
        if (stream == null && !options.makesStream()) {
            call.reply().nil();
            return;
        }
        StreamId last = stream == null ? StreamId.ZERO : stream.lastId();
        if (last.equals(StreamId.MAX)) {
            throw EXHAUSTED;
        }
        StreamId id = id(call, options, last);
        if (!id.isAfter(last)) {
            throw NOT_ABOVE_LAST;
        }
        append(call, stream, id, options);
    }

    /** The id of a new entry: what its client has said of it, completed. */
    private static StreamId id(Call call, StreamTrimOptions options, StreamId last) {
        StreamId said = options.id();
        if (said == null) {
            long now = call.clockMillis();
            return Long.compareUnsigned(now, last.ms()) > 0 ? new StreamId(now, 0) : last.next();
        }
        if (options.sequenceGiven() || said.ms() != last.ms()) {
            return said;
        }
        return last.seq() == -1 ? last : last.next();
    }

    private static void append(Call call, @Nullable StreamValue old, StreamId id, StreamTrimOptions options) {
        int idAt = options.next();
        Request request = call.request();
        int pairs = (call.argc() - idAt - 1) / 2;
        if (StreamLog.bytes(request, idAt + 1, pairs) > StreamLimits.MOST_BYTES) {
            throw TOO_LARGE;
        }
        StreamValue stream = old == null ? new StreamValue() : old;
        if (old == null) {
            call.add(1, stream);
        }
        stream.append(id, request, idAt + 1, pairs, Streams.limits(call));
        Streams.id(call.reply(), id);
        call.changed(1, EventClass.STREAM, "xadd");
        StreamTrim rule = options.rule();
        if (rule != null && stream.trim(rule) > 0) {
            call.event(1, EventClass.STREAM, "xtrim");
        }
        if (call.recorded() && (!options.sequenceGiven() || (rule != null && rule.wholeChunks()))) {
            byte[][] command = command(call);
            command[idAt] = id.toBytes();
            options.makeExact(command, stream);
            call.effect(command);
        }
        call.ready(1, stream);
    }

    private static byte[][] command(Call call) {
        byte[][] command = new byte[call.argc()][];
        for (int i = 0; i < command.length; i++) {
            command[i] = call.arg(i);
        }
        return command;
    }

    /** {@code XDEL key id [id ...]} */
    private static void delete(Call call) {
        StreamValue stream = Streams.of(call.findForWrite(1));
        int removed = 0;
        if (stream != null) {
            for (StreamId id : StreamIds.parseAll(call, 2)) {
                if (stream.remove(id)) {
                    removed++;
                }
            }
        }
        if (removed > 0) {
            call.changed(1, EventClass.STREAM, "xdel");
            call.countChanges(removed - 1L);
        }
        call.reply().integer(removed);
    }

    /** {@code XTRIM key <MAXLEN | MINID> [= | ~] threshold [LIMIT count]} */
    private static void trim(Call call) {
        StreamTrimOptions options = StreamTrimOptions.parse(call, false);
        StreamValue stream = Streams.of(call.findForWrite(1));
        StreamTrim rule = options.rule();
        long removed = stream == null || rule == null ? 0 : stream.trim(rule);
        if (stream != null && rule != null && removed > 0) {
            call.changed(1, EventClass.STREAM, "xtrim");
            call.countChanges(removed - 1);
            if (rule.wholeChunks() && call.recorded()) {
                byte[][] command = command(call);
                options.makeExact(command, stream);
                call.effect(command);
            }
        }
        call.reply().integer(removed);
    }

    /** {@code XSETID key last-id [ENTRIESADDED entries-added] [MAXDELETEDID max-deleted-id]} */
    private static void setId(Call call) {
        StreamId id = StreamIds.parse(call, 2);
        long added = -1;
        StreamId maxDeleted = StreamId.ZERO;
        for (int i = 3; i < call.argc(); i += 2) {
            boolean more = i + 1 < call.argc();
            if (more && call.is(i, "ENTRIESADDED")) {
                added = call.longArg(i + 1);
                if (added < 0) {
                    throw CommandException.err("entries_added must be positive");
                }
            } else if (more && call.is(i, "MAXDELETEDID")) {
                maxDeleted = StreamIds.parse(call, i + 1);
                if (id.isBefore(maxDeleted)) {
                    throw CommandException.err(
                            "The ID specified in XSETID is smaller than the provided max_deleted_entry_id");
                }
            } else {
                throw CommandException.SYNTAX;
            }
        }
        StreamValue stream = Streams.of(call.findForWrite(1));
        if (stream == null) {
            throw CommandException.NO_SUCH_KEY;
        }
        refuseSetId(stream, id, added);
        stream.set(
                id,
                maxDeleted.isZero() ? stream.maxDeletedId() : maxDeleted,
                added == -1 ? stream.entriesAdded() : added);
        call.reply().ok();
        call.noted(1, EventClass.STREAM, "xsetid");
    }

    private static void refuseSetId(StreamValue stream, StreamId id, long added) {
        if (id.isBefore(stream.maxDeletedId())) {
            throw CommandException.err("The ID specified in XSETID is smaller than current max_deleted_entry_id");
        }
        if (stream.length() > 0 && id.isBefore(stream.log().last())) {
            throw CommandException.err("The ID specified in XSETID is smaller than the target stream top item");
        }
        if (stream.length() > 0 && added != -1 && stream.length() > added) {
            throw CommandException.err(
                    "The entries_added specified in XSETID is smaller than the target stream length");
        }
    }

    /** {@code XLEN key} */
    private static void length(Call call) {
        StreamValue stream = call.read(1, StreamValue.class);
        call.reply().integer(stream == null ? 0 : stream.length());
    }

    /** {@code XRANGE key start end [COUNT count]}, {@code XREVRANGE key end start [COUNT count]} */
    private static void range(Call call, int startAt, int endAt, boolean backwards) {
        StreamId from = StreamIds.rangeStart(call, startAt);
        StreamId to = StreamIds.rangeEnd(call, endAt);
        long count = Long.MAX_VALUE;
        for (int i = 4; i < call.argc(); i += 2) {
            if (i + 1 == call.argc() || !call.is(i, "COUNT")) {
                throw CommandException.SYNTAX;
            }
            count = Math.max(0, call.longArg(i + 1));
        }
        StreamValue stream = call.read(1, StreamValue.class);
        if (stream == null) {
            call.reply().array(0);
        } else if (count == 0) {
            call.reply().nilArray();
        } else {
            StreamSlice slice = new StreamSlice(stream.log(), from, to, backwards, count);
            if (slice.isLarge() && call.canUnlockEarly()) {
                slice = slice.copy();
                call.unlockEarly();
            }
            slice.answer(call);
        }
    }
}
