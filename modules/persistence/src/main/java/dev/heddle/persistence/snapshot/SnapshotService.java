package dev.heddle.persistence.snapshot;

import dev.heddle.command.CommandException;
import dev.heddle.command.Engine;
import dev.heddle.command.Persistence;
import dev.heddle.command.config.PersistenceSettings;
import dev.heddle.command.config.SavePoint;
import dev.heddle.persistence.aof.AofLog;
import dev.heddle.persistence.snapshot.Job.Kind;
import dev.heddle.persistence.snapshot.SnapshotTask.Manner;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when a snapshot is taken, one at a time, and keeps account of how it went.
 *
 * <p>Thread-safe. {@link #lock} is never held while stripes are taken, since some methods are called by who holds stripes. A snapshot is
 * written by a thread of its own, which ends with it.
 */
public final class SnapshotService implements Persistence {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotService.class);

    private static final CommandException SAVING = CommandException.err("Background save already in progress");
    private static final CommandException REWRITING =
            CommandException.err("Background append only file rewriting already in progress");
    private static final CommandException BUSY =
            CommandException.err("Another child process is active (AOF?): can't BGSAVE right now. Use BGSAVE SCHEDULE"
                    + " in order to schedule a BGSAVE whenever possible.");
    private static final CommandException CANNOT_REWRITE = CommandException.err(
            "Can't execute an AOF background rewriting. Please check the server logs for more information.");
    private static final CommandException ERR = new CommandException("ERR");
    private static final String REFUSAL =
            "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to"
                    + " persist to disk. Commands that may modify the data set are disabled, because this instance is configured"
                    + " to report errors during writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please"
                    + " check the Redis logs for details about the RDB error.";

    /** A part of the heap in use that old contents may occupy before writers are slowed down. */
    private static final int HELD_PART = 20;

    private static final long LEAST_HELD = 4L << 20;

    private final Engine engine;
    private final PersistenceSettings settings;
    private final SnapshotReader reader;
    private final SnapshotFormat.Factory formats;
    private final AofLog journal;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();

    // guarded by lock
    private final SnapshotLog history;
    private @Nullable Job running;
    private boolean saveScheduled;
    private boolean rewriteScheduled;
    private boolean ending;

    /** Set under all stripes, acted upon by the housekeeper. */
    private volatile boolean flushed;
    /** Whether the last save failed; written under the lock. */
    private volatile boolean failing;

    /**
     * @param journal what is to be rewritten
     * @param reader for DEBUG RELOAD
     * @param formats of RDB files
     */
    public SnapshotService(Engine engine, AofLog journal, SnapshotReader reader, SnapshotFormat.Factory formats) {
        this.engine = engine;
        this.journal = journal;
        this.settings = engine.settings().persistence;
        this.reader = reader;
        this.formats = formats;
        this.history = new SnapshotLog(engine.clock().millis());
    }

    // ---- commands

    @Override
    public void save() throws InterruptedException {
        lock.lock();
        try {
            if (running != null && running.kind() == Kind.SAVE) {
                throw SAVING;
            }
        } finally {
            lock.unlock();
        }
        if (!runNow(Kind.SAVE)) {
            throw ERR;
        }
    }

    @Override
    public String saveInBackground(boolean maySchedule, boolean mustSchedule) {
        lock.lock();
        try {
            if (running != null && running.kind() == Kind.SAVE) {
                throw SAVING;
            }
            if (running != null || mustSchedule || ending) {
                if (!maySchedule && !mustSchedule) {
                    throw BUSY;
                }
                saveScheduled = true;
                return "Background saving scheduled";
            }
        } finally {
            lock.unlock();
        }
        if (!begin(Kind.SAVE)) {
            throw SAVING; // somebody was faster
        }
        return "Background saving started";
    }

    @Override
    public String rewriteJournal(boolean mustSchedule) {
        lock.lock();
        try {
            if (running != null && running.kind() == Kind.REWRITE) {
                throw REWRITING;
            }
            if (running != null || mustSchedule || ending) {
                scheduleRewrite();
                return "Background append only file rewriting scheduled";
            }
        } finally {
            lock.unlock();
        }
        if (!begin(Kind.REWRITE)) {
            throw CANNOT_REWRITE;
        }
        return "Background append only file rewriting started";
    }

    private void scheduleRewrite() {
        assert lock.isHeldByCurrentThread();
        rewriteScheduled = true;
        history.forgetFailures();
        journal.rewriteIsPending(true);
    }

    /** CONFIG SET appendonly yes: the journal begins with a rewrite. @return false if it cannot begin, now or later */
    public boolean turnJournalOn() {
        if (journal.isOpen()) {
            return true;
        }
        lock.lock();
        try {
            if (running != null || ending) {
                scheduleRewrite();
                return true;
            }
        } finally {
            lock.unlock();
        }
        return begin(Kind.REWRITE);
    }

    /** CONFIG SET appendonly no. */
    public void turnJournalOff() {
        lock.lock();
        try {
            rewriteScheduled = false;
            journal.rewriteIsPending(false);
            if (running != null && running.kind() == Kind.REWRITE) {
                running.cancel();
            }
        } finally {
            lock.unlock();
        }
        journal.close();
    }

    @Override
    public void flushed() {
        if (!engine.loading().active()) {
            flushed = true;
        }
    }

    @Override
    public @Nullable String refusal() {
        return failing
                        && settings.stopWritesOnBgsaveError.value()
                        && !settings.save.value().isEmpty()
                ? REFUSAL
                : null;
    }

    @Override
    public Figures figures() {
        lock.lock();
        try {
            return history.figures(
                    running,
                    rewriteScheduled,
                    engine.stats().changes(),
                    engine.clock().millis());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void reload(Reload how) throws InterruptedException {
        if (how.saves() && !runNow(Kind.SAVE)) {
            throw ERR;
        }
        if (!reader.read(how.flushes(), how.merges())) {
            throw CommandException.err("Error trying to load the RDB dump, check server logs.");
        }
        loaded();
    }

    @Override
    public void reloadJournal() throws InterruptedException {
        if (!reader.readJournal()) {
            throw CommandException.err("Error trying to load the AOF files, check server logs.");
        }
        loaded();
    }

    /** The data set has just been read from the disk: there is nothing to be saved yet. */
    public void loaded() {
        lock.lock();
        try {
            history.saved(engine.stats().changes(), engine.clock().millis());
        } finally {
            lock.unlock();
        }
    }

    // ---- the housekeeper's round

    /** Begins what is due. Never waits for a file. */
    public void tick() {
        if (engine.loading().active()) {
            return;
        }
        if (flushed) {
            startAgain();
            return;
        }
        Kind due = due(engine.clock().millis());
        if (due != null) {
            begin(due);
        }
    }

    /** FLUSHALL gives up the save that is running and saves the emptiness. */
    private void startAgain() {
        lock.lock();
        try {
            if (running != null) {
                if (running.kind() == Kind.SAVE) {
                    running.cancel();
                }
                return;
            }
            flushed = false;
        } finally {
            lock.unlock();
        }
        if (!settings.save.value().isEmpty()) {
            begin(Kind.SAVE);
        }
    }

    private @Nullable Kind due(long now) {
        lock.lock();
        try {
            if (running != null || ending) {
                return null;
            }
            if (rewriteScheduled && history.mayRewrite(now)) {
                rewriteScheduled = false;
                return Kind.REWRITE;
            }
            if (savePointReached(now)) {
                return Kind.SAVE;
            }
            if (history.mayRewrite(now) && journal.rewriteIsDue()) {
                LOG.info("Starting automatic rewriting of AOF");
                return Kind.REWRITE;
            }
            if (saveScheduled && history.maySave(now)) {
                saveScheduled = false;
                return Kind.SAVE;
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private boolean savePointReached(long now) {
        if (!history.maySave(now)) {
            return false;
        }
        long changes = engine.stats().changes() - history.changesSaved();
        for (SavePoint point : settings.save.value()) {
            if (changes >= point.changes() && history.secondsSinceSave(now) > point.seconds()) {
                LOG.info("{} changes in {} seconds. Saving...", point.changes(), point.seconds());
                return true;
            }
        }
        return false;
    }

    // ---- the end

    @Override
    public boolean prepareEnd(Ending how, boolean force) throws InterruptedException {
        if (startsJournal()) {
            LOG.warn("Writing initial AOF. {}", force ? "Exit anyway." : "Can't exit.");
            if (!force) {
                return false;
            }
        }
        engine.pauses().freeze(true);
        stopRunning();
        // What has been loaded so far must not take the place of the file that it is loaded from.
        boolean wanted = !engine.loading().active()
                && (how == Ending.SAVE
                        || (how == Ending.BY_SAVE_POINTS
                                && !settings.save.value().isEmpty()));
        if (wanted && !saveAtEnd()) {
            if (!force) {
                LOG.error("Error trying to save the DB, can't exit.");
                resume();
                return false;
            }
            LOG.error("Error trying to save the DB, exiting nevertheless.");
        }
        savesAtEnd = wanted;
        return true;
    }

    /** Whether the journal has been turned on and has no base yet: a start would find nothing, or what is long outdated. */
    private boolean startsJournal() {
        lock.lock();
        try {
            return running != null && running.startsJournal() && settings.appendOnly.value();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the data is to be on the disk when the process has ended. */
    private volatile boolean savesAtEnd;

    private boolean saveAtEnd() throws InterruptedException {
        LOG.info("Saving the final RDB snapshot before exiting.");
        Job job = claim(Kind.SAVE, true, true);
        return job != null && start(job) && job.await();
    }

    /**
     * Nobody changes anything any more: saves once more if somebody has since {@link #prepareEnd}.
     *
     * @return false if that failed
     */
    public boolean end() throws InterruptedException {
        stopRunning();
        return !savesAtEnd || figures().changes() == 0 || saveAtEnd();
    }

    private void stopRunning() throws InterruptedException {
        lock.lock();
        try {
            ending = true;
            Job job = running;
            if (job != null) {
                LOG.warn("There is a snapshot being written. It is given up.");
                job.cancel();
            }
            while (running != null) {
                idle.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private void resume() {
        lock.lock();
        try {
            ending = false;
        } finally {
            lock.unlock();
        }
        engine.pauses().thaw();
    }

    // ---- running one

    /** Runs one as soon as none is running, and waits for its end. */
    private boolean runNow(Kind kind) throws InterruptedException {
        Job job = claim(kind, true, false);
        while (job == null) {
            lock.lock();
            try {
                if (running != null) {
                    idle.await();
                } else if (ending) {
                    return false;
                }
            } finally {
                lock.unlock();
            }
            job = claim(kind, true, false);
        }
        return start(job) && job.await();
    }

    private boolean begin(Kind kind) {
        Job job = claim(kind, false, false);
        return job != null && start(job);
    }

    /** Makes sure that nobody else begins one. Null if there is one already. */
    private @Nullable Job claim(Kind kind, boolean hurries, boolean evenAtEnd) {
        lock.lock();
        try {
            if (running != null || (ending && !evenAtEnd)) {
                return null;
            }
            Job job = new Job(
                    kind, hurries, engine.clock().millis(), engine.stats().changes());
            running = job;
            history.begun(job);
            return job;
        } finally {
            lock.unlock();
        }
    }

    /** Fixes the moment, here and now, and leaves the rest to a thread. */
    private boolean start(Job job) {
        boolean rewrites = job.kind() == Kind.REWRITE;
        try {
            if (rewrites) {
                if (!journal.isOpen()) {
                    job.willStartJournal();
                }
                journal.prepareRewrite();
            }
            Runnable atTheMoment = rewrites ? journal::beginRewrite : () -> {};
            long limit = Math.max(LEAST_HELD, engine.memory().counted() / HELD_PART);
            Manner manner = new Manner(job.hurries(), limit, engine.stats()::commands);
            job.begun(SnapshotTask.begin(engine.store(), format(job.kind()), manner, atTheMoment));
            Thread.ofPlatform()
                    .daemon(true)
                    .name(rewrites ? "aof-rewrite" : "snapshot")
                    .start(() -> run(job));
            LOG.info("Background {} started", rewrites ? "append only file rewriting" : "saving");
            return true;
        } catch (IOException e) {
            LOG.error("cannot begin to rewrite the append-only file: {}", e.getMessage());
        } catch (RuntimeException | OutOfMemoryError e) {
            LOG.error("cannot begin a snapshot", e);
            if (rewrites) {
                journal.abandonRewrite();
            }
        }
        SnapshotTask task = job.task();
        if (task != null) {
            task.end();
        }
        finish(job, false);
        return false;
    }

    private SnapshotFormat format(Kind kind) {
        boolean rewrites = kind == Kind.REWRITE;
        return rewrites && !settings.aofUseRdbPreamble.value()
                ? new CommandFormat(engine.scripts()::librarySources)
                : formats.create(rewrites);
    }

    private void run(Job job) {
        boolean ok = false;
        SnapshotTask task = job.task();
        if (task == null) {
            throw new IllegalStateException("not begun");
        }
        try {
            switch (job.kind()) {
                case SAVE -> writeSave(job, task);
                case REWRITE -> writeBase(job, task);
            }
            ok = true;
        } catch (IOException e) {
            String what = job.kind() == Kind.SAVE ? "saving" : "AOF rewrite";
            if (job.isCancelled()) {
                LOG.info("Background {} cancelled", what);
            } else {
                LOG.error("Background {} error: {}", what, e.toString());
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            LOG.error("Background saving error", e);
        } finally {
            task.end();
            finish(job, ok);
        }
    }

    private void writeSave(Job job, SnapshotTask task) throws IOException {
        Path folder = settings.dir.value();
        Path temporary = folder.resolve(temporaryName("rdb"));
        Path name = engine.settings().resolve(settings.dbFilename);
        try (SnapshotFile file = SnapshotFile.create(temporary)) {
            write(job, task, file);
            file.publish(name);
            LOG.info("DB saved on disk: {} keys, {} bytes", task.total(), file.size());
        }
    }

    private void writeBase(Job job, SnapshotTask task) throws IOException {
        boolean rdb = !(task.format() instanceof CommandFormat);
        boolean finished = false;
        try (SnapshotFile file = SnapshotFile.create(journal.folder().resolve(temporaryName("aof")))) {
            write(job, task, file);
            Path base = file.complete();
            journal.awaitSwitch();
            finished = true; // whatever happens in there, the rewrite is over
            journal.finishRewrite(base, rdb);
            file.given();
            LOG.info("Background AOF rewrite finished successfully: {} keys, {} bytes", task.total(), file.size());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } finally {
            if (!finished) {
                journal.abandonRewrite();
            }
            if (!settings.appendOnly.value()) {
                // BGREWRITEAOF without a journal leaves a base, and goes on without a journal.
                journal.close();
            }
        }
    }

    private static String temporaryName(String kind) {
        return "temp-" + ProcessHandle.current().pid() + "." + kind;
    }

    private void write(Job job, SnapshotTask task, SnapshotFile file) throws IOException {
        boolean forces = job.kind() == Kind.SAVE
                ? settings.rdbSaveIncrementalFsync.value()
                : settings.aofRewriteIncrementalFsync.value();
        task.write(file, forces);
    }

    private void finish(Job job, boolean ok) {
        lock.lock();
        try {
            history.finished(job, ok, engine.clock().millis());
            failing = !history.saveOk();
            running = null;
            idle.signalAll();
        } finally {
            lock.unlock();
        }
        job.finished(ok);
    }
}
