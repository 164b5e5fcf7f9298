package dev.heddle.command.data;

import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.SetValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the members that all of some sets have, or that none of them has, and counts them.
 *
 * <p>Confined to one call.
 */
final class MemberFilter implements ElementSink {

    private final List<SetValue> sets;
    private final boolean wanted;
    private final @Nullable ElementSink sink;
    private long passed;

    /**
     * @param wanted whether a member must be in all of the sets (true) or in none (false)
     * @param sink null if counting is enough
     */
    MemberFilter(List<SetValue> sets, boolean wanted, @Nullable ElementSink sink) {
        this.sets = sets;
        this.wanted = wanted;
        this.sink = sink;
    }

    long passed() {
        return passed;
    }

    @Override
    public void slice(byte[] array, int offset, int length) {
        if (passes(array, offset, length)) {
            passed++;
            if (sink != null) {
                sink.slice(array, offset, length);
            }
        }
    }

    @Override
    public void whole(byte[] array) {
        if (passes(array, 0, array.length)) {
            passed++;
            if (sink != null) {
                sink.whole(array);
            }
        }
    }

    @Override
    public void number(long value) {
        for (int i = 0; i < sets.size(); i++) {
            if (sets.get(i).contains(value) != wanted) {
                return;
            }
        }
        passed++;
        if (sink != null) {
            sink.number(value);
        }
    }

    private boolean passes(byte[] array, int offset, int length) {
        for (int i = 0; i < sets.size(); i++) {
            if (sets.get(i).contains(array, offset, length) != wanted) {
                return false;
            }
        }
        return true;
    }
}
