package dev.heddle.command.config;

/** How much is logged; each level includes those after it. */
public enum LogLevel {
    DEBUG,
    VERBOSE,
    NOTICE,
    WARNING,
    NOTHING
}
