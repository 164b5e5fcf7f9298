package dev.heddle.persistence.rdb;

/** Takes back LZF compression, the simple and fast method of Marc Lehmann's liblzf. Stateless. */
final class LzfDecoder {

    /*
     * The compressed bytes are a sequence of
     *
     *     000LLLLL and L + 1 bytes               these bytes
     *     LLLooooo oooooooo                      L + 2 bytes (L from 1 to 6) that stand o + 1 bytes before, in what has been written
     *     111ooooo LLLLLLLL oooooooo             L + 9 bytes likewise
     *
     * What is copied may overlap with what it makes: a distance of 1 repeats one byte.
     */

    private static final int LITERALS = 32;
    private static final int LONG_COPY = 7;
    /** Three bytes can stand for 264: nothing grows by more than this. */
    static final int LARGEST_RATIO = 264 / 3 + 1;

    private LzfDecoder() {}

    /** Fills an array with what the bytes stand for. @return false if they are damaged, or stand for another number of bytes */
    static boolean decode(byte[] from, byte[] to) {
        int in = 0;
        int out = 0;
        while (in < from.length) {
            int control = from[in++] & 0xff;
            if (control < LITERALS) {
                int length = control + 1;
                if (length > from.length - in || length > to.length - out) {
                    return false;
                }
                System.arraycopy(from, in, to, out, length);
                in += length;
                out += length;
                continue;
            }
            int length = control >> 5;
            if (length == LONG_COPY) {
                if (in == from.length) {
                    return false;
                }
                length += from[in++] & 0xff;
            }
            length += 2;
            if (in == from.length) {
                return false;
            }
            int source = out - ((control & 0x1f) << 8 | from[in++] & 0xff) - 1;
            if (source < 0 || length > to.length - out) {
                return false;
            }
            for (int end = out + length; out < end; out++) {
                to[out] = to[source++];
            }
        }
        return out == to.length;
    }
}
