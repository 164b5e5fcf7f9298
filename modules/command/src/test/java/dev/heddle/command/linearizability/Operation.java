package dev.heddle.command.linearizability;

import java.util.List;

/**
 * One command as its client saw it.
 *
 * <p>Immutable.
 *
 * @param invoked {@link System#nanoTime} before it was sent
 * @param returned {@link System#nanoTime} after its reply was there
 */
record Operation(int client, List<String> words, String reply, long invoked, long returned) {

    @Override
    public String toString() {
        return "[" + invoked + ".." + returned + "] client " + client + ": " + String.join(" ", words) + " -> "
                + reply.replace("\r\n", " ");
    }
}
