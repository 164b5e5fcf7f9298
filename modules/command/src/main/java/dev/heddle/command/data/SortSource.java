package dev.heddle.command.data;

import dev.heddle.command.CommandException;
import dev.heddle.resp.Numbers;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.ListValue;
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
            default -> throw CommandException.WRONG_TYPE;
        };
    }

    /** Whether the elements have an order of their own, so that a part of them can be asked for. */
    static boolean ordered(@Nullable Object value) {
        return value instanceof ListValue;
    }

    /** Some of the elements: from the index {@code from} on, or from that far from the end on and backward. */
    static byte[][] elements(@Nullable Object value, int from, int count, boolean backward) {
        Collector collector = new Collector(count);
        if (count > 0 && value instanceof ListValue list) {
            list.give(backward ? list.size() - 1 - from : from, count, backward, collector);
        }
        return collector.elements;
    }

    /** The value of a field, or null if there is none or the value is no hash. */
    static byte @Nullable [] field(Object value, byte[] field) {
        return null;
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
        public void whole(byte[] array) {
            elements[count] = array;
            count++;
        }
    }
}
