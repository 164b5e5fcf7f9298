package dev.heddle.command;

import dev.heddle.resp.ReplyWriter;
import dev.heddle.store.StripeLocks;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: what it has chosen (name, database, protocol), what it may do, and what it is doing.
 *
 * <p>Confined to its connection's thread, except where a field says volatile: those are read by CLIENT LIST or written by CLIENT KILL and
 * the like from other threads.
 */
public final class Session {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    /** What CLIENT REPLY has set. */
    public enum ReplyMode {
        ON,
        OFF,
        /** Nothing is answered to the next command. */
        SKIP_NEXT,
        /** Nothing is answered to this command. */
        SKIP
    }

    /** Bytes of a reply that are worth being sent before it is complete. */
    private static final long LONG_REPLY = 64 * 1024;

    /** What a session takes besides its buffers: its objects and the stack of its thread, about. */
    private static final int FIXED_BYTES = 2048;

    /** How long a long reply is worked on before others have their turn. */
    private static final long TURN_NANOS = 1_000_000;

    private final Engine engine;
    private final Connection connection;
    private final ReplyWriter reply;
    private final StripeLocks locks;
    private final Call call;
    private final Recorder recorder;
    private final Outbox outbox = new Outbox(this);
    private final Interests interests = new Interests(this);
    private final long id;
    private final long createdMillis;

    // read by CLIENT LIST from other threads
    private volatile int database;
    private volatile byte @Nullable [] name;
    private volatile String user = "default";
    private volatile boolean authenticated;
    /** Not volatile, for it is written with every command: CLIENT LIST may see one that was a moment ago. */
    private @Nullable CommandSpec lastCommand;

    private volatile String libraryName = "";
    private volatile String libraryVersion = "";
    private volatile boolean noEvict;
    private volatile boolean noTouch;
    private volatile boolean waiting;
    /** Made by the first MULTI or WATCH. */
    private volatile @Nullable Transaction transaction;
    /** Set while the session waits in a blocking command; others end the wait through it. */
    private volatile @Nullable Waiter waiter;

    /** What {@link #reply} writes; messages are encoded by others. */
    private volatile int protocol = 2;

    private @Nullable Handover handover;

    /** Whether nested commands are those of a script. */
    private boolean runsScript;

    /** Made by the first script. */
    private @Nullable ScriptCalls scriptCalls;

    /** Whether this is no client, but a journal that is being read back. */
    private final boolean repeats;

    private long lastUsedMillis; // read by others: a recent value will do

    private ReplyMode replyMode = ReplyMode.ON;
    /** Where the reply of the command that runs begins, see {@link ReplyWriter#mark}. */
    private long replyStart;

    private boolean sentEarly;
    private boolean outOfMemory;
    /** What {@link ClientMemory} has counted for this session. */
    private final AtomicLong countedMemory = new AtomicLong();

    /** Set to end the connection after the replies written so far are out; also by other threads (CLIENT KILL). */
    private volatile boolean closing;

    // one batch: what arrived with one read
    private long batchMillis;
    private long lastNanos;
    /** Since when others have had no chance to run on this carrier. */
    private long turnNanos;

    private long commands;
    private @Nullable CommandSpec runSpec;
    private long runCalls;
    private long runNanos;
    /** How often commands of the run took a time of each class; see {@link LatencyHistogram}. */
    private final int[] runTimes = new int[LatencyHistogram.CLASSES];

    private int fastest = LatencyHistogram.CLASSES;
    private int slowest;
    long hits;
    long misses;
    long changes;

    Session(Engine engine, Connection connection, boolean repeats) {
        this(engine, connection, repeats, new StripeLocks(engine.store()));
    }

    /** @param locks used by this session's thread only */
    Session(Engine engine, Connection connection, boolean repeats, StripeLocks locks) {
        this.engine = engine;
        this.repeats = repeats;
        this.connection = connection;
        this.reply = new ReplyWriter();
        this.locks = locks;
        this.recorder = new Recorder(engine.keyspace());
        this.call = new Call(engine, this, locks, reply);
        this.id = engine.sessions().nextId();
        this.createdMillis = engine.clock().millis();
        this.lastUsedMillis = createdMillis;
        this.batchMillis = createdMillis;
        this.lastNanos = System.nanoTime();
        this.authenticated =
                repeats || engine.settings().network.requirePass.value().isEmpty();
    }

    public Engine engine() {
        return engine;
    }

    public Connection connection() {
        return connection;
    }

    /** Where replies of this session are collected. */
    public ReplyWriter reply() {
        return reply;
    }

    Call call() {
        return call;
    }

    StripeLocks locks() {
        return locks;
    }

    Recorder recorder() {
        return recorder;
    }

    /** Messages that wait for being sent to this session's client. */
    public Outbox outbox() {
        return outbox;
    }

    /** What this session wants to be told of. */
    public Interests interests() {
        return interests;
    }

    /** The protocol version, 2 or 3. */
    public int protocol() {
        return protocol;
    }

    /** Sets the protocol version, 2 or 3, of replies and messages. */
    public void protocol(int version) {
        if (!inTransaction()) {
            outbox.drainTo(reply); // what was encoded for the old version comes before the answer in the new one
            beginReply();
        }
        protocol = version;
        reply.protocol(version);
    }

    boolean isSame(@Nullable Session other) {
        return other != null && id == other.id;
    }

    /** What this session's scripts run their commands through. */
    ScriptCalls scriptCalls(Call first) {
        ScriptCalls current = scriptCalls;
        if (current == null) {
            current = new ScriptCalls(first);
            scriptCalls = current;
        }
        return current;
    }

    /** Whether nested commands are those of a script: MONITOR shows these with another origin. */
    public boolean runsScript() {
        return runsScript;
    }

    public void runsScript(boolean yes) {
        runsScript = yes;
    }

    /** Whether this is no client, but a journal that is being read back: nothing refuses its commands, and no key expires. */
    public boolean repeats() {
        return repeats;
    }

    /**
     * Waits, without any lock, until all that the replies so far depend on is as safe as the settings promise. To be called before
     * replies are sent.
     *
     * @return false if that could not be written, or the thread is to end: the replies must not be sent then
     */
    public boolean commit() {
        try {
            return recorder.commit();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The ticket of the newest record that this session has made. */
    public long ticket() {
        return recorder.ticket();
    }

    /** What this session's commands have made available to others. */
    Handover handover() {
        Handover current = handover;
        if (current == null) {
            current = new Handover();
            handover = current;
        }
        return current;
    }

    /** Whether there is anything to hand over. */
    boolean handsOver() {
        Handover current = handover;
        return current != null && !current.isEmpty();
    }

    /** The transaction of this session, open or not. */
    Transaction transaction() {
        Transaction current = transaction;
        if (current == null) {
            current = new Transaction(this);
            transaction = current;
        }
        return current;
    }

    /** Bytes that this session occupies, about; any thread may ask. */
    public long memory() {
        return connection.bufferBytes() + transactionBytes() + interests.bytes() + FIXED_BYTES;
    }

    /** Notes how many bytes are counted for this session. @return how many were until now */
    long countMemory(long bytes) {
        return countedMemory.getAndSet(bytes);
    }

    /** Whether memory was full when the command that runs began: then a script may not begin to take more. */
    public boolean ranOutOfMemory() {
        return outOfMemory;
    }

    void ranOutOfMemory(boolean yes) {
        outOfMemory = yes;
    }

    /** Whether commands are being queued: MULTI has come, EXEC has not. */
    public boolean inTransaction() {
        return queuedCommands() >= 0;
    }

    /** How many commands are queued for EXEC, -1 without MULTI. */
    public int queuedCommands() {
        Transaction current = transaction;
        return current == null ? -1 : current.queued();
    }

    /** Whether a command with this flag is queued for EXEC. */
    boolean queues(Flag flag) {
        Transaction current = transaction;
        return current != null && current.has(flag);
    }

    /** Bytes of the commands that are queued for EXEC. */
    public long queuedBytes() {
        Transaction current = transaction;
        return current == null ? 0 : current.bytes();
    }

    private long transactionBytes() {
        Transaction current = transaction;
        return current == null ? 0 : current.bytes() + current.watchedBytes();
    }

    /** How many keys are watched. */
    public int watchedKeys() {
        Transaction current = transaction;
        return current == null ? 0 : current.watched();
    }

    /** Whether a watched key has changed, so that EXEC will do nothing. */
    public boolean watchTouched() {
        Transaction current = transaction;
        return current != null && current.isTouched();
    }

    private void forgetTransaction() {
        Transaction current = transaction;
        if (current != null) {
            current.close();
        }
    }

    @Nullable
    Waiter waiter() {
        return waiter;
    }

    void waiter(@Nullable Waiter newWaiter) {
        waiter = newWaiter;
    }

    private void endWait() {
        Waiter current = waiter;
        if (current != null) {
            engine.waiters().end(current, Waiter.State.GONE);
        } else if (waiting) {
            engine.pauses().recheck();
        }
    }

    public long id() {
        return id;
    }

    public long createdMillis() {
        return createdMillis;
    }

    public long lastUsedMillis() {
        return lastUsedMillis;
    }

    public int database() {
        return database;
    }

    public void database(int index) {
        database = index;
    }

    public byte @Nullable [] name() {
        return name;
    }

    public void name(byte @Nullable [] newName) {
        name = newName;
    }

    public String user() {
        return user;
    }

    public boolean authenticated() {
        return authenticated;
    }

    /** Whether the client is on this machine: it came through the loopback interface or the Unix socket. */
    public boolean isLocal() {
        return ProtectedCommands.isLocal(connection);
    }

    /** Whether a client has to say who it is before it may do anything. */
    public boolean passwordRequired() {
        return !engine.settings().network.requirePass.value().isEmpty();
    }

    public void authenticate(String newUser) {
        user = newUser;
        authenticated = true;
    }

    public void deauthenticate() {
        user = "default";
        authenticated = !passwordRequired();
    }

    public @Nullable CommandSpec lastCommand() {
        return lastCommand;
    }

    public String libraryName() {
        return libraryName;
    }

    public void libraryName(String newName) {
        libraryName = newName;
    }

    public String libraryVersion() {
        return libraryVersion;
    }

    public void libraryVersion(String newVersion) {
        libraryVersion = newVersion;
    }

    public boolean noEvict() {
        return noEvict;
    }

    public void noEvict(boolean on) {
        noEvict = on;
    }

    public boolean noTouch() {
        return noTouch;
    }

    public void noTouch(boolean on) {
        noTouch = on;
    }

    public ReplyMode replyMode() {
        return replyMode;
    }

    public void replyMode(ReplyMode mode) {
        replyMode = mode;
    }

    /** The reply of the next command begins here. */
    void beginReply() {
        sentEarly = false;
        replyStart = reply.mark();
    }

    /** A command that holds no locks is in the middle of a long reply: sends what there is of it, so that it takes no memory. */
    void replyGrows() {
        if (reply.size() < LONG_REPLY || reply.isOpen()) {
            return;
        }
        long hard = outbox.hardLimit();
        if (hard > 0 && reply.size() < hard) {
            return; // replies are collected up to the limit, so that a client that is over it gets none of them
        }
        if (replyMode == ReplyMode.ON) {
            connection.sendReplies();
            replyStart = 0;
            sentEarly = true;
        } else {
            dropReply();
        }
    }

    /** Whether a part of the reply to this command has been sent already, so that nothing else can be answered in its place. */
    boolean sentEarly() {
        return sentEarly;
    }

    /** Takes back what the command has answered so far. */
    void dropReply() {
        reply.rollback(replyStart);
    }

    /** Whether the connection is to be closed once the replies written so far are out. */
    public boolean closing() {
        return closing;
    }

    /** Ends this session from another thread, which may hold locks: so not here and now. */
    void endSoon(String reason) {
        closing = true;
        Thread.ofVirtual().name("client-" + id + "-close").start(() -> {
            LOG.warn("closed {}: {}", connection.remoteAddress(), reason);
            kill();
        });
    }

    /** Ends this session after its replies so far. */
    public void closeAfterReply() {
        closing = true;
        endWait();
    }

    /** Ends this session from another thread, at once. */
    public void kill() {
        closing = true;
        endWait();
        connection.close();
    }

    /** RESET: back to how a new connection is. */
    public void reset() {
        forgetTransaction();
        database = 0;
        name = null;
        noEvict = false;
        noTouch = false;
        replyMode = ReplyMode.ON;
        interests.clear();
        protocol(2);
        deauthenticate();
    }

    /** Looks at the clocks: commands of one batch share the time of its arrival. */
    public void beginBatch() {
        outbox.enter();
        batchMillis = engine.clock().millis();
        lastUsedMillis = batchMillis;
        lastNanos = System.nanoTime();
        turnNanos = lastNanos;
    }

    /** Notes that the client has just been heard of, although no command came: it took something of a long reply. */
    public void touch() {
        lastUsedMillis = engine.clock().millis();
    }

    /**
     * Called now and then in the middle of something long, on the session's own thread and without locks: after a millisecond lets other
     * connections run.
     */
    public void giveWay() {
        if (System.nanoTime() - turnNanos > TURN_NANOS) {
            // Not Thread.yield: the scheduler takes tasks from the queue it has just taken one from for as long as it
            // finds any there, so that
            // a thread that does nothing but yield may keep a single carrier for itself.
            LockSupport.parkNanos(1);
            turnNanos = System.nanoTime();
        }
    }

    /** When the last command ended, by {@link System#nanoTime}. */
    public long lastNanos() {
        return lastNanos;
    }

    /** Adds what this batch has counted to the server's counters. */
    public void endBatch() {
        reportRun();
        engine.stats().addBatch(commands, hits, misses, changes);
        commands = 0;
        hits = 0;
        misses = 0;
        changes = 0;
    }

    /** Must be the last call: the session disappears from CLIENT LIST. */
    public void close() {
        closing = true;
        recorder.nudge();
        endWait();
        interests.clear();
        outbox.close();
        forgetTransaction();
        endBatch();
        engine.sessions().remove(this);
        engine.clientMemory().ended(this);
    }

    /** Whether the session waits for something other than its client's next command, so that silence is no reason to end it. */
    public boolean waiting() {
        return waiting;
    }

    /** Whether silence of this session's client is no reason to end it. */
    public boolean maybeSilent() {
        return waiting || interests.isSubscribed() || interests.isMonitoring();
    }

    /** The session's command cannot go on yet: sends the replies to those before it, and looks out for the client's leaving. */
    void beginWait(Runnable gone) {
        endBatch();
        waiting = true;
        connection.waitBegins(gone);
        beginReply(); // nothing is left of what was written before
    }

    /** Goes on, as if the command had just come: before this the client must not count as idle. */
    void finishWait() {
        connection.waitEnds();
        beginBatch();
        waiting = false;
    }

    long batchMillis() {
        return batchMillis;
    }

    /** Notes that a command has begun; what follows until {@link #ran} is its time. */
    void runs(CommandSpec spec) {
        lastCommand = spec;
    }

    /**
     * Notes that a command has run; its time began when the one before it ended.
     *
     * @return how long it took, in nanoseconds
     */
    long ran(CommandSpec spec) {
        long now = System.nanoTime();
        long duration = now - lastNanos;
        lastNanos = now;
        commands++;
        if (spec != runSpec) {
            reportRun();
            runSpec = spec;
        }
        runCalls++;
        runNanos += duration;
        int time = LatencyHistogram.classOf(duration);
        runTimes[time]++;
        fastest = Math.min(fastest, time);
        slowest = Math.max(slowest, time);
        return duration;
    }

    /** Notes that so much of the time of the command that runs was not its own: its client was slow to read. */
    public void skipTime(long nanos) {
        lastNanos += nanos;
    }

    /** Notes that time has passed with something that is no command's fault: a slow client, a pause. */
    public void skipTime() {
        lastNanos = System.nanoTime();
    }

    private void reportRun() {
        CommandSpec spec = runSpec;
        if (spec != null && runCalls > 0) {
            spec.stats().ran(runCalls, runNanos);
            runCalls = 0;
            runNanos = 0;
            reportTimes(spec.stats().latency());
        }
    }

    private void reportTimes(LatencyHistogram histogram) {
        boolean wanted = engine.settings().logging.latencyTracking.value();
        for (int time = fastest; time <= slowest; time++) {
            if (wanted && runTimes[time] != 0) {
                histogram.add(time, runTimes[time]);
            }
            runTimes[time] = 0;
        }
        fastest = LatencyHistogram.CLASSES;
        slowest = 0;
    }
}
