package dev.heddle.store.value;

import dev.heddle.resp.Request;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The entries of a stream, in the order of their ids. New ones are added at the end only.
 *
 * <p>Guarded by the lock of the stripe that its key lies in.
 */
public final class StreamLog {

    /*
     * Entries lie in chunks of about a hundred (see StreamChunk); a balanced tree has the chunks by their first ids. So finding an id
     * takes O(log n) for the chunk and a walk over at most one chunk; appending takes constant time; trimming drops
     * chunk after chunk from the front.
     *
     * Invariants: every chunk has a live entry; only the last one gets further entries; the id of each entry lies from its chunk's base
     * on and before that of the next chunk. `first` is the id of the first live entry, zero if there is none.
     */

    /** A node of the tree, and the id that is its key. */
    private static final int NODE_BYTES = 40 + 32;

    private final TreeMap<StreamId, StreamChunk> chunks = new TreeMap<>();
    private final ByteCount count;
    private long length;
    private StreamId first = StreamId.ZERO;

    StreamLog(ByteCount count) {
        this.count = count;
    }

    /** How many entries there are. */
    public long length() {
        return length;
    }

    /** The id of the first entry, zero if there is none. */
    public StreamId first() {
        return first;
    }

    /** The id of the last entry, zero if there is none. */
    public StreamId last() {
        StreamCursor cursor = cursor(StreamId.ZERO, StreamId.MAX, true);
        return cursor.next() ? cursor.id() : StreamId.ZERO;
    }

    /** The chunks, in order: not to be changed. */
    public Collection<StreamChunk> chunks() {
        return chunks.values();
    }

    /** Walks over the entries from one id to another, both inclusive. */
    public StreamCursor cursor(StreamId from, StreamId to, boolean backwards) {
        return new StreamCursor(chunks, from, to, backwards);
    }

    public boolean contains(StreamId id) {
        return cursor(id, id, false).next();
    }

    /**
     * Copies of the chunks with the first entries of a range, or the last ones: a log that others do not change.
     *
     * @param entries how many entries are wanted at least, if there are so many
     */
    public StreamLog copyRange(StreamId from, StreamId to, boolean backwards, long entries) {
        StreamLog copy = new StreamLog(new ByteCount());
        Iterator<StreamChunk> wanted = StreamCursor.chunks(chunks, from, to, backwards);
        long missing = entries;
        List<StreamChunk> copies = new ArrayList<>();
        while (wanted.hasNext() && missing > 0) {
            StreamChunk chunk = wanted.next();
            missing -= copies.isEmpty()
                    ? 0
                    : chunk.live(); // the one at the edge may have entries outside of the range only
            copies.add(chunk.copy());
        }
        (backwards ? copies.reversed() : copies).forEach(copy::add);
        return copy;
    }

    void copyTo(StreamLog other) {
        for (StreamChunk chunk : chunks.values()) {
            other.add(chunk.copy());
        }
    }

    // ---- changing

    /**
     * Adds an entry.
     *
     * @param id greater than that of every entry
     * @param from the first of the arguments that are its fields, each followed by its value
     */
    void append(StreamId id, Request request, int from, int pairs, StreamLimits limits) {
        Map.Entry<StreamId, StreamChunk> last = chunks.lastEntry();
        StreamChunk chunk = last == null ? null : last.getValue();
        if (chunk != null && chunk.isFull(bytes(request, from, pairs), limits)) {
            count.add(-chunk.bytes());
            chunk.close();
            count.add(chunk.bytes());
            chunk = null;
        }
        if (chunk == null) {
            chunk = new StreamChunk(id, request, from, pairs);
            chunks.put(id, chunk);
            count.add(NODE_BYTES);
        } else {
            count.add(-chunk.bytes());
        }
        chunk.append(id, request, from, pairs);
        count.add(chunk.bytes());
        if (length == 0) {
            first = id;
        }
        length++;
    }

    /** How many bytes the fields and values of an entry have. */
    public static long bytes(Request request, int from, int pairs) {
        long bytes = 0;
        for (int i = from; i < from + 2 * pairs; i++) {
            bytes += request.length(i);
        }
        return bytes;
    }

    /**
     * Adds a chunk behind the others.
     *
     * @return false if its ids do not come after those of the others
     */
    public boolean add(StreamChunk chunk) {
        Map.Entry<StreamId, StreamChunk> last = chunks.lastEntry();
        StreamChunk before = last == null ? null : last.getValue();
        if (before != null && !before.id(before.last()).isBefore(chunk.base())) {
            return false;
        }
        chunks.put(chunk.base(), chunk);
        count.add(NODE_BYTES + chunk.bytes());
        length += chunk.live();
        if (length == chunk.live()) {
            findFirst();
        }
        return true;
    }

    /** Removes an entry. @return whether it was there */
    boolean remove(StreamId id) {
        StreamCursor cursor = cursor(id, id, false);
        if (!cursor.next()) {
            return false;
        }
        removed(cursor.removeHere());
        length--;
        if (id.equals(first)) {
            findFirst();
        }
        return true;
    }

    /** Drops a chunk that has become empty, or squeezes it. */
    private void removed(StreamChunk chunk) {
        if (chunk.live() == 0) {
            drop(chunk);
        } else if (!chunk.base().equals(chunks.lastKey())) {
            count.add(-chunk.bytes());
            chunk.squeeze();
            count.add(chunk.bytes());
        }
    }

    private void drop(StreamChunk chunk) {
        chunks.remove(chunk.base());
        count.add(-NODE_BYTES - chunk.bytes());
    }

    private void findFirst() {
        StreamCursor cursor = cursor(StreamId.ZERO, StreamId.MAX, false);
        first = cursor.next() ? cursor.id() : StreamId.ZERO;
    }

    /**
     * Removes the first entries, as a rule says.
     *
     * @return how many
     */
    long trim(StreamTrim rule) {
        long before = length;
        List<StreamChunk> whole = new ArrayList<>();
        StreamChunk part = null;
        long left = length;
        for (StreamChunk chunk : chunks.values()) {
            boolean over = rule.isDone(left) || (rule.limit() > 0 && length - left + chunk.live() > rule.limit());
            if (over) {
                break;
            }
            if (!rule.dropsWhole(left, chunk)) {
                part = rule.wholeChunks() ? null : chunk;
                break;
            }
            whole.add(chunk);
            left -= chunk.live();
        }
        whole.forEach(this::drop);
        length = left;
        if (part != null) {
            trimInside(part, rule);
        }
        if (length < before) {
            findFirst();
        }
        return before - length;
    }

    private void trimInside(StreamChunk chunk, StreamTrim rule) {
        for (int entry = chunk.first(); entry != PackedList.NONE; entry = chunk.next(entry)) {
            if (rule.keeps(length, chunk.id(entry))) {
                break;
            }
            if (!chunk.isRemoved(entry)) {
                chunk.remove(entry);
                length--;
            }
        }
        removed(chunk);
    }
}
