package dev.heddle.command;

import org.jspecify.annotations.Nullable;

/**
 * The connection of a session without a socket; a test may play the client that leaves in the middle of a wait. Thread-safe.
 */
public final class NoConnection implements Connection {

    private final String remoteAddress;
    private volatile @Nullable Runnable gone;

    public NoConnection(String remoteAddress) {
        this.remoteAddress = remoteAddress;
    }

    /** What is to be called if the client leaves now; null while its session does not wait. */
    public @Nullable Runnable gone() {
        return gone;
    }

    @Override
    public void waitBegins(Runnable newGone) {
        gone = newGone;
    }

    @Override
    public void waitEnds() {
        gone = null;
    }

    @Override
    public String remoteAddress() {
        return remoteAddress;
    }

    @Override
    public String localAddress() {
        return "127.0.0.1:6379";
    }

    @Override
    public int descriptor() {
        return 8;
    }

    @Override
    public void close() {
        // there is nothing to close
    }

    @Override
    public int inputUsed() {
        return 0;
    }

    @Override
    public int inputFree() {
        return 0;
    }

    @Override
    public long bufferBytes() {
        return 0;
    }
}
