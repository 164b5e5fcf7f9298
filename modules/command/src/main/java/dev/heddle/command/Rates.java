package dev.heddle.command;

/**
 * Commands and bytes per second over the last few rounds of the housekeeper.
 *
 * <p>Written by the housekeeper alone, read by anybody: every figure is volatile.
 */
public final class Rates {

    /** How many rounds are averaged: at ten a second, the last 1.6 seconds. */
    private static final int ROUNDS = 16;

    private final long[] times = new long[ROUNDS]; // confined to the housekeeper, like the next three
    private final long[] commands = new long[ROUNDS];
    private final long[] in = new long[ROUNDS];
    private final long[] out = new long[ROUNDS];
    private long rounds;

    private volatile double commandsPerSecond;
    private volatile double inputBytesPerSecond;
    private volatile double outputBytesPerSecond;

    void sample(long nanos, ServerStats stats) {
        int slot = (int) (rounds % ROUNDS);
        long commandsNow = stats.commands();
        long inNow = stats.inputBytes();
        long outNow = stats.outputBytes();
        if (rounds >= ROUNDS) {
            double seconds = (nanos - times[slot]) / 1e9;
            // RESETSTAT sets the counters back: then there is no rate until the window is past it
            commandsPerSecond = Math.max(0, commandsNow - commands[slot]) / seconds;
            inputBytesPerSecond = Math.max(0, inNow - in[slot]) / seconds;
            outputBytesPerSecond = Math.max(0, outNow - out[slot]) / seconds;
        }
        times[slot] = nanos;
        commands[slot] = commandsNow;
        in[slot] = inNow;
        out[slot] = outNow;
        rounds++;
    }

    public double commandsPerSecond() {
        return commandsPerSecond;
    }

    public double inputBytesPerSecond() {
        return inputBytesPerSecond;
    }

    public double outputBytesPerSecond() {
        return outputBytesPerSecond;
    }
}
