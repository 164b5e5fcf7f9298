package dev.heddle.command.script;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ALLOW_BUSY;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.MAY_REPLICATE;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.NO_MANDATORY_KEYS;
import static dev.heddle.command.Flag.SKIP_MONITOR;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.SCRIPTING;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.command.admin.Subcommands;
import dev.heddle.store.StripeLocks;
import java.util.Locale;
import org.luaj.vm2.LuaTable;

/** EVAL and what belongs to it; how scripts run is told in {@link Scripts}. Stateless. */
public final class ScriptCommands {

    private static final CommandException UNKNOWN =
            new CommandException("NOSCRIPT No matching script. Please use EVAL.");
    private static final CommandException WRITES =
            CommandException.err("Can not execute a script with write flag using *_ro command.");
    private static final CommandException FLUSH_OPTION =
            CommandException.err("SCRIPT FLUSH only support SYNC|ASYNC option");

    private ScriptCommands() {}

    public static void declare(CommandTable.Builder t) {
        String syntax = "%s numkeys [key [key ...]] [arg [arg ...]]";
        String complexity = "Depends on the script that is executed.";
        t.other(
                        "EVAL",
                        atLeast(2),
                        call -> eval(call, false),
                        NOSCRIPT,
                        STALE,
                        SKIP_MONITOR,
                        MAY_REPLICATE,
                        NO_MANDATORY_KEYS)
                .countedKeys(2, Access.RW)
                .locksItself()
                .docs(SCRIPTING, "2.6.0", complexity, syntax.formatted("script"), "Runs a Lua script, at one moment.");
        t.other(
                        "EVALSHA",
                        atLeast(2),
                        call -> evalSha(call, false),
                        NOSCRIPT,
                        STALE,
                        SKIP_MONITOR,
                        MAY_REPLICATE,
                        NO_MANDATORY_KEYS)
                .countedKeys(2, Access.RW)
                .locksItself()
                .docs(
                        SCRIPTING,
                        "2.6.0",
                        complexity,
                        syntax.formatted("sha1"),
                        "Runs a Lua script that the server has, by its SHA-1.");
        t.read("EVAL_RO", atLeast(2), call -> eval(call, true), NOSCRIPT, STALE, SKIP_MONITOR, NO_MANDATORY_KEYS)
                .countedKeys(2, Access.RO)
                .locksItself()
                .docs(
                        SCRIPTING,
                        "7.0.0",
                        complexity,
                        syntax.formatted("script"),
                        "Runs a Lua script that may not write.");
        t.read("EVALSHA_RO", atLeast(2), call -> evalSha(call, true), NOSCRIPT, STALE, SKIP_MONITOR, NO_MANDATORY_KEYS)
                .countedKeys(2, Access.RO)
                .locksItself()
                .docs(
                        SCRIPTING,
                        "7.0.0",
                        complexity,
                        syntax.formatted("sha1"),
                        "Runs a Lua script that the server has and that may not write.");
        t.container("SCRIPT")
                .docs(SCRIPTING, "2.6.0", "Depends on subcommand.", "", "Keeps, lists and ends scripts.")
                .subcommands(ScriptCommands::declareScript);
    }

    private static void declareScript(CommandTable.Builder t) {
        t.other("LOAD", exactly(1), ScriptCommands::load, NOSCRIPT, STALE)
                .tips("request_policy:all_nodes", "response_policy:all_succeeded")
                .docs(
                        SCRIPTING,
                        "2.6.0",
                        "O(N) with N being the length in bytes of the script body.",
                        "script",
                        "Keeps a script, and tells its SHA-1.");
        t.other("EXISTS", atLeast(1), ScriptCommands::exists, NOSCRIPT)
                .tips("request_policy:all_shards", "response_policy:agg_logical_and")
                .docs(
                        SCRIPTING,
                        "2.6.0",
                        "O(N) with N being the number of scripts to check (so checking a single script is an O(1) operation).",
                        "sha1 [sha1 ...]",
                        "Tells which scripts the server has.");
        t.other("FLUSH", atLeast(0), ScriptCommands::flush, NOSCRIPT)
                .exclusive()
                .tips("request_policy:all_nodes", "response_policy:all_succeeded")
                .docs(
                        SCRIPTING,
                        "2.6.0",
                        "O(N) with N being the number of scripts in cache",
                        "[ASYNC | SYNC]",
                        "Forgets all scripts.");
        t.other("KILL", exactly(0), ScriptCommands::kill, NOSCRIPT, ALLOW_BUSY)
                .tips("request_policy:all_shards", "response_policy:one_succeeded")
                .docs(SCRIPTING, "2.6.0", "O(1)", "", "Ends the script that runs, unless it has written.");
        t.other("DEBUG", exactly(1), ScriptCommands::debug, NOSCRIPT)
                .docs(
                        SCRIPTING,
                        "3.2.0",
                        "O(1)",
                        "<YES | SYNC | NO>",
                        "Turns the script debugger on: there is none here.");
        t.other("HELP", exactly(0), Subcommands::help, LOADING, STALE)
                .docs(SCRIPTING, "5.0.0", "O(1)", "", "Lists the subcommands.");
    }

    /** {@code EVAL script numkeys [key [key ...]] [arg [arg ...]]} */
    private static void eval(Call call, boolean readOnly) {
        int keys = keys(call);
        run(call, Scripts.of(call).load(call.arg(1)), readOnly, keys);
    }

    /** {@code EVALSHA sha1 numkeys [key [key ...]] [arg [arg ...]]} */
    private static void evalSha(Call call, boolean readOnly) {
        int keys = keys(call);
        Script script = Scripts.of(call).find(call.text(1).toLowerCase(Locale.ROOT));
        if (script == null) {
            throw UNKNOWN;
        }
        run(call, script, readOnly, keys);
    }

    private static void run(Call call, Script script, boolean readOnly, int keys) {
        if (readOnly && script.declared() && !script.neverWrites()) {
            throw WRITES;
        }
        if (script.declared()) {
            Scripts.checkMemory(call, script.flags());
        }
        LuaTable keyTable = list(call, 3, keys);
        LuaTable arguments = list(call, 3 + keys, call.argc() - 3 - keys);
        lockAll(call); // only now: hashing and compiling a script must not hold others up
        Scripts.of(call).run(call, script, readOnly, keyTable, arguments);
    }

    private static void lockAll(Call call) {
        StripeLocks locks = call.locks();
        if (!locks.isHeld()) { // EXEC holds them already
            locks.wantAll();
            locks.lockWanted(true);
        }
    }

    /** How many keys the command says that it has. */
    static int keys(Call call) {
        long count = call.longArg(2);
        if (count > call.argc() - 3) {
            throw CommandException.err("Number of keys can't be greater than number of args");
        }
        if (count < 0) {
            throw CommandException.err("Number of keys can't be negative");
        }
        return (int) count;
    }

    /** Arguments as the tables KEYS and ARGV have them. */
    static LuaTable list(Call call, int from, int count) {
        LuaTable table = new LuaTable(count, 0);
        for (int i = 0; i < count; i++) {
            table.rawset(i + 1, RedisLibrary.string(call.arg(from + i)));
        }
        return table;
    }

    /** {@code SCRIPT LOAD script} */
    private static void load(Call call) {
        call.reply().bulk(Scripts.of(call).load(call.arg(2)).sha());
    }

    /** {@code SCRIPT EXISTS sha1 [sha1 ...]} */
    private static void exists(Call call) {
        call.reply().array(call.argc() - 2);
        for (int i = 2; i < call.argc(); i++) {
            boolean known = Scripts.of(call).find(call.text(i).toLowerCase(Locale.ROOT)) != null;
            call.reply().integer(known ? 1 : 0);
        }
    }

    /** {@code SCRIPT FLUSH [ASYNC | SYNC]} */
    private static void flush(Call call) {
        if (call.argc() > 3 || (call.argc() == 3 && !call.is(2, "ASYNC") && !call.is(2, "SYNC"))) {
            throw FLUSH_OPTION;
        }
        Scripts.of(call).flush();
        call.reply().ok();
    }

    /** {@code SCRIPT KILL} */
    private static void kill(Call call) {
        Scripts.of(call).kill(false);
        call.reply().ok();
    }

    /** {@code SCRIPT DEBUG <YES | SYNC | NO>} */
    private static void debug(Call call) {
        if (call.is(2, "NO")) {
            call.reply().ok();
            return;
        }
        if (call.is(2, "YES") || call.is(2, "SYNC")) {
            throw CommandException.err("there is no script debugger in this server");
        }
        throw CommandException.err("Use SCRIPT DEBUG YES/SYNC/NO");
    }
}
