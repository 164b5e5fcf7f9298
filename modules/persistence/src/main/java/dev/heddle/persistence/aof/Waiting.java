package dev.heddle.persistence.aof;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for the writer to come as far as a position.
 *
 * <p>Thread-safe. {@link #next} is published by the stack's reference.
 */
final class Waiting {

    /** What is to be reached. */
    enum Goal {
        /** The file has it, or what the system keeps for the file. */
        WRITTEN,
        /** Answers may go out. */
        SAFE,
        /** The disk has it. */
        FORCED
    }

    private final Thread thread;
    private final long position;
    private final Goal goal;
    private @Nullable Waiting next;
    /** Whether it stands in the stack: set by its thread before entering, cleared by the writer before waking it. */
    private volatile boolean entered;

    private volatile boolean left;

    Waiting(Thread thread, long position, Goal goal) {
        this.thread = thread;
        this.position = position;
        this.goal = goal;
    }

    long position() {
        return position;
    }

    Goal goal() {
        return goal;
    }

    /** Its thread does not wait any more; if it still stands in the stack, the writer removes it. */
    void leave() {
        left = true;
    }

    /** All threads that wait. Thread-safe. */
    static final class Stack {

        private final AtomicReference<@Nullable Waiting> top = new AtomicReference<>();

        /** Adds the calling thread, unless it is there. */
        void enter(Waiting me) {
            if (!me.entered) {
                me.entered = true;
                push(me);
            }
        }

        /** Takes out and wakes all that meet a condition. */
        void wake(Predicate<Waiting> over) {
            Waiting one = top.getAndSet(null);
            while (one != null) {
                Waiting following = one.next; // before it enters again
                if (!one.left && !over.test(one)) {
                    push(one);
                } else {
                    one.entered = false;
                    LockSupport.unpark(one.thread);
                }
                one = following;
            }
        }

        private void push(Waiting one) {
            Waiting below;
            do {
                below = top.get();
                one.next = below;
            } while (!top.compareAndSet(below, one));
        }
    }
}
