package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.Wait;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.ConsumerGroup;
import dev.heddle.store.value.PendingEntry;
import dev.heddle.store.value.StreamConsumer;
import dev.heddle.store.value.StreamCursor;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamValue;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What XREAD or XREADGROUP tries: to answer the entries of its streams behind certain ids. The ids are fixed when the command comes, so that
 * "from now on" means that moment for one who waits, too.
 *
 * <p>Immutable.
 */
final class StreamRead implements Wait.Attempt {

    /** In the place of an id: what nobody of the group has been given yet. */
    private static final StreamId NEW = StreamId.MAX;

    private final StreamReadOptions options;
    private final StreamId[] behind;

    private StreamRead(StreamReadOptions options, StreamId[] behind) {
        this.options = options;
        this.behind = behind;
    }

    /** Reads the ids and checks that the streams are such, and have the group; makes the consumer if it is not there. */
    static StreamRead begin(Call call, StreamReadOptions options) {
        StreamId[] behind = new StreamId[options.streams()];
        for (int i = 0; i < behind.length; i++) {
            int key = options.firstKey() + i;
            StreamValue stream = Streams.of(call.find(key));
            if (options.group() != null) {
                group(call, options, key, stream);
            }
            behind[i] = behind(call, key + options.streams(), stream, options.group() != null);
        }
        StreamRead read = new StreamRead(options, behind);
        if (options.group() != null) {
            for (int key = options.firstKey(); key < options.firstKey() + options.streams(); key++) {
                StreamValue stream = Streams.of(call.peek(key));
                read.consumer(call, key, group(call, options, key, stream));
            }
        }
        return read;
    }

    private static ConsumerGroup group(Call call, StreamReadOptions options, int key, @Nullable StreamValue stream) {
        byte[] name = Objects.requireNonNull(options.group());
        ConsumerGroup group = stream == null ? null : stream.group(name);
        if (group == null) {
            throw new CommandException("NOGROUP No such key '" + call.text(key) + "' or consumer group '"
                    + new String(name, StandardCharsets.ISO_8859_1)
                    + "' in XREADGROUP with GROUP option");
        }
        return group;
    }

    private static StreamId behind(Call call, int index, @Nullable StreamValue stream, boolean ofGroup) {
        if (call.is(index, "$")) {
            if (ofGroup) {
                throw meaningless('$');
            }
            return stream == null ? StreamId.ZERO : stream.lastId();
        }
        if (call.is(index, "+")) {
            if (ofGroup) {
                throw meaningless('+');
            }
            StreamId last = stream == null ? StreamId.ZERO : stream.log().last();
            return last.isZero() ? StreamId.ZERO : last.previous();
        }
        if (call.is(index, ">")) {
            if (!ofGroup) {
                throw CommandException.err("The > ID can be specified only when calling XREADGROUP using the"
                        + " GROUP <group> <consumer> option.");
            }
            return NEW;
        }
        return StreamIds.parse(call, index);
    }

    private static CommandException meaningless(char id) {
        return CommandException.err("The " + id
                + " ID is meaningless in the context of XREADGROUP: you want to read the"
                + " history of this consumer by specifying a proper ID, or use the > ID to get new messages. The " + id
                + " ID would just return an empty result set.");
    }

    private StreamConsumer consumer(Call call, int key, ConsumerGroup group) {
        return Streams.consumer(call, key, group.name(), group, Objects.requireNonNull(options.consumer()));
    }

    @Override
    public boolean isReady(Call call) {
        for (int i = 0; i < behind.length; i++) {
            int key = options.firstKey() + i;
            if (call.reaches(key)) {
                StreamValue stream = streamOrNull(call.peek(key));
                boolean ready = options.group() == null ? hasMore(stream, behind[i]) : isReadyForGroup(stream);
                if (ready) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isReadyForGroup(@Nullable StreamValue stream) {
        ConsumerGroup group = stream == null ? null : stream.group(Objects.requireNonNull(options.group()));
        return group == null || hasMore(stream, group.lastId());
    }

    private static boolean hasMore(@Nullable StreamValue stream, StreamId behind) {
        return stream != null && stream.length() > 0 && stream.log().last().isAfter(behind);
    }

    @Override
    public boolean run(Call call) {
        return options.group() == null ? read(call) : readForGroup(call);
    }

    private static void beginStreams(ReplyWriter reply, int count) {
        if (reply.protocol() == 2) {
            reply.array(count);
        } else {
            reply.map(count);
        }
    }

    private static void beginStream(Call call, int key) {
        if (call.reply().protocol() == 2) {
            call.reply().array(2);
        }
        Request request = call.request();
        call.reply().bulk(request.array(key), request.offset(key), request.length(key));
    }

    private boolean read(Call call) {
        Map<Integer, StreamSlice> slices = new TreeMap<>();
        boolean large = false;
        for (int i = 0; i < behind.length; i++) {
            int key = options.firstKey() + i;
            StreamValue stream = call.reaches(key) ? streamOrNull(call.peek(key)) : null;
            if (stream != null && hasMore(stream, behind[i])) {
                long most = options.count() == 0 ? Long.MAX_VALUE : options.count();
                StreamSlice slice = new StreamSlice(stream.log(), behind[i].next(), StreamId.MAX, false, most);
                slices.put(key, slice);
                large |= slice.isLarge();
            }
        }
        if (slices.isEmpty()) {
            return false;
        }
        if (large && call.canUnlockEarly()) {
            slices.replaceAll((key, slice) -> slice.copy());
            call.unlockEarly();
        }
        beginStreams(call.reply(), slices.size());
        slices.forEach((key, slice) -> {
            beginStream(call, key);
            slice.answer(call);
        });
        return true;
    }

    private static @Nullable StreamValue streamOrNull(@Nullable Entry entry) {
        return entry != null && entry.value() instanceof StreamValue stream ? stream : null;
    }

    private boolean readForGroup(Call call) {
        for (int key = options.firstKey(); key < options.firstKey() + behind.length; key++) {
            if (call.reaches(key)) {
                group(call, options, key, Streams.of(call.peek(key))); // before anything is given out
            }
        }
        ReplyWriter reply = call.reply();
        long begin = reply.mark();
        int mark = reply.deferred();
        int streams = 0;
        for (int i = 0; i < behind.length; i++) {
            int key = options.firstKey() + i;
            if (call.reaches(key) && readForGroup(call, key, i)) {
                streams++;
            }
        }
        if (streams > 0 && reply.protocol() == 3) {
            reply.closeMap(mark, streams);
        } else {
            reply.closeArray(mark, streams);
        }
        if (streams == 0) {
            reply.rollback(begin);
        }
        return streams > 0;
    }

    private boolean wants(int count) {
        return options.count() == 0 || count < options.count();
    }

    private boolean readForGroup(Call call, int key, int i) {
        StreamValue stream = Streams.of(call.peek(key));
        ConsumerGroup group = group(call, options, key, stream);
        if (stream == null) {
            return false;
        }
        boolean history = !behind[i].equals(NEW);
        if (!history && !hasMore(stream, group.lastId())) {
            return false;
        }
        StreamConsumer consumer = consumer(call, key, group);
        beginStream(call, key);
        int mark = call.reply().deferred();
        int count = history
                ? giveAgain(call, stream, consumer, behind[i])
                : giveNew(call, key, stream, new Reader(group, consumer));
        call.reply().closeArray(mark, count);
        return true;
    }

    /** What a consumer has been given before and has not acknowledged. */
    private int giveAgain(Call call, StreamValue stream, StreamConsumer consumer, StreamId after) {
        int count = 0;
        for (PendingEntry pending : consumer.pending(after.next(), StreamId.MAX)) {
            if (!wants(count)) {
                break;
            }
            StreamId id = pending.id();
            StreamCursor cursor = stream.log().cursor(id, id, false);
            if (cursor.next()) {
                Streams.entry(call.reply(), cursor);
                pending.delivered(call.clockMillis(), pending.deliveries() + 1);
            } else {
                call.reply().array(2);
                Streams.id(call.reply(), id);
                call.reply().nilArray();
            }
            count++;
        }
        return count;
    }

    private record Reader(ConsumerGroup group, StreamConsumer consumer) {}

    private int giveNew(Call call, int key, StreamValue stream, Reader reader) {
        ConsumerGroup group = reader.group();
        StreamCursor cursor = stream.log().cursor(group.lastId().next(), StreamId.MAX, false);
        int count = 0;
        while (wants(count) && cursor.next()) {
            stream.advance(group, cursor.id());
            Streams.entry(call.reply(), cursor);
            if (!options.withoutAcknowledgement()) {
                PendingEntry pending = give(group, reader.consumer(), cursor.id(), call.clockMillis());
                Streams.recordClaim(call, key, group, pending);
            }
            count++;
        }
        if (options.withoutAcknowledgement()) {
            Streams.recordProgress(call, key, group);
        }
        call.countChanges(1);
        return count;
    }

    private static PendingEntry give(ConsumerGroup group, StreamConsumer consumer, StreamId id, long now) {
        consumer.active(now);
        PendingEntry pending = group.pending(id);
        if (pending == null) {
            return group.addPending(id, consumer, now, 1);
        }
        group.reassign(pending, consumer);
        pending.delivered(now, 1);
        return pending;
    }
}
