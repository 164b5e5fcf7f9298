package dev.heddle.command;

/** How the process ends: a port, implemented by the application. Thread-safe. */
public interface Lifecycle {

    /** Begins an orderly shutdown and returns; connections are closed after what is running has finished. */
    void shutdown();
}
