package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Group.GENERIC;

import dev.heddle.command.AclCategory;
import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.Glob;
import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Walks through all keys of a database. Stateless.
 *
 * <p>These commands take their locks by themselves, a piece at a time, so that nobody waits for the whole walk; inside a transaction or
 * script, where locks are held already, they take none.
 */
public final class ScanCommands {

    /** How many buckets a SCAN visits before it gives the stripe's lock back for a moment. */
    private static final int SLICE = 1024;
    /** How many buckets a SCAN visits at most for each key that it was asked for. */
    private static final int BUCKETS_PER_KEY = 10;

    private ScanCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.read("KEYS", exactly(1), ScanCommands::keys)
                .categories(AclCategory.KEYSPACE, AclCategory.DANGEROUS)
                .categories(AclCategory.KEYSPACE, AclCategory.DANGEROUS)
                .tips("request_policy:all_shards", "nondeterministic_output_order")
                .docs(GENERIC, "1.0.0", "O(N) for N keys in the database", "pattern", "Answers all keys that match.");
        t.read("SCAN", atLeast(1), ScanCommands::scan)
                .tips("nondeterministic_output", "request_policy:special", "response_policy:special")
                .docs(
                        GENERIC,
                        "2.8.0",
                        "O(1) for every call, O(N) for all N keys",
                        "cursor [MATCH pattern] [COUNT count] [TYPE type]",
                        "Walks through the keys of the database, some at each call.");
    }

    /** Visits the keys of one of the store's tables, in the call's database, under its stripe's lock. */
    static void visitTable(Call call, int table, Consumer<? super Entry> visitor) {
        Store store = call.engine().store();
        boolean lockHere = !call.locks().isHeld();
        if (lockHere) {
            call.locks().lockStripe(store.tableStripe(table), false);
        }
        try {
            store.forEachInTable(call.database(), table, visitor);
        } finally {
            if (lockHere) {
                call.locks().unlock();
            }
        }
    }

    /** {@code KEYS pattern} */
    private static void keys(Call call) {
        Glob pattern = new Glob(call.arg(1), false);
        List<byte[]> found = new ArrayList<>();
        for (int table = 0; table < call.engine().store().tables(); table++) {
            visitTable(call, table, entry -> {
                if (!call.isExpired(entry) && pattern.matches(entry.key())) {
                    found.add(entry.key());
                }
            });
            call.breathe();
        }
        call.reply().array(found.size());
        ElementSink keys = Patience.before(call, new BulkReplies(call.reply()));
        found.forEach(keys::whole);
    }

    /** {@code SCAN cursor [MATCH pattern] [COUNT count] [TYPE type]} */
    private static void scan(Call call) {
        long cursor = Cursors.parse(call, 1);
        Walk walk = new Walk(call);
        cursor = walk.run(cursor);
        call.removeExpired(walk.expired);
        call.reply().array(2);
        call.reply().bulkLong(cursor);
        call.reply().array(walk.found.size());
        for (byte[] key : walk.found) {
            call.reply().bulk(key);
        }
    }

    /** One SCAN. Confined to its call. */
    private static final class Walk implements Consumer<Entry> {

        final List<byte[]> found = new ArrayList<>();
        final List<byte[]> expired = new ArrayList<>();

        private final Call call;
        private @Nullable Glob pattern;
        private @Nullable String type;
        private long count = 10;
        private long visited;

        /** Reads the options. */
        Walk(Call call) {
            this.call = call;
            for (int i = 2; i < call.argc(); i += 2) {
                if (i + 1 == call.argc()) {
                    throw CommandException.SYNTAX;
                }
                if (call.is(i, "COUNT")) {
                    count = call.longArg(i + 1);
                    if (count < 1) {
                        throw CommandException.SYNTAX;
                    }
                } else if (call.is(i, "MATCH")) {
                    pattern = new Glob(call.arg(i + 1), false);
                } else if (call.is(i, "TYPE")) {
                    type = call.text(i + 1);
                } else {
                    throw CommandException.SYNTAX;
                }
            }
        }

        /** Visits buckets until there are enough keys, and answers the next cursor. */
        long run(long start) {
            Store store = call.engine().store();
            boolean lockHere = !call.locks().isHeld();
            // A stripe without keys counts as a bucket.
            long buckets = count < Long.MAX_VALUE / (2 * BUCKETS_PER_KEY)
                    ? count * BUCKETS_PER_KEY + store.stripeCount()
                    : Long.MAX_VALUE;
            long cursor = start;
            do {
                int stripe = store.scanStripe(cursor);
                if (lockHere) {
                    call.locks().lockStripe(stripe, false);
                }
                try {
                    int slice = SLICE;
                    do {
                        cursor = store.scan(call.database(), cursor, this);
                        buckets--;
                        slice--;
                    } while (goesOn(cursor, buckets) && slice > 0 && store.scanStripe(cursor) == stripe);
                } finally {
                    if (lockHere) {
                        call.locks().unlock();
                    }
                }
            } while (goesOn(cursor, buckets));
            return cursor;
        }

        private boolean goesOn(long cursor, long buckets) {
            return cursor != 0 && buckets > 0 && visited < count;
        }

        @Override
        public void accept(Entry entry) {
            visited++;
            if (matches(entry)) {
                (call.isExpired(entry) ? expired : found).add(entry.key());
            }
        }

        private boolean matches(Entry entry) {
            return (type == null
                            || type.equalsIgnoreCase(ValueType.of(entry.value()).typeName()))
                    && (pattern == null || pattern.matches(entry.key()));
        }
    }
}
