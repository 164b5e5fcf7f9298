package dev.heddle.command.admin;

import dev.heddle.store.Entry;
import dev.heddle.store.value.Value;

/** About how many bytes of heap a key takes with its value, on a JVM with compressed references. Stateless. */
final class EntrySize {

    private static final int ENTRY = 32;
    /** What a time to live adds: the time, the place in the heap of deadlines, and a slot there. */
    private static final int EXPIRY = 20;

    private static final int TABLE_SLOT = 4;
    private static final int NUMBER = 24;

    private EntrySize() {}

    static long of(Entry entry) {
        return ENTRY
                + (entry.expireAt() == Entry.NEVER ? 0 : EXPIRY)
                + TABLE_SLOT
                + array(entry.key().length)
                + value(entry.value());
    }

    private static long value(Object value) {
        return switch (value) {
            case byte[] bytes -> array(bytes.length);
            case Long number -> NUMBER;
            case Value other -> other.bytes();
            default -> throw new IllegalStateException("no value: " + value.getClass());
        };
    }

    private static long array(int length) {
        return (16L + length + 7) / 8 * 8;
    }
}
