package dev.heddle.command;

import dev.heddle.store.value.ListValue;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.StreamValue;
import org.jspecify.annotations.Nullable;

/** What a client can wait for at a key. A value of another type wakes nobody. */
public enum WaitKind {
    LIST,
    SORTED_SET,
    /** Taken from by nobody, and also looked at when it is gone: each waiter says whether there is something for it. */
    STREAM;

    /** What a value is good for, or null if nobody waits for such values. */
    static @Nullable WaitKind of(Object value) {
        if (value instanceof ListValue) {
            return LIST;
        }
        if (value instanceof StreamValue) {
            return STREAM;
        }
        return value instanceof SortedSetValue ? SORTED_SET : null;
    }
}
