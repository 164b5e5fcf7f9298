package dev.heddle.store.value;

/** Which entries at the beginning of a stream are too many. Immutable. */
public sealed interface StreamTrim {

    /** Whether only whole chunks are dropped, so that some entries too many may stay. */
    boolean wholeChunks();

    /** How many entries may be removed, 0 for any number; no chunk is begun that would exceed it. */
    long limit();

    /** Whether a stream of this length needs no further look. */
    boolean isDone(long length);

    /** Whether all entries of the first chunk are too many. */
    boolean dropsWhole(long length, StreamChunk first);

    /** Whether the first entry stays, and so all others. */
    boolean keeps(long length, StreamId first);

    /** Keeps the last entries, so many of them. */
    record ToLength(long most, boolean wholeChunks, long limit) implements StreamTrim {
        @Override
        public boolean isDone(long length) {
            return length <= most;
        }

        @Override
        public boolean dropsWhole(long length, StreamChunk first) {
            return length - first.live() >= most;
        }

        @Override
        public boolean keeps(long length, StreamId first) {
            return length <= most;
        }
    }

    /** Keeps the entries from an id on. */
    record ToId(StreamId least, boolean wholeChunks, long limit) implements StreamTrim {
        @Override
        public boolean isDone(long length) {
            return false;
        }

        @Override
        public boolean dropsWhole(long length, StreamChunk first) {
            return first.id(first.last()).isBefore(least);
        }

        @Override
        public boolean keeps(long length, StreamId first) {
            return !first.isBefore(least);
        }
    }
}
