package dev.heddle.command.script.lib;

import java.nio.charset.StandardCharsets;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;

/**
 * An error that a library function raises. Lua puts the place of the calling chunk ("name:line: ") before such a
 * text if the caller is Lua code and the call is not a tail call; {@link #text} is without it, so that the interpreter,
 * which alone knows the place, can add it. Immutable.
 */
public final class LibraryError extends LuaError {
    private static final long serialVersionUID = 1L;

    private final transient LuaString text;

    LibraryError(String text) {
        this(LuaString.valueUsing(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    LibraryError(LuaString text) {
        super((LuaValue) text);
        this.text = text;
    }

    /** The text as Lua's authors wrote it, without a place. */
    public LuaString text() {
        return text;
    }

    /** Errors of scripts are ordinary results, often caught at once: the Java stack would be dear and says nothing. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
