package dev.heddle.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much memory is in use, as far as the JVM and the operating system say.
 *
 * <p>Thread-safe: sampled by the housekeeper, read by anybody.
 */
public final class MemoryGauge {

    /*
     * "Used" is the heap in use, garbage that has not been collected yet included: after a peak it falls with the next
     * collection. The smallest sample is taken as what the server needs without data, for at the start there is little else.
     */

    private static final Path STATUS = Path.of("/proc/self/status");

    private volatile long used;
    private volatile long peak; // written by sample() alone
    private volatile long startup; // written by sample() alone

    MemoryGauge() {
        startup = heapInUse();
        used = startup;
        peak = startup;
    }

    /** Looks again. Called by the housekeeper only. */
    void sample() {
        long now = heapInUse();
        used = now;
        peak = Math.max(peak, now);
        startup = Math.min(startup, now);
    }

    /** Bytes of heap in use, a moment ago. */
    public long used() {
        return used;
    }

    /** The most there was. */
    public long peak() {
        return peak;
    }

    /** What was in use before there was any data. */
    public long startup() {
        return startup;
    }

    /** Bytes of heap that the JVM has taken from the system. */
    public long committed() {
        return Runtime.getRuntime().totalMemory();
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

    private static long heapInUse() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
