package dev.heddle.command.script;

import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaValue;

/**
 * The global variables of scripts: those that the server defines, and no others. A script that reads another, or sets any, gets an error, so that
 * none can leave something behind for the next.
 *
 * <p>Guarded by all stripes, like everything that runs scripts.
 */
final class ScriptGlobals extends Globals {

    private boolean open = true;

    /** Defines a variable, or defines it anew. */
    void define(String name, LuaValue value) {
        open = true;
        try {
            rawset(name, value);
        } finally {
            open = false;
        }
    }

    /** Opens the table for those who define many things. */
    void open(boolean yes) {
        open = yes;
    }

    @Override
    public LuaValue get(LuaValue key) {
        LuaValue value = rawget(key);
        if (value.isnil() && !open) {
            throw ScriptError.here("Script attempted to access nonexistent global variable '" + key.tojstring() + "'");
        }
        return value;
    }

    @Override
    public void set(int key, LuaValue value) {
        check();
        super.set(key, value);
    }

    @Override
    public void set(LuaValue key, LuaValue value) {
        check();
        super.set(key, value);
    }

    @Override
    public void rawset(int key, LuaValue value) {
        check();
        super.rawset(key, value);
    }

    @Override
    public void rawset(LuaValue key, LuaValue value) {
        check();
        super.rawset(key, value);
    }

    @Override
    public void hashset(LuaValue key, LuaValue value) {
        check();
        super.hashset(key, value);
    }

    @Override
    public LuaValue setmetatable(LuaValue metatable) {
        check();
        return super.setmetatable(metatable);
    }

    private void check() {
        if (!open) {
            throw ScriptError.here("Attempt to modify a readonly table");
        }
    }
}
