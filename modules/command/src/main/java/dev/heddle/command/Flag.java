package dev.heddle.command;

import java.util.Locale;

/** Properties of a command, in the order in which COMMAND INFO lists them. WRITE and READONLY follow from how it was declared. */
public enum Flag {
    WRITE,
    READONLY,
    /** Refused when memory is full. */
    DENYOOM,
    MODULE,
    ADMIN,
    PUBSUB,
    NOSCRIPT,
    BLOCKING,
    /** Allowed while data is being loaded. */
    LOADING,
    /** Allowed on a replica that has lost its primary. */
    STALE,
    SKIP_MONITOR,
    SKIP_SLOWLOG,
    ASKING,
    /** Constant or logarithmic time. */
    FAST,
    /** Allowed before authentication. */
    NO_AUTH,
    MAY_REPLICATE,
    SENTINEL,
    NO_MANDATORY_KEYS,
    PROTECTED,
    NO_ASYNC_LOADING,
    NO_MULTI,
    /** Its keys cannot be told from positions alone. */
    MOVABLEKEYS,
    /** Allowed while a script runs for too long. */
    ALLOW_BUSY,
    /** An element goes from one key to another while a client waits. */
    TOUCHES_ARBITRARY_KEYS;

    final int bit = 1 << ordinal();

    /** As COMMAND INFO spells it. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether COMMAND INFO leaves it out: it matters to the server alone. */
    public boolean hidden() {
        return this == MAY_REPLICATE || this == SENTINEL || this == PROTECTED || this == TOUCHES_ARBITRARY_KEYS;
    }

    static int bits(Flag... flags) {
        int bits = 0;
        for (Flag flag : flags) {
            bits |= flag.bit;
        }
        return bits;
    }
}
