package dev.heddle.command.admin;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * CPU time of this process.
 *
 * <p>Immutable.
 *
 * @param systemMicros inside the kernel
 * @param userMicros outside
 */
record ProcessTimes(long systemMicros, long userMicros) {

    private static final Path STAT = Path.of("/proc/self/stat");
    /** Linux tells times to programs in hundredths of a second, whatever the kernel's own clock. */
    private static final long TICK_MICROS = 10_000;

    static ProcessTimes now() {
        if (Files.isReadable(STAT)) {
            try {
                return parse(Files.readString(STAT, StandardCharsets.ISO_8859_1));
            } catch (IOException | NumberFormatException unreadable) {
                return total();
            }
        }
        return total();
    }

    /** The name in brackets may hold anything, blanks and brackets too: what counts comes after its end. */
    static ProcessTimes parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return new ProcessTimes(Long.parseLong(fields[12]) * TICK_MICROS, Long.parseLong(fields[11]) * TICK_MICROS);
    }

    /** Where the system does not tell the two apart, all of it counts as the user's. */
    private static ProcessTimes total() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? new ProcessTimes(0, Math.max(0, system.getProcessCpuTime() / 1000))
                : new ProcessTimes(0, 0);
    }
}
