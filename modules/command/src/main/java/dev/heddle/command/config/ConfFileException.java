package dev.heddle.command.config;

/** A line of a configuration that is refused, or a configuration file that cannot be read. */
public final class ConfFileException extends ConfigException {
    private static final long serialVersionUID = 1L;

    private final String place;
    private final String line;

    /**
     * Creates a refusal.
     *
     * @param place where the line stands, for example {@code Reading the configuration file, at line 3 of heddle.conf};
     *     empty if there is no line
     * @param line the line
     * @param reason what is wrong with it
     */
    ConfFileException(String place, String line, String reason) {
        super(reason);
        this.place = place;
        this.line = line;
    }

    /** The report that the server ends with when it cannot start, line by line as Redis prints it. */
    public String report(String product) {
        StringBuilder text = new StringBuilder("\n*** FATAL CONFIG FILE ERROR (" + product + ") ***\n");
        if (!place.isEmpty()) {
            text.append(place).append('\n');
            text.append(">>> '").append(ConfigText.display(line)).append("'\n");
        }
        return text.append(getMessage()).append('\n').toString();
    }
}
