package dev.heddle.command;

/** Which stripes a command needs while it runs. */
public enum LockScope {
    /** None: it touches no data, or takes one stripe after the other by itself (SCAN, KEYS). */
    NONE,
    /** Those of its keys. */
    KEYS,
    /** All, exclusively: the whole data set stands still. */
    ALL
}
