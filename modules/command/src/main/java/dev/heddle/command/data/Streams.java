package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.EventClass;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.store.Entry;
import dev.heddle.store.value.ConsumerGroup;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.PendingEntry;
import dev.heddle.store.value.StreamConsumer;
import dev.heddle.store.value.StreamCursor;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamLimits;
import dev.heddle.store.value.StreamValue;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What the commands on streams share. Stateless. */
final class Streams {

    private static final byte[] ZERO = ascii("0");
    private static final byte[] TIME = ascii("TIME");
    private static final byte[] RETRY_COUNT = ascii("RETRYCOUNT");
    private static final byte[] FORCE = ascii("FORCE");
    private static final byte[] JUST_ID = ascii("JUSTID");
    private static final byte[] LAST_ID = ascii("LASTID");
    private static final byte[] SET_ID = ascii("SETID");
    private static final byte[] ENTRIES_READ = ascii("ENTRIESREAD");
    private static final byte[] CREATE_CONSUMER = ascii("CREATECONSUMER");

    private Streams() {}

    static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }

    /** The value of an entry, null if there is none. @throws CommandException WRONGTYPE */
    static @Nullable StreamValue of(@Nullable Entry entry) {
        if (entry == null) {
            return null;
        }
        if (entry.value() instanceof StreamValue stream) {
            return stream;
        }
        throw CommandException.WRONG_TYPE;
    }

    /** How large chunks become. */
    static StreamLimits limits(Call call) {
        var encoding = call.engine().settings().encoding;
        return new StreamLimits(encoding.streamNodeMaxBytes.value(), encoding.streamNodeMaxEntries.value());
    }

    /** The group that is named by an argument of a command on one key, which must be there. */
    static ConsumerGroup group(Call call, @Nullable StreamValue stream, int key, int name) {
        ConsumerGroup group = stream == null ? null : stream.group(call.arg(name));
        if (group == null) {
            throw new CommandException(
                    "NOGROUP No such key '" + call.text(key) + "' or consumer group '" + call.text(name) + "'");
        }
        return group;
    }

    /** The error for a group that is not there while its stream is. */
    static CommandException noSuchGroup(Call call, int key, int name) {
        return new CommandException(
                "NOGROUP No such consumer group '" + call.text(name) + "' for key name '" + call.text(key) + "'");
    }

    // ---- replies

    static void id(ReplyWriter reply, StreamId id) {
        reply.bulk(id.toBytes());
    }

    /** Writes an entry: its id and its fields. */
    static void entry(ReplyWriter reply, StreamCursor cursor) {
        entry(reply, cursor, new BulkReplies(reply));
    }

    /** As {@link #entry(ReplyWriter, StreamCursor)}, with the sink that writes each field and value as a bulk string. */
    static void entry(ReplyWriter reply, StreamCursor cursor, ElementSink fields) {
        reply.array(2);
        id(reply, cursor.id());
        reply.array(2 * cursor.fields());
        cursor.give(fields);
    }

    /** Writes the entry with an id, which is there. */
    static void entry(ReplyWriter reply, StreamValue stream, StreamId id) {
        StreamCursor cursor = stream.log().cursor(id, id, false);
        if (!cursor.next()) {
            throw new IllegalStateException("no entry " + id);
        }
        entry(reply, cursor);
    }

    // ---- consumers

    /** A consumer of a group; makes it, with the event and the record that belong to that, if it is not there. Notes that it was seen. */
    static StreamConsumer consumer(Call call, int key, byte[] groupName, ConsumerGroup group, byte[] name) {
        StreamConsumer consumer = group.consumer(name);
        if (consumer == null) {
            consumer = group.addConsumer(name, call.clockMillis());
            call.noted(key, EventClass.STREAM, "xgroup-createconsumer");
            if (call.recorded()) {
                call.effect("XGROUP", CREATE_CONSUMER, call.arg(key), groupName, name);
            }
        }
        consumer.seen(call.clockMillis());
        return consumer;
    }

    /** Records who has a pending entry, and how far the group has come. */
    static void recordClaim(Call call, int key, ConsumerGroup group, PendingEntry pending) {
        if (call.recorded()) {
            call.effect(
                    "XCLAIM",
                    call.arg(key),
                    group.name(),
                    pending.consumer().name(),
                    ZERO,
                    pending.id().toBytes(),
                    TIME,
                    Numbers.toBytes(pending.deliveredMillis()),
                    RETRY_COUNT,
                    Numbers.toBytes(pending.deliveries()),
                    FORCE,
                    JUST_ID,
                    LAST_ID,
                    group.lastId().toBytes());
        }
    }

    /** Records how far a group has come. */
    static void recordProgress(Call call, int key, ConsumerGroup group) {
        if (call.recorded()) {
            call.effect(
                    "XGROUP",
                    SET_ID,
                    call.arg(key),
                    group.name(),
                    group.lastId().toBytes(),
                    ENTRIES_READ,
                    Numbers.toBytes(group.entriesRead()));
        }
    }
}
