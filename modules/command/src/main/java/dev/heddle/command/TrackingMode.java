package dev.heddle.command;

import java.util.Arrays;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How a session wants to be told that keys have changed which it may keep a copy of.
 *
 * <p>Immutable but for {@link #brokenRedirect}, which is set by whoever finds that the other session is gone, and {@link #caching}, which is
 * confined to the session's thread.
 */
public final class TrackingMode {

    private final Options options;
    private final SortedSet<byte[]> prefixes;
    /** The session that messages go to has gone. */
    private volatile boolean brokenRedirect;
    /** CLIENT CACHING has been given for the next command. */
    private boolean caching;

    /**
     * What CLIENT TRACKING ON says.
     *
     * @param redirect the id of the session that gets the messages, 0 for this one
     * @param broadcast tell of all keys with a prefix, whether they have been read or not
     * @param optIn remember keys only after CLIENT CACHING YES
     * @param optOut remember no keys after CLIENT CACHING NO
     * @param noLoop do not tell of what this session itself has changed
     */
    public record Options(long redirect, boolean broadcast, boolean optIn, boolean optOut, boolean noLoop) {}

    /** @param prefixes of the keys that are told of when broadcasting */
    TrackingMode(Options options, SortedSet<byte[]> prefixes) {
        this.options = options;
        this.prefixes = Collections.unmodifiableSortedSet(prefixes);
    }

    static SortedSet<byte[]> noPrefixes() {
        return new TreeSet<>(Arrays::compareUnsigned);
    }

    public Options options() {
        return options;
    }

    public SortedSet<byte[]> prefixes() {
        return prefixes;
    }

    public boolean brokenRedirect() {
        return brokenRedirect;
    }

    void brokenRedirect(boolean broken) {
        brokenRedirect = broken;
    }

    public boolean caching() {
        return caching;
    }

    /** CLIENT CACHING: valid for the next command, or the transaction that is being queued. */
    public void caching(boolean given) {
        caching = given;
    }

    /** Whether the keys of the command that is about to run are to be remembered. */
    boolean remembers() {
        return !options.broadcast && !(options.optIn && !caching) && !(options.optOut && caching);
    }
}
