package dev.heddle.persistence.rdb;

import dev.heddle.resp.Numbers;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.FieldDeadlines;
import dev.heddle.store.value.GrowableString;
import dev.heddle.store.value.HashValue;
import dev.heddle.store.value.HashValue.Part;
import dev.heddle.store.value.IntSet;
import dev.heddle.store.value.ListValue;
import dev.heddle.store.value.PackedList;
import dev.heddle.store.value.Ranks;
import dev.heddle.store.value.SetValue;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.StreamValue;
import dev.heddle.store.value.Value;
import dev.heddle.store.value.Walk;

/**
 * Writes values in the forms that Redis 7.0 reads, and hashes with deadlines of fields in that of 7.4.
 *
 * <p>Immutable, and so thread-safe; the lock of the value's stripe must be held.
 */
final class ValueWriter {

    /** The first version that knows deadlines of fields. */
    static final int VERSION_WITH_DEADLINES = 12;
    /** The first version that knows when consumers of a stream were active. */
    private static final int VERSION_WITH_ACTIVITY = 11;
    /** The version that knows everything else. */
    static final int VERSION = 10;

    private final int listLimit;
    private final boolean activityApart;

    /**
     * @param listLimit {@code list-max-listpack-size}
     * @param activityApart whether it is written elsewhere when consumers of a stream were active
     */
    ValueWriter(int listLimit, boolean activityApart) {
        this.listLimit = listLimit;
        this.activityApart = activityApart;
    }

    /** The lowest version of the format that holds a value in the form in which it is written. */
    int version(Object value) {
        RdbType type = type(value);
        if (type == RdbType.HASH_METADATA) {
            return VERSION_WITH_DEADLINES;
        }
        return type == RdbType.STREAM_3 ? VERSION_WITH_ACTIVITY : VERSION;
    }

    private static boolean hasDeadlines(HashValue hash) {
        FieldDeadlines deadlines = hash.deadlines();
        return deadlines != null && deadlines.size() > 0;
    }

    /** The form that {@link #write} writes. */
    RdbType type(Object value) {
        return switch (value) {
            case byte[] bytes -> RdbType.STRING;
            case Long number -> RdbType.STRING;
            case Value other -> type(other);
            default -> throw new IllegalStateException("no value");
        };
    }

    private RdbType type(Value value) {
        return switch (value) {
            case GrowableString string -> RdbType.STRING;
            case ListValue list -> RdbType.LIST_QUICKLIST_2;
            // Redis 7.0 does not know packed sets
            case SetValue set -> set.integers() != null ? RdbType.SET_INTSET : RdbType.SET;
            case SortedSetValue sorted -> sorted.packed() != null ? RdbType.ZSET_LISTPACK : RdbType.ZSET_2;
            case HashValue hash ->
                hasDeadlines(hash)
                        ? RdbType.HASH_METADATA
                        : hash.packed() != null ? RdbType.HASH_LISTPACK : RdbType.HASH;
            case StreamValue stream ->
                !activityApart && StreamForm.hasActivity(stream) ? RdbType.STREAM_3 : RdbType.STREAM_2;
        };
    }

    /** Writes a value, without its type. */
    void write(Object value, RdbOutput to) {
        switch (value) {
            case byte[] bytes -> to.string(bytes);
            case Long number -> to.number(number);
            case Value other -> write(other, to);
            default -> throw new IllegalStateException("no value");
        }
    }

    private void write(Value value, RdbOutput to) {
        switch (value) {
            case GrowableString string -> to.string(string.array(), 0, string.length());
            case ListValue list -> ListNodes.write(list, listLimit, to);
            case SetValue set -> writeSet(set, to);
            case SortedSetValue sorted -> writeSorted(sorted, to);
            case HashValue hash -> writeHash(hash, to);
            case StreamValue stream -> StreamForm.write(stream, type(stream) == RdbType.STREAM_3, to);
        }
    }

    private static void writePacked(PackedList packed, RdbOutput to) {
        byte[] blob = ListpackBuilder.listpack(packed);
        to.blob(blob, 0, blob.length);
    }

    private static void writeSet(SetValue set, RdbOutput to) {
        IntSet integers = set.integers();
        if (integers == null) {
            to.length(set.size());
            set.forEach(to);
        } else {
            byte[] blob = intset(integers);
            to.blob(blob, 0, blob.length);
        }
    }

    /** Redis's set of integers: bytes per number and how many there are, four bytes each, then the numbers; low bytes first. */
    private static byte[] intset(IntSet integers) {
        int width = integers.width();
        int size = integers.size();
        byte[] blob = new byte[8 + width * size];
        put(blob, 0, width, 4);
        put(blob, 4, size, 4);
        for (int i = 0; i < size; i++) {
            put(blob, 8 + i * width, integers.at(i), width);
        }
        return blob;
    }

    private static void put(byte[] array, int at, long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            array[at + i] = (byte) (value >>> 8 * i);
        }
    }

    private static void writeSorted(SortedSetValue sorted, RdbOutput to) {
        PackedList packed = sorted.packed();
        if (packed != null) {
            writePacked(packed, to);
            return;
        }
        to.length(sorted.size());
        // From the last on, as Redis does: its reader adds each before those that it has, which is fastest.
        sorted.forEach(new Ranks(0, sorted.size()), new Walk(true, true), (array, offset, length, score) -> {
            to.string(array, offset, length);
            to.littleEndian(Double.doubleToRawLongBits(score), Double.BYTES);
        });
    }

    private static void writeHash(HashValue hash, RdbOutput to) {
        PackedList packed = hash.packed();
        if (hasDeadlines(hash)) {
            writeWithDeadlines(hash, to);
        } else if (packed != null) {
            writePacked(packed, to);
        } else {
            to.length(hash.size());
            hash.forEach(Part.BOTH, Long.MIN_VALUE, to);
        }
    }

    private static void writeWithDeadlines(HashValue hash, RdbOutput to) {
        FieldDeadlines deadlines = hash.deadlines();
        long earliest = deadlines == null ? 0 : deadlines.earliest();
        to.littleEndian(earliest, Long.BYTES);
        to.length(hash.size());
        hash.forEach(Part.BOTH, Long.MIN_VALUE, new WithDeadlines(hash, earliest, to));
    }

    /** Writes before each field how long after the first deadline its own comes, plus 1, or 0 for none. */
    private static final class WithDeadlines implements ElementSink {

        private final HashValue hash;
        private final long earliest;
        private final RdbOutput to;
        private boolean atValue;

        WithDeadlines(HashValue hash, long earliest, RdbOutput to) {
            this.hash = hash;
            this.earliest = earliest;
            this.to = to;
        }

        @Override
        public void slice(byte[] array, int offset, int length) {
            if (!atValue) {
                long at = hash.deadline(array, offset, length);
                to.length(at == FieldDeadlines.NONE ? 0 : at - earliest + 1);
            }
            to.string(array, offset, length);
            atValue = !atValue;
        }

        @Override
        public void number(long value) {
            whole(Numbers.toBytes(value));
        }

        @Override
        public void whole(byte[] array) {
            slice(array, 0, array.length);
        }
    }
}
