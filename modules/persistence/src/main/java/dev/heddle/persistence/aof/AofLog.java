package dev.heddle.persistence.aof;

import dev.heddle.command.Effect;
import dev.heddle.command.Engine;
import dev.heddle.command.Journal;
import dev.heddle.command.config.PersistenceSettings;
import dev.heddle.resp.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The append-only file as a whole: its folder, its writer, and what it is doing.
 *
 * <p>Thread-safe. Opening, closing and rewrites exclude one another by {@link #lock}; {@link #append} does not take it.
 */
public final class AofLog implements Journal {

    /*
     * A rewrite, as whoever makes it calls it:
     *
     *     log.prepareRewrite();                     no lock held; makes a file if records are not being written yet
     *     under all stripes: log.beginRewrite();    from here on records go into a further increment
     *     log.awaitSwitch();                        no lock held; the increment exists, and the manifest names it
     *     ... write and force a base file that holds the data set as it was under the stripes ...
     *     log.finishRewrite(base, rdb);             the manifest names the base and that increment alone
     *
     * or log.abandonRewrite(), at any point: then the increment simply follows the others, and nothing is lost. If there were no records
     * before (appendonly has just been turned on), the increment has no name in the manifest until there is a base for it.
     */

    private static final Logger LOG = LoggerFactory.getLogger(AofLog.class);

    private enum State {
        OFF,
        /** Records gather in an increment that waits for its base. */
        WAITING,
        ON
    }

    private final Engine engine;
    private final PersistenceSettings settings;
    private final AofDirectory directory;
    private final RecordQueue queue;
    private final ReentrantLock lock = new ReentrantLock();

    // written under the lock, read by all
    private volatile State state = State.OFF;
    private volatile @Nullable AofWriter writer;
    private volatile boolean rewriting;
    private volatile boolean pendingRewrite;
    /** Bytes in the files before the one that is written. */
    private volatile long earlierBytes;

    private volatile long sizeAfterRewrite;

    /** Whether appendonly was turned on and the rewrite that this needs has failed; written under the lock. */
    private volatile boolean startFailed;

    private volatile @Nullable FileSwitch turn; // written by the thread of the rewrite, and under the lock
    /** The file that a rewrite has begun, written under the lock or by the writer while it takes the rewrite's turn. */
    private volatile @Nullable Path incrementOfRewrite;

    public AofLog(Engine engine) {
        this.engine = engine;
        this.settings = engine.settings().persistence;
        this.directory = AofDirectory.of(engine.settings());
        this.queue = new RecordQueue(engine.clock(), settings.aofTimestampEnabled::value);
    }

    /** The folder of the files. A base file for {@link #finishRewrite} is best made here. */
    public Path folder() {
        return directory.folder();
    }

    /**
     * Reads everything back into an empty store. To be called before commands may write.
     *
     * @param baseLoader reads snapshots
     * @throws IOException with a message for the operator
     */
    public void load(BaseLoader baseLoader) throws IOException {
        new AofLoader(engine, directory, baseLoader).load();
    }

    /**
     * Goes on where the files end: from now on records are taken.
     *
     * @throws IOException with a message for the operator
     */
    public void open() throws IOException {
        lock.lock();
        try {
            Path file = directory.openIncrement();
            long size = Files.size(file);
            earlierBytes = directory.size() - size;
            sizeAfterRewrite = earlierBytes + size;
            start(file, size);
            state = State.ON;
        } finally {
            lock.unlock();
        }
    }

    private void start(Path file, long size) throws IOException {
        AofWriter next =
                new AofWriter(queue, DiskFile.open(file), size, settings.appendFsync::value, this::forcingSuspended);
        writer = next;
        queue.open();
        next.start();
    }

    private boolean forcingSuspended() {
        return rewriting && settings.noAppendFsyncOnRewrite.value();
    }

    /**
     * Writes and forces everything, and takes no further records.
     *
     * @return false if not everything could be written
     */
    public boolean close() {
        lock.lock();
        try {
            AofWriter last = writer;
            if (last == null) {
                return true;
            }
            state = State.OFF;
            queue.close();
            boolean complete = last.close();
            writer = null;
            rewriting = false;
            turn = null;
            return complete;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** The setting {@code appendfsync} has changed: nobody waits longer than the new one wants. */
    public void policyChanged() {
        AofWriter current = writer;
        if (current != null) {
            current.nudge();
        }
    }

    // ---- the port

    @Override
    public boolean isOpen() {
        return state != State.OFF;
    }

    @Override
    public long append(List<Effect> effects) {
        return queue.append(effects);
    }

    @Override
    public long append(int database, Request request) {
        return queue.append(database, request);
    }

    @Override
    public boolean commit(long ticket) throws InterruptedException {
        AofWriter current = writer;
        return current == null || current.commit(ticket);
    }

    @Override
    public boolean awaitForced(long ticket, long timeoutMillis) throws InterruptedException {
        AofWriter current = writer;
        return current != null && current.awaitForced(ticket, timeoutMillis);
    }

    @Override
    public void nudge() {
        AofWriter current = writer;
        if (current != null) {
            current.nudge();
        }
    }

    @Override
    public @Nullable String refusal() {
        AofWriter current = writer;
        return current == null ? null : current.refusal();
    }

    @Override
    public Figures figures() {
        AofWriter current = writer;
        return current == null
                ? new Figures(0, 0, false, 0, false, 0, false)
                : new Figures(
                        currentSize(),
                        sizeAfterRewrite,
                        pendingRewrite,
                        current.buffered(),
                        current.forcing(),
                        current.slowForces(),
                        current.refusal() != null);
    }

    private long currentSize() {
        AofWriter current = writer;
        return earlierBytes + (current == null ? 0 : current.fileSize());
    }

    // ---- rewrites

    /** Whether a rewrite is going on. */
    public boolean rewriting() {
        return rewriting;
    }

    /**
     * Whether {@code auto-aof-rewrite-percentage} and {@code auto-aof-rewrite-min-size} ask for a rewrite now, or {@code appendonly} does
     * because the rewrite with which it begins has failed.
     */
    public boolean rewriteIsDue() {
        int percentage = settings.autoAofRewritePercentage.value();
        long size = currentSize();
        if (startFailed && settings.appendOnly.value() && state == State.OFF && !rewriting) {
            return true;
        }
        if (state != State.ON || rewriting || percentage == 0 || size <= settings.autoAofRewriteMinSize.value()) {
            return false;
        }
        long base = Math.max(1, sizeAfterRewrite);
        return (size - base) * 100.0 / base >= percentage;
    }

    /** Notes, for INFO, that a rewrite is wanted and cannot begin yet. */
    public void rewriteIsPending(boolean yes) {
        pendingRewrite = yes;
    }

    /**
     * Before a rewrite, without locks. If no records are being taken, everything is made ready for that.
     *
     * @throws IOException if there is a rewrite already, or the file cannot be made
     */
    public void prepareRewrite() throws IOException {
        lock.lock();
        try {
            if (rewriting) {
                throw new IOException("a rewrite is going on");
            }
            if (refusal() != null) {
                throw new IOException("the append-only file cannot be written at present");
            }
            if (state == State.OFF) {
                Path file = directory.makeUnnamedIncrement();
                incrementOfRewrite = file;
                earlierBytes = 0;
                start(file, 0);
            }
            rewriting = true;
            pendingRewrite = false;
            startFailed = false;
        } finally {
            lock.unlock();
        }
    }

    /** The moment of a rewrite: called under all stripes, after {@link #prepareRewrite}. Makes no file and does not wait. */
    public void beginRewrite() {
        if (state == State.OFF) {
            state = State.WAITING;
            return;
        }
        FileSwitch next = new FileSwitch(this::openNextIncrement);
        turn = next;
        queue.turn(next);
    }

    /** Called by the writer. */
    private LogFile openNextIncrement() throws IOException {
        Path file = state == State.WAITING ? directory.makeUnnamedIncrement() : directory.nextIncrement();
        LogFile opened = DiskFile.open(file);
        earlierBytes = currentSize(); // nobody else changes it before the turn is taken
        incrementOfRewrite = file;
        return opened;
    }

    /**
     * Waits, without locks, until records go into the increment of the rewrite.
     *
     * @throws IOException if they cannot: then the rewrite is over
     */
    public void awaitSwitch() throws IOException, InterruptedException {
        FileSwitch next = turn;
        if (next == null) {
            return;
        }
        nudge();
        try {
            while (!next.isTaken(1, TimeUnit.SECONDS)) {
                if (refusal() != null) {
                    next.cancel();
                }
            }
        } catch (IOException e) {
            abandonRewrite();
            throw new IOException("the append-only file cannot be continued in a new file: " + e.getMessage(), e);
        }
    }

    /**
     * The base of a rewrite is complete.
     *
     * @param base holds the data set of the moment of {@link #beginRewrite}; complete and forced, in the file system of {@link #folder};
     *     it is renamed
     * @param rdb whether it is an RDB file; otherwise it holds commands
     * @throws IOException if the files cannot be exchanged: then the old ones are still valid and the rewrite is over
     */
    public void finishRewrite(Path base, boolean rdb) throws IOException {
        lock.lock();
        try {
            Path first = incrementOfRewrite;
            if (!rewriting || first == null) {
                throw new IOException("the rewrite is over");
            }
            long baseSize = Files.size(base);
            directory.replace(base, rdb, first);
            state = State.ON;
            earlierBytes = baseSize;
            sizeAfterRewrite = currentSize();
            LOG.info("the append-only file has been rewritten: base {} bytes", baseSize);
        } finally {
            endRewrite();
            lock.unlock();
        }
    }

    /** Gives a rewrite up. If records were being taken only for its sake, they are not any more. */
    public void abandonRewrite() {
        boolean waiting;
        lock.lock();
        try {
            endRewrite();
            waiting = state == State.WAITING || (state == State.OFF && writer != null);
            startFailed = waiting;
        } finally {
            lock.unlock();
        }
        if (waiting) {
            close();
        }
    }

    private void endRewrite() {
        rewriting = false;
        turn = null;
        incrementOfRewrite = null;
    }
}
