package dev.heddle.persistence.rdb;

import dev.heddle.resp.Numbers;
import dev.heddle.store.base.Crc64;
import java.io.IOException;
import java.io.InputStream;

/**
 * The bytes of a snapshot, one after the other, with the numbers and strings that they encode.
 *
 * <p>Confined to one thread. Trusts nothing: no length is believed that is larger than what is left, so that memory is only ever taken for
 * bytes that are there.
 */
final class RdbInput {

    /*
     * How a number is written says how long it is, in the two high bits of its first byte:
     *
     *     00xxxxxx                     6 bits
     *     01xxxxxx xxxxxxxx            14 bits
     *     10000000 and 4 bytes         32 bits, most significant byte first
     *     10000001 and 8 bytes         64 bits
     *     11xxxxxx                     no length: a string in a special form
     *
     * and a string is a length with so many bytes, or one of the special forms: an integer of 8, 16 or 32 bits, or compressed.
     */

    private static final int BUFFER = 256 * 1024;

    private static final String TOO_LONG = "a length of more than 63 bits";
    private static final int LENGTH_32 = 0x80;
    private static final int LENGTH_64 = 0x81;
    private static final String MODULE_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private static final int INT8 = 0;
    private static final int INT16 = 1;
    private static final int INT32 = 2;
    private static final int COMPRESSED = 3;

    private final InputStream source;
    private final byte[] buffer;
    private final long total;
    private int at;
    private int end;
    /** Where in the input the buffer begins. */
    private long base;

    private long checksum;
    private boolean sums = true;
    /** Up to where in the buffer the checksum has come. */
    private int summed;

    /** What {@link #length} has read is the number of a special form. */
    private boolean special;

    /** Reads an array, or a part of it. */
    RdbInput(byte[] array, int offset, int length) {
        this.source = InputStream.nullInputStream();
        this.buffer = array;
        this.at = offset;
        this.summed = offset;
        this.end = offset + length;
        this.base = -offset;
        this.total = length;
    }

    /** Reads a stream that has so many bytes. */
    RdbInput(InputStream source, long total) {
        this.source = source;
        this.buffer = new byte[BUFFER];
        this.total = total;
    }

    /** Leaves out the checksum from now on: {@link #checksum} is of no use any more. */
    void withoutChecksum() {
        sums = false;
    }

    /** How many bytes have been read. */
    long offset() {
        return base + at;
    }

    /** How many bytes there are still. */
    long remaining() {
        return total - offset();
    }

    /** The checksum of all bytes read so far. */
    long checksum() {
        if (sums) {
            checksum = Crc64.update(checksum, buffer, summed, at - summed);
        }
        summed = at;
        return checksum;
    }

    /** Tells what is wrong, and where. */
    RdbException error(String what) {
        return new RdbException("at offset " + offset() + ": " + what);
    }

    int unsignedByte() throws IOException {
        if (at == end) {
            fill(1);
        }
        return buffer[at++] & 0xff;
    }

    /** Whole numbers with the least significant byte first. */
    long littleEndian(int bytes) throws IOException {
        fill(bytes);
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (buffer[at + i] & 0xffL) << 8 * i;
        }
        at += bytes;
        return value;
    }

    private long bigEndian(int bytes) throws IOException {
        fill(bytes);
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | buffer[at + i] & 0xff;
        }
        at += bytes;
        return value;
    }

    /** The name of a module, as the high 54 of 64 bits: nine characters of six bits. */
    String moduleName() throws IOException {
        int first = unsignedByte();
        if (first != LENGTH_64) {
            throw error("the name of a module was expected");
        }
        long id = bigEndian(Long.BYTES);
        StringBuilder name = new StringBuilder();
        for (int shift = 58; shift >= 10; shift -= 6) {
            name.append(MODULE_CHARACTERS.charAt((int) (id >>> shift) & 0x3f));
        }
        return name.toString();
    }

    /** A length or count. Never negative. */
    long length() throws IOException {
        long value = number64();
        if (value < 0) {
            throw error(TOO_LONG);
        }
        return value;
    }

    /** A number of 64 bits in the form of a length. */
    long number64() throws IOException {
        long value = lengthOrForm();
        if (special) {
            throw error("a length was expected, not a string in a special form");
        }
        return value;
    }

    /** A count of things that take at least so many bytes each. */
    long count(int leastBytes) throws IOException {
        long count = length();
        if (count > remaining() / leastBytes) {
            throw error("a count of " + count + " cannot be true: only " + remaining() + " bytes are left");
        }
        return count;
    }

    private long lengthOrForm() throws IOException {
        int first = unsignedByte();
        special = false;
        long value = switch (first >> 6) {
            case 0 -> first & 0x3f;
            case 1 -> (first & 0x3f) << 8 | unsignedByte();
            case 2 -> {
                if (first != LENGTH_32 && first != LENGTH_64) {
                    throw error("unknown form of a length: " + first);
                }
                yield bigEndian(first == LENGTH_32 ? 4 : 8);
            }
            default -> {
                special = true;
                yield first & 0x3f;
            }
        };
        return value;
    }

    /** A string, in an array of its own. */
    byte[] string() throws IOException {
        long length = lengthOrForm();
        if (length < 0) {
            throw error(TOO_LONG);
        }
        if (!special) {
            return bytes(length);
        }
        return switch ((int) length) {
            case INT8 -> Numbers.toBytes((long) (byte) littleEndian(1));
            case INT16 -> Numbers.toBytes((long) (short) littleEndian(2));
            case INT32 -> Numbers.toBytes((long) (int) littleEndian(4));
            case COMPRESSED -> decompressed();
            default -> throw error("unknown form of a string: " + length);
        };
    }

    private byte[] decompressed() throws IOException {
        long compressed = length();
        long length = length();
        if (compressed > remaining() || length > compressed * LzfDecoder.LARGEST_RATIO || length > maxArray()) {
            throw error("a compressed string of " + compressed + " bytes cannot become one of " + length);
        }
        byte[] from = bytes(compressed);
        byte[] to = new byte[(int) length];
        if (!LzfDecoder.decode(from, to)) {
            throw error("a compressed string is damaged");
        }
        return to;
    }

    /** So many bytes, as they are. */
    byte[] bytes(long length) throws IOException {
        if (length > remaining() || length > maxArray()) {
            throw error("a string of " + length + " bytes cannot be there: only " + remaining() + " bytes are left");
        }
        byte[] bytes = new byte[(int) length];
        int copied = Math.min(end - at, bytes.length);
        System.arraycopy(buffer, at, bytes, 0, copied);
        at += copied;
        while (copied < bytes.length) {
            fill(1);
            int more = Math.min(end - at, bytes.length - copied);
            System.arraycopy(buffer, at, bytes, copied, more);
            at += more;
            copied += more;
        }
        return bytes;
    }

    private static long maxArray() {
        return Integer.MAX_VALUE - 64;
    }

    /** Sees to it that so many bytes are in the buffer; fewer than it holds. */
    private void fill(int wanted) throws IOException {
        if (end - at >= wanted) {
            return;
        }
        if (remaining() < wanted) {
            throw error("the end has come too early");
        }
        checksum();
        System.arraycopy(buffer, at, buffer, 0, end - at);
        base += at;
        end -= at;
        at = 0;
        summed = 0;
        while (end < wanted) {
            int count = source.read(buffer, end, buffer.length - end);
            if (count < 0) {
                throw error("the end has come too early");
            }
            end += count;
        }
    }
}
