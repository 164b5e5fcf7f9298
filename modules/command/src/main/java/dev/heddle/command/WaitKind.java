package dev.heddle.command;

import dev.heddle.store.value.ListValue;
import dev.heddle.store.value.SortedSetValue;
import org.jspecify.annotations.Nullable;

/** What a client can wait for at a key. A value of another type wakes nobody. */
public enum WaitKind {
    LIST,
    SORTED_SET;

    /** What a value is good for, or null if nobody waits for such values. */
    static @Nullable WaitKind of(Object value) {
        if (value instanceof ListValue) {
            return LIST;
        }
        return value instanceof SortedSetValue ? SORTED_SET : null;
    }
}
