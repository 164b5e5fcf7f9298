package dev.heddle.command.data;

import java.util.random.RandomGenerator;

/**
 * Chooses a number of elements, each choice equally likely, while all elements pass by once.
 *
 * <p>Confined to one call.
 */
final class Selection {

    /*
     * Knuth's algorithm S (The Art of Computer Programming, volume 2, 3.4.2): an element is taken with the probability of how many are
     * still wanted out of how many are still to come. It needs no memory of what was taken, and keeps the order.
     */

    private final RandomGenerator random;
    private long wanted;
    private long toCome;

    Selection(RandomGenerator random, long wanted, long total) {
        this.random = random;
        this.wanted = wanted;
        this.toCome = total;
    }

    /** Whether the element that passes by is chosen. */
    boolean takes() {
        boolean chosen = random.nextLong(toCome) < wanted;
        toCome--;
        if (chosen) {
            wanted--;
        }
        return chosen;
    }
}
