package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.store.value.ElementSink;

/**
 * Passes elements on, and now and then lets other connections run: for walks through a large copy, when no lock is held any more. Confined
 * to one call.
 */
final class Patience implements ElementSink {

    /** Handling so many elements takes about a tenth of a millisecond. */
    private static final int ELEMENTS = 1024;

    private final Call call;
    private final ElementSink next;
    private int left = ELEMENTS;

    private Patience(Call call, ElementSink next) {
        this.call = call;
        this.next = next;
    }

    /** The sink itself if locks are held: then nobody must be let in between. */
    static ElementSink before(Call call, ElementSink sink) {
        return call.locks().isHeld() ? sink : new Patience(call, sink);
    }

    @Override
    public void slice(byte[] array, int offset, int length) {
        next.slice(array, offset, length);
        count();
    }

    @Override
    public void number(long value) {
        next.number(value);
        count();
    }

    @Override
    public void whole(byte[] array) {
        next.whole(array);
        count();
    }

    private void count() {
        if (--left == 0) {
            left = ELEMENTS;
            call.breathe();
        }
    }
}
