package dev.heddle.app;

/**
 * The platform threads that carry the virtual ones. Stateless.
 *
 * <p>The JDK reads these numbers from system properties when the first virtual thread is made.
 */
final class Carriers {

    /** Set on the command line, it wins over everything here. */
    private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

    private static final String LARGEST_POOL = "jdk.virtualThreadScheduler.maxPoolSize";

    private Carriers() {}

    /**
     * How many carriers fit a machine. More than the work needs cost wake-ups between cores: on two cores one is faster than two, since the
     * other core has the kernel's network code and the clients to run.
     */
    static int byDefault(int cores) {
        return Math.max(1, cores / 2);
    }

    /** Makes this many carriers; does nothing if the command line has already decided. */
    static void set(int carriers) {
        if (System.getProperty(PARALLELISM) == null) {
            System.setProperty(PARALLELISM, Integer.toString(carriers));
            // A file operation may block its carrier; the scheduler then adds one for the time being.
            System.setProperty(LARGEST_POOL, Integer.toString(Math.max(carriers + 8, 16)));
        }
    }
}
