package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ADMIN;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.SlowLog;
import java.util.List;

/** SLOWLOG. Stateless. */
public final class SlowLogCommands {

    private static final int FEW = 10;

    private SlowLogCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.container("SLOWLOG")
                .docs(SERVER, "2.2.12", "Depends on subcommand.", "", "A container for commands about the slow log.")
                .subcommands(SlowLogCommands::declareSubcommands);
    }

    private static void declareSubcommands(CommandTable.Builder t) {
        t.other("GET", atLeast(0), SlowLogCommands::get, ADMIN, LOADING, STALE)
                .tips("request_policy:all_nodes", "nondeterministic_output")
                .docs(
                        SERVER,
                        "2.2.12",
                        "O(N) where N is the number of entries answered",
                        "[count]",
                        "Answers the newest entries, 10 unless told otherwise, -1 for all.");
        t.other("LEN", exactly(0), SlowLogCommands::length, ADMIN, LOADING, STALE)
                .tips("request_policy:all_nodes", "response_policy:agg_sum", "nondeterministic_output")
                .docs(SERVER, "2.2.12", "O(1)", "", "Answers how many entries there are.");
        t.other("RESET", exactly(0), SlowLogCommands::reset, ADMIN, LOADING, STALE)
                .tips("request_policy:all_nodes", "response_policy:all_succeeded")
                .docs(SERVER, "2.2.12", "O(N) where N is the number of entries", "", "Forgets all entries.");
        t.other("HELP", exactly(0), Subcommands::help, LOADING, STALE)
                .docs(SERVER, "6.2.0", "O(1)", "", "Lists the subcommands.");
    }

    /** {@code SLOWLOG GET [count]} */
    private static void get(Call call) {
        if (call.argc() > 3) {
            throw Subcommands.misused(call);
        }
        long count = call.argc() == 3 ? count(call) : FEW;
        List<SlowLog.Entry> entries = call.engine().slowLog().newest(count == -1 ? Long.MAX_VALUE : count);
        call.reply().array(entries.size());
        entries.forEach(entry -> entry(call, entry));
    }

    private static long count(Call call) {
        try {
            return call.longArg(2, -1, Long.MAX_VALUE);
        } catch (CommandException outOfRange) {
            throw CommandException.err("count should be greater than or equal to -1");
        }
    }

    private static void entry(Call call, SlowLog.Entry entry) {
        call.reply().array(6);
        call.reply().integer(entry.id());
        call.reply().integer(entry.seconds());
        call.reply().integer(entry.micros());
        call.reply().array(entry.arguments().size());
        entry.arguments().forEach(call.reply()::bulk);
        call.reply().bulk(entry.client());
        call.reply().bulk(entry.clientName());
    }

    private static void length(Call call) {
        call.reply().integer(call.engine().slowLog().size());
    }

    private static void reset(Call call) {
        call.engine().slowLog().reset();
        call.reply().ok();
    }
}
