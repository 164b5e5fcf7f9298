package dev.heddle.command.data;

import dev.heddle.command.CommandException;
import dev.heddle.resp.Numbers;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.HashValue;
import dev.heddle.store.value.ListValue;
import dev.heddle.store.value.Ranks;
import dev.heddle.store.value.SetValue;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.Walk;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What SORT reads: the elements of a list, set or sorted set, and the fields of hashes. Stateless. */
final class SortSource {

    private SortSource() {}

    /** How many elements the value of a key has, 0 if there is none. @throws CommandException WRONGTYPE */
    static int size(@Nullable Object value) {
        return switch (value) {
            case null -> 0;
            case ListValue list -> list.size();
            case SetValue set -> set.size();
            case SortedSetValue set -> set.size();
            default -> throw CommandException.WRONG_TYPE;
        };
    }

    /** Whether the elements have an order of their own, so that a part of them can be asked for. */
    static boolean ordered(@Nullable Object value) {
        return !(value instanceof SetValue);
    }

    /**
     * Some of the elements: from the index {@code from} on, or from that far from the end on and backward. Of a set, whose elements have no
     * index, all of them.
     */
    static byte[][] elements(@Nullable Object value, int from, int count, boolean backward) {
        Collector collector = new Collector(count);
        switch (value) {
            case ListValue list
            when count > 0 -> list.give(backward ? list.size() - 1 - from : from, count, backward, collector);
            case SetValue set -> set.forEach(collector);
            case SortedSetValue set ->
                set.forEach(
                        ranks(set.size(), from, count, backward),
                        new Walk(backward, false),
                        (array, offset, length, score) -> collector.slice(array, offset, length));
            case null, default -> {
                // no key, or nothing wanted
            }
        }
        return collector.elements;
    }

    private static Ranks ranks(int size, int from, int count, boolean backward) {
        return backward ? new Ranks(size - from - count, size - from) : new Ranks(from, from + count);
    }

    /** The value of the field whose name begins at {@code from}, or null if there is none or the value is no hash. */
    static byte @Nullable [] field(Object value, byte[] pattern, int from, long now) {
        return value instanceof HashValue hash ? hash.get(pattern, from, pattern.length - from, now) : null;
    }

    /** Keeps a known number of elements. Confined to one call. */
    private static final class Collector implements ElementSink {

        private final byte[][] elements;
        private int count;

        Collector(int size) {
            elements = new byte[size][];
        }

        @Override
        public void slice(byte[] array, int offset, int length) {
            whole(Arrays.copyOfRange(array, offset, offset + length));
        }

        @Override
        public void number(long value) {
            whole(Numbers.toBytes(value));
        }

        @Override
        public void whole(byte[] immutable) {
            elements[count] = immutable;
            count++;
        }
    }
}
