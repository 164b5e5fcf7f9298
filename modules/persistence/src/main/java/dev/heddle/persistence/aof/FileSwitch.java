package dev.heddle.persistence.aof;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * The writer's way into another file. Made by whoever wants it, used once by the writer's thread.
 *
 * <p>Thread-safe.
 */
final class FileSwitch {

    /** Makes the next file, and sees to it that a restart would find it. */
    @FunctionalInterface
    interface Opener {
        LogFile open() throws IOException;
    }

    private final Opener opener;
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();

    FileSwitch(Opener opener) {
        this.opener = opener;
    }

    /** Called by the writer. */
    LogFile open() throws IOException {
        return opener.open();
    }

    /** Called by the writer: it has begun to write the new file. */
    void done() {
        result.complete(true);
    }

    /** Called by the writer: it goes on in the old file. */
    void failed(IOException reason) {
        result.completeExceptionally(reason);
    }

    /** Completes once the writer has taken the turn, exceptionally if it could not. */
    CompletableFuture<Boolean> result() {
        return result;
    }
}
