package dev.heddle.command.script;

import dev.heddle.command.script.Frames.Place;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Lua;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.UpValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.VarArgFunction;

/**
 * The functions of Lua's base library that must know the interpreter: errors and their catching, loading of text, environments.
 *
 * <p>Guarded by all stripes, like everything that runs scripts.
 */
final class CoreFunctions {

    /** The first byte of compiled chunks, which are refused: the interpreter does not check them. */
    private static final byte BINARY = 0x1b;

    private static final int OPCODE_MASK = 0x3f;
    private static final String ENVIRONMENT = "_ENV";

    private final ScriptGlobals globals;
    private final Stepper stepper;

    CoreFunctions(ScriptGlobals globals, Stepper stepper) {
        this.globals = globals;
        this.stepper = stepper;
    }

    private interface Body {
        Varargs run(Varargs arguments);
    }

    void install() {
        define("error", this::error);
        define("pcall", this::pcall);
        define("xpcall", this::xpcall);
        define("loadstring", this::loadString);
        define("load", this::load);
        define("setfenv", this::setEnvironment);
        define("getfenv", this::environment);
    }

    private void define(String name, Body body) {
        globals.rawset(name, new VarArgFunction() {
            @Override
            public Varargs invoke(Varargs arguments) {
                return body.run(arguments);
            }

            @Override
            public String tojstring() {
                return "function: builtin: " + name;
            }
        });
    }

    private Varargs error(Varargs arguments) {
        LuaValue value = arguments.arg1();
        int level = arguments.optint(2, 1);
        Place place = level > 0 && value.isstring() ? stepper.frames().place(level) : null;
        throw ScriptError.of(place == null ? value : ScriptErrors.placed(place, value.strvalue()));
    }

    private Varargs pcall(Varargs arguments) {
        LuaValue function = arguments.checkvalue(1);
        Frames frames = stepper.frames();
        int depth = frames.depth();
        try {
            return LuaValue.varargsOf(LuaValue.TRUE, function.invoke(arguments.subargs(2)));
        } catch (LuaError e) {
            return failed(frames, depth, caught(e));
        } catch (StackOverflowError deep) {
            return failed(frames, depth, ScriptError.text("stack overflow"));
        }
    }

    /** What scripts get to see of an error that they catch: of an error reply its text. */
    private LuaValue caught(LuaError error) {
        LuaValue value = ScriptErrors.value(error, stepper.lastError());
        if (value.istable()) {
            LuaValue text = value.checktable().rawget("err");
            return text.type() == LuaValue.TSTRING ? text : value;
        }
        return value;
    }

    private static Varargs failed(Frames frames, int depth, LuaValue value) {
        frames.depth(depth);
        return LuaValue.varargsOf(LuaValue.FALSE, value);
    }

    private Varargs xpcall(Varargs arguments) {
        LuaValue function = arguments.checkvalue(1);
        LuaValue handler = arguments.checkvalue(2);
        Frames frames = stepper.frames();
        int depth = frames.depth();
        LuaValue value;
        try {
            return LuaValue.varargsOf(LuaValue.TRUE, function.invoke(LuaValue.NONE));
        } catch (LuaError e) {
            value = ScriptErrors.value(e, stepper.lastError());
        } catch (StackOverflowError deep) {
            value = ScriptError.text("stack overflow");
        }
        frames.depth(depth);
        return LuaValue.varargsOf(LuaValue.FALSE, handler.invoke(value));
    }

    private Varargs loadString(Varargs arguments) {
        LuaString text = arguments.checkstring(1);
        return compile(text, arguments.optjstring(2, text.tojstring()));
    }

    /** Puts together what a function returns piece by piece. */
    private Varargs load(Varargs arguments) {
        LuaValue reader = arguments.checkfunction(1);
        LuaString text = LuaValue.EMPTYSTRING;
        for (LuaValue piece = reader.call(); piece.isstring() && piece.length() > 0; piece = reader.call()) {
            text = text.concat(piece).checkstring();
        }
        return compile(text, arguments.optjstring(2, "=(load)"));
    }

    private Varargs compile(LuaString text, String name) {
        try {
            byte[] source = new byte[text.m_length];
            text.copyInto(0, source, 0, source.length);
            return new LuaClosure(compile(source, name), globals);
        } catch (LuaError e) {
            return LuaValue.varargsOf(LuaValue.NIL, ScriptError.text(ScriptErrors.compileError(e)));
        }
    }

    /** Compiles a source. @throws LuaError if it makes no sense */
    static Prototype compile(byte[] source, String name) {
        if (source.length > 0 && source[0] == BINARY) {
            throw new LuaError(name + ": compiled chunks are not allowed");
        }
        try {
            Prototype code = LuaC.instance.compile(new ByteArrayInputStream(source), name);
            keepCallers(code);
            return code;
        } catch (IOException e) {
            throw new LuaError(e);
        } catch (StackOverflowError deep) {
            throw new LuaError("chunk has too many syntax levels");
        }
    }

    /**
     * Makes ordinary calls of tail calls: the interpreter leaves the caller's frame before a tail call, and then nobody could tell where an
     * error of {@code return redis.call(...)} was. Both instructions have the same operands.
     */
    private static void keepCallers(Prototype code) {
        for (int i = 0; i < code.code.length; i++) {
            if (Lua.GET_OPCODE(code.code[i]) == Lua.OP_TAILCALL) {
                code.code[i] = code.code[i] & ~OPCODE_MASK | Lua.OP_CALL;
            }
        }
        for (Prototype inner : code.p) {
            keepCallers(inner);
        }
    }

    private @Nullable LuaClosure function(Varargs arguments) {
        LuaValue which = arguments.arg1();
        if (which.isclosure()) {
            return which.checkclosure();
        }
        if (which.isfunction()) {
            return null;
        }
        int level = arguments.optint(1, 1);
        return level <= 0 ? null : stepper.frames().function(level);
    }

    private Varargs setEnvironment(Varargs arguments) {
        LuaTable environment = arguments.checktable(2);
        LuaClosure function = function(arguments);
        if (function == null) {
            throw ScriptError.here("'setfenv' cannot change environment of given object");
        }
        int index = environmentOf(function);
        if (index >= 0) {
            function.upValues[index] = new UpValue(new LuaValue[] {environment}, 0);
        }
        return arguments.arg1().isfunction() ? arguments.arg1() : function;
    }

    private Varargs environment(Varargs arguments) {
        LuaClosure function = function(arguments);
        int index = function == null ? -1 : environmentOf(function);
        return function == null || index < 0 ? globals : function.upValues[index].getValue();
    }

    private static int environmentOf(LuaClosure function) {
        for (int i = 0; i < function.upValues.length; i++) {
            LuaString name = function.p.upvalues[i].name;
            if (name != null && name.tojstring().equals(ENVIRONMENT)) {
                return i;
            }
        }
        return -1;
    }
}
