package dev.heddle.command;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * What one session's commands have made available to those who wait for it. Between commands it is empty.
 *
 * <p>Confined to the session's thread.
 */
final class Handover {

    /** Keys that may have something for their waiters, in the order in which they appeared. */
    final Queue<Place> ready = new ArrayDeque<>();
    /** Those whose first waiter needs further stripes. */
    final Queue<Place> deferred = new ArrayDeque<>();
    /** Waiters that have their replies and are to be woken once no lock is held. */
    final List<Waiter> served = new ArrayList<>();

    boolean isEmpty() {
        return ready.isEmpty() && deferred.isEmpty() && served.isEmpty();
    }

    /** A key, and what is waited for there. */
    record Place(WaitKind kind, KeyName key) {}
}
