package dev.heddle.command;

import dev.heddle.command.Session.ReplyMode;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import java.util.Locale;
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

    private final Engine engine;

    Dispatcher(Engine engine) {
        this.engine = engine;
    }

    /**
     * Runs one request and leaves its reply in the session's writer. Any failure becomes an error reply.
     *
     * @throws InterruptedException if the thread is to end while it waits for a pause to be over
     */
    public void execute(Session session, Request request) throws InterruptedException {
        ReplyWriter reply = session.reply();
        long mark = reply.mark();
        boolean skip = session.replyMode() == ReplyMode.SKIP_NEXT;
        if (skip) {
            session.replyMode(ReplyMode.SKIP);
        }
        CommandSpec spec = resolve(session, request);
        if (spec != null && admitted(session, spec)) {
            run(session, spec, request);
        }
        if (session.replyMode() != ReplyMode.ON) {
            mute(session, skip, mark);
        }
    }

    private static void mute(Session session, boolean skip, long mark) {
        if (skip || session.replyMode() == ReplyMode.OFF) {
            session.reply().rollback(mark);
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

    /** Everything that can refuse a well-formed command; writes the error and returns false if something does. */
    private boolean admitted(Session session, CommandSpec spec) throws InterruptedException {
        if (!session.authenticated() && !spec.has(Flag.NO_AUTH) && session.passwordRequired()) {
            reject(session, spec, "NOAUTH Authentication required.");
            return false;
        }
        if (spec.has(Flag.PROTECTED) && !ProtectedCommands.allowed(engine.settings(), spec, session.connection())) {
            reject(session, spec, ProtectedCommands.refusal(spec));
            return false;
        }
        engine.pauses().await(session, spec.isWrite() || spec.has(Flag.MAY_REPLICATE));
        return true;
    }

    private void run(Session session, CommandSpec spec, Request request) {
        Handler handler = spec.handler();
        if (handler == null) {
            throw new IllegalStateException("no handler for " + spec.fullName());
        }
        ReplyWriter reply = session.reply();
        long mark = reply.mark();
        Call call = session.call();
        call.begin(spec, request, session.batchMillis());
        session.runs(spec);
        try {
            lock(call, spec, request);
            call.locked();
            handler.run(call);
            if (call.changes() > 0) {
                call.record();
            }
        } catch (CommandException refusal) {
            fail(session, spec, mark, refusal.text());
        } catch (StackOverflowError | RuntimeException bug) {
            LOG.error("{} failed", spec.fullName(), bug);
            fail(session, spec, mark, "ERR internal error, see the server's log");
        } finally {
            call.forgetEffects();
            call.locks().unlock();
        }
        if (call.metExpired() && !engine.pauses().writesPaused()) {
            call.reapExpired();
        }
        engine.runMonitor().ran(call, session.ran(spec));
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

    private void fail(Session session, CommandSpec spec, long mark, String text) {
        session.reply().rollback(mark);
        session.reply().error(text);
        spec.stats().countFailed();
        engine.stats().countError(text);
    }

    private void reject(Session session, CommandSpec spec, String text) {
        spec.stats().countRejected();
        session.reply().error(text);
        engine.stats().countError(text);
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
