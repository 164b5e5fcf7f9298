package dev.heddle.command.script.lib;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaFunction;
import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** One call of table.sort. Confined to it. */
final class TableSort {

    /*
     * table.sort: quicksort with the median of three as pivot, making the same comparisons and swaps in the same order
     * as Lua's own. A stable or faster sort would be no better here: scripts see the order of equal elements, and which
     * comparisons a faulty order function gets, so both must be as on the server that they were written for. The
     * smaller half is sorted by recursion, the larger in the loop, so the depth is logarithmic.
     *
     * Reference: R. Sedgewick, "Algorithms in Modula-3", Addison-Wesley 1993, chapter 9.
     */

    private final LuaTable table;
    private final @Nullable LuaFunction order;

    private TableSort(LuaTable table, @Nullable LuaFunction order) {
        this.table = table;
        this.order = order;
    }

    static Varargs sort(Args args) {
        LuaTable table = args.table(1);
        int length = table.rawlen();
        LuaFunction order = args.isNoneOrNil(2) ? null : args.function(2);
        new TableSort(table, order).sort(1, length);
        return LuaValue.NONE;
    }

    private void sort(int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            orderPair(low, high);
            if (high - low == 1) {
                return;
            }
            int middle = (low + high) >>> 1;
            if (less(table.rawget(middle), table.rawget(low))) {
                swap(middle, low);
            } else {
                orderPair(middle, high);
            }
            if (high - low == 2) {
                return;
            }
            LuaValue pivot = table.rawget(middle);
            swap(middle, high - 1);
            int split = partition(low, high, pivot);
            if (split - low < high - split) {
                sort(low, split - 1);
                low = split + 1;
            } else {
                sort(split + 1, high);
                high = split - 1;
            }
        }
    }

    private void orderPair(int low, int high) {
        if (less(table.rawget(high), table.rawget(low))) {
            swap(low, high);
        }
    }

    /** Moves smaller elements before the pivot, which waits at high - 1, and returns its final place. */
    private int partition(int low, int high, LuaValue pivot) {
        int i = low;
        int j = high - 1;
        while (true) {
            while (less(table.rawget(++i), pivot)) {
                if (i > high) {
                    throw new LibraryError("invalid order function for sorting");
                }
            }
            while (less(pivot, table.rawget(--j))) {
                if (j < low) {
                    throw new LibraryError("invalid order function for sorting");
                }
            }
            if (j < i) {
                swap(high - 1, i);
                return i;
            }
            swap(i, j);
        }
    }

    private void swap(int a, int b) {
        LuaValue first = table.rawget(a);
        LuaValue second = table.rawget(b);
        table.rawset(a, second);
        table.rawset(b, first);
    }

    private boolean less(LuaValue a, LuaValue b) {
        if (order != null) {
            return order.invoke(a, b).arg1().toboolean();
        }
        if (a instanceof LuaNumber && b instanceof LuaNumber) {
            return a.todouble() < b.todouble();
        }
        if (a instanceof LuaString && b instanceof LuaString) {
            return a.lt_b(b);
        }
        if (a.metatag(LuaValue.LT).isnil() || a.type() != b.type()) {
            String first = a.typename();
            String second = b.typename();
            throw new LibraryError(
                    first.equals(second)
                            ? "attempt to compare two " + first + " values"
                            : "attempt to compare " + first + " with " + second);
        }
        return a.lt_b(b);
    }
}
