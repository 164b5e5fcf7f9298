package dev.heddle.command;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the effects of one thread go: straight to the journal, or, while a transaction or script runs, into the one record that it leaves.
 *
 * <p>Confined to one thread at a time.
 */
final class Recorder {

    private final Keyspace keyspace;
    private @Nullable List<Effect> unit;
    private int depth;

    Recorder(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /** Whether records are wanted at all. */
    boolean isOpen() {
        return keyspace.journal().isOpen();
    }

    /** Records effects that belong together; the stripes of their keys are held. */
    void record(List<Effect> effects) {
        List<Effect> collected = unit;
        if (collected != null) {
            collected.addAll(effects);
        } else {
            keyspace.journal().append(effects);
        }
    }

    /** From now on effects are collected, until {@link #end} is called as often. */
    void begin() {
        if (depth++ == 0) {
            unit = new ArrayList<>();
        }
    }

    /** Hands over what was collected as one record; the stripes are still held. */
    void end() {
        List<Effect> collected = unit;
        if (--depth == 0 && collected != null) {
            unit = null;
            if (!collected.isEmpty()) {
                keyspace.journal().append(List.copyOf(collected));
            }
        }
    }
}
