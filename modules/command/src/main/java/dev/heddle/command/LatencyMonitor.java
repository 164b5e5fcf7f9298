package dev.heddle.command;

import dev.heddle.command.config.LoggingSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Spikes: for each kind of event the latest times at which it took longer than {@code latency-monitor-threshold}.
 *
 * <p>Thread-safe.
 */
public final class LatencyMonitor {

    private static final int MAX_SAMPLES = 160;

    private final LoggingSettings settings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Series> events = new TreeMap<>(); // guarded by lock

    /**
     * The worst of one second.
     *
     * @param seconds since the epoch
     */
    public record Sample(long seconds, long millis) {}

    /**
     * An event as it stands.
     *
     * @param samples oldest first, at least one
     * @param maxMillis the worst ever
     */
    public record Event(String name, List<Sample> samples, long maxMillis) {
        public Sample latest() {
            return samples.getLast();
        }
    }

    /** Guarded by the monitor's lock. */
    private static final class Series {
        private final List<Sample> samples = new ArrayList<>();
        private long max;

        void add(long seconds, long millis) {
            max = Math.max(max, millis);
            if (!samples.isEmpty() && samples.getLast().seconds() == seconds) {
                long worst = Math.max(samples.removeLast().millis(), millis);
                samples.add(new Sample(seconds, worst));
                return;
            }
            if (samples.size() == MAX_SAMPLES) {
                samples.removeFirst();
            }
            samples.add(new Sample(seconds, millis));
        }
    }

    LatencyMonitor(LoggingSettings settings) {
        this.settings = settings;
    }

    /** Whether anything is noted at all. */
    public boolean enabled() {
        return settings.latencyMonitorThreshold.value() > 0;
    }

    /** From how many nanoseconds on an event is noted; {@link Long#MAX_VALUE} if none is. */
    long thresholdNanos() {
        long millis = settings.latencyMonitorThreshold.value();
        return millis <= 0 || millis > Long.MAX_VALUE / 1_000_000 ? Long.MAX_VALUE : millis * 1_000_000;
    }

    /** Notes an event if it took long enough. */
    void note(String event, long nowMillis, long nanos) {
        if (nanos < thresholdNanos()) {
            return;
        }
        lock.lock();
        try {
            events.computeIfAbsent(event, absent -> new Series()).add(nowMillis / 1000, nanos / 1_000_000);
        } finally {
            lock.unlock();
        }
    }

    /** All events, by name. */
    public List<Event> events() {
        lock.lock();
        try {
            List<Event> list = new ArrayList<>();
            events.forEach((name, series) -> list.add(copy(name, series)));
            return list;
        } finally {
            lock.unlock();
        }
    }

    /** The event of this name; null if it has not been met. */
    public @Nullable Event find(String name) {
        lock.lock();
        try {
            Series series = events.get(name);
            return series == null ? null : copy(name, series);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets one event, and says whether there was one. */
    public boolean reset(String name) {
        lock.lock();
        try {
            return events.remove(name) != null;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets all events, and says how many there were. */
    public int reset() {
        lock.lock();
        try {
            int count = events.size();
            events.clear();
            return count;
        } finally {
            lock.unlock();
        }
    }

    private static Event copy(String name, Series series) {
        return new Event(name, List.copyOf(series.samples), series.max);
    }
}
