package dev.heddle.persistence.aof;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for the writer to come as far as a position.
 *
 * <p>Thread-safe. {@link #next} is published by the references through which a list of them is handed over.
 */
final class Waiting {

    /*
     * The writer is a platform thread. Each virtual thread that such a thread wakes costs a wake-up of a carrier, which runs it at once
     * and falls asleep again before the next one comes. So the writer wakes one of those whose wait is over and gives it the others
     * as followers; it wakes them, from its carrier, where that is a push into the carrier's own queue. Somebody who does not wait
     * any more takes no followers.
     */

    /** Stands for the followers of somebody who takes none. */
    private static final Waiting CLOSED = new Waiting(new Thread("nobody"), 0, Goal.WRITTEN);

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
    private final AtomicReference<@Nullable Waiting> followers = new AtomicReference<>();
    /** Whether it stands in the stack or among followers: set by its thread before entering, cleared by whoever wakes it. */
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

    /** Its thread has been woken, whether its wait is over or not. */
    void wakeFollowers() {
        wakeAll(followers.getAndSet(null));
    }

    /** Its thread does not wait any more; if it still stands in the stack, the writer removes it. */
    void leave() {
        left = true;
        wakeAll(followers.getAndSet(CLOSED));
    }

    private static void wakeAll(@Nullable Waiting list) {
        Waiting one = list;
        while (one != null) {
            Waiting following = one.next; // before it may enter again
            one.entered = false;
            LockSupport.unpark(one.thread);
            one = following;
        }
    }

    /** Wakes a list: the first one who takes followers wakes the others. */
    private static void wakeThroughFirst(@Nullable Waiting list) {
        Waiting one = list;
        while (one != null) {
            Waiting rest = one.next;
            boolean taken = one.followers.compareAndSet(null, rest);
            one.entered = false;
            LockSupport.unpark(one.thread);
            one = taken ? null : rest;
        }
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
            Waiting list = null;
            Waiting one = top.getAndSet(null);
            while (one != null) {
                Waiting following = one.next;
                if (!one.left && !over.test(one)) {
                    push(one);
                } else {
                    one.next = list;
                    list = one;
                    woken++;
                }
                one = following;
            }
            size.addAndGet(-woken);
            wakeThroughFirst(list);
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
