package dev.heddle.persistence.snapshot;

import dev.heddle.command.Persistence.Figures;
import dev.heddle.command.Persistence.Rewrites;
import dev.heddle.persistence.snapshot.Job.Kind;
import org.jspecify.annotations.Nullable;

/** How the snapshots so far went. Guarded by the lock of {@link SnapshotService}. */
final class SnapshotLog {

    private static final long RETRY_MILLIS = 5000;
    /** After so many failed rewrites in a row the next ones wait, longer and longer. */
    private static final int PATIENCE = 3;

    private static final long FIRST_WAIT_MILLIS = 60_000;
    private static final long LONGEST_WAIT_MILLIS = 3_600_000;

    private long lastSaveMillis;
    private long changesSaved;
    private boolean saveOk = true;
    private long saveTriedMillis;
    private long saveSeconds = -1;
    private long saves;
    private long savePeak;

    private boolean rewriteOk = true;
    private long rewriteSeconds = -1;
    private long rewrites;
    private long rewritePeak;
    private long failures;
    private long rewriteNotBefore;
    private long rewriteWait;

    SnapshotLog(long now) {
        lastSaveMillis = now;
    }

    void begun(Job job) {
        if (job.kind() == Kind.SAVE) {
            saveTriedMillis = job.startedMillis();
            saves++;
        } else {
            rewrites++;
        }
    }

    void finished(Job job, boolean ok, long now) {
        long seconds = Math.max(0, now - job.startedMillis()) / 1000;
        SnapshotTask task = job.task();
        long peak = task == null ? 0 : task.peak();
        switch (job.kind()) {
            case SAVE -> {
                savePeak = peak;
                if (ok) {
                    saveOk = true;
                    saveSeconds = seconds;
                    saved(job.changes(), now);
                } else if (!job.isCancelled()) {
                    saveOk = false;
                    saveSeconds = seconds;
                }
            }
            case REWRITE -> {
                rewritePeak = peak;
                rewriteSeconds = seconds;
                if (ok) {
                    rewriteOk = true;
                    failures = 0;
                    rewriteWait = 0;
                } else if (!job.isCancelled()) {
                    rewriteOk = false;
                    failures++;
                    if (failures >= PATIENCE) {
                        rewriteWait = Math.clamp(rewriteWait * 2, FIRST_WAIT_MILLIS, LONGEST_WAIT_MILLIS);
                        rewriteNotBefore = now + rewriteWait;
                    }
                }
            }
        }
    }

    /** The file holds all changes up to this count: it was saved, or just loaded. */
    void saved(long changes, long now) {
        changesSaved = changes;
        lastSaveMillis = now;
    }

    boolean saveOk() {
        return saveOk;
    }

    long changesSaved() {
        return changesSaved;
    }

    /** Whole seconds since the last save. */
    long secondsSinceSave(long now) {
        return (now - lastSaveMillis) / 1000;
    }

    /** Whether a save may begin by itself: not soon after one that failed. */
    boolean maySave(long now) {
        return saveOk || now - saveTriedMillis > RETRY_MILLIS;
    }

    /** Whether a rewrite may begin by itself: not soon after several that failed. */
    boolean mayRewrite(long now) {
        return failures < PATIENCE || now >= rewriteNotBefore;
    }

    /** Somebody has asked for a rewrite: it need not wait. */
    void forgetFailures() {
        failures = 0;
        rewriteWait = 0;
    }

    Figures figures(@Nullable Job running, boolean rewriteScheduled, long changes, long now) {
        SnapshotTask task = running == null ? null : running.task();
        boolean saving = running != null && running.kind() == Kind.SAVE;
        boolean rewriting = running != null && running.kind() == Kind.REWRITE;
        long current = running == null ? -1 : Math.max(0, now - running.startedMillis()) / 1000;
        return new Figures(
                changes - changesSaved,
                saving,
                lastSaveMillis / 1000,
                saveOk,
                saveSeconds,
                saving ? current : -1,
                saves,
                task == null ? 0 : task.processed(),
                task == null ? 0 : task.total(),
                task == null ? 0 : task.waiting(),
                savePeak,
                new Rewrites(
                        rewriting,
                        rewriteScheduled,
                        rewriteSeconds,
                        rewriting ? current : -1,
                        rewriteOk,
                        rewrites,
                        failures,
                        rewritePeak));
    }
}
