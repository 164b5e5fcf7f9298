package dev.heddle.command;

/**
 * What a command does. It runs with the locks of its keys held, writes exactly one reply (some write none or several, as their command
 * demands), and changes nothing if it throws.
 */
@FunctionalInterface
public interface Handler {

    /** @throws CommandException as the error reply; what has been written of another reply is taken back */
    void run(Call call);
}
