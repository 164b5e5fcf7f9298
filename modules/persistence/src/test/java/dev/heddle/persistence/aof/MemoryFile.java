package dev.heddle.persistence.aof;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** A file in memory that fails when a test wants it to. Thread-safe. */
final class MemoryFile implements LogFile {

    private byte[] bytes = {}; // guarded by this object's monitor, as everything here
    private int size;
    private byte[] onDisk = {};
    private long room = Long.MAX_VALUE;
    private boolean forceFails;
    private boolean closed;
    private final AtomicInteger forces = new AtomicInteger();
    private Runnable beforeForce = () -> {};

    /** The disk has room for so many bytes. */
    synchronized void room(long size) {
        room = size;
    }

    synchronized void forceFails(boolean yes) {
        forceFails = yes;
    }

    synchronized void beforeForce(Runnable action) {
        beforeForce = action;
    }

    int forces() {
        return forces.get();
    }

    /** What has been written. */
    synchronized String text() {
        return new String(bytes, 0, size, StandardCharsets.ISO_8859_1);
    }

    /** What would be left after a power failure. */
    synchronized String textOnDisk() {
        return new String(onDisk, StandardCharsets.ISO_8859_1);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public synchronized void write(byte[] array, int offset, int length, long at) throws IOException {
        int fits = (int) Math.min(length, Math.max(0, room - at));
        if (at > size) {
            throw new AssertionError("a hole: " + at + " behind " + size);
        }
        int end = (int) at + fits;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        System.arraycopy(array, offset, bytes, (int) at, fits);
        size = Math.max(size, end);
        if (fits < length) {
            throw new IOException("No space left on device");
        }
    }

    @Override
    public synchronized void truncate(long newSize) {
        size = (int) Math.min(newSize, size);
    }

    @Override
    public void force() throws IOException {
        Runnable before;
        synchronized (this) {
            before = beforeForce;
        }
        before.run();
        synchronized (this) {
            if (forceFails) {
                throw new IOException("Input/output error");
            }
            onDisk = Arrays.copyOf(bytes, size);
        }
        forces.incrementAndGet();
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
