package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.Numbers;
import dev.heddle.store.Entry;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.SetValue;
import dev.heddle.store.value.SortedSetValue;
import org.jspecify.annotations.Nullable;

/**
 * One input of a union, intersection or difference: a sorted set, a set whose members all have score 1, or a key that is not there.
 *
 * <p>Confined to one call.
 */
final class AlgebraSource {

    private final @Nullable Object value;
    private double weight = 1;

    private AlgebraSource(@Nullable Object value) {
        this.value = value;
    }

    /** @throws CommandException WRONGTYPE */
    static AlgebraSource read(Call call, int key) {
        Entry entry = call.find(key);
        Object value = entry == null ? null : entry.value();
        if (value != null && !(value instanceof SortedSetValue) && !(value instanceof SetValue)) {
            throw CommandException.WRONG_TYPE;
        }
        return new AlgebraSource(value);
    }

    double weight() {
        return weight;
    }

    void weight(double factor) {
        weight = factor;
    }

    int size() {
        return switch (value) {
            case SortedSetValue zset -> zset.size();
            case SetValue set -> set.size();
            case null, default -> 0;
        };
    }

    /** The score of a member, NaN if it is not there; without the weight. */
    double score(byte[] array, int offset, int length) {
        return switch (value) {
            case SortedSetValue zset -> zset.score(array, offset, length);
            case SetValue set -> set.contains(array, offset, length) ? 1 : Double.NaN;
            case null, default -> Double.NaN;
        };
    }

    /** Visits the members with their scores, without the weight. */
    void forEach(SortedSetValue.Visitor visitor) {
        switch (value) {
            case SortedSetValue zset -> zset.forEach(visitor);
            case SetValue set -> set.forEach(new WithScoreOne(visitor));
            case null, default -> {
                // a key that is not there has no members
            }
        }
    }

    /** Shows the members of a set to who expects scores. */
    private record WithScoreOne(SortedSetValue.Visitor visitor) implements ElementSink {

        @Override
        public void slice(byte[] array, int offset, int length) {
            visitor.accept(array, offset, length, 1);
        }

        @Override
        public void whole(byte[] immutable) {
            visitor.accept(immutable, 0, immutable.length, 1);
        }

        @Override
        public void number(long value) {
            byte[] digits = Numbers.toBytes(value);
            visitor.accept(digits, 0, digits.length, 1);
        }
    }
}
