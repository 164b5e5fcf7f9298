package dev.heddle.store.value;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Consumers that divide the entries of a stream among them: each entry is given to one of them, and pending until that one acknowledges it.
 *
 * <p>Guarded by the lock of the stripe that the stream's key lies in.
 */
public final class ConsumerGroup {

    /*
     * Every pending entry is found in two trees, that of the group and that of its consumer, both ordered by id: the group's answers who has an
     * entry and what has been pending for long, the consumer's what that one still has to do. Both refer to the same object.
     *
     * Invariant: the trees of the consumers are a partition of the group's.
     */

    /** The number of entries read, if it is not known. */
    public static final long UNKNOWN = -1;

    private static final int OBJECT_BYTES = 32 + 2 * 48 + 40;
    private static final int CONSUMER_BYTES = 40 + 48 + 40;
    /** Two nodes of trees, the id that they share, and the entry itself. */
    private static final int PENDING_BYTES = 2 * 40 + 32 + 40;

    private final byte[] name;
    private final ByteCount count;
    private final TreeMap<StreamId, PendingEntry> pending = new TreeMap<>();
    private final TreeMap<byte[], StreamConsumer> consumers = new TreeMap<>(Arrays::compareUnsigned);
    private StreamId lastId;
    private long entriesRead;

    ConsumerGroup(byte[] name, StreamId lastId, long entriesRead, ByteCount count) {
        this.name = name;
        this.lastId = lastId;
        this.entriesRead = entriesRead;
        this.count = count;
        count.add(OBJECT_BYTES + ByteCount.array(name.length));
    }

    ConsumerGroup copy(ByteCount newCount) {
        ConsumerGroup copy = new ConsumerGroup(name, lastId, entriesRead, newCount);
        for (StreamConsumer consumer : consumers.values()) {
            StreamConsumer other = copy.addConsumer(consumer.name(), consumer.seenMillis());
            other.active(consumer.activeMillis());
            for (PendingEntry entry : consumer.pending.values()) {
                copy.addPending(entry.id(), other, entry.deliveredMillis(), entry.deliveries());
            }
        }
        return copy;
    }

    /** The group is no longer part of its stream. */
    void dropped() {
        List.copyOf(consumers.values()).forEach(this::removeConsumer);
        count.add(-OBJECT_BYTES - ByteCount.array(name.length));
    }

    /** Not to be changed. */
    public byte[] name() {
        return name;
    }

    /** The last entry that was given out. */
    public StreamId lastId() {
        return lastId;
    }

    /** How many entries of those ever added come up to {@link #lastId}, or {@link #UNKNOWN}. */
    public long entriesRead() {
        return entriesRead;
    }

    /** Says which entry was the last one given out. */
    public void lastId(StreamId id) {
        lastId = id;
    }

    public void entriesRead(long entries) {
        entriesRead = entries;
    }

    // ---- consumers

    public @Nullable StreamConsumer consumer(byte[] consumerName) {
        return consumers.get(consumerName);
    }

    /** All consumers, in the order of their names. */
    public Collection<StreamConsumer> consumers() {
        return Collections.unmodifiableCollection(consumers.values());
    }

    /**
     * Adds a consumer that is not there.
     *
     * @param consumerName nobody changes it any more
     */
    public StreamConsumer addConsumer(byte[] consumerName, long seenMillis) {
        StreamConsumer consumer = new StreamConsumer(consumerName, seenMillis);
        consumers.put(consumerName, consumer);
        count.add(CONSUMER_BYTES + ByteCount.array(consumerName.length));
        return consumer;
    }

    /** Removes a consumer; what it has pending is pending no more. */
    public void removeConsumer(StreamConsumer consumer) {
        pending.keySet().removeAll(consumer.pending.keySet());
        count.add(-(long) PENDING_BYTES * consumer.pendingCount());
        consumer.pending.clear();
        consumers.remove(consumer.name());
        count.add(-CONSUMER_BYTES - ByteCount.array(consumer.name().length));
    }

    // ---- pending entries

    public int pendingCount() {
        return pending.size();
    }

    public @Nullable PendingEntry pending(StreamId id) {
        return pending.get(id);
    }

    /** All pending entries, in the order of ids. */
    public Collection<PendingEntry> pending() {
        return Collections.unmodifiableCollection(pending.values());
    }

    /** The part of {@link #pending} from an id to another, both inclusive. */
    public Collection<PendingEntry> pending(StreamId from, StreamId to) {
        return part(pending, from, to);
    }

    static Collection<PendingEntry> part(NavigableMap<StreamId, PendingEntry> all, StreamId from, StreamId to) {
        return from.isAfter(to)
                ? List.of()
                : Collections.unmodifiableCollection(
                        all.subMap(from, true, to, true).values());
    }

    /** The first pending entry from an id on, null if there is none. */
    public @Nullable PendingEntry firstPending(StreamId from) {
        Map.Entry<StreamId, PendingEntry> entry = pending.ceilingEntry(from);
        return entry == null ? null : entry.getValue();
    }

    /** The last pending entry, null if there is none. */
    public @Nullable PendingEntry lastPending() {
        Map.Entry<StreamId, PendingEntry> entry = pending.lastEntry();
        return entry == null ? null : entry.getValue();
    }

    /** Adds an entry that is not pending. */
    public PendingEntry addPending(StreamId id, StreamConsumer consumer, long deliveredMillis, long deliveries) {
        PendingEntry entry = new PendingEntry(id, consumer, deliveredMillis, deliveries);
        pending.put(id, entry);
        consumer.pending.put(id, entry);
        count.add(PENDING_BYTES);
        return entry;
    }

    /** Makes an entry that is pending another consumer's. */
    public void reassign(PendingEntry entry, StreamConsumer consumer) {
        entry.consumer().pending.remove(entry.id());
        entry.consumer(consumer);
        consumer.pending.put(entry.id(), entry);
    }

    /** An entry is no longer pending. */
    public void removePending(PendingEntry entry) {
        pending.remove(entry.id());
        entry.consumer().pending.remove(entry.id());
        count.add(-PENDING_BYTES);
    }
}
