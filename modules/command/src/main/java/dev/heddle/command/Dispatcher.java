package dev.heddle.command;

import dev.heddle.command.Session.ReplyMode;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.Snapshot;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs commands: finds the row, checks what must be checked before anything runs, takes the locks, calls the handler, and sees to the
 * consequences.
 *
 * <p>Thread-safe: everything that belongs to one run is in the session.
 */
public final class Dispatcher {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    /** How much of the arguments an error about an unknown command repeats. */
    private static final int QUOTED_BYTES = 128;

    private static final Set<String> ALLOWED_TO_SUBSCRIBERS = Set.of(
            "ping",
            "subscribe",
            "ssubscribe",
            "psubscribe",
            "unsubscribe",
            "sunsubscribe",
            "punsubscribe",
            "quit",
            "reset");
    private static final long CATCH_UP_NANOS = 1_000_000;

    static final String INTERNAL_ERROR = "ERR internal error, see the server's log";

    static final String OUT_OF_MEMORY = "OOM command not allowed when used memory > 'maxmemory'.";

    private static final String LOADING = "LOADING Redis is loading the dataset in memory";

    private final Engine engine;

    Dispatcher(Engine engine) {
        this.engine = engine;
    }

    /**
     * Runs one request and leaves its reply in the session's writer. Any failure becomes an error reply.
     *
     * @throws InterruptedException if the thread is to end while it waits for a pause to be over, or in a blocking command
     */
    public void execute(Session session, Request request) throws InterruptedException {
        ReplyWriter reply = session.reply();
        session.outbox().drainTo(reply);
        session.beginReply();
        boolean skip = session.replyMode() == ReplyMode.SKIP_NEXT;
        if (skip) {
            session.replyMode(ReplyMode.SKIP);
        }
        CommandSpec spec = resolve(session, request);
        if (spec == null || !admitted(session, spec)) {
            abortTransaction(session);
        } else if (session.inTransaction() && !spec.immediate()) {
            session.runs(spec);
            session.transaction().add(spec, request.detach());
            session.reply().queued();
        } else {
            run(session, spec, request);
        }
        if (session.replyMode() != ReplyMode.ON) {
            mute(session, skip);
        }
        TrackingMode tracking = session.interests().any() ? session.interests().tracking() : null;
        if (tracking != null && tracking.caching() && !session.inTransaction() && !isAbout(spec, "client")) {
            tracking.caching(false);
        }
        session.outbox().drainTo(reply);
    }

    private static boolean isAbout(@Nullable CommandSpec spec, String container) {
        CommandSpec parent = spec == null ? null : spec.parent();
        return parent != null && parent.name().equals(container);
    }

    /**
     * Runs one command of a journal that is being read back: nothing refuses it, and nothing is recorded or counted. Between MULTI and EXEC
     * commands are queued as usual.
     *
     * @return whether the command exists and has the right number of arguments; its reply, or the error, is in the session's writer
     */
    public boolean repeat(Session session, Request request) {
        CommandSpec spec = resolve(session, request);
        if (spec == null) {
            return false;
        }
        if (session.inTransaction() && !spec.immediate()) {
            session.transaction().add(spec, request.detach());
            return true;
        }
        Call call = session.call();
        call.begin(spec, request, session.batchMillis());
        try {
            perform(call, true);
        } finally {
            call.locks().unlock();
        }
        return true;
    }

    private static void abortTransaction(Session session) {
        if (session.inTransaction()) {
            session.transaction().abort();
        }
    }

    private static void mute(Session session, boolean skip) {
        if (skip || session.replyMode() == ReplyMode.OFF) {
            session.dropReply();
        }
        if (session.replyMode() == ReplyMode.SKIP) {
            session.replyMode(ReplyMode.ON);
        }
    }

    /** Finds the command or subcommand; null if there is none, or not with so many arguments: then the error is written. */
    private @Nullable CommandSpec resolve(Session session, Request request) {
        CommandSpec spec = engine.table().find(request);
        if (spec == null) {
            unknown(session, request);
            return null;
        }
        if (!spec.subcommands().isEmpty() && request.count() > 1) {
            CommandSpec subcommand = spec.subcommands().get(request.string(1).toLowerCase(Locale.ROOT));
            if (subcommand == null) {
                reject(
                        session,
                        spec,
                        "ERR unknown subcommand '" + clip(request.string(1)) + "'. Try "
                                + spec.name().toUpperCase(Locale.ROOT) + " HELP.");
                return null;
            }
            spec = subcommand;
        }
        if (!spec.accepts(request.count())) {
            reject(session, spec, "ERR wrong number of arguments for '" + spec.fullName() + "' command");
            return null;
        }
        return spec;
    }

    /** Whether a command has a flag, or is an EXEC that will run one that has. */
    private static boolean does(Session session, CommandSpec spec, Flag flag) {
        return spec.has(flag) || (spec.isExec() && session.queues(flag));
    }

    /** Everything that can refuse a well-formed command; writes the error and returns false if something does. */
    private boolean admitted(Session session, CommandSpec spec) throws InterruptedException {
        if (spec.has(Flag.PROTECTED) && !ProtectedCommands.allowed(engine.settings(), spec, session.connection())) {
            reject(session, spec, ProtectedCommands.refusal(spec));
            return false;
        }
        if (!session.authenticated() && !spec.has(Flag.NO_AUTH) && session.passwordRequired()) {
            reject(session, spec, "NOAUTH Authentication required.");
            return false;
        }
        String refusal = session.interests().any() ? refusalOfListener(session, spec) : null;
        if (refusal != null) {
            reject(session, spec, refusal);
            return false;
        }
        if (spec.has(Flag.NO_MULTI) && session.inTransaction()) {
            reject(session, spec, "ERR Command not allowed inside a transaction");
            return false;
        }
        String busy = engine.scripts().refusal(spec, engine.settings());
        if (busy != null) {
            reject(session, spec, busy);
            return false;
        }
        boolean write = does(session, spec, Flag.WRITE);
        refusal = refusal(session, spec, write);
        if (refusal == null && !hasRoom(session, spec)) {
            refusal = OUT_OF_MEMORY;
        }
        if (refusal != null) {
            reject(session, spec, refusal);
            return false;
        }
        engine.pauses().await(session, write || does(session, spec, Flag.MAY_REPLICATE));
        return true;
    }

    /** Makes room for a command. @return false if there is none to be had for what it may store, or for queueing it */
    private boolean hasRoom(Session session, CommandSpec spec) {
        boolean full = engine.evictor().makeRoom(session) == Evictor.Outcome.FULL;
        session.ranOutOfMemory(full);
        return !full || !(does(session, spec, Flag.DENYOOM) || (session.inTransaction() && !spec.immediate()));
    }

    /** Why a session that listens to others may not run a command now; null if it may. */
    private static @Nullable String refusalOfListener(Session session, CommandSpec spec) {
        Interests interests = session.interests();
        if (interests.isSubscribed() && session.protocol() == 2 && !ALLOWED_TO_SUBSCRIBERS.contains(spec.fullName())) {
            return "ERR Can't execute '" + spec.fullName() + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT"
                    + " / RESET are allowed in this context";
        }
        if (interests.isMonitoring()
                && (does(session, spec, Flag.WRITE)
                        || does(session, spec, Flag.READONLY)
                        || does(session, spec, Flag.MAY_REPLICATE))) {
            return "ERR Replica can't interact with the keyspace";
        }
        return null;
    }

    @Nullable
    String refusal(Session session, CommandSpec spec, boolean write) {
        if (write || spec.isPing()) {
            String snapshots = engine.persistence().refusal();
            String journal = snapshots == null ? engine.keyspace().journal().refusal() : snapshots;
            if (journal != null) {
                return journal;
            }
        }
        return engine.loading().active() && !runsWhileLoading(session, spec) ? LOADING : null;
    }

    private static boolean runsWhileLoading(Session session, CommandSpec spec) {
        return spec.has(Flag.LOADING)
                && !(spec.isExec()
                        && session.inTransaction()
                        && session.transaction().lacks(Flag.LOADING));
    }

    private void run(Session session, CommandSpec spec, Request request) throws InterruptedException {
        Call call = session.call();
        call.begin(spec, request, session.batchMillis());
        session.runs(spec);
        try {
            perform(call, true);
            if (session.handsOver()) {
                engine.waiters().serve(session);
            }
        } finally {
            call.locks().unlock();
        }
        letSnapshotCatchUp(session);
        if (session.handsOver()) {
            engine.waiters().finish(session);
        }
        if (session.interests().broadcasts()) {
            engine.tracking().broadcast(session);
        }
        conclude(call);
        Waiter waiter = call.waiter();
        if (waiter != null) {
            engine.waiters().await(session, waiter);
        }
    }

    /** Slows a writer down, without locks, while a snapshot cannot write as fast as it is handed what writers are about to change. */
    private void letSnapshotCatchUp(Session session) {
        Snapshot snapshot = engine.store().snapshot();
        if (snapshot != null && session.changes > 0 && snapshot.isBehind()) {
            LockSupport.parkNanos(snapshot, CATCH_UP_NANOS);
        }
    }

    /** Runs one command inside of another one, which has admitted it and holds the locks of its keys, exclusively; it never waits. */
    void runNested(Call outer, CommandSpec spec, Request request) {
        runInside(outer.nested(), outer.now(), spec, request);
    }

    /** As {@link #runNested}, with the call that is to be used. */
    void runInside(Call call, long now, CommandSpec spec, Request request) {
        call.begin(spec, request, now);
        perform(call, false);
        conclude(call);
    }

    /** Calls the handler and records what it has done; any failure becomes the reply. */
    private void perform(Call call, boolean takesLocks) {
        CommandSpec spec = call.spec();
        Handler handler = spec.handler();
        if (handler == null) {
            throw new IllegalStateException("no handler for " + spec.fullName());
        }
        ReplyWriter reply = call.reply();
        long mark = reply.mark();
        try {
            if (takesLocks) {
                lock(call, spec, call.request());
                call.locked();
            }
            if (call.session().interests().any()) {
                engine.tracking().remember(call);
            }
            handler.run(call);
            if (call.changes() > 0) {
                call.record();
            }
        } catch (CommandException refusal) {
            reply.rollback(mark);
            fail(spec, reply, refusal.text());
        } catch (StackOverflowError | RuntimeException bug) {
            LOG.error("{} failed", spec.fullName(), bug);
            if (call.session().sentEarly()) {
                call.session().kill(); // half a reply is out: there is no way to tell the client
                reply.clear();
                return;
            }
            reply.rollback(mark);
            fail(spec, reply, INTERNAL_ERROR);
        } finally {
            call.countBytes();
            call.forgetEffects();
        }
        if (engine.monitors().any() && !call.session().repeats()) {
            engine.monitors().tell(call);
        }
    }

    private void conclude(Call call) {
        if (call.session().repeats()) {
            return;
        }
        if (call.metExpired() && !engine.pauses().writesPaused()) {
            call.reapExpired();
        }
        engine.runMonitor().ran(call, call.session().ran(call.spec()));
    }

    private void lock(Call call, CommandSpec spec, Request request) {
        if (spec.firstKeyOnly()) {
            call.locks().lock(call.hashFirstKey(), spec.isWrite());
            return;
        }
        switch (spec.lockScope(request)) {
            case NONE -> {
                // the handler takes its stripes one by one, or needs none
            }
            case KEYS -> {
                spec.forEachKey(request, index -> call.locks().want(call.hash(index)));
                call.locks().lockWanted(spec.isWrite());
            }
            case ALL -> {
                call.locks().wantAll();
                call.locks().lockWanted(true);
            }
        }
    }

    /** Answers an error of a command that has run. */
    void fail(CommandSpec spec, ReplyWriter reply, String text) {
        reply.error(text);
        spec.stats().countFailed();
        engine.stats().countError(text);
    }

    private void reject(Session session, CommandSpec spec, String text) {
        spec.stats().countRejected();
        String shown = text;
        if (spec.isExec()) {
            shown = "EXECABORT Transaction discarded because of: "
                    + (text.startsWith("ERR ") ? text.substring(4) : text);
            session.transaction().close();
        }
        session.reply().error(shown);
        engine.stats().countError(shown);
    }

    private void unknown(Session session, Request request) {
        String name = request.string(0);
        if (name.equalsIgnoreCase("host:") || name.equalsIgnoreCase("post")) {
            // A web page in a browser can make it send a form to any port: the headers would be read as commands.
            LOG.warn(
                    "closed {}: it speaks HTTP; possibly an attack by cross-protocol scripting",
                    session.connection().remoteAddress());
            session.closeAfterReply();
            return;
        }
        StringBuilder text =
                new StringBuilder("ERR unknown command '").append(clip(name)).append("', with args beginning with: ");
        int quoted = 0;
        for (int i = 1; i < request.count() && quoted < QUOTED_BYTES; i++) {
            String argument = request.string(i);
            String shown = argument.substring(0, Math.min(argument.length(), QUOTED_BYTES - quoted));
            text.append('\'').append(shown).append("' ");
            quoted += shown.length() + 3;
        }
        session.reply().error(text.toString());
        engine.stats().countError("ERR");
    }

    private static String clip(String name) {
        return name.length() <= QUOTED_BYTES ? name : name.substring(0, QUOTED_BYTES);
    }
}
