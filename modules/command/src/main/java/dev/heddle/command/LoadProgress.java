package dev.heddle.command;

import java.util.concurrent.CancellationException;

/**
 * How far the data set has been read from the disk.
 *
 * <p>Thread-safe: one thread loads and writes the figures, others read them.
 */
public final class LoadProgress {

    private volatile boolean active;
    private volatile long startedMillis;
    private volatile long totalBytes;
    private volatile long loadedBytes;
    private volatile boolean cancelled;

    LoadProgress() {}

    /** Whether the data set is being loaded, so that most commands are refused. */
    public boolean active() {
        return active;
    }

    /** Loading begins: from now on commands are refused. */
    public void begin(long nowMillis, long bytes) {
        startedMillis = nowMillis;
        totalBytes = bytes;
        loadedBytes = 0;
        active = true;
    }

    /** So many bytes have been read. */
    public void loaded(long bytes) {
        loadedBytes = bytes;
    }

    /** The server is to end: what is not yet loaded need not be. */
    public void cancel() {
        cancelled = true;
    }

    /** @throws CancellationException if loading is no longer wanted */
    public void throwIfCancelled() {
        if (cancelled) {
            throw new CancellationException("loading was given up, for the server is to end");
        }
    }

    /** Loading is over. */
    public void end() {
        active = false;
    }

    public long startedMillis() {
        return startedMillis;
    }

    public long totalBytes() {
        return totalBytes;
    }

    public long loadedBytes() {
        return loadedBytes;
    }
}
