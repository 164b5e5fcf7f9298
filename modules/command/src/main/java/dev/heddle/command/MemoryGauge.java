package dev.heddle.command;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much memory is in use: as counted, which is what limits are about, and as far as the JVM and the operating system say.
 *
 * <p>Thread-safe: sampled by the housekeeper, read by anybody.
 */
public final class MemoryGauge {

    /*
     * "Counted" is the data set (the store counts with every change), the buffers of clients and the scripts. It is exact about what has
     * been deleted at once, while the heap falls only with the next collection. The heap's own size is a limit, too: beyond a part of it
     * the collector finds no room to work in, long before the last byte is taken. Two signs tell: what is counted, and, for whatever is
     * not counted, how full the old generation was after its last collection.
     */

    /**
     * Counted for the server itself, about as much as Redis takes without data, so that a limit in an existing configuration leaves as much
     * for data here as there. What the virtual machine really takes is not data's fault: the resident size shows it.
     */
    public static final long STARTUP = 1L << 20;

    private static final Path STATUS = Path.of("/proc/self/status");
    /** The part of the old generation that may be filled with what is counted. */
    private static final double COUNTED_PART = 0.85;
    /** The part of it that may be in use after a collection. */
    private static final double COLLECTED_PART = 0.92;

    /** Between two collections of our own asking. */
    private static final long RETRY_NANOS = 3_000_000_000L;

    private final Engine engine;
    private long collectedNanos = System.nanoTime() - RETRY_NANOS; // sample() alone
    /** Where data ends up: the old generation, or the whole heap of collectors that have only one. */
    private final List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
            .filter(pool -> pool.isCollectionUsageThresholdSupported()
                    && pool.getUsage().getMax() > 0)
            .toList();

    private final long capacity;

    private volatile long peak; // written by sample() alone
    private volatile boolean tight; // written by sample() alone

    MemoryGauge(Engine engine) {
        this.engine = engine;
        long room = pools.stream().mapToLong(pool -> pool.getUsage().getMax()).sum();
        this.capacity = (long) (COUNTED_PART * (room == 0 ? Runtime.getRuntime().maxMemory() / 2 : room));
        for (MemoryPoolMXBean pool : pools) {
            pool.setCollectionUsageThreshold(
                    (long) (COLLECTED_PART * pool.getUsage().getMax()));
        }
    }

    /** Looks again. Called by the housekeeper only. */
    void sample() {
        long now = counted();
        peak = Math.max(peak, now);
        boolean crowded = now <= capacity && isFullAfterCollection();
        if (crowded && System.nanoTime() - collectedNanos > RETRY_NANOS) {
            // Whatever it was, a script perhaps, may be garbage by now; without writes no other collection would find
            // that out.
            System.gc();
            collectedNanos = System.nanoTime();
            crowded = isFullAfterCollection();
        }
        tight = now > capacity || crowded;
    }

    private boolean isFullAfterCollection() {
        for (MemoryPoolMXBean pool : pools) {
            if (pool.isCollectionUsageThresholdExceeded()) {
                return true;
            }
        }
        return false;
    }

    /** Bytes of the data set, the clients, the scripts and the server itself. */
    public long counted() {
        return STARTUP
                + engine.store().bytes()
                + engine.clientMemory().total()
                + engine.scripts().bytes();
    }

    /** The most that was counted. */
    public long peak() {
        return Math.max(peak, counted());
    }

    /** How many bytes of data and buffers the heap has room for. */
    public long capacity() {
        return capacity;
    }

    /** Whether the heap had no room for more when it was looked at last: a single field read. */
    boolean wasTight() {
        return tight;
    }

    /** Bytes of heap in use, garbage that has not been collected yet included. */
    public long heapUsed() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Bytes of heap that the JVM has taken from the system. */
    public long committed() {
        return Runtime.getRuntime().totalMemory();
    }

    /** Bytes that the heap may grow to. */
    public long heapMost() {
        return Runtime.getRuntime().maxMemory();
    }

    /** Bytes of physical memory that the process occupies; where the system does not say, what the heap has taken. */
    public long resident() {
        if (!Files.isReadable(STATUS)) {
            return committed();
        }
        try {
            for (String line : Files.readAllLines(STATUS, StandardCharsets.ISO_8859_1)) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
                }
            }
        } catch (IOException unreadable) {
            return committed();
        }
        return committed();
    }
}
