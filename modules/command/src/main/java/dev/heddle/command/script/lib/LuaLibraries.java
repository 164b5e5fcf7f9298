package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.lib.jse.JseMathLib;

/**
 * Gives a script environment the libraries of Redis 7.2: string, table, math, cjson, cmsgpack, struct, bit, and the
 * functions of the base library that need no knowledge of the interpreter's call stack. Each environment has tables of
 * its own; they are confined to whoever runs its scripts, since cjson and math.random keep state.
 */
public final class LuaLibraries {
    static {
        /* LuaJ's operator ^ takes a rough approximation unless a mathematical library has been made once. */
        LuaValue power = new JseMathLib();
        assert power.isfunction();
    }

    private LuaLibraries() {}

    /**
     * Defines everything in {@code globals}. The tables cannot be changed by scripts.
     *
     * @param globals takes the libraries under their names
     * @param random what math.random draws from; one for all environments of a server
     */
    public static void install(LuaTable globals, ScriptRandom random) {
        BaseLibrary.define(globals);
        globals.rawset("string", Strings.LIBRARY);
        define(globals, "table", TableLibrary.table());
        define(globals, "math", MathLibrary.table(random));
        define(globals, "cjson", JsonLibrary.table());
        define(globals, "cmsgpack", MessagePackLibrary.table());
        define(globals, "struct", StructLibrary.table());
        define(globals, "bit", BitLibrary.table());
        LuaString.s_metatable = Strings.METATABLE;
    }

    private static void define(LuaTable globals, String name, LuaTable table) {
        globals.rawset(name, ((ReadOnlyTable) table).freeze());
    }

    /**
     * The library of strings is also what their metatable refers to, and LuaJ has one of that for the whole process.
     */
    private static final class Strings {
        static final ReadOnlyTable LIBRARY = ((ReadOnlyTable) StringLibrary.table()).freeze();
        static final ReadOnlyTable METATABLE = metatable();

        private static ReadOnlyTable metatable() {
            ReadOnlyTable metatable = new ReadOnlyTable();
            metatable.rawset(LuaValue.INDEX, LIBRARY);
            return metatable.freeze();
        }
    }
}
