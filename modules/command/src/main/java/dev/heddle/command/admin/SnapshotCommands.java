package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ADMIN;
import static dev.heddle.command.Flag.ALLOW_BUSY;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.NO_ASYNC_LOADING;
import static dev.heddle.command.Flag.NO_MULTI;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.AclCategory;
import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.Persistence.Ending;
import java.util.EnumSet;
import java.util.Set;

/** Saving the data set, and the end of the server, which begins with that. Stateless. */
public final class SnapshotCommands {

    /** The words of SHUTDOWN. */
    private enum Option {
        SAVE,
        NOSAVE,
        NOW,
        FORCE,
        ABORT
    }

    private static final CommandException CANNOT_END = CommandException.err("Errors trying to SHUTDOWN. Check logs.");

    private SnapshotCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.other("SAVE", exactly(0), SnapshotCommands::save, ADMIN, NOSCRIPT, NO_ASYNC_LOADING, NO_MULTI)
                .docs(
                        SERVER,
                        "1.0.0",
                        "O(N) where N is the number of keys",
                        "",
                        "Saves all data into the snapshot file and answers when that is done; others go on meanwhile.");
        t.other("BGSAVE", atLeast(0), SnapshotCommands::backgroundSave, ADMIN, NOSCRIPT, NO_ASYNC_LOADING)
                .docs(SERVER, "1.0.0", "O(1)", "[SCHEDULE]", "Begins to save all data into the snapshot file.");
        t.other("BGREWRITEAOF", exactly(0), SnapshotCommands::rewrite, ADMIN, NOSCRIPT, NO_ASYNC_LOADING)
                .docs(SERVER, "1.0.0", "O(1)", "", "Begins to write the append-only file anew, as short as can be.");
        t.other("LASTSAVE", exactly(0), SnapshotCommands::lastSave, LOADING, STALE, FAST)
                .categories(AclCategory.ADMIN, AclCategory.DANGEROUS)
                .tips("nondeterministic_output")
                .docs(SERVER, "1.0.0", "O(1)", "", "Answers when the last snapshot was complete, in seconds.");
        t.other(
                        "SHUTDOWN",
                        atLeast(0),
                        SnapshotCommands::shutdown,
                        ADMIN,
                        NOSCRIPT,
                        LOADING,
                        STALE,
                        NO_MULTI,
                        ALLOW_BUSY)
                .docs(
                        SERVER,
                        "1.0.0",
                        "O(N) when saving, where N is the number of keys, otherwise O(1)",
                        "[NOSAVE | SAVE] [NOW] [FORCE] [ABORT]",
                        "Ends the server after what is running has finished.");
    }

    /** {@code SAVE} */
    private static void save(Call call) {
        try {
            call.engine().persistence().save();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new CommandException("ERR");
        }
        call.reply().ok();
    }

    /** {@code BGSAVE [SCHEDULE]} */
    private static void backgroundSave(Call call) {
        boolean schedule = call.argc() > 1;
        if (call.argc() > 2 || (schedule && !call.is(1, "SCHEDULE"))) {
            throw CommandException.SYNTAX;
        }
        call.reply().simple(call.engine().persistence().saveInBackground(schedule, call.isNested()));
    }

    /** {@code BGREWRITEAOF} */
    private static void rewrite(Call call) {
        call.reply().simple(call.engine().persistence().rewriteJournal(call.isNested()));
    }

    /** {@code LASTSAVE} */
    private static void lastSave(Call call) {
        call.reply().integer(call.engine().persistence().figures().lastSave());
    }

    /** {@code SHUTDOWN [NOSAVE | SAVE] [NOW] [FORCE] [ABORT]} */
    private static void shutdown(Call call) {
        Set<Option> options = EnumSet.noneOf(Option.class);
        for (int i = 1; i < call.argc(); i++) {
            options.add(option(call, i));
        }
        if (options.contains(Option.SAVE) && options.contains(Option.NOSAVE)) {
            throw CommandException.SYNTAX;
        }
        if (options.contains(Option.ABORT)) {
            // Nothing to abort: a shutdown waits for replicas only, of which there are none.
            throw options.size() > 1 ? CommandException.SYNTAX : CommandException.err("No shutdown in progress.");
        }
        Ending ending = options.contains(Option.SAVE)
                ? Ending.SAVE
                : options.contains(Option.NOSAVE) ? Ending.NOSAVE : Ending.BY_SAVE_POINTS;
        try {
            if (!call.engine().persistence().prepareEnd(ending, options.contains(Option.FORCE))) {
                throw CANNOT_END;
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw CANNOT_END;
        }
        call.engine().lifecycle().shutdown();
        call.session().closeAfterReply();
    }

    private static Option option(Call call, int index) {
        for (Option option : Option.values()) {
            if (call.is(index, option.name())) {
                return option;
            }
        }
        throw CommandException.SYNTAX;
    }
}
