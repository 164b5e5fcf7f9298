package dev.heddle.command.config;

/** Which keys give way when {@code maxmemory} is reached. */
public enum EvictionPolicy {
    VOLATILE_LRU,
    VOLATILE_LFU,
    VOLATILE_RANDOM,
    VOLATILE_TTL,
    ALLKEYS_LRU,
    ALLKEYS_LFU,
    ALLKEYS_RANDOM,
    NOEVICTION
}
