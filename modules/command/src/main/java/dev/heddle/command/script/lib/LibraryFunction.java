package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.VarArgFunction;

/** A named function of a library. Immutable; whether it may be shared is up to its body. */
final class LibraryFunction extends VarArgFunction {

    /** What the function does with its arguments. */
    interface Body {
        Varargs call(Args args);
    }

    private final String title;
    private final Body body;

    LibraryFunction(String title, Body body) {
        this.title = title;
        this.body = body;
    }

    static void define(LuaTable table, String name, Body body) {
        table.rawset(LuaValue.valueOf(name), new LibraryFunction(name, body));
    }

    @Override
    public Varargs invoke(Varargs args) {
        return body.call(new Args(title, args));
    }

    @Override
    public String tojstring() {
        return Addresses.describe("function", this);
    }
}
