package dev.heddle.store.value;

import dev.heddle.resp.Request;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A stream: a log of entries, each with fields and values, and groups of consumers that read it.
 *
 * <p>Guarded by the lock of the stripe that its key lies in.
 */
public final class StreamValue extends Value {

    /*
     * How many entries a group has still to read (its lag) is not counted but computed: from how many were ever added, and how many of those
     * come up to the last entry that the group was given. That works as long as no entry was removed in the middle behind it, for which the greatest id
     * ever removed is kept. Otherwise the answer is "unknown". The rules are Redis's, as its replies show the figures.
     */

    private static final int OBJECT_BYTES = 48 + 48 + 40 + 24;

    private final ByteCount count = new ByteCount();
    private final StreamLog log = new StreamLog(count);
    private final TreeMap<byte[], ConsumerGroup> groups = new TreeMap<>(Arrays::compareUnsigned);
    private StreamId lastId = StreamId.ZERO;
    private StreamId maxDeletedId = StreamId.ZERO;
    private long entriesAdded;

    @Override
    public ValueType type() {
        return ValueType.STREAM;
    }

    @Override
    public String encoding() {
        return "stream";
    }

    @Override
    public StreamValue copy() {
        StreamValue copy = new StreamValue();
        log.copyTo(copy.log);
        for (ConsumerGroup group : groups.values()) {
            copy.groups.put(group.name(), group.copy(copy.count));
        }
        copy.lastId = lastId;
        copy.maxDeletedId = maxDeletedId;
        copy.entriesAdded = entriesAdded;
        return copy;
    }

    /** About how many bytes of heap the stream takes; kept up to date, not computed. */
    @Override
    public long bytes() {
        return OBJECT_BYTES + count.bytes();
    }

    /** The entries: to be read, and to be built while nobody else has the stream. */
    public StreamLog log() {
        return log;
    }

    public long length() {
        return log.length();
    }

    /** The greatest id that was ever added, or what {@link #set} has said. */
    public StreamId lastId() {
        return lastId;
    }

    /** The greatest id of those that were removed one by one, zero if none was. */
    public StreamId maxDeletedId() {
        return maxDeletedId;
    }

    /** How many entries were ever added. */
    public long entriesAdded() {
        return entriesAdded;
    }

    /** Says what the past has left behind. */
    public void set(StreamId newLastId, StreamId newMaxDeletedId, long newEntriesAdded) {
        lastId = newLastId;
        maxDeletedId = newMaxDeletedId;
        entriesAdded = newEntriesAdded;
    }

    // ---- entries

    /**
     * Adds an entry.
     *
     * @param id greater than {@link #lastId}
     * @param from the first of the arguments that are its fields, each followed by its value
     */
    public void append(StreamId id, Request request, int from, int pairs, StreamLimits limits) {
        log.append(id, request, from, pairs, limits);
        lastId = id;
        entriesAdded++;
    }

    /** Removes an entry. @return whether it was there */
    public boolean remove(StreamId id) {
        boolean removed = log.remove(id);
        if (removed && id.isAfter(maxDeletedId)) {
            maxDeletedId = id;
        }
        return removed;
    }

    /** Removes the first entries, as a rule says. @return how many */
    public long trim(StreamTrim rule) {
        return log.trim(rule);
    }

    // ---- groups

    /** All groups, in the order of their names. */
    public Collection<ConsumerGroup> groups() {
        return Collections.unmodifiableCollection(groups.values());
    }

    public @Nullable ConsumerGroup group(byte[] name) {
        return groups.get(name);
    }

    /** Adds a group that is not there; nobody changes the array of its name any more. */
    public ConsumerGroup addGroup(byte[] name, StreamId last, long entriesRead) {
        ConsumerGroup group = new ConsumerGroup(name, last, entriesRead, count);
        groups.put(name, group);
        return group;
    }

    public void removeGroup(ConsumerGroup group) {
        groups.remove(group.name());
        group.dropped();
    }

    /** Notes that a group has been given the entry with this id; it matters only if it is behind the last one. */
    public void advance(ConsumerGroup group, StreamId id) {
        if (!id.isAfter(group.lastId())) {
            return;
        }
        if (group.entriesRead() != ConsumerGroup.UNKNOWN && !anyDeletedFrom(id)) {
            group.entriesRead(group.entriesRead() + 1);
        } else if (entriesAdded != 0) {
            group.entriesRead(entriesUpTo(id));
        }
        group.lastId(id);
    }

    /** How many entries a group has still to be given, as far as that is known. */
    public OptionalLong lag(ConsumerGroup group) {
        if (entriesAdded == 0) {
            return OptionalLong.of(0);
        }
        boolean counted = group.entriesRead() != ConsumerGroup.UNKNOWN && !anyDeletedFrom(group.lastId());
        long read = counted ? group.entriesRead() : entriesUpTo(group.lastId());
        return read == ConsumerGroup.UNKNOWN ? OptionalLong.empty() : OptionalLong.of(entriesAdded - read);
    }

    /** Whether an entry may have been removed from the middle, from an id on. */
    private boolean anyDeletedFrom(StreamId from) {
        return length() > 0
                && !maxDeletedId.isZero()
                && !log.first().isAfter(maxDeletedId)
                && !from.isAfter(maxDeletedId);
    }

    /** How many of all entries ever added come up to an id, or {@link ConsumerGroup#UNKNOWN}. */
    public long entriesUpTo(StreamId id) {
        if (entriesAdded == 0) {
            return 0;
        }
        int order = id.compareTo(lastId);
        if (order == 0 || (order < 0 && length() == 0)) {
            return entriesAdded;
        }
        boolean intact = maxDeletedId.isZero() || maxDeletedId.isBefore(log.first());
        if (order > 0 || !intact || id.isAfter(log.first())) {
            return ConsumerGroup.UNKNOWN;
        }
        return entriesAdded - length() + (id.equals(log.first()) ? 1 : 0);
    }
}
