package dev.heddle.persistence.rdb;

import dev.heddle.store.value.PackedList;
import dev.heddle.store.value.StreamChunk;

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
        return frame(list, new PackedList());
    }

    /** A chunk of a stream, before which Redis has how many entries it has, live ones and removed ones. */
    static byte[] listpack(StreamChunk chunk) {
        PackedList counts = new PackedList();
        counts.append(chunk.live());
        counts.append(chunk.removed());
        return frame(chunk.list(), counts);
    }

    private static byte[] frame(PackedList list, PackedList before) {
        byte[] blob = new byte[list.listpackBytes() + before.used()];
        int count = Math.min(list.count() + before.count(), UNKNOWN);
        for (int i = 0; i < 4; i++) {
            blob[i] = (byte) (blob.length >>> 8 * i);
        }
        blob[4] = (byte) count;
        blob[5] = (byte) (count >>> 8);
        System.arraycopy(before.array(), 0, blob, HEADER, before.used());
        System.arraycopy(list.array(), 0, blob, HEADER + before.used(), list.used());
        blob[blob.length - 1] = (byte) END_MARK;
        return blob;
    }
}
