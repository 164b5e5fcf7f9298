package dev.heddle.persistence.snapshot;

import dev.heddle.resp.Numbers;
import dev.heddle.store.Entry;
import dev.heddle.store.value.*;
import dev.heddle.store.value.HashValue.Part;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Stand-in until the codec is there. */
final class PlainRdbFormat implements SnapshotFormat {
    static final long[] CRC = new long[256];
    static {
        for (int i = 0; i < 256; i++) {
            long c = i;
            for (int b = 0; b < 8; b++) c = (c & 1) != 0 ? c >>> 1 ^ 0x95AC9329AC4BC9B5L : c >>> 1;
            CRC[i] = c;
        }
    }
    public void header(Chunk to) { to.ascii("REDIS0009"); }
    public void database(int index, long keys, long expiring, Chunk to) {
        to.write(0xfe); length(to, index);
        if (keys > 0) { to.write(0xfb); length(to, keys); length(to, expiring); }
    }
    public void entry(Item item, boolean thoroughly, Chunk to) {
        if (item.expireAt() != Entry.NEVER) { to.write(0xfc); le(to, item.expireAt()); }
        Object v = item.value();
        switch (v) {
            case byte[] b -> { to.write(0); str(to, item.key()); str(to, b); }
            case Long n -> { to.write(0); str(to, item.key()); str(to, Numbers.toBytes(n)); }
            case GrowableString g -> { to.write(0); str(to, item.key()); str(to, g.toByteArray()); }
            case ListValue l -> { to.write(1); str(to, item.key()); length(to, l.size()); l.give(0, l.size(), false, new S(to)); }
            case SetValue l -> { to.write(2); str(to, item.key()); length(to, l.size()); l.forEach(new S(to)); }
            case HashValue l -> { to.write(4); str(to, item.key()); length(to, l.size()); l.forEach(Part.BOTH, Long.MIN_VALUE, new S(to)); }
            case SortedSetValue l -> { to.write(5); str(to, item.key()); length(to, l.size()); l.forEach((a, o, n, s) -> { str(to, a, o, n); le(to, Double.doubleToLongBits(s)); }); }
            default -> throw new IllegalStateException();
        }
    }
    record S(Chunk to) implements ElementSink {
        public void slice(byte[] a, int o, int n) { str(to, a, o, n); }
        public void number(long v) { whole(Numbers.toBytes(v)); }
        public void whole(byte[] a) { str(to, a); }
    }
    public void end(Chunk to, long checksum) {
        to.write(0xff);
        le(to, checksum(checksum, new byte[] {(byte) 0xff}, 0, 1));
    }
    public long checksum(long soFar, byte[] b, int offset, int length) {
        long c = soFar;
        for (int i = offset; i < offset + length; i++) c = CRC[(int) (c ^ b[i]) & 0xff] ^ c >>> 8;
        return c;
    }
    static void str(Chunk to, byte[] b) { str(to, b, 0, b.length); }
    static void str(Chunk to, byte[] b, int o, int n) { length(to, n); to.write(b, o, n); }
    static void length(Chunk to, long n) {
        if (n < 64) to.write((int) n);
        else if (n < 16384) { to.write((int) (0x40 | n >> 8)); to.write((int) n); }
        else { to.write(0x80); to.write(ByteBuffer.allocate(4).putInt((int) n).array()); }
    }
    static void le(Chunk to, long v) { to.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(v).array()); }
}
