package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ADMIN;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.NO_ASYNC_LOADING;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.CLUSTER;

import dev.heddle.command.Arity;
import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;

/** CLUSTER: known, so that clients that probe for a cluster get the answer they look for, which is that this is none. Stateless. */
public final class ClusterCommands {

    private static final String SUMMARY = "Answers that this server is not part of a cluster.";
    private static final CommandException DISABLED = CommandException.err("This instance has cluster support disabled");

    private ClusterCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.container("CLUSTER")
                .docs(CLUSTER, "3.0.0", "Depends on subcommand.", "", "A container for commands about the cluster.")
                .subcommands(ClusterCommands::declareQuestions)
                .subcommands(ClusterCommands::declareChanges);
    }

    private static void declareQuestions(CommandTable.Builder t) {
        question(t, "HELP", exactly(0), "5.0.0", true).docs(CLUSTER, "5.0.0", "O(1)", "", SUMMARY);
        question(t, "SHARDS", exactly(0), "7.0.0", true).tips("nondeterministic_output");
        question(t, "SLOTS", exactly(0), "3.0.0", true)
                .deprecated("7.0.0", "`CLUSTER SHARDS`")
                .tips("nondeterministic_output");
        question(t, "KEYSLOT", exactly(1), "3.0.0", false);
        question(t, "COUNTKEYSINSLOT", exactly(1), "3.0.0", false);
        question(t, "MYID", exactly(0), "3.0.0", false);
        for (String name : new String[] {"INFO", "NODES", "LINKS", "MYSHARDID"}) {
            question(t, name, exactly(0), "3.0.0", false).tips("nondeterministic_output");
        }
        question(t, "GETKEYSINSLOT", exactly(2), "3.0.0", false).tips("nondeterministic_output");
        for (String name : new String[] {"REPLICAS", "SLAVES", "COUNT-FAILURE-REPORTS"}) {
            t.other(name, exactly(1), ClusterCommands::disabled, ADMIN, STALE)
                    .tips("nondeterministic_output")
                    .docs(CLUSTER, "3.0.0", "O(1)", "node-id", SUMMARY);
        }
    }

    private static CommandTable.Row question(
            CommandTable.Builder t, String name, Arity arity, String since, boolean whileLoading) {
        CommandTable.Row row = whileLoading
                ? t.other(name, arity, ClusterCommands::disabled, LOADING, STALE)
                : t.other(name, arity, ClusterCommands::disabled, STALE);
        return row.docs(CLUSTER, since, "O(1)", "arg ".repeat(arity.count()), SUMMARY);
    }

    private static void declareChanges(CommandTable.Builder t) {
        for (String name : new String[] {"FLUSHSLOTS", "SAVECONFIG"}) {
            change(t, name, exactly(0));
        }
        change(t, "BUMPEPOCH", exactly(0)).tips("nondeterministic_output");
        for (String name : new String[] {"SET-CONFIG-EPOCH", "FORGET", "REPLICATE"}) {
            change(t, name, exactly(1));
        }
        for (String name : new String[] {"ADDSLOTS", "DELSLOTS"}) {
            change(t, name, atLeast(1));
        }
        for (String name : new String[] {"ADDSLOTSRANGE", "DELSLOTSRANGE", "SETSLOT", "MEET"}) {
            change(t, name, atLeast(2));
        }
        change(t, "FAILOVER", atLeast(0));
        t.other("RESET", atLeast(0), ClusterCommands::disabled, ADMIN, NOSCRIPT, STALE)
                .docs(CLUSTER, "3.0.0", "O(1)", "[HARD | SOFT]", SUMMARY);
    }

    private static CommandTable.Row change(CommandTable.Builder t, String name, Arity arity) {
        String more = arity.orMore() ? "[arg [arg ...]]" : "";
        return t.other(name, arity, ClusterCommands::disabled, ADMIN, STALE, NO_ASYNC_LOADING)
                .docs(CLUSTER, "3.0.0", "O(1)", "arg ".repeat(arity.count()) + more, SUMMARY);
    }

    private static void disabled(Call call) {
        throw DISABLED;
    }
}
