package dev.heddle.persistence.snapshot;

import static dev.heddle.persistence.snapshot.CommandFormat.bulk;
import static dev.heddle.persistence.snapshot.CommandFormat.command;

import dev.heddle.resp.Numbers;
import dev.heddle.store.value.ConsumerGroup;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.PendingEntry;
import dev.heddle.store.value.StreamConsumer;
import dev.heddle.store.value.StreamCursor;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamValue;
import java.nio.charset.StandardCharsets;

/** A stream as commands that make it: the part of {@link CommandFormat} that is about streams. Stateless. */
final class StreamCommandFormat {

    private StreamCommandFormat() {}

    static void write(Chunk to, byte[] key, StreamValue stream) {
        StreamCursor cursor = stream.log().cursor(StreamId.ZERO, StreamId.MAX, false);
        while (cursor.next()) {
            command(to, "XADD", 2 + 2 * cursor.fields());
            bulk(to, key);
            bulk(to, cursor.id().toBytes());
            cursor.give(new Bulks(to));
        }
        if (stream.length() == 0) {
            // a stream comes into being with an entry only, which goes at once
            words(to, key, "XADD", "MAXLEN", "0", "0-1", "x", "y");
        }
        words(
                to,
                key,
                "XSETID",
                stream.lastId().toString(),
                "ENTRIESADDED",
                Long.toString(stream.entriesAdded()),
                "MAXDELETEDID",
                stream.maxDeletedId().toString());
        for (ConsumerGroup group : stream.groups()) {
            group(to, key, group);
        }
    }

    private static void group(Chunk to, byte[] key, ConsumerGroup group) {
        command(to, "XGROUP", 6);
        word(to, "CREATE");
        bulk(to, key);
        bulk(to, group.name());
        bulk(to, group.lastId().toBytes());
        word(to, "ENTRIESREAD");
        bulk(to, Numbers.toBytes(group.entriesRead()));
        for (StreamConsumer consumer : group.consumers()) {
            if (consumer.pendingCount() == 0) {
                command(to, "XGROUP", 4);
                word(to, "CREATECONSUMER");
                bulk(to, key);
                bulk(to, group.name());
                bulk(to, consumer.name());
            }
            for (PendingEntry pending : consumer.pending()) {
                pending(to, key, group, pending);
            }
        }
    }

    private static void pending(Chunk to, byte[] key, ConsumerGroup group, PendingEntry pending) {
        command(to, "XCLAIM", 11);
        bulk(to, key);
        bulk(to, group.name());
        bulk(to, pending.consumer().name());
        word(to, "0");
        bulk(to, pending.id().toBytes());
        word(to, "TIME");
        bulk(to, Numbers.toBytes(pending.deliveredMillis()));
        word(to, "RETRYCOUNT");
        bulk(to, Numbers.toBytes(pending.deliveries()));
        word(to, "JUSTID");
        word(to, "FORCE");
    }

    /** A command with the key as its first argument. */
    private static void words(Chunk to, byte[] key, String name, String... arguments) {
        command(to, name, 1 + arguments.length);
        bulk(to, key);
        for (String argument : arguments) {
            word(to, argument);
        }
    }

    private static void word(Chunk to, String word) {
        bulk(to, word.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes each element as an argument. */
    private record Bulks(Chunk to) implements ElementSink {
        @Override
        public void slice(byte[] array, int offset, int length) {
            bulk(to, array, offset, length);
        }

        @Override
        public void number(long value) {
            bulk(to, Numbers.toBytes(value));
        }

        @Override
        public void whole(byte[] array) {
            bulk(to, array);
        }
    }
}
