package dev.heddle.command;

import dev.heddle.resp.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where writes go to be kept: a port, implemented by persistence.
 *
 * <p>A record gets a <b>ticket</b>, a number that grows from record to record. Whoever answers a write brings its ticket back to {@link
 * #commit} before the answer goes out, so that nothing is acknowledged before it is as safe as the settings promise.
 *
 * <p>Thread-safe. The two {@code append} are called while the stripes of the changed keys are held, so that the order of records equals the
 * order of execution for every key; {@link #commit} may wait and is called without any lock.
 */
public interface Journal {

    /** The ticket of those who have written nothing. */
    long NO_TICKET = 0;

    /** Keeps nothing. */
    Journal NONE = new Journal() {
        @Override
        public boolean isOpen() {
            return false;
        }

        @Override
        public long append(List<Effect> effects) {
            return NO_TICKET;
        }
    };

    /** Whether records are wanted at all: without, nobody need make them. */
    boolean isOpen();

    /**
     * Takes the effects of one command, transaction or script; if there are several they belong together, and may concern several
     * databases. Returns at once: writing happens elsewhere.
     *
     * @param effects at least one; not changed afterwards
     * @return the record's ticket
     */
    long append(List<Effect> effects);

    /**
     * Takes one command as it came, without anybody making copies of its arguments.
     *
     * @param request valid only during the call; big arguments in arrays of their own are immutable and may be kept
     * @return the record's ticket
     */
    default long append(int database, Request request) {
        byte[][] command = new byte[request.count()][];
        for (int i = 0; i < command.length; i++) {
            command[i] = request.copy(i);
        }
        return append(List.of(new Effect(database, command)));
    }

    /**
     * Waits until everything up to this ticket is as safe as the settings promise, or has no chance to become so soon. Also waits while
     * there is more to be written than memory should hold.
     *
     * @return false if it could not be written: then what depends on it must not be answered
     * @throws InterruptedException if the thread is to end
     */
    default boolean commit(long ticket) throws InterruptedException {
        return true;
    }

    /**
     * Waits until everything up to this ticket has been forced to the disk.
     *
     * @param timeoutMillis 0 for no limit, negative for not waiting at all
     * @return whether it has
     * @throws InterruptedException if the thread is to end
     */
    default boolean awaitForced(long ticket, long timeoutMillis) throws InterruptedException {
        return false;
    }

    /** Says that there may be something to write; never waits. */
    default void nudge() {
        // nobody to wake
    }

    /** The whole error with which writes are to be refused, null while all is well: a single field read. */
    default @Nullable String refusal() {
        return null;
    }

    /** What INFO tells about it. */
    default Figures figures() {
        return Figures.NONE;
    }

    /**
     * What INFO tells about a journal. Immutable.
     *
     * @param currentSize bytes in its files
     * @param baseSize bytes in its files after the start or the last rewrite
     * @param pendingRewrite whether a rewrite is wanted and has not begun
     * @param buffered bytes that are not yet written
     * @param forcing whether the file is being forced to the disk at this moment
     * @param delayed how often forcing took longer than two seconds
     * @param failing whether the last attempt to write failed
     */
    record Figures(
            long currentSize,
            long baseSize,
            boolean pendingRewrite,
            long buffered,
            boolean forcing,
            long delayed,
            boolean failing) {

        static final Figures NONE = new Figures(0, 0, false, 0, false, 0, false);
    }
}
