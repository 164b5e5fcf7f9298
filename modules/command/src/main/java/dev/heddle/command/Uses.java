package dev.heddle.command;

import dev.heddle.command.config.EvictionPolicy;
import dev.heddle.command.config.MemorySettings;
import dev.heddle.store.AccessClock;
import dev.heddle.store.Entry;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Marks entries with their use, in the way that the eviction policy in force wants it: by time, or by frequency. After a change from one to
 * the other, marks of the other kind are misread until the keys are used again, as in Redis.
 *
 * <p>Thread-safe. Marks are written under shared locks, too: of two uses at the same moment one may be lost.
 */
public final class Uses {

    private final MemorySettings settings;

    Uses(MemorySettings settings) {
        this.settings = settings;
    }

    /** Whether the policy in force goes by frequency. */
    public boolean byFrequency() {
        EvictionPolicy policy = settings.maxMemoryPolicy.value();
        return policy == EvictionPolicy.ALLKEYS_LFU || policy == EvictionPolicy.VOLATILE_LFU;
    }

    /** Marks a key that has just come. */
    public void enter(Entry entry, long nowMillis) {
        entry.access(byFrequency() ? AccessClock.newFrequency(nowMillis) : AccessClock.seconds(nowMillis));
    }

    /** Marks a key that is used. */
    public void use(Entry entry, long nowMillis) {
        if (byFrequency()) {
            entry.access(AccessClock.used(
                    entry.access(),
                    nowMillis,
                    settings.lfuDecayTime.value(),
                    ThreadLocalRandom.current().nextDouble(),
                    settings.lfuLogFactor.value()));
        } else {
            entry.access(AccessClock.seconds(nowMillis));
        }
    }

    /**
     * Marks a key with what is known of its use elsewhere, as far as the policy in force asks for it.
     *
     * @param idleSeconds since its last use; negative if not known
     * @param frequency 0 to 255; negative if not known
     */
    public void restore(Entry entry, long idleSeconds, int frequency, long nowMillis) {
        if (byFrequency()) {
            if (frequency >= 0) {
                entry.access(AccessClock.frequency(frequency, nowMillis));
            }
        } else if (idleSeconds >= 0) {
            entry.access(AccessClock.seconds(nowMillis - 1000 * Math.min(idleSeconds, nowMillis / 1000)));
        }
    }

    /** How often a key is used, 0 to 255. */
    public int frequency(Entry entry, long nowMillis) {
        return AccessClock.counter(entry.access(), nowMillis, settings.lfuDecayTime.value());
    }
}
