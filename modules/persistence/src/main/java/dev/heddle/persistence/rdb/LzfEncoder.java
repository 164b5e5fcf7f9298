package dev.heddle.persistence.rdb;

import java.util.Arrays;

/**
 * Compresses by LZF, the method of Marc Lehmann's liblzf: fast, and good enough for texts that repeat themselves.
 *
 * <p>Confined to one thread.
 */
final class LzfEncoder {

    /*
     * What comes out is literal runs and references to what went before; see LzfDecoder for their form. A table remembers, for a hash of three
     * bytes, where they were seen last; if the same three bytes come again within 8192 bytes, the match is made as long as it goes.
     * Greedy: the first match is taken, a better one is not looked for.
     *
     * The table is not cleared between strings, for clearing it would take longer than compressing most of them. Instead positions count on from
     * one string to the next (`base`), so that what belongs to an earlier string lies below the first position of this one. When the
     * count would overflow, the table is cleared once.
     *
     * Nothing is written behind the limit: a string that does not shrink is given up as soon as that is certain.
     */

    /** Strings of up to this length are stored as they are: they would hardly shrink. */
    static final int SHORTEST = 21;

    private static final int LONGEST_RUN = 32;
    private static final int FARTHEST = 1 << 13;
    private static final int LONGEST_MATCH = 264;
    private static final int SHORTEST_MATCH = 3;
    /** A match of this length and more needs a byte for its length. */
    private static final int LONG_MATCH = 9;

    private static final int GOLDEN = 0x9E3779B1;
    private static final int SMALLEST_BITS = 8;
    private static final int LARGEST_BITS = 14;

    private final int bits;
    private int[] seen = {}; // made when it is needed first
    private byte[] out = {};

    /** The number of the first position of the string that is being compressed; numbers in {@link #seen} below it are of others. */
    private int base = 1;

    private int to; // where in out the next byte goes

    /** @param typical about how many bytes are to be compressed at a time: the table is made to suit */
    LzfEncoder(long typical) {
        int enough = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, typical));
        this.bits = Math.clamp(enough, SMALLEST_BITS, LARGEST_BITS);
    }

    /** What {@link #compress} has made: valid until it is called again. */
    byte[] output() {
        return out;
    }

    /** Compresses bytes into {@link #output}. @return how many bytes they have become, or 0 if not at least four fewer */
    int compress(byte[] in, int from, int length) {
        int limit = length - 4;
        if (limit <= 0) {
            return 0;
        }
        if (seen.length == 0) {
            seen = new int[1 << bits];
        }
        if (out.length < limit) {
            out = new byte[limit];
        }
        if (base > Integer.MAX_VALUE - length) {
            Arrays.fill(seen, 0);
            base = 1;
        }
        to = 0;
        boolean fits = run(in, from, from + length, limit);
        base += length;
        return fits ? to : 0;
    }

    private boolean run(byte[] in, int from, int end, int limit) {
        int delta = base - from; // from an index to a position's number
        int literals = from; // where the literal run begins that is not written yet
        int at = from;
        while (at <= end - SHORTEST_MATCH) {
            int slot = slot(in, at);
            int source = seen[slot] - delta;
            boolean isMatch = seen[slot] >= base
                    && at - source <= FARTHEST
                    && in[source] == in[at]
                    && in[source + 1] == in[at + 1]
                    && in[source + 2] == in[at + 2];
            seen[slot] = at + delta;
            if (!isMatch) {
                at++;
                continue;
            }
            int most = Math.min(LONGEST_MATCH, end - at);
            int length = SHORTEST_MATCH;
            while (length < most && in[source + length] == in[at + length]) {
                length++;
            }
            if (!literals(in, literals, at, limit) || !match(at - source, length, limit)) {
                return false;
            }
            remember(in, at + 1, Math.min(at + length, end - SHORTEST_MATCH + 1), delta);
            at += length;
            literals = at;
        }
        return literals(in, literals, end, limit);
    }

    private int slot(byte[] in, int at) {
        return ((in[at] & 0xff) << 16 | (in[at + 1] & 0xff) << 8 | in[at + 2] & 0xff) * GOLDEN >>> Integer.SIZE - bits;
    }

    private void remember(byte[] in, int from, int end, int delta) {
        for (int at = from; at < end; at++) {
            seen[slot(in, at)] = at + delta;
        }
    }

    private boolean literals(byte[] in, int from, int end, int limit) {
        int at = from;
        while (at < end) {
            int length = Math.min(LONGEST_RUN, end - at);
            if (length + 1 > limit - to) {
                return false;
            }
            out[to++] = (byte) (length - 1);
            System.arraycopy(in, at, out, to, length);
            to += length;
            at += length;
        }
        return true;
    }

    private boolean match(int distance, int length, int limit) {
        if (limit - to < 3) {
            return false;
        }
        int high = distance - 1 >> 8;
        if (length < LONG_MATCH) {
            out[to++] = (byte) (length - 2 << 5 | high);
        } else {
            out[to++] = (byte) (7 << 5 | high);
            out[to++] = (byte) (length - LONG_MATCH);
        }
        out[to++] = (byte) (distance - 1);
        return true;
    }
}
