package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of SORT: names, for each element, the key or the field of a hash whose value is meant. {@code weight_*} is a string, {@code
 * object_*->name} a field, {@code #} the element itself; a pattern without a star names nothing.
 *
 * <p>Immutable.
 */
final class SortPattern {

    private final byte[] pattern;
    /** Where the star is, or -1. */
    private final int star;
    /** Where the key's part ends: at the arrow, or with the pattern. */
    private final int keyEnd;

    SortPattern(byte[] pattern) {
        this.pattern = pattern;
        this.star = indexOf(pattern, 0, pattern.length);
        this.keyEnd = star < 0 ? pattern.length : arrow();
    }

    /** Whether an argument has a star, so that other keys are looked up. */
    static boolean dereferences(Request request, int argument) {
        int offset = request.offset(argument);
        return indexOf(request.array(argument), offset, offset + request.length(argument)) >= 0;
    }

    private static int indexOf(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '*') {
                return i;
            }
        }
        return -1;
    }

    private int arrow() {
        // An arrow with nothing behind it is part of the key.
        for (int i = star + 1; i + 2 < pattern.length; i++) {
            if (pattern[i] == '-' && pattern[i + 1] == '>') {
                return i;
            }
        }
        return pattern.length;
    }

    /** What the pattern means for an element: a string value in one of its forms, or null. */
    @Nullable
    Object lookup(Call call, byte[] element) {
        if (pattern.length == 1 && pattern[0] == '#') {
            return element;
        }
        if (star < 0) {
            return null;
        }
        Entry entry = call.find(key(element));
        if (entry == null) {
            return null;
        }
        Object value = entry.value();
        if (keyEnd < pattern.length) {
            return SortSource.field(value, pattern, keyEnd + 2, call.now());
        }
        return StringValues.isString(value) ? value : null;
    }

    private byte[] key(byte[] element) {
        byte[] key = new byte[keyEnd - 1 + element.length];
        System.arraycopy(pattern, 0, key, 0, star);
        System.arraycopy(element, 0, key, star, element.length);
        System.arraycopy(pattern, star + 1, key, star + element.length, keyEnd - star - 1);
        return key;
    }
}
