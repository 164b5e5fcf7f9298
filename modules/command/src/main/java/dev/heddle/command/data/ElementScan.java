package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.Glob;
import dev.heddle.resp.Numbers;
import dev.heddle.store.value.ElementSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One SSCAN, HSCAN or their like: its options, and what it has found.
 *
 * <p>Confined to one call. Elements come in groups (a field and its value), of which the first is matched.
 */
final class ElementScan implements ElementSink {

    private final List<byte[]> found = new ArrayList<>();
    private final @Nullable Glob pattern;
    private final long count;
    private final boolean withoutValues;
    private final int groupSize;
    private int inGroup;
    private boolean matched;

    /**
     * Reads the options behind key and cursor.
     *
     * @param hash whether it is HSCAN: elements come in pairs unless NOVALUES is given
     * @throws CommandException "syntax error", "value is not an integer or out of range"
     */
    ElementScan(Call call, boolean hash) {
        Glob givenPattern = null;
        long givenCount = 10;
        boolean noValues = false;
        for (int i = 3; i < call.argc(); i++) {
            boolean more = i + 1 < call.argc();
            if (more && call.is(i, "COUNT")) {
                givenCount = call.longArg(++i);
                if (givenCount < 1) {
                    throw CommandException.SYNTAX;
                }
            } else if (more && call.is(i, "MATCH")) {
                i++;
                givenPattern = call.is(i, "*") ? null : new Glob(call.arg(i), false);
            } else if (hash && call.is(i, "NOVALUES")) {
                noValues = true;
            } else {
                throw CommandException.SYNTAX;
            }
        }
        this.pattern = givenPattern;
        this.count = givenCount;
        this.withoutValues = noValues;
        this.groupSize = hash && !noValues ? 2 : 1;
    }

    long count() {
        return count;
    }

    boolean withoutValues() {
        return withoutValues;
    }

    /** Writes the next cursor and what was found. */
    void reply(Call call, long cursor) {
        call.reply().array(2);
        call.reply().bulkLong(cursor);
        call.reply().array(found.size());
        for (byte[] element : found) {
            call.reply().bulkShared(element);
        }
    }

    /** Writes the end of a scan that has found nothing. */
    static void replyEmpty(Call call) {
        call.reply().array(2);
        call.reply().bulkLong(0);
        call.reply().array(0);
    }

    @Override
    public void slice(byte[] array, int offset, int length) {
        if (wants(array, offset, length)) {
            found.add(Arrays.copyOfRange(array, offset, offset + length));
        }
    }

    @Override
    public void number(long value) {
        whole(Numbers.toBytes(value));
    }

    @Override
    public void whole(byte[] array) {
        if (wants(array, 0, array.length)) {
            found.add(array);
        }
    }

    private boolean wants(byte[] array, int offset, int length) {
        if (inGroup == 0) {
            matched = pattern == null || pattern.matches(array, offset, length);
        }
        inGroup = (inGroup + 1) % groupSize;
        return matched;
    }
}
