package dev.heddle.command;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What INFO counts. Thread-safe.
 *
 * <p>Connections count for themselves and add up once per batch ({@link Session#endBatch}), so that a pipeline pays for one addition.
 */
public final class ServerStats {

    /** More different error codes than this are a client playing games (scripts can make any up): they are not told apart. */
    private static final int MAX_ERROR_KINDS = 128;

    private final LongAdder commands = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder expired = new LongAdder();
    private final LongAdder evicted = new LongAdder();
    private final LongAdder inputBytes = new LongAdder();
    private final LongAdder outputBytes = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final LongAdder rejectedConnections = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final LongAdder changes = new LongAdder();
    private final LongAdder evictedClients = new LongAdder();
    private final LongAdder outputLimitClosings = new LongAdder();
    private final AtomicLong peakClients = new AtomicLong();
    private final Map<String, LongAdder> errorKinds = new ConcurrentHashMap<>();

    void addBatch(long commandCount, long hitCount, long missCount, long changeCount) {
        if (commandCount != 0) {
            commands.add(commandCount);
        }
        if (hitCount != 0) {
            hits.add(hitCount);
        }
        if (missCount != 0) {
            misses.add(missCount);
        }
        if (changeCount != 0) {
            changes.add(changeCount);
        }
    }

    /** Counts an error reply by its code word. */
    void countError(String text) {
        errors.increment();
        int space = text.indexOf(' ');
        String code = space < 0 ? text : text.substring(0, space);
        LongAdder count = errorKinds.get(code);
        if (count == null) {
            if (errorKinds.size() >= MAX_ERROR_KINDS) {
                return;
            }
            count = errorKinds.computeIfAbsent(code, absent -> new LongAdder());
        }
        count.increment();
    }

    void countExpired() {
        expired.increment();
    }

    void countEvicted() {
        evicted.increment();
    }

    void countChange() {
        changes.increment();
    }

    public void addTraffic(long in, long out) {
        inputBytes.add(in);
        outputBytes.add(out);
    }

    public void countConnection(int connectedNow) {
        connections.increment();
        peakClients.accumulateAndGet(connectedNow, Math::max);
    }

    public void countRejectedConnection() {
        rejectedConnections.increment();
    }

    public void countEvictedClient() {
        evictedClients.increment();
    }

    void countOutputLimitClosing() {
        outputLimitClosings.increment();
    }

    /** Clients that were closed because more waited for them than client-output-buffer-limit allows. */
    public long outputLimitClosings() {
        return outputLimitClosings.sum();
    }

    public long commands() {
        return commands.sum();
    }

    public long hits() {
        return hits.sum();
    }

    public long misses() {
        return misses.sum();
    }

    public long evicted() {
        return evicted.sum();
    }

    public long expired() {
        return expired.sum();
    }

    public long inputBytes() {
        return inputBytes.sum();
    }

    public long outputBytes() {
        return outputBytes.sum();
    }

    public long connections() {
        return connections.sum();
    }

    public long rejectedConnections() {
        return rejectedConnections.sum();
    }

    public long errors() {
        return errors.sum();
    }

    /** Changes of data since the start. */
    public long changes() {
        return changes.sum();
    }

    public long evictedClients() {
        return evictedClients.sum();
    }

    public long peakClients() {
        return peakClients.get();
    }

    /** How often each error code was answered. */
    public Map<String, LongAdder> errorKinds() {
        return errorKinds;
    }

    /** CONFIG RESETSTAT. */
    public void reset() {
        for (LongAdder adder : new LongAdder[] {
            commands,
            hits,
            misses,
            expired,
            evicted,
            inputBytes,
            outputBytes,
            connections,
            rejectedConnections,
            errors,
            evictedClients,
            outputLimitClosings
        }) {
            adder.reset();
        }
        errorKinds.clear();
    }
}
