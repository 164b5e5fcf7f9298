package dev.heddle.store.value;

import org.jspecify.annotations.Nullable;

/**
 * Whether elements of unknown origin form a {@link StreamChunk}: pattern, then whole entries whose ids ascend.
 *
 * <p>Confined to one thread.
 */
final class StreamChunkCheck {

    private final StreamId base;
    private final PackedList list;
    private int start;
    private int live;
    private int removed;
    /** The element that is looked at, {@link PackedList#NONE} behind the last one. */
    private int pos;

    StreamChunkCheck(StreamId base, PackedList list) {
        this.base = base;
        this.list = list;
        this.pos = list.first();
    }

    int start() {
        return start;
    }

    int live() {
        return live;
    }

    int removed() {
        return removed;
    }

    boolean passes() {
        if (!isCount(1)) {
            return false;
        }
        long fields = take();
        if (!skip(fields) || pos == PackedList.NONE || !list.isLong(pos) || take() != 0) {
            return false;
        }
        start = pos == PackedList.NONE ? list.used() : pos;
        StreamId before = null;
        while (pos != PackedList.NONE) {
            StreamId id = entry(fields);
            if (id == null || id.isBefore(base) || (before != null && !id.isAfter(before))) {
                return false;
            }
            before = id;
        }
        return true;
    }

    /** Passes over an entry and answers its id, null if it is not well-formed. */
    private @Nullable StreamId entry(long patternFields) {
        if (!isCount(0)) {
            return null;
        }
        long flags = take();
        if (flags > (StreamChunk.REMOVED | StreamChunk.SAME_FIELDS) || !isNumber()) {
            return null;
        }
        long ms = take();
        if (!isNumber()) {
            return null;
        }
        long seq = take();
        long elements = 3 + patternFields;
        if ((flags & StreamChunk.SAME_FIELDS) == 0) {
            if (!isCount(1)) {
                return null;
            }
            long pairs = take();
            elements = 4 + 2 * pairs;
            if (!skip(2 * pairs)) {
                return null;
            }
        } else if (!skip(patternFields)) {
            return null;
        }
        if (!isNumber() || take() != elements) {
            return null;
        }
        if ((flags & StreamChunk.REMOVED) == 0) {
            live++;
        } else {
            removed++;
        }
        return new StreamId(base.ms() + ms, base.seq() + seq);
    }

    private boolean isNumber() {
        return pos != PackedList.NONE && list.isLong(pos);
    }

    /** Whether here is a number of things that can be there. */
    private boolean isCount(long least) {
        return isNumber() && list.longAt(pos) >= least && list.longAt(pos) <= list.count();
    }

    private long take() {
        long value = list.longAt(pos);
        pos = list.next(pos);
        return value;
    }

    private boolean skip(long elements) {
        for (long i = elements; i > 0; i--) {
            if (pos == PackedList.NONE) {
                return false;
            }
            pos = list.next(pos);
        }
        return true;
    }
}
