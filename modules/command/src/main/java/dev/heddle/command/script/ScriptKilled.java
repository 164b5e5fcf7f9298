package dev.heddle.command.script;

/** Ends a script from outside. An {@code Error}, so that nothing in the interpreter and no pcall catches it. Immutable. */
final class ScriptKilled extends Error {

    private static final long serialVersionUID = 1L;

    ScriptKilled(String message) {
        super(message, null, false, false);
    }
}
