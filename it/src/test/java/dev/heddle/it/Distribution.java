package dev.heddle.it;

import java.nio.file.Path;

/** Where the build put what it packaged. Immutable. */
record Distribution(Path home, Path archive, String version) {

    /** The distribution of this build, from the system properties that the build sets. */
    static Distribution ofThisBuild() {
        String version = property("heddle.version");
        Path folder = Path.of(property("heddle.dist")).toAbsolutePath().normalize();
        return new Distribution(
                folder.resolve("heddle-" + version), folder.resolve("heddle-" + version + ".tar.gz"), version);
    }

    /** The program that starts the server. */
    Path program() {
        return home.resolve("bin/heddle");
    }

    private static String property(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            throw new IllegalStateException(
                    "System property " + name + " is not set; run these tests with ./mvnw verify");
        }
        return value;
    }
}
