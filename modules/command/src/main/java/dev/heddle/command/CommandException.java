package dev.heddle.command;

/**
 * A command's refusal: the error reply that its client gets.
 *
 * <p>Immutable. Carries no stack trace: it is an answer, not an incident, and must be as cheap as one.
 */
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public static final CommandException WRONG_TYPE =
            new CommandException("WRONGTYPE Operation against a key holding the wrong kind of value");
    public static final CommandException SYNTAX = err("syntax error");
    public static final CommandException NOT_INTEGER = err("value is not an integer or out of range");
    /** An integer, but not one of 32 bits. */
    public static final CommandException NOT_INT =
            err("value is out of range, value must between -2147483648 and 2147483647");

    public static final CommandException NOT_FLOAT = err("value is not a valid float");
    public static final CommandException NO_SUCH_KEY = err("no such key");
    public static final CommandException INDEX_OUT_OF_RANGE = err("index out of range");
    public static final CommandException OVERFLOW = err("increment or decrement would overflow");
    public static final CommandException NAN_OR_INFINITY = err("increment would produce NaN or Infinity");
    public static final CommandException MUST_BE_POSITIVE = err("value is out of range, must be positive");
    public static final CommandException DB_INDEX = err("DB index is out of range");

    /** @param text the whole error line without the leading '-', beginning with its code word */
    public CommandException(String text) {
        super(text, null, false, false);
    }

    /** An error whose code word is ERR. */
    public static CommandException err(String text) {
        return new CommandException("ERR " + text);
    }

    /** The error line without the leading '-'. */
    public String text() {
        String message = getMessage();
        return message == null ? "ERR" : message;
    }
}
