package dev.heddle.command.script;

import dev.heddle.command.CommandException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The first line of a script or library: {@code #!lua name=NAME flags=FLAG,FLAG}. Immutable.
 *
 * @param present whether there is one
 * @param name of a library; null if none is given
 * @param body the source behind it, beginning with its line break, so that lines keep their numbers
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Shebang(boolean present, @Nullable String name, Set<ScriptFlag> flags, byte[] body) {

    /**
     * Reads the first line of a source.
     *
     * @param library whether it belongs to a library, which has a name and no flags
     * @throws CommandException with Redis's text if it makes no sense
     */
    static Shebang of(byte[] source, boolean library) {
        if (source.length < 2 || source[0] != '#' || source[1] != '!') {
            return new Shebang(false, null, Set.of(), source);
        }
        int end = 0;
        while (end < source.length && source[end] != '\n') {
            end++;
        }
        if (end == source.length) {
            throw CommandException.err(library ? "Invalid library metadata" : "Invalid script shebang");
        }
        String[] words = new String(source, 2, end - 2, StandardCharsets.ISO_8859_1)
                .strip()
                .split("\\s+");
        byte[] body = Arrays.copyOfRange(source, end, source.length);
        if (library) {
            return new Shebang(true, nameOfLibrary(words), Set.of(), body);
        }
        if (!words[0].equalsIgnoreCase("lua")) {
            throw CommandException.err("Unexpected engine in script shebang: " + words[0]);
        }
        Set<ScriptFlag> flags = EnumSet.noneOf(ScriptFlag.class);
        for (int i = 1; i < words.length; i++) {
            if (!words[i].startsWith("flags=")) {
                throw CommandException.err("Unknown lua shebang option: " + words[i]);
            }
            readFlags(words[i].substring("flags=".length()), flags);
        }
        return new Shebang(true, null, flags, body);
    }

    private static void readFlags(String list, Set<ScriptFlag> flags) {
        for (String word : list.split(",")) {
            ScriptFlag flag = ScriptFlag.of(word);
            if (flag != null) {
                flags.add(flag);
            } else if (!word.isEmpty()) {
                throw CommandException.err("Unexpected flag in script shebang: " + word);
            }
        }
    }

    private static String nameOfLibrary(String[] words) {
        String name = null;
        for (int i = 1; i < words.length; i++) {
            String word = words[i];
            if (!word.regionMatches(true, 0, "name=", 0, 5)) {
                throw CommandException.err("Invalid metadata value given: " + word);
            }
            if (name != null) {
                throw CommandException.err("Invalid metadata value, name argument was given multiple times");
            }
            name = word.substring(5);
        }
        if (!words[0].equalsIgnoreCase("lua")) {
            throw CommandException.err("Engine '" + words[0] + "' not found");
        }
        if (name == null) {
            throw CommandException.err("Library name was not given");
        }
        return name;
    }
}
