package dev.heddle.command.config;

import static dev.heddle.command.config.Row.accepted;
import static dev.heddle.command.config.Row.active;

/** The memory limit, eviction and expiry. Thread-safe, as its settings are. */
public final class MemorySettings {

    /** Bytes for the data set, 0 for no limit. */
    public final Setting<Long> maxMemory;

    /** Which keys give way at the limit. */
    public final Setting<EvictionPolicy> maxMemoryPolicy;

    /** Keys that are looked at for each eviction. */
    public final Setting<Integer> maxMemorySamples;

    /** How hard eviction tries before commands go on, 0 to 100. */
    public final Setting<Integer> maxMemoryEvictionTenacity;

    /** Larger: more accesses are needed to saturate a key's frequency counter. */
    public final Setting<Integer> lfuLogFactor;

    /** Minutes after which a frequency counter loses one, 0 for each time it is looked at. */
    public final Setting<Integer> lfuDecayTime;

    /** How much time goes into finding expired keys, 1 to 10. */
    public final Setting<Integer> activeExpireEffort;

    /** Keys that the server remembers for client-side caching, 0 for no limit. */
    public final Setting<Long> trackingTableMaxKeys;

    MemorySettings(Catalogue rows) {
        maxMemory = rows.memory(active("maxmemory"), 0, 0);
        maxMemoryPolicy = rows.choice(active("maxmemory-policy"), EvictionPolicy.NOEVICTION);
        maxMemorySamples = rows.integer(active("maxmemory-samples"), 5, 1, Integer.MAX_VALUE);
        maxMemoryEvictionTenacity = rows.integer(active("maxmemory-eviction-tenacity"), 10, 0, 100);
        lfuLogFactor = rows.integer(active("lfu-log-factor"), 10, 0, Integer.MAX_VALUE);
        lfuDecayTime = rows.integer(active("lfu-decay-time"), 1, 0, Integer.MAX_VALUE);
        activeExpireEffort = rows.integer(accepted("active-expire-effort"), 1, 1, 10);
        trackingTableMaxKeys = rows.number(active("tracking-table-max-keys"), 1_000_000, 0, Long.MAX_VALUE);
        rows.yesNo(active("lazyfree-lazy-eviction"), false);
        rows.yesNo(active("lazyfree-lazy-expire"), false);
        rows.yesNo(active("lazyfree-lazy-server-del"), false);
        rows.yesNo(active("lazyfree-lazy-user-del"), false);
        rows.yesNo(active("lazyfree-lazy-user-flush"), false);
    }
}
