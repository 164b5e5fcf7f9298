package dev.heddle.command;

import java.util.concurrent.atomic.LongAdder;

/** What INFO commandstats tells of one command. Thread-safe. */
public final class CommandStats {

    private final LongAdder calls = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LatencyHistogram latency = new LatencyHistogram();

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

    /** How long the runs took that were counted while {@code latency-tracking} was on. */
    public LatencyHistogram latency() {
        return latency;
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
        latency.reset();
    }
}
