package dev.heddle.command.admin;

/** Replies as they go over the wire, written line by line. Stateless. */
final class Wire {

    private Wire() {}

    /** These lines, each with its end. */
    static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n";
    }
}
