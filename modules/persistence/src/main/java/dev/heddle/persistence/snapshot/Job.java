package dev.heddle.persistence.snapshot;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that somebody has asked for, from then until it is done.
 *
 * <p>Thread-safe: {@link #task} is set once by whoever begins it, {@link #ok} before {@link #done} opens.
 */
final class Job {

    /** What a snapshot is for. */
    enum Kind {
        SAVE,
        REWRITE
    }

    private final Kind kind;
    private final boolean hurries;
    private final long startedMillis;
    /** Changes of data, since the start of the server, that are certainly contained. */
    private final long changes;

    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable SnapshotTask task;
    private volatile boolean startsJournal;
    private volatile boolean cancelled;
    private volatile boolean ok;

    Job(Kind kind, boolean hurries, long startedMillis, long changes) {
        this.kind = kind;
        this.hurries = hurries;
        this.startedMillis = startedMillis;
        this.changes = changes;
    }

    Kind kind() {
        return kind;
    }

    /** Whether somebody waits for it. */
    boolean hurries() {
        return hurries;
    }

    long startedMillis() {
        return startedMillis;
    }

    long changes() {
        return changes;
    }

    @Nullable
    SnapshotTask task() {
        return task;
    }

    void begun(SnapshotTask newTask) {
        task = newTask;
        if (cancelled) {
            newTask.cancel();
        }
    }

    /** Notes that there has been no journal before this rewrite. */
    void willStartJournal() {
        startsJournal = true;
    }

    boolean startsJournal() {
        return startsJournal;
    }

    void cancel() {
        cancelled = true;
        SnapshotTask current = task;
        if (current != null) {
            current.cancel();
        }
    }

    boolean isCancelled() {
        return cancelled;
    }

    void finished(boolean success) {
        ok = success;
        done.countDown();
    }

    /** Waits for its end. @return whether it succeeded */
    boolean await() throws InterruptedException {
        done.await();
        return ok;
    }
}
