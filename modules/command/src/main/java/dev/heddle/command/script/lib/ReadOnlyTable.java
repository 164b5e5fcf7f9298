package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/**
 * A table that can be closed: from then on every change, raw or not, and every other metatable is refused with
 * "Attempt to modify a readonly table". What holds the libraries, so that one script cannot alter what the next one
 * finds. Thread-safe once frozen and safely published; confined to its maker before.
 */
public final class ReadOnlyTable extends LuaTable {
    private boolean frozen;

    /** Refuses changes from now on. */
    public ReadOnlyTable freeze() {
        frozen = true;
        return this;
    }

    /** Whether changes are refused. */
    public boolean frozen() {
        return frozen;
    }

    @Override
    public void set(int key, LuaValue value) {
        checkOpen();
        super.set(key, value);
    }

    @Override
    public void set(LuaValue key, LuaValue value) {
        checkOpen();
        super.set(key, value);
    }

    @Override
    public void rawset(int key, LuaValue value) {
        checkOpen();
        super.rawset(key, value);
    }

    @Override
    public void rawset(LuaValue key, LuaValue value) {
        checkOpen();
        super.rawset(key, value);
    }

    @Override
    public void hashset(LuaValue key, LuaValue value) {
        checkOpen();
        super.hashset(key, value);
    }

    @Override
    public LuaValue setmetatable(LuaValue metatable) {
        checkOpen();
        return super.setmetatable(metatable);
    }

    @Override
    public void sort(LuaValue comparator) {
        checkOpen();
        super.sort(comparator);
    }

    private void checkOpen() {
        if (frozen) {
            throw new LibraryError("Attempt to modify a readonly table");
        }
    }
}
