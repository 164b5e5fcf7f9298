package dev.heddle.command.config;

import dev.heddle.command.config.Row.Trait;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * One directive of the configuration with its value.
 *
 * <p>Thread-safe: {@link #value} is a volatile read of an immutable value and may be called from any thread, at any
 * rate; only {@link Settings} writes, one change at a time under its lock.
 *
 * @param <T> the value's type; immutable
 */
public final class Setting<T> {

    /** Whether a directive has an effect. */
    public enum Status {
        /** It does what the documentation says. */
        ACTIVE,
        /** Redis knows it; here it is read, checked, kept and shown, and does nothing. */
        ACCEPTED
    }

    private final Row row;
    private final Codec<T> codec;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Written under the lock of {@link Settings}, or by the launcher before other threads exist. */
    private volatile T initial;

    /** Written like {@link #initial}, read by everybody. */
    private volatile T value;

    Setting(Row row, T initial, Codec<T> codec) {
        this.row = row;
        this.codec = codec;
        this.initial = initial;
        this.value = initial;
    }

    /** The value in force. */
    public T value() {
        return value;
    }

    /** The value without any file, flag or CONFIG SET. */
    public T initial() {
        return initial;
    }

    /** Whether the value is the default. */
    public boolean isInitial() {
        return value.equals(initial);
    }

    /** The directive's name, in lower case. */
    public String name() {
        return row.name();
    }

    /** Other names for the same directive, mostly those of older versions of Redis. */
    public List<String> aliases() {
        return row.aliases();
    }

    /** The value as CONFIG GET prints it. */
    public String text() {
        return codec.text(value);
    }

    /** Whether CONFIG SET may change it; if not, only the file and the command line do. */
    public boolean mutable() {
        return !has(Trait.IMMUTABLE);
    }

    /** Whether CONFIG GET shows it only when asked for by its exact name. */
    public boolean hidden() {
        return has(Trait.HIDDEN);
    }

    /** Whether CONFIG SET needs the permission of {@code enable-protected-configs}. */
    public boolean guarded() {
        return has(Trait.PROTECTED);
    }

    /** Whether the value is a secret, which the slow log and MONITOR must not show. */
    public boolean sensitive() {
        return has(Trait.SENSITIVE);
    }

    /** Whether the directive has an effect. */
    public Status status() {
        return row.status();
    }

    /** What a warning says about this directive if it is set without having an effect; may be empty. */
    public String note() {
        return row.note();
    }

    /**
     * Calls the listener with the new value after each CONFIG SET that changed it, on the thread of that CONFIG SET. The
     * listener refuses the value by throwing a {@link ConfigException}, whose message ends up in the error reply; it has
     * then left things as they were. It is called again, with the old value, when another part of the same CONFIG SET
     * is refused. It must not call CONFIG SET itself.
     */
    public void onChange(Consumer<? super T> listener) {
        listeners.add(() -> listener.accept(value));
    }

    /**
     * Replaces a default that means "choose for me" by what was chosen: it becomes the default, and the value unless one
     * was configured. For the launcher, before the server starts.
     */
    public void settle(T chosen) {
        if (isInitial()) {
            value = chosen;
        }
        initial = chosen;
    }

    boolean has(Trait trait) {
        return row.traits().contains(trait);
    }

    Codec<T> codec() {
        return codec;
    }

    List<Runnable> listeners() {
        return listeners;
    }

    /** Adds a listener that {@link Settings} shares between several settings. */
    void listen(Runnable listener) {
        listeners.add(listener);
    }

    void replace(T next) {
        value = next;
    }

    /** Lines for CONFIG REWRITE. */
    List<Codec.FileLine> lines() {
        return codec.lines(row.name(), value, initial);
    }

    /**
     * Takes a line of a configuration file or of the command line.
     *
     * @throws ConfigException with the reason, if the words are no value
     */
    void load(List<String> words, boolean first) {
        value = codec.load(arguments(words), value, first);
    }

    /** Splits a single quoted argument such as {@code "60 1"} once more, for directives that take several words. */
    private List<String> arguments(List<String> words) {
        if (!codec.severalWords()) {
            if (words.size() != 1) {
                throw new ConfigException("wrong number of arguments");
            }
            return words;
        }
        if (words.size() == 1 && !words.get(0).isEmpty()) {
            return ConfigText.split(words.get(0));
        }
        return words;
    }

    /** The value that this argument of CONFIG SET means. */
    T parse(String argument) {
        if (!codec.severalWords()) {
            return codec.parse(List.of(argument), value);
        }
        List<String> words = argument.isEmpty() ? List.of() : List.of(argument.split(" ", -1));
        return codec.parse(words, value);
    }

    @Override
    public String toString() {
        return name() + " " + text();
    }
}
