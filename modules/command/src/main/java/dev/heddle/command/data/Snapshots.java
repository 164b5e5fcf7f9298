package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.store.value.HashValue;
import dev.heddle.store.value.ListValue;
import dev.heddle.store.value.SetValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies from which large replies are written after the locks are given back. Stateless. */
final class Snapshots {

    /*
     * Writing a million members takes tens of milliseconds, most of which is fetching them from all over the heap; for so long every
     * command on that stripe would wait. Copying the arrays of references in which a table holds them takes one or two: the members
     * themselves never change. So a reply of that size is written from a copy, without locks. Inside a transaction or script the locks
     * are not the command's own: there it is written under them.
     */

    /** From so many elements on a copy is worth its memory. */
    private static final int LARGE = 4096;
    /** Handling an element costs about so many times what copying one costs. */
    private static final int GAIN = 20;

    private Snapshots() {}

    /** The set itself, or a copy of it if it is large: then the locks are no longer held. */
    static SetValue of(Call call, SetValue set) {
        if (set.size() < LARGE || !call.canUnlockEarly()) {
            return set;
        }
        SetValue copy = set.copy();
        call.unlockEarly();
        return copy;
    }

    /** The hash itself, or a copy of it if it is large: then the locks are no longer held. */
    static HashValue of(Call call, HashValue hash) {
        if (hash.size() < LARGE || hash.anyDue(call.now()) || !call.canUnlockEarly()) {
            return hash;
        }
        HashValue copy = hash.copyWithoutDeadlines();
        call.unlockEarly();
        return copy;
    }

    /** Elements of a list that are so many that a copy pays: then the locks are no longer held. Null if they are few. */
    static byte @Nullable [][] of(Call call, ListValue list, int from, int count) {
        if (count < LARGE || list.isPacked() || !call.canUnlockEarly()) {
            return null;
        }
        byte[][] copy = list.copyRange(from, count);
        call.unlockEarly();
        return copy;
    }

    /**
     * The sets themselves, or copies of them if that pays: then the locks are no longer held.
     *
     * @param handled how many elements will have to be handled
     */
    static List<SetValue> of(Call call, List<SetValue> sets, long handled) {
        long total = 0;
        for (SetValue set : sets) {
            total += set.size();
        }
        if (handled < LARGE || total / GAIN > handled || !call.canUnlockEarly()) {
            return sets;
        }
        List<SetValue> copies = new ArrayList<>(sets.size());
        for (SetValue set : sets) {
            copies.add(set.copy());
        }
        call.unlockEarly();
        return copies;
    }
}
