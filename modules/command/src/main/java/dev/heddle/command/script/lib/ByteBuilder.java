package dev.heddle.command.script.lib;

import java.util.Arrays;
import org.luaj.vm2.LuaString;

/** Bytes that grow. Confined to one call of a library function. */
final class ByteBuilder {

    /** The longest string that a library function makes: 512 MB, the longest value that the server stores. */
    static final int LIMIT = 512 * 1024 * 1024;

    private byte[] bytes;
    private int length;

    ByteBuilder(int capacity) {
        bytes = new byte[Math.max(capacity, 16)];
    }

    int length() {
        return length;
    }

    void add(int value) {
        if (length == bytes.length) {
            grow(1);
        }
        bytes[length++] = (byte) value;
    }

    void add(byte[] from, int offset, int count) {
        if (count > bytes.length - length) {
            grow(count);
        }
        System.arraycopy(from, offset, bytes, length, count);
        length += count;
    }

    void add(LuaString text) {
        add(text.m_bytes, text.m_offset, text.m_length);
    }

    void ascii(String text) {
        for (int i = 0; i < text.length(); i++) {
            add(text.charAt(i));
        }
    }

    void repeat(int value, int count) {
        for (int i = 0; i < count; i++) {
            add(value);
        }
    }

    /** The lowest {@code size} bytes of a number, most significant first; beyond eight bytes the rest is zero. */
    void bigEndian(long value, int size) {
        for (int i = size - 1; i >= 0; i--) {
            add(i < Long.BYTES ? (int) (value >>> 8 * i) : 0);
        }
    }

    void littleEndian(long value, int size) {
        for (int i = 0; i < size; i++) {
            add(i < Long.BYTES ? (int) (value >>> 8 * i) : 0);
        }
    }

    void clear() {
        length = 0;
    }

    LuaString toLuaString() {
        return LuaString.valueUsing(Arrays.copyOf(bytes, length));
    }

    private void grow(int more) {
        long wanted = (long) length + more;
        if (wanted > LIMIT) {
            throw new LibraryError("not enough memory");
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(LIMIT, Math.max(wanted, 2L * bytes.length)));
    }
}
