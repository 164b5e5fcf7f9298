package dev.heddle.persistence.aof;

import dev.heddle.command.config.AppendFsync;
import dev.heddle.persistence.aof.RecordQueue.Item;
import dev.heddle.persistence.aof.RecordQueue.Stretch;
import dev.heddle.persistence.aof.RecordQueue.Turn;
import dev.heddle.persistence.aof.Waiting.Goal;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes the append-only file: takes all records that are queued, writes them, forces the file to the disk if that is
 * due, and lets go those who waited for it.
 *
 * <p>Thread-safe. The file, its size and the records taken are confined to the writer's thread.
 */
final class AofWriter {

    /*
     * Group commit. Forcing a file takes as long for one record as for a thousand. So nobody forces it for himself: whoever wants to
     * answer a write waits for its ticket, and while the writer is busy with one batch, the next one gathers in the queue. The slower the
     * disk, the larger the batches; the number of forces a second is what the disk can do, whatever the number of clients.
     *
     *     connections    append | append | append          append | append
     *                           v        v                        v
     *     queue          [r1 r2 r3]              [r4 r5 r6 ...]
     *     writer          write, force, release  write, force, release  ...
     *
     * Invariants:
     *   - the file is always a prefix of the stream of records, but for the part of a batch that is being written;
     *   - written <= queue.end(), forced <= written, and both only grow;
     *   - after a failure the file is cut back to where the batch began, and the batch is kept and written again from its first byte:
     *     nothing is ever appended behind half a record. With appendfsync always a batch is kept until it is forced, for after a
     *     failed force the system may have thrown away what it could not write.
     *
     * Clients that are let go come back with their next writes in a moment. A writer that goes on at once with the few that came
     * meanwhile would serve two crowds in turn, each with half of the clients, and force twice as often as needed. So before a
     * batch it waits until as many threads wait as lately, for half the time at most that forcing took: with a fast disk that is
     * nothing, with a slow one it pays (databases know this as commit delay). The expected number sinks when fewer come.
     *
     * Without "always" nobody waits, so the writer rests for a millisecond between batches: it then writes more at a time, and
     * commands need not wake it. What is queued is bounded all the same: beyond BACKLOG, commit waits.
     *
     * Waiting threads stand in a stack that the writer takes as a whole; those whose ticket it has not reached it puts back. A thread enters
     * the stack first and looks at the positions again afterwards, so that no wake-up is lost.
     *
     * A writer per connection, or forcing in the connection's own thread, would need as many forces as clients; a lock and a
     * condition would wake everybody at once, for one lock.
     */

    private static final Logger LOG = LoggerFactory.getLogger(AofWriter.class);

    /** Queued bytes beyond which {@link #commit} waits: 64 MiB, or an eighth of the heap if that is less. */
    static final long BACKLOG = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 8);

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long REST = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SLOW_FORCE = 2 * SECOND;
    /** Forcing that takes less is not worth waiting for anybody. */
    private static final long QUICK_FORCE = TimeUnit.MICROSECONDS.toNanos(100);

    private static final long LONGEST_GATHERING = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long BETWEEN_COMPLAINTS = 30 * SECOND;

    private final RecordQueue queue;
    private final Supplier<AppendFsync> policy;
    private final BooleanSupplier forcingSuspended;
    private final Thread thread;
    private final Waiting.Stack waiting = new Waiting.Stack();

    // confined to the writer's thread
    private final ArrayDeque<Item> pending = new ArrayDeque<>();
    private LogFile file;
    private long size;
    private long lastForce = System.nanoTime();
    private long lastComplaint;
    private long forceNanos;
    /** How many threads waited lately. */
    private int crowd;

    // written by the writer's thread alone, read by all
    private volatile long written;
    private volatile long forced;
    /** How far answers may go out: what is forced, or written if forcing is suspended. */
    private volatile long safe;

    private volatile long fileSize;
    private volatile @Nullable String refusal;
    private volatile boolean forcing;
    private volatile long slowForces;
    private volatile boolean idle;
    private volatile boolean ended;
    private volatile boolean incomplete;
    /** Set by whoever closes. */
    private volatile boolean closing;

    /**
     * A writer that goes on behind what is in a file.
     *
     * @param size of the file, in bytes
     * @param policy when the file is forced to the disk; may change
     * @param forcingSuspended whether it is not to be forced for the time being
     */
    AofWriter(
            RecordQueue queue,
            LogFile file,
            long size,
            Supplier<AppendFsync> policy,
            BooleanSupplier forcingSuspended) {
        this.queue = queue;
        this.file = file;
        this.size = size;
        this.fileSize = size;
        this.policy = policy;
        this.forcingSuspended = forcingSuspended;
        this.written = queue.end();
        this.forced = written;
        this.safe = written;
        this.thread = Thread.ofPlatform().daemon(true).name("aof-writer").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /**
     * Writes and forces everything that the queue, which must be closed, still has, and ends.
     *
     * @return false if not everything could be written
     */
    boolean close() throws InterruptedException {
        closing = true;
        LockSupport.unpark(thread);
        thread.join();
        return !incomplete;
    }

    // ---- any thread

    /** Bytes in the present file. */
    long fileSize() {
        return fileSize;
    }

    /** Bytes of records that are not yet written. */
    long buffered() {
        return Math.max(0, queue.end() - written);
    }

    boolean forcing() {
        return forcing;
    }

    /** How often forcing took longer than two seconds. */
    long slowForces() {
        return slowForces;
    }

    /** The error with which writes are to be refused, null while all is well. */
    @Nullable
    String refusal() {
        return refusal;
    }

    /** Wakes the writer if it sleeps. */
    void nudge() {
        if (idle) {
            idle = false;
            LockSupport.unpark(thread);
        }
    }

    /** @see dev.heddle.command.Journal#commit */
    boolean commit(long ticket) throws InterruptedException {
        if (policy.get() == AppendFsync.ALWAYS) {
            return await(ticket, Goal.SAFE, 0);
        }
        nudge();
        long mustBeWritten = queue.end() - BACKLOG;
        if (mustBeWritten > written) {
            await(mustBeWritten, Goal.WRITTEN, 0);
        }
        return true;
    }

    /** @see dev.heddle.command.Journal#awaitForced */
    boolean awaitForced(long ticket, long timeoutMillis) throws InterruptedException {
        return forced >= ticket || (timeoutMillis >= 0 && await(ticket, Goal.FORCED, timeoutMillis));
    }

    private boolean await(long position, Goal goal, long timeoutMillis) throws InterruptedException {
        if (reached(position, goal)) {
            return true;
        }
        Waiting me = new Waiting(Thread.currentThread(), position, goal);
        try {
            return await(me, timeoutMillis);
        } finally {
            me.leave();
        }
    }

    private boolean await(Waiting me, long timeoutMillis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (!isHopeless(me.goal())) {
            waiting.enter(me);
            nudge();
            boolean limited = timeoutMillis != 0;
            long left = limited ? end - System.nanoTime() : 0;
            if (reached(me.position(), me.goal())) {
                return true;
            }
            if (limited && left <= 0) {
                return false;
            }
            if (!isHopeless(me.goal())) {
                if (limited) {
                    LockSupport.parkNanos(this, left);
                } else {
                    LockSupport.park(
                            this); // with a limit, a virtual thread would have to set and clear an alarm each time
                }
                me.wakeFollowers();
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return reached(me.position(), me.goal());
    }

    private boolean reached(long position, Goal goal) {
        return switch (goal) {
            case WRITTEN -> written >= position;
            case SAFE -> safe >= position || (written >= position && policy.get() != AppendFsync.ALWAYS);
            case FORCED -> forced >= position;
        };
    }

    private boolean isHopeless(Goal goal) {
        return ended || (refusal != null && goal != Goal.FORCED);
    }

    // ---- the writer's thread

    private void run() {
        try {
            boolean goOn = true;
            while (goOn) {
                goOn = cycle();
            }
        } finally {
            ended = true;
            waiting.wake(one -> true);
            for (Item item : pending) {
                if (item instanceof Turn turn) {
                    turn.to().cancel();
                }
            }
            close(file);
        }
    }

    /** @return false once the writer is to end */
    private boolean cycle() {
        boolean last = closing; // read before the queue: what was queued before closing is written
        if (!last && policy.get() == AppendFsync.ALWAYS) {
            gather();
        }
        queue.drainTo(pending);
        try {
            writePending();
            forceIfDue(last);
            recovered();
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            failed(e);
            if (last) {
                incomplete = true;
                LOG.error("{} bytes could not be appended to the append-only file before the end", buffered());
                return false;
            }
            LockSupport.parkNanos(this, RETRY);
            return true;
        }
        int woken = waiting.wake(one -> reached(one.position(), one.goal()));
        crowd = Math.max(woken + waiting.size(), crowd - 1 - crowd / 8);
        if (last) {
            return false;
        }
        rest();
        return true;
    }

    /** Lets those come that are expected. */
    private void gather() {
        int wanted = crowd - crowd / 8;
        if (forceNanos > QUICK_FORCE && waiting.size() < wanted && queue.hasWork(written)) {
            waiting.gather(wanted, Math.min(forceNanos / 2, LONGEST_GATHERING));
        }
    }

    private void writePending() throws IOException {
        for (Item item = pending.peek(); item != null; item = pending.peek()) {
            switch (item) {
                case Turn turn -> {
                    pending.remove();
                    turn(turn.to());
                }
                case Stretch stretch -> writeBatch();
            }
        }
    }

    /** Writes what comes before the next turn; all of it, or nothing that stays. */
    private void writeBatch() throws IOException {
        boolean always = policy.get() == AppendFsync.ALWAYS;
        boolean forcedToo = always && !forcingSuspended.getAsBoolean();
        long end = size;
        int stretches = 0;
        try {
            for (Item item : pending) {
                if (!(item instanceof Stretch stretch)) {
                    break;
                }
                file.write(stretch.array(), stretch.offset(), stretch.length(), end);
                end += stretch.length();
                stretches++;
            }
            if (forcedToo) {
                force();
            }
        } catch (IOException e) {
            cutBack();
            throw e;
        }
        for (; stretches > 0; stretches--) {
            if (pending.remove() instanceof Stretch stretch && stretch.lastOfChunk()) {
                queue.recycle(stretch.array());
            }
        }
        long position = written + (end - size);
        size = end;
        fileSize = end;
        written = position;
        if (forcedToo) {
            forced = position;
        }
        if (always) {
            safe = position;
        }
    }

    /** Takes away what a failed batch has left behind, so that a restart now would not find half a record. */
    private void cutBack() {
        try {
            file.truncate(size);
        } catch (IOException e) {
            // The next attempt writes the same bytes to the same place.
            LOG.warn("cutting the append-only file back to {} bytes failed: {}", size, e.getMessage());
        }
    }

    private void force() throws IOException {
        FsyncEvent event = new FsyncEvent(written - forced);
        long begin = System.nanoTime();
        forcing = true;
        event.begin();
        try {
            file.force();
        } finally {
            event.commit();
            forcing = false;
        }
        lastForce = System.nanoTime();
        forceNanos = lastForce - begin;
        if (forceNanos > SLOW_FORCE) {
            long count = slowForces + 1; // this thread alone writes
            slowForces = count;
            LOG.warn("forcing the append-only file to the disk took {} ms", TimeUnit.NANOSECONDS.toMillis(forceNanos));
        }
    }

    private void forceIfDue(boolean last) throws IOException {
        if (written == forced || (forcingSuspended.getAsBoolean() && !last)) {
            return;
        }
        boolean due = switch (policy.get()) {
            case ALWAYS -> true;
            case EVERYSEC -> System.nanoTime() - lastForce >= SECOND;
            case NO -> false;
        };
        if (due || last) {
            force();
            forced = written;
            safe = forced;
        }
    }

    private void turn(FileSwitch to) {
        if (to.isOver()) {
            return;
        }
        try {
            force();
            forced = written;
            safe = forced;
            LogFile next = to.open();
            close(file);
            file = next;
            size = 0;
            fileSize = 0;
            to.done();
        } catch (IOException e) {
            LOG.error("going on in a new append-only file failed: {}", e.getMessage());
            to.failed(e);
        }
    }

    private void failed(Throwable e) {
        String reason = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
        if (!(e instanceof IOException)) {
            LOG.error("the writer of the append-only file failed", e);
        }
        long now = System.nanoTime();
        if (refusal == null || now - lastComplaint > BETWEEN_COMPLAINTS) {
            lastComplaint = now;
            LOG.error("writing the append-only file failed: {}; writes are refused until it succeeds", reason);
        }
        refusal = "MISCONF Errors writing to the AOF file: " + reason;
        waiting.wake(one -> one.goal() != Goal.FORCED);
    }

    private void recovered() {
        if (refusal != null) {
            refusal = null;
            LOG.warn("the append-only file can be written again; writes are accepted");
        }
    }

    /** Waits until there is something to do. */
    private void rest() {
        AppendFsync when = policy.get();
        if (when != AppendFsync.ALWAYS && !closing) {
            LockSupport.parkNanos(this, REST);
        }
        idle = true;
        if (!queue.hasWork(written) && !closing) {
            long untilForce = lastForce + SECOND - System.nanoTime();
            boolean forceComes = written > forced && when == AppendFsync.EVERYSEC;
            LockSupport.parkNanos(this, forceComes ? Math.max(REST, untilForce) : SECOND);
        }
        idle = false;
    }

    private static void close(LogFile file) {
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("closing the append-only file failed: {}", e.getMessage());
        }
    }
}
