package dev.heddle.store.base;

/**
 * The checksum of Redis's files and DUMP payloads: CRC-64 with the polynomial of David T. Jones, bits reflected, start and final value 0.
 *
 * <p>Stateless.
 */
public final class Crc64 {

    /*
     * The plain way looks up one table per byte, and each lookup waits for the one before. "Slicing by 8" (Kounavis and Berry, 2005)
     * takes eight bytes in one step with eight tables, whose lookups do not depend on each other: table k holds what a byte does
     * to the checksum if k more bytes follow it.
     */

    /** The polynomial 0xad93d23594c935a9 with its bits in reversed order. */
    private static final long POLYNOMIAL = 0x95AC9329AC4BC9B5L;

    private static final int SLICES = 8;
    private static final long[][] TABLES = tables();

    private Crc64() {}

    /**
     * The checksum of bytes that follow others.
     *
     * @param soFar the checksum of those, 0 if there are none
     */
    public static long update(long soFar, byte[] bytes, int offset, int length) {
        long crc = soFar;
        int at = offset;
        int end = offset + length;
        for (; end - at >= SLICES; at += SLICES) {
            crc ^= littleEndian(bytes, at);
            long next = 0;
            for (int slice = 0; slice < SLICES; slice++) {
                next ^= TABLES[SLICES - 1 - slice][(int) (crc >>> 8 * slice) & 0xff];
            }
            crc = next;
        }
        for (; at < end; at++) {
            crc = TABLES[0][(int) (crc ^ bytes[at]) & 0xff] ^ crc >>> 8;
        }
        return crc;
    }

    private static long littleEndian(byte[] bytes, int at) {
        return (bytes[at] & 0xffL)
                | (bytes[at + 1] & 0xffL) << 8
                | (bytes[at + 2] & 0xffL) << 16
                | (bytes[at + 3] & 0xffL) << 24
                | (bytes[at + 4] & 0xffL) << 32
                | (bytes[at + 5] & 0xffL) << 40
                | (bytes[at + 6] & 0xffL) << 48
                | (bytes[at + 7] & 0xffL) << 56;
    }

    private static long[][] tables() {
        long[][] tables = new long[SLICES][256];
        for (int value = 0; value < 256; value++) {
            long crc = value;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
            }
            tables[0][value] = crc;
        }
        for (int slice = 1; slice < SLICES; slice++) {
            for (int value = 0; value < 256; value++) {
                long shorter = tables[slice - 1][value];
                tables[slice][value] = tables[0][(int) shorter & 0xff] ^ shorter >>> 8;
            }
        }
        return tables;
    }
}
