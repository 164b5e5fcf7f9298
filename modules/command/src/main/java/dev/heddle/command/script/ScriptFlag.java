package dev.heddle.command.script;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a script or function may say of itself. */
enum ScriptFlag {
    NO_WRITES,
    ALLOW_OOM,
    ALLOW_STALE,
    NO_CLUSTER,
    ALLOW_CROSS_SLOT_KEYS;

    /** As it is written: {@code no-writes}. */
    String spelling() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The flag of this spelling, or null. */
    static @Nullable ScriptFlag of(String spelling) {
        for (ScriptFlag flag : values()) {
            if (flag.spelling().equals(spelling)) {
                return flag;
            }
        }
        return null;
    }
}
