package dev.heddle.command;

import java.util.List;

/**
 * Where writes go to be kept: a port, implemented by persistence.
 *
 * <p>Thread-safe. Called while the stripes of the changed keys are held, so that the order of records equals the order of execution for
 * every key.
 */
public interface Journal {

    /** Keeps nothing. */
    Journal NONE = new Journal() {
        @Override
        public boolean isOpen() {
            return false;
        }

        @Override
        public void append(List<Effect> effects) {
            // nothing is kept
        }
    };

    /** Whether records are wanted at all: without, nobody need make them. */
    boolean isOpen();

    /**
     * Takes the effects of one command, transaction or script; if there are several they belong together, and may concern several
     * databases. Returns at once: writing happens elsewhere.
     *
     * @param effects at least one; not changed afterwards
     */
    void append(List<Effect> effects);
}
