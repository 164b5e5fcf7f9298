package dev.heddle.command;

import dev.heddle.resp.Request;
import dev.heddle.store.StripeLocks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a session has queued since MULTI, and which keys it watches.
 *
 * <p>Confined to the session's thread, except for the volatile fields: CLIENT LIST reads the counts, and whoever changes a watched key sets
 * {@link #touched}.
 */
final class Transaction {

    /** Commands that are not queued. */
    static final Set<String> IMMEDIATE = Set.of("multi", "exec", "discard", "watch", "quit", "reset");

    private static final int NOT_OPEN = -1;
    /** A watch, besides the key: here and in the table of all watches. */
    private static final int WATCH_BYTES = 200;

    private final Session session;
    private final List<Queued> queue = new ArrayList<>();
    private final Map<KeyName, Watches.Watch> watches = new LinkedHashMap<>(2);
    private volatile int queued = NOT_OPEN;
    private volatile long bytes;
    private volatile int watched;
    private volatile long watchedBytes; // written by this thread alone
    private volatile boolean touched;
    private boolean aborted;
    /** The flags of all queued commands. */
    private int flags;
    /** The flags that all queued commands have. */
    private int commonFlags = -1;

    Transaction(Session session) {
        this.session = session;
    }

    void open() {
        queued = 0;
    }

    /** How many commands are queued; -1 if MULTI has not come. */
    int queued() {
        return queued;
    }

    long bytes() {
        return bytes;
    }

    /** Whether a queued command has this flag. */
    boolean has(Flag flag) {
        return (flags & flag.bit) != 0;
    }

    /** Whether a queued command lacks this flag. */
    boolean lacks(Flag flag) {
        return (commonFlags & flag.bit) == 0;
    }

    void add(CommandSpec spec, Request request) {
        queue.add(new Queued(spec, request));
        queued = queue.size();
        long more = bytes + request.wireBytes(); // this thread alone writes
        bytes = more;
        flags |= spec.flagBits();
        commonFlags &= spec.flagBits();
    }

    /** A command has been refused: EXEC will run nothing. */
    void abort() {
        aborted = true;
    }

    boolean isAborted() {
        return aborted;
    }

    /** Forgets commands and watches. */
    void close() {
        queue.clear();
        queued = NOT_OPEN;
        bytes = 0;
        aborted = false;
        flags = 0;
        commonFlags = -1;
        unwatch();
    }

    // ---- watches

    /** Watches a key whose stripe is held. */
    void watch(KeyName key, long now) {
        if (watches.containsKey(key)) {
            return;
        }
        watches.put(key, session.engine().watches().add(key, this, now));
        watched = watches.size();
        watchedBytes = watchedBytes + WATCH_BYTES + key.key().length;
    }

    void unwatch() {
        if (!watches.isEmpty()) {
            session.engine().watches().remove(watches.values());
            watches.clear();
            watched = 0;
            watchedBytes = 0;
        }
        touched = false;
    }

    int watched() {
        return watched;
    }

    /** Bytes that the watches occupy, about. */
    long watchedBytes() {
        return watchedBytes;
    }

    /** A watched key has changed; called by whoever has changed it, under its stripe's lock. */
    void touch() {
        touched = true;
    }

    /** Whether a watched key is known to have changed. */
    boolean isTouched() {
        return touched;
    }

    // ---- EXEC

    /** Takes all locks that the queued commands need, and those of the watched keys: from now on nobody else can change either. */
    void lock(StripeLocks locks) {
        boolean all = false;
        for (Queued command : queue) {
            switch (command.spec().lockScopeInTransaction(command.request())) {
                case NONE -> {
                    // it touches no data
                }
                case KEYS -> want(locks, command);
                case ALL -> all = true;
            }
        }
        for (Watches.Watch watch : watches.values()) {
            locks.want(watch.key().hash());
        }
        if (all) {
            locks.wantAll();
        }
        locks.lockWanted(true);
    }

    private void want(StripeLocks locks, Queued command) {
        Request request = command.request();
        command.spec()
                .forEachKey(
                        request,
                        i -> locks.want(
                                session.engine().store().hash(request.array(i), request.offset(i), request.length(i))));
    }

    /** Whether a watched key has changed or expired since; needs {@link #lock}. */
    boolean isTouched(long now) {
        return touched || session.engine().watches().anyExpired(watches.values(), now);
    }

    /** Runs the queued commands; needs {@link #lock}. */
    void run(Call call) {
        unwatch();
        Recorder recorder = session.recorder();
        recorder.begin();
        try {
            call.reply().array(queue.size());
            for (Queued command : queue) {
                session.engine().dispatcher().runNested(call, command.spec(), command.request());
            }
        } finally {
            recorder.end();
        }
    }

    private record Queued(CommandSpec spec, Request request) {}
}
