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
    NOEVICTION;

    /** Whether only keys with a time to live give way. */
    public boolean isVolatile() {
        return switch (this) {
            case VOLATILE_LRU, VOLATILE_LFU, VOLATILE_RANDOM, VOLATILE_TTL -> true;
            case ALLKEYS_LRU, ALLKEYS_LFU, ALLKEYS_RANDOM, NOEVICTION -> false;
        };
    }

    /** Whether any key is as good as another. */
    public boolean isRandom() {
        return this == VOLATILE_RANDOM || this == ALLKEYS_RANDOM;
    }
}
