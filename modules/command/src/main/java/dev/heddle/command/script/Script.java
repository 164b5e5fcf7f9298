package dev.heddle.command.script;

import java.util.Set;
import org.luaj.vm2.Prototype;

/**
 * A script that has been compiled. Immutable.
 *
 * @param sha SHA-1 of the source, 40 lower-case hexadecimal digits
 * @param source as it came
 * @param code what the interpreter runs
 * @param flags what its first line says of it; empty for most
 * @param declared whether it has such a first line, so that what it may do follows from the flags
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Script(String sha, byte[] source, Prototype code, Set<ScriptFlag> flags, boolean declared) {

    /** Whether it says that it does not write. */
    boolean neverWrites() {
        return flags.contains(ScriptFlag.NO_WRITES);
    }
}
