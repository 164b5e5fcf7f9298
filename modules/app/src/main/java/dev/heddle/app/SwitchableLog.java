package dev.heddle.app;

import org.jspecify.annotations.Nullable;
import org.tinylog.Level;
import org.tinylog.core.TinylogLoggingProvider;
import org.tinylog.format.MessageFormatter;

/**
 * tinylog with a level that can be changed while the server runs. tinylog makes one, because {@code tinylog.properties} names it.
 *
 * <p>Thread-safe: the level is one volatile field.
 */
public final class SwitchableLog extends TinylogLoggingProvider {
    /*
     * tinylog reads its level once, and the loggers in front of it keep in constants which levels can never be logged. So it is
     * told that everything may be, and whether a line is really wanted is decided here, for each line.
     */

    private static volatile Level level = Level.INFO;

    /** For tinylog's service loader. */
    public SwitchableLog() {
        // nothing to set up
    }

    /** From now on lines of this level and above are logged. */
    static void level(Level newLevel) {
        level = newLevel;
    }

    private static boolean wanted(Level line) {
        return line.ordinal() >= level.ordinal();
    }

    @Override
    public boolean isEnabled(int depth, @Nullable String tag, Level line) {
        return wanted(line) && super.isEnabled(depth + 1, tag, line);
    }

    @Override
    public boolean isEnabled(@Nullable String loggerClass, @Nullable String tag, Level line) {
        return wanted(line) && super.isEnabled(loggerClass, tag, line);
    }

    @Override
    public void log(
            int depth,
            @Nullable String tag,
            Level line,
            @Nullable Throwable exception,
            @Nullable MessageFormatter formatter,
            @Nullable Object message,
            @Nullable Object... arguments) {
        if (wanted(line)) {
            super.log(depth + 1, tag, line, exception, formatter, message, arguments);
        }
    }

    @Override
    public void log(
            @Nullable String loggerClass,
            @Nullable String tag,
            Level line,
            @Nullable Throwable exception,
            @Nullable MessageFormatter formatter,
            @Nullable Object message,
            @Nullable Object... arguments) {
        if (wanted(line)) {
            super.log(loggerClass, tag, line, exception, formatter, message, arguments);
        }
    }
}
