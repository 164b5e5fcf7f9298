package dev.heddle.command;

import dev.heddle.resp.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the effects of one thread go: straight to the journal, or, while a transaction or script runs, into the one record that it leaves.
 * Keeps the newest ticket.
 *
 * <p>Confined to one thread at a time.
 */
final class Recorder {

    private final Keyspace keyspace;
    private @Nullable List<Effect> unit;
    private int depth;
    private long ticket = Journal.NO_TICKET;
    private long committed = Journal.NO_TICKET;

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
            ticket = keyspace.journal().append(effects);
        }
    }

    /** Records a command as it came; the stripes of its keys are held. */
    void record(int database, Request request) {
        List<Effect> collected = unit;
        if (collected == null) {
            ticket = keyspace.journal().append(database, request);
            return;
        }
        byte[][] command = new byte[request.count()][];
        for (int i = 0; i < command.length; i++) {
            command[i] = request.copy(i);
        }
        collected.add(new Effect(database, command));
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
                ticket = keyspace.journal().append(List.copyOf(collected));
            }
        }
    }

    /** The ticket of the newest record. */
    long ticket() {
        return ticket;
    }

    /** Notes that what this thread answers depends on a record that another one has made. */
    void dependsOn(long other) {
        ticket = Math.max(ticket, other);
    }

    /**
     * Waits, without any lock, until the newest record is as safe as the settings promise.
     *
     * @return false if it could not be written
     * @throws InterruptedException if the thread is to end
     */
    boolean commit() throws InterruptedException {
        long newest = ticket;
        if (newest == committed) {
            return true;
        }
        committed = newest;
        return keyspace.journal().commit(newest);
    }

    /** Gets the newest record written without waiting for it. */
    void nudge() {
        if (ticket != committed) {
            keyspace.journal().nudge();
        }
    }
}
