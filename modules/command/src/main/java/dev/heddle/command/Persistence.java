package dev.heddle.command;

import org.jspecify.annotations.Nullable;

/**
 * The data set as a whole on the disk: a port, implemented by persistence. What happens to single writes is the {@link Journal}'s.
 *
 * <p>Thread-safe. Unless a method says otherwise it is called without locks and may take all stripes for some microseconds.
 */
public interface Persistence {

    /** Whether the data is to be saved before the process ends. */
    enum Ending {
        /** If there are save points. */
        BY_SAVE_POINTS,
        SAVE,
        NOSAVE
    }

    /** What DEBUG RELOAD does before it reads the snapshot file. */
    record Reload(boolean saves, boolean flushes, boolean merges) {}

    /** Keeps nothing. */
    Persistence NONE = new Persistence() {};

    /** SAVE: returns when the file is complete. @throws CommandException "Background save already in progress", or "-ERR" */
    default void save() throws InterruptedException {
        throw new CommandException("ERR");
    }

    /**
     * BGSAVE.
     *
     * @param maySchedule whether it may be done later if something else is being saved now
     * @param mustSchedule whether it cannot begin now: inside of a transaction; then locks may be held
     * @return the status line
     */
    default String saveInBackground(boolean maySchedule, boolean mustSchedule) {
        throw new CommandException("ERR");
    }

    /**
     * BGREWRITEAOF.
     *
     * @param mustSchedule as with {@link #saveInBackground}
     * @return the status line
     */
    default String rewriteJournal(boolean mustSchedule) {
        throw new CommandException("ERR");
    }

    /** The whole error with which writes are to be refused, null while all is well: a single field read if it is. */
    default @Nullable String refusal() {
        return null;
    }

    /** All databases have been cleared by FLUSHALL. All stripes are held: only takes note. */
    default void flushed() {
        // nothing is kept
    }

    /** DEBUG RELOAD. Nobody else runs commands meanwhile. @throws CommandException if the file cannot be written or read */
    default void reload(Reload how) throws InterruptedException {
        throw CommandException.err("Error trying to load the RDB dump, check server logs.");
    }

    /** DEBUG LOADAOF. Nobody else runs commands meanwhile. @throws CommandException if the files cannot be read */
    default void reloadJournal() throws InterruptedException {
        throw CommandException.err("Error trying to load the AOF files, check server logs.");
    }

    /**
     * Prepares the end of the process: stops what is being saved, and saves if that is wanted. Writes are held back from now on; if the end is
     * refused, no longer.
     *
     * @param force whether the process will end even if it cannot save
     * @return false if it could not save and must go on
     */
    default boolean prepareEnd(Ending ending, boolean force) throws InterruptedException {
        return true;
    }

    /** What INFO and LASTSAVE tell. */
    default Figures figures() {
        return Figures.NONE;
    }

    /**
     * What INFO tells about snapshots. Immutable. Times are in seconds; -1 stands for none.
     *
     * @param changes since the last save
     * @param lastSave when, since the epoch
     * @param lastSaveOk whether the last attempt succeeded
     * @param keysProcessed of the one that is running
     * @param keysTotal of the one that is running
     * @param bytesHeld by the one that is running: old contents of keys that have changed since it began
     * @param lastPeakBytes the most that the last save held
     */
    record Figures(
            long changes,
            boolean saving,
            long lastSave,
            boolean lastSaveOk,
            long lastSeconds,
            long currentSeconds,
            long saves,
            long keysProcessed,
            long keysTotal,
            long bytesHeld,
            long lastPeakBytes,
            Rewrites rewrites) {

        static final Figures NONE = new Figures(0, false, 0, true, -1, -1, 0, 0, 0, 0, 0, Rewrites.NONE);
    }

    /** What INFO tells about rewrites of the journal. Immutable. */
    record Rewrites(
            boolean rewriting,
            boolean scheduled,
            long lastSeconds,
            long currentSeconds,
            boolean lastOk,
            long count,
            long failuresInARow,
            long lastPeakBytes) {

        public static final Rewrites NONE = new Rewrites(false, false, -1, -1, true, 0, 0, 0);
    }
}
