package dev.heddle.command.data;

import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.SetValue;

/** Adds what it is given to a set. Confined to one call. */
record SetBuilder(SetValue set, CompactLimits limits) implements ElementSink {

    @Override
    public void slice(byte[] array, int offset, int length) {
        set.add(array, offset, length, limits);
    }

    @Override
    public void number(long value) {
        set.add(value, limits);
    }

    @Override
    public void whole(byte[] array) {
        set.add(array, limits);
    }
}
