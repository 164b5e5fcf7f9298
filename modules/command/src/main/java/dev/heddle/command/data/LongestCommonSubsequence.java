package dev.heddle.command.data;

/**
 * The longest sequence of bytes that two strings contain in the same order, not necessarily side by side.
 *
 * <p>Confined to one thread.
 */
final class LongestCommonSubsequence {

    /*
     * The textbook method: with L(i, j) the answer's length for the first i bytes of a and the first j of b,
     *     L(i, j) = L(i-1, j-1) + 1                  if a[i-1] == b[j-1]
     *             = max(L(i-1, j), L(i, j-1))        otherwise,
     * and walking back from (|a|, |b|) along the choices made spells the sequence. Several sequences may be equally long: the walk
     * takes L(i-1, j) only if it is greater, as Redis does, since clients see which one is answered.
     *
     * Walking back needs the choices, not the lengths. So only two rows of L are kept, and one bit for each pair says whether
     * L(i-1, j) was greater: a thirty-second of the memory of the whole table.
     */

    /** Told of each run of equal bytes. */
    @FunctionalInterface
    interface Match {
        /** {@code length} bytes from {@code a} in the first string on are those from {@code b} in the second on. */
        void found(int a, int b, int length);
    }

    private final byte[] a;
    private final byte[] b;
    /** One bit per pair of prefixes that are not empty, row by row. */
    private final long[] upIsGreater;

    private final int length;

    LongestCommonSubsequence(byte[] a, byte[] b) {
        this.a = a;
        this.b = b;
        this.upIsGreater = new long[(int) (((long) a.length * b.length + 63) >>> 6)];
        int[] above = new int[b.length + 1];
        int[] row = new int[b.length + 1];
        long bit = 0;
        for (byte c : a) {
            for (int j = 1; j <= b.length; j++, bit++) {
                if (c == b[j - 1]) {
                    row[j] = above[j - 1] + 1;
                } else if (above[j] > row[j - 1]) {
                    row[j] = above[j];
                    upIsGreater[(int) (bit >>> 6)] |= 1L << bit;
                } else {
                    row[j] = row[j - 1];
                }
            }
            int[] swap = above;
            above = row;
            row = swap;
        }
        this.length = above[b.length];
    }

    int length() {
        return length;
    }

    /** The sequence itself. */
    byte[] bytes() {
        byte[] bytes = new byte[length];
        int[] end = {length};
        forEachMatch((from, other, count) -> {
            end[0] -= count;
            System.arraycopy(a, from, bytes, end[0], count);
        });
        return bytes;
    }

    /** Visits the runs of the sequence that lie side by side in both strings, the last one first. */
    void forEachMatch(Match action) {
        int i = a.length;
        int j = b.length;
        int run = 0;
        while (i > 0 && j > 0) {
            if (a[i - 1] == b[j - 1]) {
                i--;
                j--;
                run++;
                continue;
            }
            if (run > 0) {
                action.found(i, j, run);
                run = 0;
            }
            long bit = (i - 1L) * b.length + j - 1;
            if ((upIsGreater[(int) (bit >>> 6)] & (1L << bit)) != 0) {
                i--;
            } else {
                j--;
            }
        }
        if (run > 0) {
            action.found(i, j, run);
        }
    }
}
