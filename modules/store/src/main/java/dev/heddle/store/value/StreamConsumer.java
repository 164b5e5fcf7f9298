package dev.heddle.store.value;

import java.util.Collection;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * One of those among whom a {@link ConsumerGroup} divides the entries of a stream.
 *
 * <p>Guarded by the lock of the stripe that the stream's key lies in.
 */
public final class StreamConsumer {

    /** The time of what has never happened. */
    public static final long NEVER = -1;

    private final byte[] name;
    /** Those of the group's pending entries that are its own. */
    final NavigableMap<StreamId, PendingEntry> pending = new TreeMap<>();

    private long seenMillis;
    private long activeMillis = NEVER;

    StreamConsumer(byte[] name, long seenMillis) {
        this.name = name;
        this.seenMillis = seenMillis;
    }

    /** Not to be changed. */
    public byte[] name() {
        return name;
    }

    /** When it last asked for something, in milliseconds since the epoch. */
    public long seenMillis() {
        return seenMillis;
    }

    public void seen(long millis) {
        seenMillis = millis;
    }

    /** When it was last given something, in milliseconds since the epoch, or {@link #NEVER}. */
    public long activeMillis() {
        return activeMillis;
    }

    public void active(long millis) {
        activeMillis = millis;
    }

    /** What it has been given and not acknowledged, in the order of ids. */
    public Collection<PendingEntry> pending() {
        return Collections.unmodifiableCollection(pending.values());
    }

    /** The part of {@link #pending} from an id to another, both inclusive. */
    public Collection<PendingEntry> pending(StreamId from, StreamId to) {
        return ConsumerGroup.part(pending, from, to);
    }

    public int pendingCount() {
        return pending.size();
    }
}
