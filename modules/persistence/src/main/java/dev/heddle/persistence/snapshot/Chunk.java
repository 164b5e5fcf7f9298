package dev.heddle.persistence.snapshot;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes that will be part of a snapshot file: some entries of one database, in their final form.
 *
 * <p>Confined to one thread at a time: guarded by a stripe's lock while it is being filled, handed over through a queue afterwards.
 */
public final class Chunk {

    private byte[] bytes;
    private int size;
    private int entries;
    private int database;

    public Chunk(int database, int capacity) {
        this.database = database;
        this.bytes = new byte[capacity];
    }

    int database() {
        return database;
    }

    public byte[] array() {
        return bytes;
    }

    public int size() {
        return size;
    }

    int capacity() {
        return bytes.length;
    }

    /** How many entries it holds. */
    int entries() {
        return entries;
    }

    void countEntry() {
        entries++;
    }

    /** Empties it for entries of this database; what has grown very large is let go. */
    void reset(int newDatabase, int largest) {
        database = newDatabase;
        size = 0;
        entries = 0;
        if (bytes.length > largest) {
            bytes = new byte[largest];
        }
    }

    public void write(byte[] source) {
        write(source, 0, source.length);
    }

    public void write(byte[] source, int offset, int length) {
        room(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    public void write(int oneByte) {
        room(1);
        bytes[size++] = (byte) oneByte;
    }

    public void ascii(String text) {
        write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Gives room for so many bytes at {@link #size}; {@link #advance} then says how many were written there. */
    public byte[] room(int length) {
        if (bytes.length - size < length) {
            long wanted = Math.max((long) size + length, 2L * bytes.length);
            bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 16));
        }
        return bytes;
    }

    public void advance(int length) {
        size += length;
    }
}
