package dev.heddle.command.script;

import dev.heddle.command.script.lib.LuaLibraries;
import dev.heddle.command.script.lib.ReadOnlyTable;
import dev.heddle.command.script.lib.ScriptRandom;
import dev.heddle.command.script.lib.ScriptWatch;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.CoroutineLib;
import org.luaj.vm2.lib.VarArgFunction;

/**
 * A Lua 5.1 for scripts: LuaJ with our libraries, closed to everything else.
 *
 * <p>Guarded by all stripes: whoever runs a script holds them.
 */
final class Interpreter {

    /** A coroutine is a thread of the operating system. */
    private static final int MOST_COROUTINES = 1_000;

    private final ScriptGlobals globals = new ScriptGlobals();
    private final Stepper stepper = new Stepper(globals);
    private final RedisLibrary redis = new RedisLibrary();
    private int coroutines;

    private Interpreter(ScriptRandom random, boolean functions) {
        globals.debuglib = stepper;
        LuaLibraries.install(globals, random);
        new CoreFunctions(globals, stepper).install();
        globals.rawset("coroutine", coroutineLibrary());
        globals.rawset("redis", redis.table(functions).freeze());
        globals.rawset("_G", globals);
        globals.open(false);
    }

    /**
     * One for EVAL.
     *
     * @param random what {@code math.random} draws from, one for the server
     */
    static Interpreter forScripts(ScriptRandom random) {
        return new Interpreter(random, false);
    }

    /** One for libraries of functions, which are loaded into it once and stay. */
    static Interpreter forFunctions(ScriptRandom random) {
        return new Interpreter(random, true);
    }

    private ReadOnlyTable coroutineLibrary() {
        LuaTable loaded = new LuaTable();
        LuaTable packages = new LuaTable();
        packages.rawset("loaded", loaded);
        globals.rawset("package", packages);
        new CoroutineLib().call(LuaValue.valueOf("coroutine"), globals);
        globals.rawset("package", LuaValue.NIL);
        LuaTable theirs = globals.rawget("coroutine").checktable();
        ReadOnlyTable library = new ReadOnlyTable();
        for (String name : List.of("create", "resume", "running", "status", "wrap", "yield")) {
            LuaValue function = theirs.rawget(name);
            boolean makesOne = name.equals("create") || name.equals("wrap");
            library.rawset(name, makesOne ? counted(function) : function);
        }
        return library.freeze();
    }

    private LuaValue counted(LuaValue maker) {
        return new VarArgFunction() {
            @Override
            public Varargs invoke(Varargs arguments) {
                if (++coroutines > MOST_COROUTINES) {
                    throw ScriptError.here("too many coroutines");
                }
                return maker.invoke(arguments);
            }
        };
    }

    /** Where the newest error was raised. */
    Frames.@Nullable Place lastError() {
        return stepper.lastError();
    }

    /** The value of an error that a script has not caught. */
    LuaValue value(LuaError error) {
        return ScriptErrors.value(error, stepper.lastError());
    }

    /** Runs a script. @return what it returns first */
    LuaValue run(ScriptRun run, Prototype code, LuaTable keys, LuaTable arguments) {
        globals.define("KEYS", keys);
        globals.define("ARGV", arguments);
        return guarded(run, new LuaClosure(code, globals), LuaValue.NONE);
    }

    /** Calls a function with two tables. @return what it returns first */
    LuaValue call(ScriptRun run, LuaValue function, LuaTable keys, LuaTable arguments) {
        return guarded(run, function, LuaValue.varargsOf(keys, arguments));
    }

    private LuaValue guarded(ScriptRun run, LuaValue function, Varargs arguments) {
        redis.running(run);
        try {
            return watched(run::look, function, arguments);
        } finally {
            redis.running(null);
        }
    }

    /** Runs the code of a library, which registers its functions. */
    void load(Registry registry, Prototype code, Runnable watch) {
        redis.registering(registry);
        try {
            watched(watch, new LuaClosure(code, globals), LuaValue.NONE);
        } finally {
            redis.registering(null);
        }
    }

    private LuaValue watched(Runnable watch, LuaValue function, Varargs arguments) {
        Runnable noting = () -> {
            try {
                watch.run();
            } catch (ScriptKilled end) {
                stepper.noteError();
                throw end;
            }
        };
        coroutines = 0;
        stepper.begin(noting);
        ScriptWatch.set(noting);
        try {
            return function.invoke(arguments).arg1();
        } finally {
            ScriptWatch.set(null);
            stepper.end();
        }
    }
}
