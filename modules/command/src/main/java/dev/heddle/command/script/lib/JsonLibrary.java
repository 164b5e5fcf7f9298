package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** The table "cjson". Behaves as Lua CJSON 2.1.0. */
final class JsonLibrary {
    private JsonLibrary() {}

    static LuaTable table() {
        LuaTable table = new ReadOnlyTable();
        fill(table);
        return table;
    }

    private static void fill(LuaTable table) {
        JsonSettings settings = new JsonSettings();
        settings.define(table);
        LibraryFunction.define(table, "encode", args -> {
            one(args);
            return new JsonEncoder(settings).encode(args.get(1));
        });
        LibraryFunction.define(table, "decode", args -> {
            one(args);
            return new JsonDecoder(settings, args.string(1)).decode();
        });
        LibraryFunction.define(table, "new", args -> newInstance());
        table.rawset("null", NullPointer.NULL);
        table.rawset("_NAME", LuaValue.valueOf("cjson"));
        table.rawset("_VERSION", LuaValue.valueOf("2.1.0"));
    }

    private static Varargs newInstance() {
        LuaTable table = new LuaTable();
        fill(table);
        return table;
    }

    private static void one(Args args) {
        if (args.count() != 1) {
            throw args.bad(1, "expected 1 argument");
        }
    }
}
