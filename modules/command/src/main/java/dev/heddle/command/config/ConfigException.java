package dev.heddle.command.config;

/**
 * A configuration that is refused. The message is the reason and nothing else, for example {@code argument must be a
 * memory value}; what {@link Settings#set} throws carries the whole error reply, its code included.
 *
 * <p>Unchecked, so that a listener of a setting ({@link Setting#onChange}) can refuse a value by throwing it.
 */
public class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates a refusal with this reason. */
    public ConfigException(String message) {
        super(message);
    }
}
