package dev.heddle.command.config;

import java.util.List;

/**
 * How one kind of setting is read from words, printed for CONFIG GET and written into a file. Implementations are
 * immutable; a value never changes after it was made.
 *
 * @param <T> the value's type, with an {@code equals} that tells whether a setting changed
 */
interface Codec<T> {

    /** Whether the directive takes several words ({@code save 60 1}); otherwise {@link #parse} gets exactly one. */
    default boolean severalWords() {
        return false;
    }

    /**
     * The value that these words mean.
     *
     * @param current the value in force, for directives that change only a part of it
     * @throws ConfigException with the reason, if they mean none
     */
    T parse(List<String> words, T current);

    /**
     * The value after a line of a configuration file.
     *
     * @param first whether this is the directive's first line in the whole configuration
     */
    default T load(List<String> words, T current, boolean first) {
        return parse(words, current);
    }

    /** What CONFIG GET prints. */
    String text(T value);

    /** The arguments as they stand in a configuration file. */
    default String fileText(T value) {
        return text(value);
    }

    /**
     * The lines that give a setting this value in a configuration file. No line at all means that the directive must be
     * absent from the file.
     */
    default List<FileLine> lines(String name, T value, T initial) {
        return List.of(new FileLine(name + " " + fileText(value), !value.equals(initial)));
    }

    /**
     * A line for CONFIG REWRITE.
     *
     * @param needed whether it is added to a file that has no such line yet
     */
    record FileLine(String text, boolean needed) {}
}
