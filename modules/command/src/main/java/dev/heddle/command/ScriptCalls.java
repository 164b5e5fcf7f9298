package dev.heddle.command;

import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands inside of the one that runs a script: under its locks, at its time, with replies of their own. A session has one, for all its
 * scripts.
 *
 * <p>Confined to the thread that runs the script.
 */
public final class ScriptCalls {

    private final ReplyWriter reply = new ReplyWriter();
    private final Call inner;
    private Call outer;
    private int database;

    /** @param first the first command of its session that runs a script */
    ScriptCalls(Call first) {
        this.outer = first;
        this.inner = first.withReply(reply);
    }

    /** @param newOuter the command that runs the next script; it holds all stripes exclusively */
    void outer(Call newOuter) {
        outer = newOuter;
        database = newOuter.session().database();
        reply.protocol(2);
    }

    /** The script begins: all that it does is one unit for the journal, and MONITOR shows its commands as a script's. */
    public void begin() {
        outer.session().recorder().begin();
        outer.session().runsScript(true);
    }

    /** The script has ended; a database that it has selected is forgotten. */
    public void end() {
        reply.clear();
        outer.session().runsScript(false);
        outer.session().database(database);
        outer.session().recorder().end();
    }

    /** The command that a request names, with its subcommand if it has any; null if there is none. Its arity is not looked at. */
    public @Nullable CommandSpec find(Request request) {
        CommandSpec spec = outer.engine().table().find(request);
        if (spec == null || spec.subcommands().isEmpty() || request.count() < 2) {
            return spec;
        }
        return spec.subcommands().get(request.string(1).toLowerCase(Locale.ROOT));
    }

    /** Why no command with these flags can run now, such as that the disk is full; null if nothing is in the way. */
    public @Nullable String refusal(CommandSpec spec) {
        return outer.engine().dispatcher().refusal(outer.session(), spec, spec.isWrite());
    }

    /** Counts a command that a script may not run, or that does not exist (null), as one that has been rejected. */
    public void rejected(@Nullable CommandSpec spec, String error) {
        if (spec != null) {
            spec.stats().countRejected();
        }
        outer.engine().stats().countError(error);
    }

    /** Whether memory was full when the script was about to begin. */
    public boolean outOfMemory() {
        return outer.session().ranOutOfMemory();
    }

    /** The protocol of replies to the script, 2 or 3. */
    public int protocol() {
        return reply.protocol();
    }

    /** Sets the protocol of replies to the script. */
    public void protocol(int version) {
        reply.protocol(version);
    }

    /** Runs a command that has been found and may run. @return its reply, encoded */
    public byte[] run(CommandSpec spec, Request request) {
        reply.clear();
        outer.engine().dispatcher().runInside(inner, outer.now(), spec, request);
        return reply.toByteArray();
    }
}
