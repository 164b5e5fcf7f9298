package dev.heddle.command;

import org.jspecify.annotations.Nullable;

/**
 * Who is told of every change of a key.
 *
 * <p>Called by the thread that makes the change, while it holds the key's stripe: an observer only takes notes, it never waits, locks a
 * stripe, or touches a socket.
 */
public interface KeyObserver {

    /**
     * A key has changed, and it is known by whom.
     *
     * @param by the session whose command has changed it, null for expiry, eviction and the like
     */
    default void keyChangedBy(@Nullable Session by, int database, byte[] key, EventClass eventClass, String event) {
        keyChanged(database, key, eventClass, event);
    }

    /**
     * A key has changed.
     *
     * @param key not to be changed, may be kept
     * @param event the event's name as key events carry it, such as {@code "lpush"}
     */
    void keyChanged(int database, byte[] key, EventClass eventClass, String event);

    /**
     * Something has happened at a key that is an event, but no change to those who watch it or keep a copy: consumer groups are not part of
     * a stream's entries.
     */
    default void keyNoted(int database, byte[] key, EventClass eventClass, String event) {
        // of no interest to who follows changes
    }

    /** A reader has looked for a key that is not there; only a shared lock is held. */
    default void keyMissed(int database, byte[] key) {
        // of no interest to who follows changes
    }

    /** All keys of a database are gone or have been exchanged with another's. */
    void databaseChanged(int database);
}
