package dev.heddle.command.admin;

import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ADMIN;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;

/** MONITOR. Stateless. */
public final class MonitorCommand {

    private static final CommandException NOT_HERE =
            CommandException.err("MONITOR isn't allowed for DENY BLOCKING client");

    private MonitorCommand() {}

    public static void declare(CommandTable.Builder t) {
        t.other("MONITOR", exactly(0), MonitorCommand::monitor, ADMIN, NOSCRIPT, LOADING, STALE)
                .docs(SERVER, "1.0.0", "", "", "Shows this connection every command that the server runs.");
    }

    /** {@code MONITOR}; a second one has no answer, as in Redis. */
    private static void monitor(Call call) {
        if (call.isNested()) {
            throw NOT_HERE;
        }
        if (!call.session().interests().isMonitoring()) {
            call.reply().ok();
            call.engine().monitors().add(call.session());
        }
    }
}
