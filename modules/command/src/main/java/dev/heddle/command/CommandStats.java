package dev.heddle.command;

import java.util.concurrent.atomic.LongAdder;

/** What INFO commandstats tells of one command. Thread-safe. */
public final class CommandStats {

    private final LongAdder calls = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /** Connections count runs of one command by themselves and report them together. */
    void ran(long times, long duration) {
        calls.add(times);
        nanos.add(duration);
    }

    void countRejected() {
        rejected.increment();
    }

    void countFailed() {
        failed.increment();
    }

    public long calls() {
        return calls.sum();
    }

    /** Time spent running, waiting for locks included, in nanoseconds. */
    public long nanos() {
        return nanos.sum();
    }

    /** Refused before it ran: bad arity, no permission, out of memory. */
    public long rejected() {
        return rejected.sum();
    }

    /** Ran and answered with an error. */
    public long failed() {
        return failed.sum();
    }

    public void reset() {
        calls.reset();
        nanos.reset();
        rejected.reset();
        failed.reset();
    }
}
