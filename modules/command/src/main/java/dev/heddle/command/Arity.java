package dev.heddle.command;

/**
 * How many arguments a command takes, its own name not counted.
 *
 * <p>Immutable.
 */
public record Arity(int count, boolean orMore) {

    public static Arity exactly(int count) {
        return new Arity(count, false);
    }

    public static Arity atLeast(int count) {
        return new Arity(count, true);
    }

    /** In COMMAND INFO's form; the name, and for a subcommand its container's name, count there. */
    int encoded() {
        return orMore ? -(count + 1) : count + 1;
    }

    Arity withContainer() {
        return new Arity(count + 1, orMore);
    }
}
