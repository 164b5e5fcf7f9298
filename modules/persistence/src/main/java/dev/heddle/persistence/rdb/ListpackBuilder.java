package dev.heddle.persistence.rdb;

import dev.heddle.store.value.PackedList;

/**
 * Adds to the elements of a {@link PackedList}, which are those of a Redis listpack, what a listpack has around them: the number of bytes
 * in four and the number of elements in two, low byte first, before; a mark behind. Stateless.
 */
final class ListpackBuilder {

    private static final int HEADER = 6;
    private static final int END_MARK = 0xff;
    /** A count for which there is no room: whoever wants to know it counts. */
    private static final int UNKNOWN = 0xffff;

    private ListpackBuilder() {}

    static byte[] listpack(PackedList list) {
        byte[] blob = new byte[list.listpackBytes()];
        int count = Math.min(list.count(), UNKNOWN);
        for (int i = 0; i < 4; i++) {
            blob[i] = (byte) (blob.length >>> 8 * i);
        }
        blob[4] = (byte) count;
        blob[5] = (byte) (count >>> 8);
        System.arraycopy(list.array(), 0, blob, HEADER, list.used());
        blob[blob.length - 1] = (byte) END_MARK;
        return blob;
    }
}
