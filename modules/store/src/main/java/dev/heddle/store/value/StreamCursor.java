package dev.heddle.store.value;

import java.util.Collections;
import java.util.Iterator;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the entries of a stream whose ids lie in a range, in the order of their ids or backwards. It stands before the first one at
 * first, and is of no use after a change of the stream.
 *
 * <p>Confined to one thread, under the lock that guards the stream.
 */
public final class StreamCursor {

    private final StreamId from;
    private final StreamId to;
    private final boolean backwards;
    private final Iterator<StreamChunk> chunks;
    private @Nullable StreamChunk chunk;
    private int entry = PackedList.NONE;
    private StreamId id = StreamId.ZERO;

    /**
     * @param from the least id, inclusive
     * @param to the greatest id, inclusive
     */
    StreamCursor(NavigableMap<StreamId, StreamChunk> index, StreamId from, StreamId to, boolean backwards) {
        this.from = from;
        this.to = to;
        this.backwards = backwards;
        this.chunks = chunks(index, from, to, backwards);
    }

    /** The chunks that may have entries of the range. */
    static Iterator<StreamChunk> chunks(
            NavigableMap<StreamId, StreamChunk> index, StreamId from, StreamId to, boolean backwards) {
        StreamId first = index.floorKey(from);
        if (first == null) {
            first = from;
        }
        if (first.isAfter(to)) {
            return Collections.emptyIterator();
        }
        NavigableMap<StreamId, StreamChunk> part = index.subMap(first, true, to, true);
        return (backwards ? part.descendingMap() : part).values().iterator();
    }

    /** Goes to the next entry; false if there is none. */
    public boolean next() {
        while (true) {
            StreamChunk at = chunk;
            if (at != null && entry != PackedList.NONE) {
                entry = backwards ? at.previous(entry) : at.next(entry);
            }
            while (at == null || entry == PackedList.NONE) {
                if (!chunks.hasNext()) {
                    chunk = null;
                    return false;
                }
                at = chunks.next();
                chunk = at;
                entry = backwards ? at.last() : at.first();
            }
            if (at.isRemoved(entry)) {
                continue;
            }
            id = at.id(entry);
            boolean belowRange = id.isBefore(from);
            boolean aboveRange = id.isAfter(to);
            if (backwards ? belowRange : aboveRange) {
                chunk = null;
                entry = PackedList.NONE;
                return false;
            }
            if (!belowRange && !aboveRange) {
                return true;
            }
        }
    }

    /** The id of the entry. */
    public StreamId id() {
        return id;
    }

    /** How many fields the entry has, each with a value. */
    public int fields() {
        return here().fields(entry);
    }

    /** Hands over the entry's fields, each before its value. */
    public void give(ElementSink sink) {
        here().give(entry, sink);
    }

    private StreamChunk here() {
        StreamChunk at = chunk;
        if (at == null) {
            throw new IllegalStateException("at no entry");
        }
        return at;
    }

    /** Marks the entry as removed; the cursor stays valid. */
    StreamChunk removeHere() {
        StreamChunk at = here();
        at.remove(entry);
        return at;
    }
}
