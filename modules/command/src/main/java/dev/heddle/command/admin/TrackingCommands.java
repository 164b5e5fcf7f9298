package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.CONNECTION;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.Tracking;
import dev.heddle.command.TrackingMode;
import dev.heddle.command.TrackingMode.Options;
import dev.heddle.resp.ReplyWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of CLIENT that is about copies of keys which clients keep. Stateless. */
final class TrackingCommands {

    private static final CommandException TWO_REDIRECTS =
            CommandException.err("A client can only redirect to a single other client");
    private static final CommandException NO_TARGET =
            CommandException.err("The client ID you want redirect to does not exist");
    private static final CommandException PREFIX_ALONE =
            CommandException.err("PREFIX option requires BCAST mode to be enabled");
    private static final CommandException SWITCHES_BCAST = CommandException.err(
            "You can't switch BCAST mode on/off before disabling tracking for this client, and then re-enabling it with a"
                    + " different mode.");
    private static final CommandException OPT_WITH_BCAST =
            CommandException.err("OPTIN and OPTOUT are not compatible with BCAST");
    private static final CommandException OPT_BOTH =
            CommandException.err("You can't specify both OPTIN mode and OPTOUT mode");
    private static final CommandException SWITCHES_OPT = CommandException.err(
            "You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then re-enabling it with a"
                    + " different mode.");
    private static final CommandException CACHING_ALONE = CommandException.err(
            "CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode enabled");
    private static final CommandException YES_WITHOUT_OPTIN =
            CommandException.err("CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.");
    private static final CommandException NO_WITHOUT_OPTOUT =
            CommandException.err("CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");

    private TrackingCommands() {}

    static void declare(CommandTable.Builder t) {
        t.other("TRACKING", atLeast(1), TrackingCommands::tracking, NOSCRIPT, LOADING, STALE)
                .docs(
                        CONNECTION,
                        "6.0.0",
                        "O(1). Some options may introduce additional complexity.",
                        "<ON | OFF> [REDIRECT client-id] [PREFIX prefix [PREFIX prefix ...]] [BCAST] [OPTIN] [OPTOUT]"
                                + " [NOLOOP]",
                        "Tells this connection, or another one, when keys change that it has read.");
        t.other("CACHING", exactly(1), TrackingCommands::caching, NOSCRIPT, LOADING, STALE)
                .docs(
                        CONNECTION,
                        "6.0.0",
                        "O(1)",
                        "<YES | NO>",
                        "Says whether the keys of the next command are to be tracked.");
        t.other("TRACKINGINFO", exactly(0), TrackingCommands::info, NOSCRIPT, LOADING, STALE)
                .docs(CONNECTION, "6.2.0", "O(1)", "", "Tells how keys are tracked for this connection.");
        t.other("GETREDIR", exactly(0), TrackingCommands::redirect, NOSCRIPT, LOADING, STALE)
                .docs(
                        CONNECTION,
                        "6.0.0",
                        "O(1)",
                        "",
                        "Answers the id of the connection that is told in place of this one.");
    }

    /** {@code CLIENT TRACKING <ON | OFF> [REDIRECT client-id] [PREFIX prefix ...] [BCAST] [OPTIN] [OPTOUT] [NOLOOP]} */
    private static void tracking(Call call) {
        List<byte[]> prefixes = new ArrayList<>();
        Options options = options(call, prefixes);
        if (call.is(2, "ON")) {
            TrackingMode old = call.session().interests().tracking();
            check(options, prefixes, old);
            call.engine().tracking().enable(call.session(), options, prefixes);
        } else if (call.is(2, "OFF")) {
            call.engine().tracking().disable(call.session());
        } else {
            throw CommandException.SYNTAX;
        }
        call.reply().ok();
    }

    private static Options options(Call call, List<byte[]> prefixes) {
        long redirect = 0;
        boolean broadcast = false;
        boolean optIn = false;
        boolean optOut = false;
        boolean noLoop = false;
        for (int i = 3; i < call.argc(); i++) {
            boolean more = i + 1 < call.argc();
            if (call.is(i, "REDIRECT") && more) {
                i++;
                if (redirect != 0) {
                    throw TWO_REDIRECTS;
                }
                redirect = call.longArg(i);
                if (call.engine().sessions().find(redirect) == null) {
                    throw NO_TARGET;
                }
            } else if (call.is(i, "PREFIX") && more) {
                i++;
                prefixes.add(call.arg(i));
            } else if (call.is(i, "BCAST")) {
                broadcast = true;
            } else if (call.is(i, "OPTIN")) {
                optIn = true;
            } else if (call.is(i, "OPTOUT")) {
                optOut = true;
            } else if (call.is(i, "NOLOOP")) {
                noLoop = true;
            } else {
                throw CommandException.SYNTAX;
            }
        }
        return new Options(redirect, broadcast, optIn, optOut, noLoop);
    }

    private static void check(Options options, List<byte[]> prefixes, @Nullable TrackingMode old) {
        if (!options.broadcast() && !prefixes.isEmpty()) {
            throw PREFIX_ALONE;
        }
        if (old != null && old.options().broadcast() != options.broadcast()) {
            throw SWITCHES_BCAST;
        }
        if (options.broadcast() && (options.optIn() || options.optOut())) {
            throw OPT_WITH_BCAST;
        }
        if (options.optIn() && options.optOut()) {
            throw OPT_BOTH;
        }
        if (old != null
                && ((options.optIn() && old.options().optOut())
                        || (options.optOut() && old.options().optIn()))) {
            throw SWITCHES_OPT;
        }
        if (options.broadcast()) {
            Tracking.checkPrefixes(old, prefixes);
        }
    }

    /** {@code CLIENT CACHING <YES | NO>} */
    private static void caching(Call call) {
        TrackingMode mode = call.session().interests().tracking();
        if (mode == null) {
            throw CACHING_ALONE;
        }
        if (call.is(2, "YES")) {
            if (!mode.options().optIn()) {
                throw YES_WITHOUT_OPTIN;
            }
        } else if (call.is(2, "NO")) {
            if (!mode.options().optOut()) {
                throw NO_WITHOUT_OPTOUT;
            }
        } else {
            throw CommandException.SYNTAX;
        }
        mode.caching(true);
        call.reply().ok();
    }

    /** {@code CLIENT TRACKINGINFO} */
    private static void info(Call call) {
        TrackingMode mode = call.session().interests().tracking();
        List<String> flags = mode == null ? List.of("off") : flags(mode);
        ReplyWriter reply = call.reply();
        reply.map(3);
        reply.bulk("flags");
        reply.set(flags.size());
        flags.forEach(reply::bulk);
        reply.bulk("redirect");
        reply.integer(mode == null ? -1 : mode.options().redirect());
        reply.bulk("prefixes");
        reply.array(mode == null ? 0 : mode.prefixes().size());
        if (mode != null) {
            mode.prefixes().forEach(reply::bulk);
        }
    }

    private static List<String> flags(TrackingMode mode) {
        List<String> flags = new ArrayList<>();
        flags.add("on");
        Options options = mode.options();
        if (options.broadcast()) {
            flags.add("bcast");
        }
        if (options.optIn()) {
            flags.add("optin");
        }
        if (options.optIn() && mode.caching()) {
            flags.add("caching-yes");
        }
        if (options.optOut()) {
            flags.add("optout");
        }
        if (options.optOut() && mode.caching()) {
            flags.add("caching-no");
        }
        if (options.noLoop()) {
            flags.add("noloop");
        }
        if (mode.brokenRedirect()) {
            flags.add("broken_redirect");
        }
        return flags;
    }

    /** {@code CLIENT GETREDIR} */
    private static void redirect(Call call) {
        TrackingMode mode = call.session().interests().tracking();
        call.reply().integer(mode == null ? -1 : mode.options().redirect());
    }
}
