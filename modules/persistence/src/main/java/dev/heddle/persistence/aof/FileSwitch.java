package dev.heddle.persistence.aof;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The writer's way into another file. Made by whoever wants it, taken once by the writer's thread.
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

    /** It is no longer wanted; has no effect once it is taken. */
    void cancel() {
        failed(new IOException("the present file cannot be written"));
    }

    /** Whether nobody waits for it any more. */
    boolean isOver() {
        return result.isDone();
    }

    /**
     * Waits for the writer.
     *
     * @return whether it has taken the turn
     * @throws IOException if it could not, or this was cancelled
     */
    boolean isTaken(long time, TimeUnit unit) throws IOException, InterruptedException {
        try {
            return result.get(time, unit);
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException e) {
            Throwable reason = e.getCause();
            throw new IOException(reason == null ? "unknown" : String.valueOf(reason.getMessage()), e);
        }
    }
}
