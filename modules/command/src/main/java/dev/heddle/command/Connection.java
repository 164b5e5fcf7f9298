package dev.heddle.command;

/** What a session can ask of the connection that it lives on: a port, implemented by the server and the console. Thread-safe. */
public interface Connection {

    /** The peer as CLIENT LIST shows it: {@code 127.0.0.1:50123}, {@code [::1]:50123}, {@code /path/to.sock:0}. */
    String remoteAddress();

    /** Our side of it. */
    String localAddress();

    /** A number that tells connections apart where an operating system would show the file descriptor. */
    int descriptor();

    /** Ends the connection from any thread; its own thread notices and cleans up. */
    void close();

    /** Bytes of the input buffer that are in use, and bytes that are free. */
    int inputUsed();

    int inputFree();

    /** Bytes that the connection's buffers occupy. */
    long bufferBytes();

    /**
     * The session is about to wait inside a command, on the connection's own thread: replies so far are sent, and from now on the
     * connection looks out for its client's leaving.
     *
     * @param gone to be called, by any thread, once the client has left; may be called at once, or in vain later
     */
    default void waitBegins(Runnable gone) {
        // a connection without a socket is never left by its client unnoticed
    }

    /**
     * A command that holds no locks has written so much of its reply that it should not be kept any longer: sends it, if the connection can,
     * on its own thread. A failure ends the connection, not the command.
     */
    default void sendReplies() {
        // without a socket the reply is collected
    }

    /**
     * There are messages in the session's outbox and its own thread is not at work: somebody is to send them. Called by any thread, also
     * one that holds locks; returns at once.
     */
    default void sendMessages() {
        // a connection without a socket looks into the outbox when it likes
    }

    /** The wait is over. */
    default void waitEnds() {
        // nothing to do
    }
}
