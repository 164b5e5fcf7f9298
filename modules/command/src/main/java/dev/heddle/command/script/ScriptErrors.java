package dev.heddle.command.script;

import dev.heddle.command.script.Frames.Place;
import dev.heddle.command.script.lib.LibraryError;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;

/** Makes of the interpreter's exceptions the values and texts that Lua 5.1 has for errors. Stateless. */
final class ScriptErrors {

    /** How the interpreter tells where one of its own errors was: {@code @user_script:1 attempt to ...}, and a line break behind. */
    private static final Pattern PLACED = Pattern.compile("^(?:@|=)?(.*?:\\d+) (.*)\n$", Pattern.DOTALL);

    private static final Pattern COMPILE =
            Pattern.compile("^(?:\\[string \")?(?:@|=)?(.*?)(?:\"\\])?:(\\d+): ?(.*)$", Pattern.DOTALL);

    private static final Pattern UNEXPECTED = Pattern.compile("unexpected symbol \\d+ \\((.+)\\)");

    private ScriptErrors() {}

    /**
     * The value that a script catches.
     *
     * @param place where the newest error was raised, if that is known
     */
    static LuaValue value(LuaError error, @Nullable Place place) {
        if (error instanceof ScriptError ours) {
            return ours.isPlaced() && place != null ? placed(place, ours.value()) : ours.value();
        }
        if (error instanceof LibraryError library) {
            return place == null ? library.text() : placed(place, library.text());
        }
        LuaValue value = error.getMessageObject();
        if (value == null) {
            return ScriptError.text("unknown error");
        }
        if (value.isstring()) {
            Matcher own = PLACED.matcher(value.tojstring());
            if (own.matches()) {
                return ScriptError.text(own.group(1) + ": " + Wording.of(own.group(2), place));
            }
        }
        return value;
    }

    /** A text with the place before it. */
    static LuaString placed(Place place, LuaValue text) {
        return ScriptError.text(place.prefix()).concat(text).checkstring();
    }

    /** The text of an error that the compiler has raised. */
    static String compileError(LuaError error) {
        String text = String.valueOf(error.getMessage()).strip();
        Matcher known = COMPILE.matcher(text);
        String said = known.matches() ? known.group(1) + ":" + known.group(2) + ": " + known.group(3) : text;
        return UNEXPECTED.matcher(said.replace("<eos>", "<eof>")).replaceAll("unexpected symbol near '$1'");
    }
}
