package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ADMIN;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.NO_ASYNC_LOADING;
import static dev.heddle.command.Flag.PROTECTED;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.GENERIC;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.AclCategory;
import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import java.time.Instant;

/** The server as a whole: its clock, and the questions about replicas and modules, of which it has none. Stateless. */
public final class ServerCommands {

    private static final String SHARDS = "request_policy:all_shards";
    private static final String SMALLEST = "response_policy:agg_min";
    private static final CommandException NOT_LOADED =
            CommandException.err("Error loading the extension. Please check the server logs.");

    private ServerCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.other("TIME", exactly(0), ServerCommands::time, LOADING, STALE, FAST)
                .tips("nondeterministic_output")
                .docs(SERVER, "2.6.0", "O(1)", "", "Answers the time: seconds since the epoch, and microseconds.");
        t.container("MODULE")
                .docs(SERVER, "4.0.0", "Depends on subcommand.", "", "A container for commands about modules.")
                .subcommands(ServerCommands::declareModule);
        declareReplication(t);
    }

    private static void declareReplication(CommandTable.Builder t) {
        t.other("ROLE", exactly(0), ServerCommands::role, NOSCRIPT, LOADING, STALE, FAST)
                .categories(AclCategory.ADMIN, AclCategory.DANGEROUS)
                .docs(SERVER, "2.8.12", "O(1)", "", "Tells the role in replication: a primary without replicas.");
        t.other("REPLICAOF", exactly(2), ServerCommands::replicaOf, ADMIN, NOSCRIPT, STALE, NO_ASYNC_LOADING)
                .docs(
                        SERVER,
                        "5.0.0",
                        "O(1)",
                        "<host port | NO ONE>",
                        "Would follow another server; only NO ONE is supported.");
        t.other("SLAVEOF", exactly(2), ServerCommands::replicaOf, ADMIN, NOSCRIPT, STALE, NO_ASYNC_LOADING)
                .deprecated("5.0.0", "`REPLICAOF`")
                .docs(
                        SERVER,
                        "1.0.0",
                        "O(1)",
                        "<host port | NO ONE>",
                        "Would follow another server; only NO ONE is supported.");
        t.other("WAIT", exactly(2), ServerCommands::await)
                .categories(AclCategory.CONNECTION)
                .tips(SHARDS, SMALLEST)
                .docs(
                        GENERIC,
                        "3.0.0",
                        "O(1)",
                        "numreplicas timeout",
                        "Answers how many replicas have what this connection wrote: none.");
        t.other("WAITAOF", exactly(3), ServerCommands::awaitAof, NOSCRIPT)
                .categories(AclCategory.CONNECTION)
                .tips(SHARDS, SMALLEST)
                .docs(
                        GENERIC,
                        "7.2.0",
                        "O(1)",
                        "numlocal numreplicas timeout",
                        "Answers on how many disks is what this connection wrote: here, and at replicas.");
    }

    private static void declareModule(CommandTable.Builder t) {
        t.other("LIST", exactly(0), call -> call.reply().array(0), ADMIN, NOSCRIPT)
                .tips("nondeterministic_output_order")
                .docs(SERVER, "4.0.0", "O(1)", "", "Lists the modules: there are none.");
        t.other("LOAD", atLeast(1), ServerCommands::loadModule, ADMIN, NOSCRIPT, NO_ASYNC_LOADING, PROTECTED)
                .docs(SERVER, "4.0.0", "O(1)", "path [arg [arg ...]]", "Would load a module; none can be.");
        t.other("LOADEX", atLeast(1), ServerCommands::loadModule, ADMIN, NOSCRIPT, NO_ASYNC_LOADING, PROTECTED)
                .docs(
                        SERVER,
                        "7.0.0",
                        "O(1)",
                        "path [CONFIG name value [CONFIG name value ...]] [ARGS args [args ...]]",
                        "Would load a module with a configuration; none can be.");
        t.other("UNLOAD", exactly(1), ServerCommands::unloadModule, ADMIN, NOSCRIPT, NO_ASYNC_LOADING, PROTECTED)
                .docs(SERVER, "4.0.0", "O(1)", "name", "Would unload a module; there are none.");
        t.other("HELP", exactly(0), Subcommands::help, LOADING, STALE)
                .docs(SERVER, "5.0.0", "O(1)", "", "Lists the subcommands.");
    }

    private static void time(Call call) {
        Instant now = call.engine().clock().instant();
        call.reply().array(2);
        call.reply().bulkLong(now.getEpochSecond());
        call.reply().bulkLong(now.getNano() / 1000);
    }

    private static void loadModule(Call call) {
        throw NOT_LOADED;
    }

    private static void unloadModule(Call call) {
        throw CommandException.err("Error unloading module: no such module with that name");
    }

    private static void role(Call call) {
        call.reply().array(3);
        call.reply().bulk("master");
        call.reply().integer(0);
        call.reply().array(0);
    }

    /** {@code REPLICAOF <host port | NO ONE>} */
    private static void replicaOf(Call call) {
        if (!call.is(1, "NO") || !call.is(2, "ONE")) {
            throw CommandException.err(
                    "replication is not supported: this server cannot follow another one, only 'NO ONE' is accepted");
        }
        call.reply().ok();
    }

    /** {@code WAIT numreplicas timeout}: does not wait, for no replica can ever answer. */
    private static void await(Call call) {
        call.longArg(1);
        Timeouts.end(call, 2);
        call.reply().integer(0);
    }

    /** {@code WAITAOF numlocal numreplicas timeout} */
    private static void awaitAof(Call call) {
        long local = call.longArg(1, 0, 1);
        call.positiveArg(2);
        long end = Timeouts.end(call, 3);
        if (local > 0 && !call.recorded()) {
            throw CommandException.err("WAITAOF cannot be used when numlocal is set but appendonly is disabled.");
        }
        call.reply().array(2);
        call.reply().integer(call.recorded() && forced(call, local > 0, end) ? 1 : 0);
        call.reply().integer(0);
    }

    /** Whether what this connection wrote is on the disk by a time, in milliseconds since the epoch; 0 for no limit. */
    private static boolean forced(Call call, boolean mayWait, long end) {
        // Inside of a transaction stripes are held: a look has to do.
        long wait = !mayWait || call.locks().isHeld() ? -1 : end == 0 ? 0 : Math.max(1, end - call.now());
        try {
            return call.engine().keyspace().journal().awaitForced(call.session().ticket(), wait);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
