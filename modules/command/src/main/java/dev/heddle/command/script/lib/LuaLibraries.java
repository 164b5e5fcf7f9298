package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/**
 * Gives a script environment the libraries of Redis 7.2: string, table, math, cjson, cmsgpack, struct, bit, and the
 * functions of the base library that need no knowledge of the interpreter's call stack. Each environment has tables of
 * its own; they are confined to whoever runs its scripts, since cjson and math.random keep state.
 */
public final class LuaLibraries {
    private LuaLibraries() {}

    /**
     * Defines everything in {@code globals}. The tables cannot be changed by scripts.
     *
     * @param globals takes the libraries under their names
     * @param random what math.random draws from; one for all environments of a server
     */
    public static void install(LuaTable globals, ScriptRandom random) {
        BaseLibrary.define(globals);
        define(globals, "string", StringLibrary.table());
        define(globals, "table", TableLibrary.table());
        define(globals, "math", MathLibrary.table(random));
        define(globals, "cjson", JsonLibrary.table());
        define(globals, "cmsgpack", MessagePackLibrary.table());
        define(globals, "struct", StructLibrary.table());
        define(globals, "bit", BitLibrary.table());
        StringMetatable.install();
    }

    private static void define(LuaTable globals, String name, LuaTable table) {
        globals.rawset(name, ((ReadOnlyTable) table).freeze());
    }

    /** The metatable of all strings, by which ("x"):rep(2) works. LuaJ has one for the whole process. */
    private static final class StringMetatable {
        private static final ReadOnlyTable TABLE = make();

        private static ReadOnlyTable make() {
            ReadOnlyTable metatable = new ReadOnlyTable();
            metatable.rawset(LuaValue.INDEX, ((ReadOnlyTable) StringLibrary.table()).freeze());
            return metatable.freeze();
        }

        static void install() {
            LuaString.s_metatable = TABLE;
        }
    }
}
