package dev.heddle.app;

import dev.heddle.command.config.LogLevel;
import dev.heddle.command.config.Settings;
import org.tinylog.Level;

/**
 * Sets up the log as the settings want it. Stateless.
 *
 * <p>tinylog reads its system properties when the first line is logged, and never again: {@code logfile} counts at the start.
 */
final class Logging {

    private Logging() {}

    /** To be called before anything is logged. */
    static void configure(Settings settings) {
        SwitchableLog.level(level(settings.logging.logLevel.value()));
        settings.logging.logLevel.onChange(level -> SwitchableLog.level(level(level)));
        String file = settings.logging.logFile.value();
        if (!file.isEmpty()) {
            System.setProperty("tinylog.writer", "file");
            System.setProperty(
                    "tinylog.writer.file",
                    settings.resolve(settings.logging.logFile).toString());
            System.setProperty("tinylog.writer.append", "true");
        }
    }

    private static Level level(LogLevel level) {
        return switch (level) {
            case DEBUG, VERBOSE -> Level.DEBUG;
            case NOTICE -> Level.INFO;
            case WARNING -> Level.WARN;
            case NOTHING -> Level.OFF;
        };
    }
}
