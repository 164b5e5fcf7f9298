package dev.heddle.command.script;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandSpec;
import dev.heddle.command.Flag;
import dev.heddle.command.ScriptHost;
import dev.heddle.command.config.Settings;
import dev.heddle.command.script.Frames.Place;
import dev.heddle.command.script.FunctionLibrary.Function;
import dev.heddle.command.script.lib.ScriptRandom;
import dev.heddle.resp.ReplyWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/**
 * The scripts that the server knows, and the one that it runs.
 *
 * <p>Thread-safe. Scripts are run by threads that hold all stripes, so never two at a time; what is asked of the one that runs is volatile.
 */
public final class Scripts implements ScriptHost {

    /*
     * A script may touch keys that it has not declared, and must see the data as it is at one moment. So it holds all stripes exclusively,
     * with 16 of them for each carrier a matter of a quarter of a microsecond. It runs on the thread of the connection that has sent it. Every
     * few thousand instructions the Stepper calls ScriptRun.look, which lets the carrier go for a moment while the stripes stay locked:
     * that is how other connections, even on a single carrier, get to hear that the server is busy, and how SCRIPT KILL gets in. A script
     * that has written is not killed, for nobody could take back the half of its writes.
     */

    private static final String BUSY_SCRIPT =
            "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
    private static final String BUSY_FUNCTION =
            "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.";
    private static final CommandException NOTHING_RUNS =
            new CommandException("NOTBUSY No scripts in execution right now.");
    private static final CommandException UNKILLABLE = new CommandException(
            "UNKILLABLE Sorry the script already executed write commands against the dataset. You can"
                    + " either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE"
                    + " command.");

    private static final CommandException OUT_OF_MEMORY = new CommandException(
            "OOM allow-oom flag is not set on the script, can not run it when used memory >" + " 'maxmemory'");

    /** What a cached script takes besides its source, roughly. */
    private static final int OVERHEAD = 200;

    private final Map<String, Script> cache = new ConcurrentHashMap<>();
    /** One for all scripts, so that what they draw does not begin anew; guarded by all stripes. */
    private final ScriptRandom random = new ScriptRandom();

    private final Functions functions = new Functions(random);
    /** Guarded by all stripes; made when first needed, since most servers never run a script. */
    private @Nullable Interpreter interpreter;

    private volatile @Nullable ScriptRun running;
    private volatile boolean deniesNothing;

    /** The scripts of the server that a command runs in. */
    static Scripts of(Call call) {
        return (Scripts) call.engine().scripts(); // the catalog declares both: the commands about scripts, and this
    }

    // ---- the cache

    /** The script of this SHA-1, or null if it is not known. */
    @Nullable
    Script find(String sha) {
        return cache.get(sha);
    }

    /** Compiles a script unless it is known, and remembers it. @throws CommandException if it makes no sense */
    Script load(byte[] source) {
        String sha = RedisLibrary.sha1(source);
        Script known = cache.get(sha);
        if (known != null) {
            return known;
        }
        Shebang shebang = Shebang.of(source, false);
        try {
            Script script = new Script(
                    sha,
                    source,
                    CoreFunctions.compile(shebang.body(), "@user_script"),
                    shebang.flags(),
                    shebang.present());
            cache.put(sha, script);
            return script;
        } catch (LuaError e) {
            throw CommandException.err("Error compiling script (new function): "
                    + ScriptErrors.compileError(e).replace('\n', ' '));
        }
    }

    /** Forgets all scripts, and everything that they may have left in the interpreter. Needs all stripes exclusively. */
    void flush() {
        cache.clear();
        interpreter = null;
    }

    @Override
    public int count() {
        return cache.size();
    }

    @Override
    public long bytes() {
        return cache.values().stream()
                .mapToLong(script -> OVERHEAD + 4L * script.source().length)
                .sum();
    }

    @Override
    public int functionCount() {
        return functions.functionCount();
    }

    @Override
    public List<byte[]> librarySources() {
        return functions.sources();
    }

    @Override
    public void loadLibrary(byte[] source, boolean replace) {
        functions.load(source, replace);
    }

    @Override
    public void forgetLibraries() {
        functions.flush();
    }

    @Override
    public void codec(Codec codec) {
        functions.codec(codec);
    }

    /** The libraries of functions. */
    Functions functions() {
        return functions;
    }

    // ---- the one that runs

    /** The script that runs now, if any. */
    @Nullable
    ScriptRun running() {
        return running;
    }

    @Override
    public @Nullable String refusal(CommandSpec spec, Settings settings) {
        ScriptRun run = running;
        if (run == null || spec.has(Flag.ALLOW_BUSY)) {
            return null;
        }
        long limit = settings.server.busyReplyThreshold.value();
        if (limit == 0 || run.runningMillis() < limit) {
            return null;
        }
        return run.isFunction() ? BUSY_FUNCTION : BUSY_SCRIPT;
    }

    /** SCRIPT KILL or FUNCTION KILL. @throws CommandException if there is nothing to kill, or it has written */
    void kill(boolean function) {
        ScriptRun run = running;
        if (run == null) {
            throw NOTHING_RUNS;
        }
        if (run.wrote()) {
            throw UNKILLABLE;
        }
        if (run.isFunction() != function) {
            throw new CommandException(run.isFunction() ? BUSY_FUNCTION : BUSY_SCRIPT);
        }
        run.kill();
    }

    @Override
    public void denyNothing(boolean yes) {
        deniesNothing = yes;
    }

    /** Whether scripts may run everything, for tests. */
    boolean deniesNothing() {
        return deniesNothing;
    }

    @Override
    public void end() {
        ScriptRun run = running;
        if (run != null) {
            run.kill();
        }
    }

    // ---- running

    /** Runs a script for a command that holds all stripes exclusively, and writes the reply. */
    void run(Call call, Script script, boolean readOnly, LuaTable keys, LuaTable arguments) {
        ScriptRun run = new ScriptRun(call, script.sha(), false, readOnly || script.neverWrites(), script.flags());
        Interpreter lua = interpreter();
        run(call, run, lua, () -> lua.run(run, script.code(), keys, arguments));
    }

    /** Calls a function for a command that holds all stripes exclusively, and writes the reply. */
    void call(Call call, Function function, LuaTable keys, LuaTable arguments) {
        ScriptRun run = new ScriptRun(call, function.name(), true, function.neverWrites(), function.flags());
        run(call, run, functions.interpreter(), () -> functions.call(run, function, keys, arguments));
    }

    private Interpreter interpreter() {
        Interpreter current = interpreter;
        if (current == null) {
            current = Interpreter.forScripts(random);
            interpreter = current;
        }
        return current;
    }

    /** Refuses what says of itself that it writes, unless it says that it may do so in any case, while memory is full. */
    static void checkMemory(Call call, Set<ScriptFlag> flags) {
        if (call.session().ranOutOfMemory()
                && !flags.contains(ScriptFlag.ALLOW_OOM)
                && !flags.contains(ScriptFlag.NO_WRITES)) {
            throw OUT_OF_MEMORY;
        }
    }

    private interface Body {
        LuaValue run();
    }

    private void run(Call call, ScriptRun run, Interpreter lua, Body body) {
        ReplyWriter reply = call.reply();
        run.calls().begin();
        running = run;
        try {
            LuaResults.write(body.run(), reply, run.calls().protocol(), call::countError);
        } catch (LuaError e) {
            fail(call, run, lua, lua.value(e));
        } catch (ScriptKilled e) {
            fail(call, run, lua, ScriptError.table("ERR " + e.getMessage()));
        } catch (StackOverflowError deep) {
            fail(call, run, lua, ScriptError.table("ERR stack overflow"));
        } catch (OutOfMemoryError full) {
            interpreter = null; // whatever it holds can go
            fail(call, run, lua, ScriptError.table("ERR not enough memory"));
        } finally {
            running = null;
            run.calls().end();
        }
    }

    private static void fail(Call call, ScriptRun run, Interpreter lua, LuaValue value) {
        StringBuilder text = new StringBuilder(text(value));
        Place place = lua.lastError();
        if (place != null) {
            text.append(" script: ")
                    .append(run.name())
                    .append(", on ")
                    .append(place.source())
                    .append(':')
                    .append(place.line())
                    .append('.');
        }
        boolean counted = value.istable()
                && value.checktable().rawget(RedisLibrary.COUNTED).toboolean();
        call.fail(text.toString().replace('\r', ' ').replace('\n', ' '), !counted);
    }

    private static String text(LuaValue value) {
        if (value.istable()) {
            LuaValue error = value.checktable().rawget("err");
            return error.isstring() ? error.tojstring() : "ERR unknown error";
        }
        return "ERR " + value.tojstring();
    }
}
