package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Group.GENERIC;

import dev.heddle.command.AclCategory;
import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.command.LockScope;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.ListEnd;
import dev.heddle.store.value.ListValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SORT and SORT_RO. Stateless. */
public final class SortCommands {

    private static final CommandException NOT_A_SCORE =
            CommandException.err("One or more scores can't be converted into double");

    private static final byte[] EMPTY = {};

    /** What Redis reckons with for an element besides its bytes when it builds a list for STORE; decides the list's encoding. */
    private static final int STORED_OVERHEAD = 8;

    private SortCommands() {}

    public static void declare(CommandTable.Builder t) {
        String complexity =
                "O(N+M*log(M)) where N is the number of elements and M the number of those that are answered";
        String syntax =
                "key [BY pattern:pattern@1] [LIMIT offset count] [GET pattern:pattern@1 [GET pattern:pattern@1 ...]] [ASC | DESC] [ALPHA]";
        t.write("SORT", atLeast(1), call -> sort(call, true), DENYOOM)
                .key(Access.RO)
                .unstatedKeys(new KeySpec.Nowhere(Access.RO))
                .unstatedKeys(new KeySpec.After("STORE", 2, Access.OW))
                .locks(SortCommands::lockScope)
                .categories(AclCategory.SET, AclCategory.SORTEDSET, AclCategory.LIST, AclCategory.DANGEROUS)
                .docs(
                        GENERIC,
                        "1.0.0",
                        complexity,
                        syntax + " [STORE destination@2]",
                        "Answers or stores the elements of a list, set or sorted set in order.");
        t.read("SORT_RO", atLeast(1), call -> sort(call, false))
                .key(Access.RO)
                .unstatedKeys(new KeySpec.Nowhere(Access.RO))
                .locks(SortCommands::lockScope)
                .categories(AclCategory.SET, AclCategory.SORTEDSET, AclCategory.LIST, AclCategory.DANGEROUS)
                .docs(
                        GENERIC,
                        "7.0.0",
                        complexity,
                        syntax,
                        "Answers the elements of a list, set or sorted set in order.");
    }

    /**
     * Patterns name keys that nobody knows before the elements have been read, so that everything must stand still. Looks at words without
     * regard to where options end: that may lock too much, never too little.
     */
    private static LockScope lockScope(Request request) {
        int stores = 0;
        for (int i = 2; i + 1 < request.count(); i++) {
            if ((request.is(i, "BY") || request.is(i, "GET")) && SortPattern.dereferences(request, i + 1)) {
                return LockScope.ALL;
            }
            if (request.is(i, "STORE")) {
                stores++;
            }
        }
        return stores > 1 ? LockScope.ALL : LockScope.KEYS;
    }

    /**
     * {@code SORT key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] [ALPHA] [STORE destination]}
     */
    private static void sort(Call call, boolean mayStore) {
        Options options = Options.parse(call, mayStore);
        Entry entry = call.find(1);
        Object value = entry == null ? null : entry.value();
        int size = SortSource.size(value);
        options.unsortedSetBecomesStable(value);
        int from = (int) Math.min(Math.max(options.offset, 0), size);
        int count = (int) Math.min(options.count < 0 ? size : options.count, size - from);
        byte[][] elements;
        if (options.keepOrder && SortSource.ordered(value)) {
            elements = SortSource.elements(value, from, count, options.descending);
        } else {
            byte[][] all = SortSource.elements(value, 0, size, false);
            if (!options.keepOrder) {
                all = sorted(call, all, options, SortSource.ordered(value));
            }
            elements = Arrays.copyOfRange(all, from, from + count);
        }
        if (options.storeAt == 0) {
            answer(call, elements, options.gets);
        } else {
            store(call, elements, options);
        }
    }

    // ---- order

    /** An element with what it is compared by: a number, or bytes that may be missing. */
    private static final class Weighed {

        private final byte[] element;
        private final double score;
        private final byte @Nullable [] text;

        Weighed(byte[] element, double score, byte @Nullable [] text) {
            this.element = element;
            this.score = score;
            this.text = text;
        }
    }

    private static byte[][] sorted(Call call, byte[][] elements, Options options, boolean ordered) {
        Weighed[] weighed = new Weighed[elements.length];
        for (int i = 0; i < elements.length; i++) {
            byte[] element = elements[i];
            Object by = options.by == null ? element : options.by.lookup(call, element);
            weighed[i] = options.alpha
                    ? new Weighed(element, 0, by == null ? null : StringValues.bytes(by))
                    : new Weighed(element, by == null ? 0 : score(by), null);
        }
        Comparator<Weighed> order = options.alpha ? SortCommands::compareTexts : SortCommands::compareScores;
        if (!ordered) {
            // What is stored must come out the same when the command is read back from the log, with the set in another
            // order.
            order = order.thenComparing(w -> w.element, Arrays::compareUnsigned);
        }
        Arrays.sort(weighed, options.descending ? order.reversed() : order);
        byte[][] sorted = new byte[elements.length][];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = weighed[i].element;
        }
        return sorted;
    }

    private static int compareScores(Weighed a, Weighed b) {
        if (a.score != b.score) {
            return a.score < b.score ? -1 : 1;
        }
        return Arrays.compareUnsigned(a.element, b.element);
    }

    private static int compareTexts(Weighed a, Weighed b) {
        byte[] x = a.text;
        byte[] y = b.text;
        if (x == null || y == null) {
            return Boolean.compare(x != null, y != null);
        }
        return Arrays.compareUnsigned(x, y);
    }

    /** A weight as C's strtod reads it: blanks before it are passed over, nothing at all is zero. */
    private static double score(Object value) {
        if (value instanceof Long number) {
            return number;
        }
        byte[] bytes = StringValues.array(value);
        int length = StringValues.length(value);
        int from = 0;
        while (from < length && (bytes[from] == ' ' || (bytes[from] >= '\t' && bytes[from] <= '\r'))) {
            from++;
        }
        double score = length == 0 ? 0 : Numbers.parseDouble(bytes, from, length - from);
        if (Double.isNaN(score)) {
            throw NOT_A_SCORE;
        }
        return score;
    }

    // ---- results

    private static void answer(Call call, byte[][] elements, List<SortPattern> gets) {
        ReplyWriter reply = call.reply();
        reply.array(elements.length * Math.max(1, gets.size()));
        for (byte[] element : elements) {
            if (gets.isEmpty()) {
                reply.bulkShared(element);
            }
            for (SortPattern get : gets) {
                Object value = get.lookup(call, element);
                if (value == null) {
                    reply.nil();
                } else {
                    StringValues.reply(reply, value);
                }
            }
        }
    }

    private static void store(Call call, byte[][] elements, Options options) {
        ListValue list = new ListValue();
        int limit = ListCommands.limit(call);
        for (byte[] element : elements) {
            if (options.gets.isEmpty()) {
                append(list, element, limit);
            }
            for (SortPattern get : options.gets) {
                Object value = get.lookup(call, element);
                append(list, value == null ? EMPTY : StringValues.bytes(value), limit);
            }
        }
        int size = list.size();
        if (size > 0) {
            call.set(options.storeAt, list);
            call.changed(options.storeAt, EventClass.LIST, "sortstore");
            call.countChanges(size - 1L);
        } else {
            Entry old = call.findForWrite(options.storeAt);
            if (old != null) {
                call.remove(options.storeAt, old);
                call.changed(options.storeAt, EventClass.GENERIC, "del");
            }
        }
        call.reply().integer(size);
    }

    private static void append(ListValue list, byte[] element, int limit) {
        list.growing(element.length + STORED_OVERHEAD, 1, limit);
        list.push(ListEnd.TAIL, element);
    }

    /** The options. Confined to one call. */
    private static final class Options {

        private @Nullable SortPattern by;
        private boolean keepOrder;
        private boolean descending;
        private boolean alpha;
        private long offset;
        private long count = -1;
        private int storeAt;
        private final List<SortPattern> gets = new ArrayList<>(2);

        static Options parse(Call call, boolean mayStore) {
            Options options = new Options();
            int at = 2;
            while (at < call.argc()) {
                at = options.parseOne(call, at, mayStore);
            }
            return options;
        }

        private int parseOne(Call call, int at, boolean mayStore) {
            int left = call.argc() - at - 1;
            if (call.is(at, "ASC") || call.is(at, "DESC")) {
                descending = call.is(at, "DESC");
                return at + 1;
            }
            if (call.is(at, "ALPHA")) {
                alpha = true;
                return at + 1;
            }
            if (call.is(at, "LIMIT") && left >= 2) {
                offset = call.longArg(at + 1);
                count = call.longArg(at + 2);
                return at + 3;
            }
            if (mayStore && call.is(at, "STORE") && left >= 1) {
                storeAt = at + 1;
                return at + 2;
            }
            if (call.is(at, "BY") && left >= 1) {
                by = new SortPattern(call.arg(at + 1));
                keepOrder |= !SortPattern.dereferences(call.request(), at + 1);
                return at + 2;
            }
            if (call.is(at, "GET") && left >= 1) {
                gets.add(new SortPattern(call.arg(at + 1)));
                return at + 2;
            }
            throw CommandException.SYNTAX;
        }

        /** A set that is stored without being sorted would come out in another order each time: it is sorted after all, as Redis does. */
        void unsortedSetBecomesStable(@Nullable Object value) {
            if (keepOrder && storeAt != 0 && value != null && !SortSource.ordered(value)) {
                keepOrder = false;
                alpha = true;
                by = null;
            }
        }
    }
}
