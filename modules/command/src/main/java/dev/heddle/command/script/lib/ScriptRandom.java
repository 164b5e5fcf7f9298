package dev.heddle.command.script.lib;

/**
 * The generator behind math.random: the 48-bit linear congruential one of POSIX's lrand48, which starts the same way in
 * every server, so a script's sequence can be foretold. Confined to whoever runs scripts, one at a time.
 */
public final class ScriptRandom {
    private static final long MULTIPLIER = 0x5DEECE66DL;
    private static final long INCREMENT = 0xB;
    private static final long MASK = (1L << 48) - 1;
    private static final long SEED_LOW = 0x330E;

    private long state = 0x1234_ABCD_330EL;

    /** Starts the sequence of this seed. */
    public void seed(int seed) {
        state = (seed & 0xffffffffL) << 16 | SEED_LOW;
    }

    /** The next number, 0 inclusive to 1 exclusive. */
    double nextFraction() {
        state = state * MULTIPLIER + INCREMENT & MASK;
        int bits = (int) (state >>> 17);
        return (double) (bits % Integer.MAX_VALUE) / Integer.MAX_VALUE;
    }
}
