package dev.heddle.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build, as Maven wrote it into a resource. Immutable. */
final class Version {

    private static final String RESOURCE = "version.properties";
    private static final String CURRENT = read();

    private Version() {}

    /** The version in the form {@code major.minor.patch}. */
    static String current() {
        return CURRENT;
    }

    /** What {@code --version} prints. */
    static String line() {
        return "Heddle server v=" + CURRENT + " redis=7.2.4 jvm=" + Runtime.version() + " bits="
                + System.getProperty("sun.arch.data.model", "64");
    }

    private static String read() {
        try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the program");
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
