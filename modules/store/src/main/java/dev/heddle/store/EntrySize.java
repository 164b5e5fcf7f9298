package dev.heddle.store;

import dev.heddle.store.value.Value;

/**
 * What a key takes of the heap with its value, in bytes, on a JVM with compressed references: objects are multiples of 8 bytes, the head of
 * one takes 12 of them and that of an array 16 (with compact headers, 8 and 12). Stateless.
 */
public final class EntrySize {

    static final int ENTRY = 32;
    /** What a time to live adds: the time, the place in the heap of deadlines, and a slot there. */
    static final int EXPIRY = 16;

    static final int EXPIRY_SLOT = 4;
    private static final int TABLE_SLOT = 4;
    private static final int NUMBER = 24;
    private static final int ARRAY_HEAD = 16;

    private EntrySize() {}

    /** An entry, with its share of the tables that it stands in. */
    public static long of(Entry entry) {
        return withoutValue(entry)
                + TABLE_SLOT
                + (entry.value() instanceof Value value ? value.bytes() : plain(entry.value()));
    }

    /** An entry and its key. */
    static long withoutValue(Entry entry) {
        return ENTRY + (entry instanceof ExpiringEntry ? EXPIRY + EXPIRY_SLOT : 0) + array(entry.key.length);
    }

    /** A string in one of its plain forms. */
    static long plain(Object value) {
        return value instanceof byte[] bytes ? array(bytes.length) : NUMBER;
    }

    private static long array(int length) {
        return (ARRAY_HEAD + (long) length + 7) & ~7L;
    }
}
