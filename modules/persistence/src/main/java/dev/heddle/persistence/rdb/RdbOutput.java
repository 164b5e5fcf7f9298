package dev.heddle.persistence.rdb;

import dev.heddle.persistence.snapshot.Chunk;
import dev.heddle.resp.Numbers;
import dev.heddle.store.value.ElementSink;
import org.jspecify.annotations.Nullable;

/**
 * Writes the numbers and strings that snapshots and payloads are made of; see {@link RdbInput} for their forms. As a sink it writes each
 * element as a string.
 *
 * <p>Confined to one thread, or guarded by what guards its chunk.
 */
final class RdbOutput implements ElementSink {

    /** Strings of up to this length may be the digits of a number that takes less. */
    private static final int LONGEST_NUMBER = 11;

    private static final int INT_8 = 0xc0;
    private static final int INT_16 = 0xc1;
    private static final int INT_32 = 0xc2;
    private static final int COMPRESSED = 0xc3;

    private final Chunk to;
    private final @Nullable LzfEncoder lzf;

    /** @param lzf null to compress nothing */
    RdbOutput(Chunk to, @Nullable LzfEncoder lzf) {
        this.to = to;
        this.lzf = lzf;
    }

    void oneByte(int value) {
        to.write(value);
    }

    /** A whole number with the least significant byte first. */
    void littleEndian(long value, int bytes) {
        byte[] array = to.room(bytes);
        int at = to.size();
        for (int i = 0; i < bytes; i++) {
            array[at + i] = (byte) (value >>> 8 * i);
        }
        to.advance(bytes);
    }

    private void bigEndian(long value, int bytes) {
        for (int i = bytes - 1; i >= 0; i--) {
            to.write((int) (value >>> 8 * i));
        }
    }

    /** A length or count, in the shortest form. */
    void length(long value) {
        if (value < 1 << 6) {
            to.write((int) value);
        } else if (value < 1 << 14) {
            to.write((int) (0x40 | value >> 8));
            to.write((int) value);
        } else if (value < 1L << 32) {
            to.write(0x80);
            bigEndian(value, 4);
        } else {
            to.write(0x81);
            bigEndian(value, 8);
        }
    }

    /** Any number of 64 bits, in the form of a length. */
    void number64(long value) {
        if (value >= 0) {
            length(value);
        } else {
            to.write(0x81);
            bigEndian(value, 8);
        }
    }

    /** Bytes as they are, without their number. */
    void raw(byte[] bytes) {
        to.write(bytes, 0, bytes.length);
    }

    /** A string, in the shortest of its forms. */
    void string(byte[] array, int offset, int length) {
        if (length <= LONGEST_NUMBER && length > 0 && Numbers.isLong(array, offset, length)) {
            number(Numbers.parseLong(array, offset, length));
            return;
        }
        blob(array, offset, length);
    }

    void string(byte[] array) {
        string(array, 0, array.length);
    }

    /** The digits of a number as a string. */
    @Override
    public void number(long value) {
        if (value == (byte) value) {
            to.write(INT_8);
            to.write((int) value);
        } else if (value == (short) value) {
            to.write(INT_16);
            littleEndian(value, 2);
        } else if (value == (int) value) {
            to.write(INT_32);
            littleEndian(value, 4);
        } else {
            byte[] digits = Numbers.toBytes(value);
            blob(digits, 0, digits.length);
        }
    }

    /** A string that is no number: compressed, if that saves something. */
    void blob(byte[] array, int offset, int length) {
        int compressed = lzf == null || length < LzfEncoder.SHORTEST ? 0 : lzf.compress(array, offset, length);
        if (lzf != null && compressed > 0) {
            to.write(COMPRESSED);
            length(compressed);
            length(length);
            to.write(lzf.output(), 0, compressed);
        } else {
            length(length);
            to.write(array, offset, length);
        }
    }

    @Override
    public void slice(byte[] array, int offset, int length) {
        string(array, offset, length);
    }

    @Override
    public void whole(byte[] array) {
        string(array, 0, array.length);
    }
}
