package dev.heddle.persistence.aof;

import java.util.concurrent.atomic.AtomicInteger;
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
        private final AtomicInteger size = new AtomicInteger();
        /** The size at which the thread that gathers is woken; 0 for none. Written by that thread. */
        private volatile int wanted;

        private volatile @Nullable Thread gatherer;

        /** How many threads are here, about. */
        int size() {
            return size.get();
        }

        /** Adds the calling thread, unless it is there. */
        void enter(Waiting me) {
            if (!me.entered) {
                me.entered = true;
                push(me);
                if (size.incrementAndGet() == wanted) {
                    LockSupport.unpark(gatherer);
                }
            }
        }

        /** Waits until so many threads are here, or the time is over. For one thread at a time. */
        void gather(int count, long nanos) {
            long end = System.nanoTime() + nanos;
            gatherer = Thread.currentThread();
            wanted = count;
            for (long left = nanos; left > 0 && size.get() < count; left = end - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
            }
            wanted = 0;
        }

        /**
         * Takes out and wakes all that meet a condition.
         *
         * @return how many
         */
        int wake(Predicate<Waiting> over) {
            int woken = 0;
            Waiting one = top.getAndSet(null);
            while (one != null) {
                Waiting following = one.next; // before it enters again
                if (!one.left && !over.test(one)) {
                    push(one);
                } else {
                    size.decrementAndGet();
                    one.entered = false;
                    LockSupport.unpark(one.thread);
                    woken++;
                }
                one = following;
            }
            return woken;
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
