package dev.heddle.command.script;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaValue;

/**
 * A library of functions that has been loaded. Immutable.
 *
 * @param source as it came
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FunctionLibrary(String name, byte[] source, Map<String, Function> functions) {

    /** A function that clients call by its name. */
    record Function(
            String name,
            LuaValue body,
            Set<ScriptFlag> flags,
            @Nullable String description) {

        boolean neverWrites() {
            return flags.contains(ScriptFlag.NO_WRITES);
        }
    }
}
