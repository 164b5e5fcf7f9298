package dev.heddle.command.script;

import java.nio.charset.StandardCharsets;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/** An error that a function of ours raises inside of a script. Immutable. */
final class ScriptError extends LuaError {

    private static final long serialVersionUID = 1L;

    private final transient LuaValue value;
    private final boolean placed;

    /** @param placed whether the place where it happened is still to be put before the text */
    private ScriptError(LuaValue value, boolean placed) {
        super(value);
        this.value = value;
        this.placed = placed;
    }

    /** An error with any value, as the script gave it. */
    static ScriptError of(LuaValue value) {
        return new ScriptError(value, false);
    }

    /** An error text before which Lua puts the place, such as {@code user_script:1: }. */
    static ScriptError here(String text) {
        return new ScriptError(text(text), true);
    }

    /** An error as commands answer it: a table with the text, which begins with the error's code. */
    static ScriptError reply(String text) {
        return of(table(text));
    }

    /** The table by which an error reply stands in Lua. */
    static LuaTable table(String text) {
        LuaTable table = new LuaTable();
        table.rawset("err", text(text));
        return table;
    }

    static LuaString text(String text) {
        return LuaString.valueUsing(text.getBytes(StandardCharsets.UTF_8));
    }

    LuaValue value() {
        return value;
    }

    boolean isPlaced() {
        return placed;
    }

    /** Errors of scripts are ordinary results: the Java stack would be dear and says nothing. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
