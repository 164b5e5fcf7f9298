package dev.heddle.command;

import dev.heddle.resp.ReplyWriter;
import java.util.function.Consumer;

/**
 * What a blocking command waits for.
 *
 * <p>Immutable.
 *
 * @param firstKey the argument that is the first key waited at
 * @param keys how many keys are waited at
 * @param needsAllKeys whether the attempt needs all keys of the command, not only one that is waited at
 * @param timeoutMillis after which waiting is given up, at least 1; 0 for never
 * @param attempt what is tried
 * @param unwilling writes the reply where waiting is not allowed
 */
public record Wait(
        WaitKind kind,
        int firstKey,
        int keys,
        boolean needsAllKeys,
        long timeoutMillis,
        Attempt attempt,
        Consumer<ReplyWriter> unwilling) {

    /** Something that may succeed now or later. */
    @FunctionalInterface
    public interface Attempt {

        /**
         * Tries, with the locks held of at least one key that is waited at; it is run by the waiting session's thread at first and
         * later by that of another session, and takes everything it needs from the call.
         *
         * @return whether it has succeeded: then it has written the reply; if not, it has changed and written nothing
         * @throws CommandException as the reply, which ends the wait
         */
        boolean run(Call call);

        /**
         * Whether {@link #run} would do anything now, an error included: asked of those who wait at a stream, which is there for several of
         * them. Changes and writes nothing.
         */
        default boolean isReady(Call call) {
            return true;
        }
    }
}
