package dev.heddle.command.config;

/** When the append-only file is forced to the disk. */
public enum AppendFsync {
    /** Once a second. */
    EVERYSEC,
    /** Before a write command is answered. */
    ALWAYS,
    /** When the operating system likes. */
    NO
}
