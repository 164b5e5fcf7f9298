package dev.heddle.command.data;

import dev.heddle.resp.ReplyWriter;
import dev.heddle.store.value.ElementSink;

/** Writes each element of a collection as a bulk string. Confined to one call. */
record BulkReplies(ReplyWriter reply) implements ElementSink {

    @Override
    public void slice(byte[] array, int offset, int length) {
        reply.bulk(array, offset, length);
    }

    @Override
    public void number(long value) {
        reply.bulkLong(value);
    }

    @Override
    public void whole(byte[] immutable) {
        reply.bulkShared(immutable);
    }
}
