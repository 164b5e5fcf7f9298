package dev.heddle.persistence.rdb;

import dev.heddle.resp.Numbers;
import dev.heddle.store.value.ConsumerGroup;
import dev.heddle.store.value.PackedList;
import dev.heddle.store.value.PendingEntry;
import dev.heddle.store.value.StreamChunk;
import dev.heddle.store.value.StreamConsumer;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Streams in snapshots and payloads. Stateless. */
final class StreamForm {

    /*
     * Redis has had three forms: that of 5.0 (15); that of 7.0 (19), with the ids and numbers from which the lag of a group is computed; that of
     * 7.2 (21), with the time at which a consumer was last given something.
     *
     *     chunks: their number, and for each its id (16 bytes, as a string) and its listpack
     *     number of entries, last id [first id, greatest removed id, entries ever added]
     *     groups: their number, and for each its name, last id, [entries read]
     *         pending entries: their number, and for each its id (16 bytes), time of delivery, number of deliveries
     *         consumers: their number, and for each its name, time seen, [time active]
     *             pending entries: their number, and the id of each
     *
     * Ids are numbers as lengths are written, but where 16 bytes are said; times are 8 bytes, low byte first.
     *
     * Snapshots have the form of 7.0, so that 7.0 can read them. What is lost, the times, stands in a property before the stream, which
     * every version passes over; here it is read back. A payload of DUMP cannot have such a thing.
     */

    /** The name of the property with the times at which the consumers of the stream that follows were active. */
    static final String ACTIVITY = "heddle-stream-activity";

    private static final int ID_BYTES = 2 * Long.BYTES;
    private static final int FIRST = 1;
    private static final int WITH_ACTIVITY = 3;

    private StreamForm() {}

    /** Whether the form of 7.0 does not hold all of it: its readers take the time seen for the time active. */
    static boolean hasActivity(StreamValue stream) {
        return stream.groups().stream()
                .flatMap(group -> group.consumers().stream())
                .anyMatch(consumer -> consumer.activeMillis() != consumer.seenMillis());
    }

    // ---- writing

    static void write(StreamValue stream, boolean withActivity, RdbOutput to) {
        to.length(stream.log().chunks().size());
        for (StreamChunk chunk : stream.log().chunks()) {
            to.string(bytes(chunk.base()));
            byte[] listpack = ListpackBuilder.listpack(chunk);
            to.blob(listpack, 0, listpack.length);
        }
        to.length(stream.length());
        id(to, stream.lastId());
        id(to, stream.log().first());
        id(to, stream.maxDeletedId());
        to.number64(stream.entriesAdded());
        to.length(stream.groups().size());
        for (ConsumerGroup group : stream.groups()) {
            write(group, withActivity, to);
        }
    }

    private static void write(ConsumerGroup group, boolean withActivity, RdbOutput to) {
        to.string(group.name());
        id(to, group.lastId());
        to.number64(group.entriesRead());
        to.length(group.pendingCount());
        for (PendingEntry pending : group.pending()) {
            to.raw(bytes(pending.id()));
            to.littleEndian(pending.deliveredMillis(), Long.BYTES);
            to.number64(pending.deliveries());
        }
        to.length(group.consumers().size());
        for (StreamConsumer consumer : group.consumers()) {
            to.string(consumer.name());
            to.littleEndian(consumer.seenMillis(), Long.BYTES);
            if (withActivity) {
                to.littleEndian(consumer.activeMillis(), Long.BYTES);
            }
            to.length(consumer.pendingCount());
            consumer.pending().forEach(pending -> to.raw(bytes(pending.id())));
        }
    }

    private static void id(RdbOutput to, StreamId id) {
        to.number64(id.ms());
        to.number64(id.seq());
    }

    private static byte[] bytes(StreamId id) {
        return ByteBuffer.allocate(ID_BYTES).putLong(id.ms()).putLong(id.seq()).array();
    }

    /** The times at which consumers were active, 8 bytes each, low byte first, in the order in which the consumers are written. */
    static byte[] activity(StreamValue stream) {
        List<StreamConsumer> consumers = consumers(stream);
        ByteBuffer times = ByteBuffer.allocate(Long.BYTES * consumers.size()).order(ByteOrder.LITTLE_ENDIAN);
        consumers.forEach(consumer -> times.putLong(consumer.activeMillis()));
        return times.array();
    }

    private static List<StreamConsumer> consumers(StreamValue stream) {
        return stream.groups().stream()
                .flatMap(group -> group.consumers().stream())
                .toList();
    }

    /** Notes in a stream what {@link #activity} has said; what does not fit is passed over. */
    static void activity(StreamValue stream, byte[] times) {
        List<StreamConsumer> consumers = consumers(stream);
        if (times.length == Long.BYTES * consumers.size()) {
            ByteBuffer buffer = ByteBuffer.wrap(times).order(ByteOrder.LITTLE_ENDIAN);
            consumers.forEach(consumer -> consumer.active(buffer.getLong()));
        }
    }

    // ---- reading

    /** @param generation which of the forms it is, 1 to 3 */
    static StreamValue read(RdbInput in, int generation) throws IOException {
        StreamValue stream = new StreamValue();
        long chunks = in.count(2);
        for (long i = 0; i < chunks; i++) {
            chunk(in, stream);
        }
        in.length();
        StreamId last = id(in);
        if (last.isBefore(stream.log().last())) {
            throw in.error("a stream has an entry behind its last id");
        }
        StreamId maxDeleted = StreamId.ZERO;
        long added = stream.length();
        if (generation > FIRST) {
            id(in); // the first one: it is known
            maxDeleted = id(in);
            added = in.number64();
        }
        stream.set(last, maxDeleted, added);
        long groups = in.count(4);
        for (long i = 0; i < groups; i++) {
            group(in, stream, generation);
        }
        return stream;
    }

    private static void chunk(RdbInput in, StreamValue stream) throws IOException {
        byte[] key = in.string();
        List<byte[]> elements = PackedBlobs.listpack(in.string());
        if (key.length != ID_BYTES || elements == null || elements.size() < 3) {
            throw in.error("a chunk of a stream is damaged");
        }
        PackedList list = new PackedList();
        for (byte[] element : elements.subList(2, elements.size())) {
            list.append(element, 0, element.length);
        }
        list.trimToSize();
        long live = count(elements.get(0));
        StreamChunk chunk = StreamChunk.of(id(key), list, live, count(elements.get(1)));
        if (chunk == null || (live > 0 && !stream.log().add(chunk))) {
            throw in.error("a chunk of a stream is damaged");
        }
    }

    private static long count(byte[] text) {
        return Numbers.isLong(text, 0, text.length) ? Numbers.parseLong(text, 0, text.length) : -1;
    }

    private static StreamId id(RdbInput in) throws IOException {
        long ms = in.number64();
        return new StreamId(ms, in.number64());
    }

    private static StreamId id(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new StreamId(buffer.getLong(), buffer.getLong());
    }

    private record Delivery(long millis, long times) {}

    private static void group(RdbInput in, StreamValue stream, int generation) throws IOException {
        byte[] name = in.string();
        if (stream.group(name) != null) {
            throw in.error("a group of a stream is there twice");
        }
        StreamId last = id(in);
        ConsumerGroup group =
                stream.addGroup(name, last, generation > FIRST ? in.number64() : stream.entriesUpTo(last));
        Map<StreamId, Delivery> deliveries = new HashMap<>();
        long pending = in.count(ID_BYTES + Long.BYTES + 1);
        for (long i = 0; i < pending; i++) {
            StreamId id = id(in.bytes(ID_BYTES));
            long millis = in.littleEndian(Long.BYTES);
            if (deliveries.put(id, new Delivery(millis, in.number64())) != null) {
                throw in.error("a pending entry of a stream is there twice");
            }
        }
        long consumers = in.count(Long.BYTES + 2);
        for (long i = 0; i < consumers; i++) {
            consumer(in, group, deliveries, generation);
        }
        if (!deliveries.isEmpty()) {
            throw in.error("a pending entry of a stream has no consumer");
        }
    }

    private static void consumer(RdbInput in, ConsumerGroup group, Map<StreamId, Delivery> deliveries, int generation)
            throws IOException {
        byte[] name = in.string();
        if (group.consumer(name) != null) {
            throw in.error("a consumer of a stream is there twice");
        }
        long seen = in.littleEndian(Long.BYTES);
        StreamConsumer consumer = group.addConsumer(name, seen);
        consumer.active(generation >= WITH_ACTIVITY ? in.littleEndian(Long.BYTES) : seen);
        long pending = in.count(ID_BYTES);
        for (long i = 0; i < pending; i++) {
            StreamId id = id(in.bytes(ID_BYTES));
            Delivery delivery = deliveries.remove(id);
            if (delivery == null) {
                throw in.error("a consumer of a stream has an entry that is not pending");
            }
            group.addPending(id, consumer, delivery.millis(), delivery.times());
        }
    }
}
