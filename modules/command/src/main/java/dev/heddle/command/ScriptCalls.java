package dev.heddle.command;

import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands inside of the one that runs a script: under its locks, at its time, with replies of their own.
 *
 * <p>Confined to the thread that runs the script.
 */
public final class ScriptCalls {

    private final Call outer;
    private final Call inner;
    private final ReplyWriter reply = new ReplyWriter();
    private final int database;

    /** @param outer the command that runs the script; it holds all stripes exclusively */
    public ScriptCalls(Call outer) {
        this.outer = outer;
        this.inner = outer.withReply(reply);
        this.database = outer.session().database();
    }

    /** The script begins: all that it does is one unit for the journal, and MONITOR shows its commands as a script's. */
    public void begin() {
        outer.session().recorder().begin();
        outer.session().runsScript(true);
    }

    /** The script has ended; a database that it has selected is forgotten. */
    public void end() {
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
