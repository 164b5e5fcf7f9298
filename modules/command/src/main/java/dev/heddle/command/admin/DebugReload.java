package dev.heddle.command.admin;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.Persistence.Reload;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** DEBUG RELOAD and DEBUG LOADAOF: replace the data by what is on the disk, while all other clients wait. Stateless. */
final class DebugReload {

    private static final Logger LOG = LoggerFactory.getLogger(DebugReload.class);

    private DebugReload() {}

    private interface Action {
        void run() throws InterruptedException;
    }

    /** {@code DEBUG RELOAD [NOSAVE] [NOFLUSH] [MERGE]} */
    static void reload(Call call) {
        boolean saves = true;
        boolean flushes = true;
        boolean merges = false;
        for (int i = 2; i < call.argc(); i++) {
            if (call.is(i, "MERGE")) {
                merges = true;
            } else if (call.is(i, "NOFLUSH")) {
                flushes = false;
            } else if (call.is(i, "NOSAVE")) {
                saves = false;
            } else {
                throw CommandException.err("DEBUG RELOAD only supports the MERGE, NOFLUSH and NOSAVE options.");
            }
        }
        Reload how = new Reload(saves, flushes, merges);
        alone(call, () -> call.engine().persistence().reload(how));
        LOG.warn("DB reloaded by DEBUG RELOAD");
        call.reply().ok();
    }

    /** {@code DEBUG LOADAOF} */
    static void loadJournal(Call call) {
        alone(call, () -> call.engine().persistence().reloadJournal());
        LOG.warn("Append Only File loaded by DEBUG LOADAOF");
        call.reply().ok();
    }

    private static void alone(Call call, Action action) {
        if (call.isNested()) {
            throw CommandException.err("DEBUG cannot load inside of a transaction");
        }
        call.engine().pauses().freeze(false);
        try {
            action.run();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new CommandException("ERR");
        } finally {
            call.engine().pauses().thaw();
        }
    }
}
