package dev.heddle.resp;

import java.io.IOException;
import java.util.Arrays;

/**
 * The growing bytes behind a {@link ReplyWriter}: one chunk that is being filled, and before it a list of pieces.
 *
 * <p>Confined to one connection's thread.
 */
final class Output {
    /*
     * Small replies live in one chunk, which starts at 512 bytes and doubles up to 16 KiB. A full chunk becomes a piece
     * of the list and a fresh one takes its place, so that a large reply is never copied as a whole; a large immutable
     * array becomes a piece without being copied at all, between the part of the chunk before it and the part after.
     *
     * Invariants:
     *   - the output is the pieces in order, then chunk[start, at);
     *   - a piece that ends a chunk's stretch is added even if it is empty, so that a position (number of pieces, at)
     *     taken earlier lies either in the present chunk (no piece was added since) or in the first piece added since.
     *     This is what makes rolling back and late headers possible with two numbers per mark.
     *
     * A late header moves the bytes behind it if they are still in the chunk. If not, the piece is cut in two and the
     * header goes between as a piece of its own. Marks taken earlier are not disturbed by either, for they lie before.
     */

    private static final int SMALLEST = 512;
    private static final int LARGEST = 16 * 1024;
    private static final int FEW_PIECES = 16;
    private static final int FEW_MARKS = 64;

    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[][] NO_ARRAYS = {};
    private static final int[] NO_NUMBERS = {};
    private static final long[] NO_MARKS = {};

    /* All mutable fields are confined to the connection's thread. */
    private byte[] chunk = new byte[SMALLEST];
    private int start;
    private int at;

    private byte[][] arrays = NO_ARRAYS;
    private int[] offsets = NO_NUMBERS;
    private int[] lengths = NO_NUMBERS;
    private int pieces;
    private long pieceBytes;

    /** Positions of the aggregates that are open, outermost first. */
    private long[] open = NO_MARKS;

    private int opened;

    /** Makes room for {@code n} bytes, at most 16 KiB, in the array returned, at {@link #at()}. */
    byte[] reserve(int n) {
        byte[] b = chunk;
        return b.length - at >= n ? b : grow(n);
    }

    /** Where the next byte goes in the array that {@link #reserve} returned. */
    int at() {
        return at;
    }

    /** Bytes up to here have been written into the reserved array. */
    void at(int end) {
        at = end;
    }

    void bytes(byte[] b, int offset, int length) {
        if (length < LARGEST) {
            byte[] to = reserve(length);
            System.arraycopy(b, offset, to, at, length);
            at += length;
        } else {
            shared(Arrays.copyOfRange(b, offset, offset + length));
        }
    }

    void lineEnd() {
        bytes(LINE_END, 0, 2);
    }

    /** Adds an array that nobody will ever change. */
    void shared(byte[] immutable) {
        endStretch();
        piece(pieces, immutable, 0, immutable.length);
        pieceBytes += immutable.length;
    }

    private byte[] grow(int n) {
        if (at + n <= LARGEST) {
            int size = chunk.length;
            while (size < at + n) {
                size *= 2;
            }
            chunk = Arrays.copyOf(chunk, size);
        } else {
            endStretch();
            chunk = new byte[LARGEST];
            start = 0;
            at = 0;
        }
        return chunk;
    }

    /** Makes what the chunk holds a piece, even if that is nothing; the chunk goes on behind it. */
    private void endStretch() {
        piece(pieces, chunk, start, at - start);
        pieceBytes += at - start;
        start = at;
    }

    private void piece(int index, byte[] array, int offset, int length) {
        if (pieces == arrays.length) {
            int slots = Math.max(FEW_PIECES, 2 * pieces);
            arrays = Arrays.copyOf(arrays, slots);
            offsets = Arrays.copyOf(offsets, slots);
            lengths = Arrays.copyOf(lengths, slots);
        }
        int behind = pieces - index;
        System.arraycopy(arrays, index, arrays, index + 1, behind);
        System.arraycopy(offsets, index, offsets, index + 1, behind);
        System.arraycopy(lengths, index, lengths, index + 1, behind);
        arrays[index] = array;
        offsets[index] = offset;
        lengths[index] = length;
        pieces++;
    }

    /** Opens an aggregate whose header comes later. */
    int open() {
        if (opened == open.length) {
            open = Arrays.copyOf(open, Math.max(8, 2 * opened));
        }
        open[opened] = position();
        return opened++;
    }

    /** Puts the header of {@code length} bytes where the aggregate, the last one open, was opened. */
    void close(int aggregate, byte[] header, int length) {
        if (aggregate != opened - 1) {
            throw new IllegalStateException("not the innermost open aggregate: " + aggregate + " of " + opened);
        }
        opened = aggregate;
        int piece = pieceOf(open[aggregate]);
        int place = placeOf(open[aggregate]);
        if (piece == pieces && at + length <= LARGEST) {
            byte[] b = reserve(length);
            System.arraycopy(b, place, b, place + length, at - place);
            System.arraycopy(header, 0, b, place, length);
            at += length;
            return;
        }
        if (piece == pieces) {
            endStretch();
        }
        int end = offsets[piece] + lengths[piece];
        lengths[piece] = place - offsets[piece];
        piece(piece + 1, header, 0, length);
        piece(piece + 2, arrays[piece], place, end - place);
        pieceBytes += length;
    }

    /** Whether there is an aggregate whose header is still to come. */
    boolean isOpen() {
        return opened > 0;
    }

    /* A position: 31 bits of piece number, 16 of the index in the chunk. A mark: a position and 16 bits of depth. */

    private long position() {
        return ((long) pieces << 16) | at;
    }

    private static int pieceOf(long position) {
        return (int) (position >>> 16);
    }

    private static int placeOf(long position) {
        return (int) (position & 0xffff);
    }

    long mark() {
        if (opened > 0x7fff) {
            throw new IllegalStateException("too many open aggregates: " + opened);
        }
        return ((long) opened << 48) | position();
    }

    void rollback(long mark) {
        long position = mark & 0xffff_ffff_ffffL;
        int kept = pieceOf(position);
        int place = placeOf(position);
        int depth = (int) (mark >>> 48);
        if (depth > opened) {
            throw new IllegalStateException("an aggregate that was open at the mark has been closed");
        }
        opened = depth;
        if (kept < pieces) {
            chunk = arrays[kept];
            start = offsets[kept];
            for (int i = kept; i < pieces; i++) {
                pieceBytes -= lengths[i];
            }
            Arrays.fill(arrays, kept, pieces, null);
            pieces = kept;
        }
        at = place;
    }

    /** The first byte, -1 if there is none. */
    int first() {
        for (int i = 0; i < pieces; i++) {
            if (lengths[i] > 0) {
                return arrays[i][offsets[i]];
            }
        }
        return at > start ? chunk[start] : -1;
    }

    long size() {
        return pieceBytes + (at - start);
    }

    long capacity() {
        return pieceBytes + chunk.length + 16L * arrays.length + 8L * open.length;
    }

    void drainTo(ReplyWriter.Sink sink) throws IOException {
        try {
            for (int i = 0; i < pieces; i++) {
                if (lengths[i] > 0) {
                    sink.write(arrays[i], offsets[i], lengths[i]);
                }
            }
            if (at > start) {
                sink.write(chunk, start, at - start);
            }
        } finally {
            clear();
        }
    }

    /** Hands over all bytes to another output, large arrays as they are. */
    void moveTo(Output other) {
        for (int i = 0; i < pieces; i++) {
            if (lengths[i] >= LARGEST && lengths[i] == arrays[i].length) {
                other.shared(arrays[i]);
            } else {
                other.bytes(arrays[i], offsets[i], lengths[i]);
            }
        }
        other.bytes(chunk, start, at - start);
        clear();
    }

    void clear() {
        if (pieces > 0) {
            dropPieces();
        }
        start = 0;
        at = 0;
        opened = 0;
    }

    private void dropPieces() {
        if (arrays.length > FEW_PIECES) {
            arrays = NO_ARRAYS;
            offsets = NO_NUMBERS;
            lengths = NO_NUMBERS;
        } else {
            Arrays.fill(arrays, 0, pieces, null);
        }
        pieces = 0;
        pieceBytes = 0;
        if (open.length > FEW_MARKS) {
            open = NO_MARKS;
        }
    }

    void idle() {
        if (size() > 0) {
            return;
        }
        clear();
        arrays = NO_ARRAYS;
        offsets = NO_NUMBERS;
        lengths = NO_NUMBERS;
        open = NO_MARKS;
        if (chunk.length > SMALLEST) {
            chunk = new byte[SMALLEST];
        }
    }

    byte[] toByteArray() {
        var all = new byte[Math.toIntExact(size())];
        int to = 0;
        for (int i = 0; i < pieces; i++) {
            System.arraycopy(arrays[i], offsets[i], all, to, lengths[i]);
            to += lengths[i];
        }
        System.arraycopy(chunk, start, all, to, at - start);
        return all;
    }
}
