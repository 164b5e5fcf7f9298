package dev.heddle.command.script;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ALLOW_BUSY;
import static dev.heddle.command.Flag.DENYOOM;
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
import dev.heddle.command.Glob;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.command.admin.Subcommands;
import dev.heddle.command.script.FunctionLibrary.Function;
import dev.heddle.command.script.Functions.Restoring;
import dev.heddle.resp.ReplyWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** FUNCTION and FCALL; how functions run is told in {@link Scripts}. Stateless. */
public final class FunctionCommands {

    private static final CommandException NOT_FOUND = CommandException.err("Function not found");
    private static final CommandException WRITES =
            CommandException.err("Can not execute a script with write flag using *_ro command.");

    private FunctionCommands() {}

    public static void declare(CommandTable.Builder t) {
        String syntax = "function numkeys [key [key ...]] [arg [arg ...]]";
        String complexity = "Depends on the function that is executed.";
        t.other(
                        "FCALL",
                        atLeast(2),
                        call -> call(call, false),
                        NOSCRIPT,
                        STALE,
                        SKIP_MONITOR,
                        MAY_REPLICATE,
                        NO_MANDATORY_KEYS)
                .countedKeys(2, Access.RW)
                .exclusive()
                .docs(SCRIPTING, "7.0.0", complexity, syntax, "Runs a function of a library, at one moment.");
        t.read("FCALL_RO", atLeast(2), call -> call(call, true), NOSCRIPT, STALE, SKIP_MONITOR, NO_MANDATORY_KEYS)
                .countedKeys(2, Access.RO)
                .exclusive()
                .docs(SCRIPTING, "7.0.0", complexity, syntax, "Runs a function that does not write.");
        t.container("FUNCTION")
                .docs(SCRIPTING, "7.0.0", "Depends on subcommand.", "", "Keeps and lists libraries of functions.")
                .subcommands(FunctionCommands::declareFunction);
    }

    private static void declareFunction(CommandTable.Builder t) {
        String[] everywhere = {"request_policy:all_shards", "response_policy:all_succeeded"};
        t.write("LOAD", atLeast(1), FunctionCommands::load, DENYOOM, NOSCRIPT)
                .exclusive()
                .tips(everywhere)
                .docs(
                        SCRIPTING,
                        "7.0.0",
                        "O(1) (considering compilation time is redundant)",
                        "[REPLACE] function-code",
                        "Loads a library.");
        t.write("DELETE", exactly(1), FunctionCommands::delete, NOSCRIPT)
                .exclusive()
                .tips(everywhere)
                .docs(SCRIPTING, "7.0.0", "O(1)", "library-name", "Deletes a library with its functions.");
        t.write("FLUSH", atLeast(0), FunctionCommands::flush, NOSCRIPT)
                .exclusive()
                .tips(everywhere)
                .docs(
                        SCRIPTING,
                        "7.0.0",
                        "O(N) where N is the number of functions deleted",
                        "[ASYNC | SYNC]",
                        "Deletes all libraries.");
        t.write("RESTORE", atLeast(1), FunctionCommands::restore, DENYOOM, NOSCRIPT)
                .exclusive()
                .tips(everywhere)
                .docs(
                        SCRIPTING,
                        "7.0.0",
                        "O(N) where N is the number of functions on the payload",
                        "serialized-value [FLUSH | APPEND | REPLACE]",
                        "Loads what FUNCTION DUMP has packed.");
        t.other("DUMP", exactly(0), FunctionCommands::dump, NOSCRIPT)
                .docs(SCRIPTING, "7.0.0", "O(N) where N is the number of functions", "", "Packs all libraries.");
        t.other("LIST", atLeast(0), FunctionCommands::list, NOSCRIPT)
                .tips("nondeterministic_output_order")
                .docs(
                        SCRIPTING,
                        "7.0.0",
                        "O(N) where N is the number of functions",
                        "[LIBRARYNAME library-name-pattern] [WITHCODE]",
                        "Lists the libraries.");
        t.other("STATS", exactly(0), FunctionCommands::stats, NOSCRIPT, ALLOW_BUSY)
                .tips("nondeterministic_output", "request_policy:all_shards", "response_policy:special")
                .docs(SCRIPTING, "7.0.0", "O(1)", "", "Tells what runs, and how many libraries there are.");
        t.other("KILL", exactly(0), FunctionCommands::kill, NOSCRIPT, ALLOW_BUSY)
                .tips("request_policy:all_shards", "response_policy:one_succeeded")
                .docs(SCRIPTING, "7.0.0", "O(1)", "", "Ends the function that runs, unless it has written.");
        t.other("HELP", exactly(0), Subcommands::help, LOADING, STALE)
                .docs(SCRIPTING, "7.0.0", "O(1)", "", "Lists the subcommands.");
    }

    private static Functions functions(Call call) {
        return Scripts.of(call).functions();
    }

    /** {@code FCALL function numkeys [key [key ...]] [arg [arg ...]]} */
    private static void call(Call call, boolean readOnly) {
        Function function = functions(call).find(call.text(1));
        if (function == null) {
            throw NOT_FOUND;
        }
        int keys = keys(call);
        if (readOnly && !function.neverWrites()) {
            throw WRITES;
        }
        Scripts.checkMemory(call, function.flags());
        Scripts.of(call)
                .call(
                        call,
                        function,
                        ScriptCommands.list(call, 3, keys),
                        ScriptCommands.list(call, 3 + keys, call.argc() - 3 - keys));
    }

    private static int keys(Call call) {
        try {
            call.longArg(2);
        } catch (CommandException notANumber) {
            throw CommandException.err("Bad number of keys provided");
        }
        return ScriptCommands.keys(call);
    }

    /** {@code FUNCTION LOAD [REPLACE] function-code} */
    private static void load(Call call) {
        boolean replace = false;
        for (int i = 2; i < call.argc() - 1; i++) {
            if (!call.is(i, "REPLACE")) {
                throw CommandException.err("Unknown option given: " + call.text(i));
            }
            replace = true;
        }
        String name = functions(call).load(call.arg(call.argc() - 1), replace);
        call.countChanges(1);
        call.reply().bulk(name);
    }

    /** {@code FUNCTION DELETE library-name} */
    private static void delete(Call call) {
        functions(call).delete(call.text(2));
        call.countChanges(1);
        call.reply().ok();
    }

    /** {@code FUNCTION FLUSH [ASYNC | SYNC]} */
    private static void flush(Call call) {
        if (call.argc() > 3 || (call.argc() == 3 && !call.is(2, "ASYNC") && !call.is(2, "SYNC"))) {
            throw CommandException.err("FUNCTION FLUSH only supports SYNC|ASYNC option");
        }
        functions(call).flush();
        call.countChanges(1);
        call.reply().ok();
    }

    /** {@code FUNCTION DUMP} */
    private static void dump(Call call) {
        call.reply().bulk(functions(call).codec().pack(functions(call).sources()));
    }

    /** {@code FUNCTION RESTORE serialized-value [FLUSH | APPEND | REPLACE]} */
    private static void restore(Call call) {
        if (call.argc() > 4) {
            throw Subcommands.misused(call);
        }
        Restoring policy = call.argc() == 3 ? Restoring.APPEND : policy(call);
        functions(call).restore(functions(call).codec().unpack(call.arg(2)), policy);
        call.countChanges(1);
        call.reply().ok();
    }

    private static Restoring policy(Call call) {
        for (Restoring policy : Restoring.values()) {
            if (call.is(3, policy.name())) {
                return policy;
            }
        }
        throw CommandException.err("Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.");
    }

    /** {@code FUNCTION KILL} */
    private static void kill(Call call) {
        Scripts.of(call).kill(true);
        call.reply().ok();
    }

    /** {@code FUNCTION STATS} */
    private static void stats(Call call) {
        ReplyWriter reply = call.reply();
        reply.map(2);
        reply.bulk("running_script");
        ScriptRun run = Scripts.of(call).running();
        if (run == null) {
            reply.nil();
        } else {
            reply.map(3);
            reply.bulk("name");
            reply.bulk(run.name());
            reply.bulk("command");
            List<byte[]> command = run.command();
            reply.array(command.size());
            command.forEach(reply::bulk);
            reply.bulk("duration_ms");
            reply.integer(run.runningMillis());
        }
        reply.bulk("engines");
        reply.map(1);
        reply.bulk("LUA");
        reply.map(2);
        reply.bulk("libraries_count");
        reply.integer(functions(call).libraries().size());
        reply.bulk("functions_count");
        reply.integer(functions(call).functionCount());
    }

    /** {@code FUNCTION LIST [LIBRARYNAME library-name-pattern] [WITHCODE]} */
    private static void list(Call call) {
        byte[] pattern = null;
        boolean withCode = false;
        for (int i = 2; i < call.argc(); i++) {
            if (!withCode && call.is(i, "WITHCODE")) {
                withCode = true;
            } else if (pattern == null && call.is(i, "LIBRARYNAME")) {
                if (++i == call.argc()) {
                    throw CommandException.err("library name argument was not given");
                }
                pattern = call.arg(i);
            } else {
                throw CommandException.err("Unknown argument " + call.text(i));
            }
        }
        List<FunctionLibrary> shown = matching(call, pattern);
        call.reply().array(shown.size());
        for (FunctionLibrary library : shown) {
            show(call.reply(), library, withCode);
        }
    }

    private static List<FunctionLibrary> matching(Call call, byte @Nullable [] pattern) {
        List<FunctionLibrary> matching = new ArrayList<>();
        for (FunctionLibrary library : functions(call).libraries()) {
            if (pattern == null
                    || new Glob(pattern, false).matches(library.name().getBytes(StandardCharsets.ISO_8859_1))) {
                matching.add(library);
            }
        }
        return matching;
    }

    private static void show(ReplyWriter reply, FunctionLibrary library, boolean withCode) {
        reply.map(withCode ? 4 : 3);
        reply.bulk("library_name");
        reply.bulk(library.name());
        reply.bulk("engine");
        reply.bulk("LUA");
        reply.bulk("functions");
        reply.array(library.functions().size());
        for (Function function : library.functions().values()) {
            reply.map(3);
            reply.bulk("name");
            reply.bulk(function.name());
            reply.bulk("description");
            if (function.description() == null) {
                reply.nil();
            } else {
                reply.bulk(function.description());
            }
            reply.bulk("flags");
            reply.set(function.flags().size());
            function.flags().forEach(flag -> reply.simple(flag.spelling()));
        }
        if (withCode) {
            reply.bulk("library_code");
            reply.bulk(library.source());
        }
    }
}
