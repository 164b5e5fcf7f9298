package dev.heddle.app;

import dev.heddle.command.config.LogLevel;
import dev.heddle.command.config.Settings;

/**
 * Sets up the log as the settings want it. Stateless.
 *
 * <p>tinylog reads these system properties when the first line is logged, and never again: {@code loglevel} and {@code logfile} count at the
 * start.
 */
final class Logging {

    private Logging() {}

    /** To be called before anything is logged. */
    static void configure(Settings settings) {
        System.setProperty("tinylog.level", level(settings.logging.logLevel.value()));
        String file = settings.logging.logFile.value();
        if (!file.isEmpty()) {
            System.setProperty("tinylog.writer", "file");
            System.setProperty(
                    "tinylog.writer.file",
                    settings.resolve(settings.logging.logFile).toString());
            System.setProperty("tinylog.writer.append", "true");
        }
    }

    private static String level(LogLevel level) {
        return switch (level) {
            case DEBUG, VERBOSE -> "debug";
            case NOTICE -> "info";
            case WARNING -> "warn";
            case NOTHING -> "off";
        };
    }
}
