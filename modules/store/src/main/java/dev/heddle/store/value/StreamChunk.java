package dev.heddle.store.value;

import dev.heddle.resp.Request;
import org.jspecify.annotations.Nullable;

/**
 * A run of entries of a stream in one byte array.
 *
 * <p>An entry is named by its position, an offset into the array that is valid until the next change. Guarded by the lock of the stripe
 * that its key lies in.
 */
public final class StreamChunk {

    /*
     * Problem: entries of a log are small, many and alike. As objects each would take some hundred bytes for twenty of data.
     *
     * So a chunk is one PackedList. It begins with a pattern, the names of the fields of the first entry:
     *
     *     n  name1 ... nameN  0
     *
     * and then come the entries, each in one of two forms, depending on whether it has just these fields:
     *
     *     flags  ms  seq     value1 ... valueN                    k
     *     flags  ms  seq  m  name1 value1 ... nameM valueM        k
     *
     * `ms` and `seq` are differences to the id under which the chunk stands in the stream's index, so that they take a byte or two. `k`, the
     * number of elements before it, lets a reader walk backwards. An entry that is removed is marked in its flags.
     *
     * With the numbers of live and removed entries before it, this is the form in which Redis keeps a stream's nodes. That is on purpose: the
     * settings stream-node-max-bytes and -entries then cut chunks at the same entries as there, trimming in whole chunks (`~`) stops at the same
     * entry, and a snapshot file takes a chunk as it is.
     *
     * Removed entries are squeezed out when they are more than the live ones, but never in the chunk that is being filled: there they
     * count towards the limit.
     */

    static final int REMOVED = 1;
    static final int SAME_FIELDS = 2;
    /** Elements of an entry before its values, the number of fields not counted. */
    private static final int HEAD = 3;

    private static final int OBJECT_BYTES = 32;

    private final StreamId base;
    private final PackedList list;
    /** Where the first entry begins. */
    private final int start;

    private int live;
    private int removed;

    /** An empty chunk whose first entry will have this id, and these fields: every second argument from one on. */
    StreamChunk(StreamId base, Request request, int from, int pairs) {
        this.base = base;
        this.list = new PackedList();
        list.append(pairs);
        for (int i = from; i < from + 2 * pairs; i += 2) {
            list.append(request.array(i), request.offset(i), request.length(i));
        }
        list.append(0);
        this.start = list.used();
    }

    private StreamChunk(StreamId base, PackedList list, int start, int live, int removed) {
        this.base = base;
        this.list = list;
        this.start = start;
        this.live = live;
        this.removed = removed;
    }

    /**
     * A chunk as it was kept elsewhere.
     *
     * @param list pattern and entries, whose form nobody has checked
     * @return null if it is not well-formed, or if the numbers are not those of the entries
     */
    public static @Nullable StreamChunk of(StreamId base, PackedList list, long live, long removed) {
        StreamChunkCheck check = new StreamChunkCheck(base, list);
        boolean sound = check.passes() && check.live() == live && check.removed() == removed && live > 0;
        return sound ? new StreamChunk(base, list, check.start(), check.live(), check.removed()) : null;
    }

    StreamChunk copy() {
        return new StreamChunk(base, list.copy(), start, live, removed);
    }

    /** The id to which those of the entries are relative. */
    public StreamId base() {
        return base;
    }

    /** How many entries there are. */
    public int live() {
        return live;
    }

    /** How many entries are there no more, but for their bytes. */
    public int removed() {
        return removed;
    }

    /** The pattern and the entries: not to be changed. */
    public PackedList list() {
        return list;
    }

    long bytes() {
        return OBJECT_BYTES + list.bytes();
    }

    /** Whether a further entry of so many bytes belongs into another chunk. */
    boolean isFull(long entryBytes, StreamLimits limits) {
        long bytes = (long) list.listpackBytes() + countBytes(live) + countBytes(removed);
        return bytes + entryBytes >= limits.chunkBytes()
                || (limits.entries() > 0 && live + removed >= limits.entries());
    }

    /** How many bytes Redis has for a count, which it keeps in the node. */
    private static int countBytes(int count) {
        if (count < 128) {
            return 2;
        }
        return count < 4096 ? 3 : 4;
    }

    // ---- changing

    void append(StreamId id, Request request, int from, int pairs) {
        boolean same = hasPattern(request, from, pairs);
        list.append(same ? SAME_FIELDS : 0);
        list.append(id.ms() - base.ms());
        list.append(id.seq() - base.seq());
        if (!same) {
            list.append(pairs);
        }
        for (int i = from; i < from + 2 * pairs; i++) {
            if (!same || (i - from) % 2 == 1) {
                list.append(request.array(i), request.offset(i), request.length(i));
            }
        }
        list.append(same ? HEAD + pairs : HEAD + 1 + 2L * pairs);
        live++;
    }

    private boolean hasPattern(Request request, int from, int pairs) {
        int pos = list.first();
        if (list.longAt(pos) != pairs) {
            return false;
        }
        for (int i = from; i < from + 2 * pairs; i += 2) {
            pos = list.next(pos);
            if (!list.equals(pos, request.array(i), request.offset(i), request.length(i))) {
                return false;
            }
        }
        return true;
    }

    /** Marks a live entry as removed. */
    void remove(int entry) {
        list.replace(entry, list.longAt(entry) | REMOVED);
        live--;
        removed++;
    }

    /** No further entries will come: gives back what was kept for them. */
    void close() {
        squeeze();
        list.trimToSize();
    }

    /** Drops the bytes of removed entries if they are more than the live ones; positions are another then. */
    void squeeze() {
        if (removed <= live) {
            return;
        }
        for (int entry = first(); entry != PackedList.NONE; ) {
            if (isRemoved(entry)) {
                list.remove(entry, elements(entry));
                entry = entry < list.used() ? entry : PackedList.NONE;
            } else {
                entry = next(entry);
            }
        }
        removed = 0;
    }

    // ---- entries

    /** The first entry, removed or not; {@link PackedList#NONE} if there is none. */
    int first() {
        return start < list.used() ? start : PackedList.NONE;
    }

    /** The last entry. */
    int last() {
        return start < list.used() ? before(list.used()) : PackedList.NONE;
    }

    int next(int entry) {
        int pos = entry;
        for (int i = elements(entry); i > 0 && pos != PackedList.NONE; i--) {
            pos = list.next(pos);
        }
        return pos;
    }

    int previous(int entry) {
        return entry == start ? PackedList.NONE : before(entry);
    }

    /** The entry that ends where this position begins. */
    private int before(int end) {
        int pos = list.previous(end);
        for (long back = list.longAt(pos); back > 0; back--) {
            pos = list.previous(pos);
        }
        return pos;
    }

    /** Of how many elements an entry consists. */
    private int elements(int entry) {
        return hasPattern(entry) ? HEAD + patternFields() + 1 : HEAD + 1 + 2 * fields(entry) + 1;
    }

    boolean isRemoved(int entry) {
        return (list.longAt(entry) & REMOVED) != 0;
    }

    private boolean hasPattern(int entry) {
        return (list.longAt(entry) & SAME_FIELDS) != 0;
    }

    private int patternFields() {
        return (int) list.longAt(list.first());
    }

    StreamId id(int entry) {
        int ms = list.next(entry);
        int seq = list.next(ms);
        return new StreamId(base.ms() + list.longAt(ms), base.seq() + list.longAt(seq));
    }

    /** How many fields an entry has, each with a value. */
    int fields(int entry) {
        return hasPattern(entry) ? patternFields() : (int) list.longAt(skip(entry, HEAD));
    }

    private int skip(int from, int elements) {
        int pos = from;
        for (int i = elements; i > 0; i--) {
            pos = list.next(pos);
        }
        return pos;
    }

    /** Hands over the fields of an entry, each before its value. */
    void give(int entry, ElementSink sink) {
        boolean same = hasPattern(entry);
        int count = fields(entry);
        int name = list.first();
        int pos = skip(entry, same ? HEAD : HEAD + 1);
        for (int i = 0; i < count; i++) {
            if (same) {
                name = list.next(name);
                list.give(name, sink);
            } else {
                list.give(pos, sink);
                pos = list.next(pos);
            }
            list.give(pos, sink);
            pos = list.next(pos);
        }
    }
}
