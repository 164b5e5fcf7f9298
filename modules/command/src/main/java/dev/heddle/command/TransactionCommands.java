package dev.heddle.command;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ALLOW_BUSY;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.SKIP_SLOWLOG;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.TRANSACTIONS;

import dev.heddle.command.KeySpec.Access;

/** MULTI and what belongs to it; how it works is told in {@link Transaction} and {@link Watches}. Stateless. */
public final class TransactionCommands {

    private static final CommandException NESTED = CommandException.err("MULTI calls can not be nested");
    private static final CommandException EXEC_ALONE = CommandException.err("EXEC without MULTI");
    private static final CommandException DISCARD_ALONE = CommandException.err("DISCARD without MULTI");
    private static final CommandException WATCH_TOO_LATE = CommandException.err("WATCH inside MULTI is not allowed");
    private static final CommandException ABORTED =
            new CommandException("EXECABORT Transaction discarded because of previous errors.");

    private TransactionCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.other("MULTI", exactly(0), TransactionCommands::multi, NOSCRIPT, LOADING, STALE, FAST, ALLOW_BUSY)
                .docs(TRANSACTIONS, "1.2.0", "O(1)", "", "Begins a transaction: what follows is queued.");
        t.other("EXEC", exactly(0), TransactionCommands::exec, NOSCRIPT, LOADING, STALE, SKIP_SLOWLOG)
                .docs(
                        TRANSACTIONS,
                        "1.2.0",
                        "Depends on commands in the transaction",
                        "",
                        "Runs all that was queued, at one moment.");
        t.other("DISCARD", exactly(0), TransactionCommands::discard, NOSCRIPT, LOADING, STALE, FAST, ALLOW_BUSY)
                .docs(
                        TRANSACTIONS,
                        "2.0.0",
                        "O(N), when N is the number of queued commands",
                        "",
                        "Forgets all that was queued.");
        t.other("WATCH", atLeast(1), TransactionCommands::watch, NOSCRIPT, LOADING, STALE, FAST, ALLOW_BUSY)
                .allKeys(Access.RO_META)
                .docs(
                        TRANSACTIONS,
                        "2.2.0",
                        "O(1) for every key.",
                        "key [key ...]",
                        "Makes EXEC do nothing if one of these keys changes before.");
        t.other("UNWATCH", exactly(0), TransactionCommands::unwatch, NOSCRIPT, LOADING, STALE, FAST, ALLOW_BUSY)
                .docs(TRANSACTIONS, "2.2.0", "O(1)", "", "Forgets all watched keys.");
    }

    /** {@code MULTI} */
    private static void multi(Call call) {
        if (call.session().inTransaction()) {
            throw NESTED;
        }
        call.session().transaction().open();
        call.reply().ok();
    }

    /** {@code EXEC} */
    private static void exec(Call call) {
        if (!call.session().inTransaction()) {
            throw EXEC_ALONE;
        }
        Transaction transaction = call.session().transaction();
        try {
            if (transaction.isAborted()) {
                throw ABORTED;
            }
            transaction.lock(call.locks());
            if (transaction.isTouched(call.now())) {
                call.reply().nilArray();
            } else {
                transaction.run(call);
            }
        } finally {
            transaction.close();
        }
    }

    /** {@code DISCARD} */
    private static void discard(Call call) {
        if (!call.session().inTransaction()) {
            throw DISCARD_ALONE;
        }
        call.session().transaction().close();
        call.reply().ok();
    }

    /** {@code WATCH key [key ...]} */
    private static void watch(Call call) {
        if (call.session().inTransaction()) {
            throw WATCH_TOO_LATE;
        }
        Transaction transaction = call.session().transaction();
        for (int i = 1; i < call.argc() && !transaction.isTouched(); i++) {
            transaction.watch(new KeyName(call.database(), call.arg(i), call.hash(i)), call.now());
        }
        call.reply().ok();
    }

    /** {@code UNWATCH} */
    private static void unwatch(Call call) {
        call.session().transaction().unwatch();
        call.reply().ok();
    }
}
