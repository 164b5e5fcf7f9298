package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.GENERIC;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.AclCategory;
import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.Partition;
import dev.heddle.store.Store;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whole databases. Stateless. */
public final class DatabaseCommands {

    /** After so many expired keys in a row, RANDOMKEY stops trying its luck. */
    private static final int RANDOM_TRIES = 100;

    private DatabaseCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.read("DBSIZE", exactly(0), DatabaseCommands::dbSize, FAST)
                .categories(AclCategory.KEYSPACE)
                .categories(AclCategory.KEYSPACE)
                .tips("request_policy:all_shards", "response_policy:agg_sum")
                .docs(SERVER, "1.0.0", "O(1)", "", "Answers how many keys the database has.");
        t.read("RANDOMKEY", exactly(0), DatabaseCommands::randomKey)
                .tips("request_policy:all_shards", "response_policy:special", "nondeterministic_output")
                .docs(GENERIC, "1.0.0", "O(1)", "", "Answers some key of the database.");
        t.write("FLUSHDB", atLeast(0), DatabaseCommands::flushDb)
                .categories(AclCategory.KEYSPACE, AclCategory.DANGEROUS)
                .exclusive()
                .categories(AclCategory.KEYSPACE, AclCategory.DANGEROUS)
                .tips("request_policy:all_shards", "response_policy:all_succeeded")
                .docs(SERVER, "1.0.0", "O(1)", "[ASYNC | SYNC]", "Deletes all keys of the database.");
        t.write("FLUSHALL", atLeast(0), DatabaseCommands::flushAll)
                .categories(AclCategory.KEYSPACE, AclCategory.DANGEROUS)
                .exclusive()
                .categories(AclCategory.KEYSPACE, AclCategory.DANGEROUS)
                .tips("request_policy:all_shards", "response_policy:all_succeeded")
                .docs(SERVER, "1.0.0", "O(1)", "[ASYNC | SYNC]", "Deletes all keys of all databases.");
        t.write("SWAPDB", exactly(2), DatabaseCommands::swapDb, FAST)
                .categories(AclCategory.KEYSPACE, AclCategory.DANGEROUS)
                .exclusive()
                .categories(AclCategory.KEYSPACE, AclCategory.DANGEROUS)
                .docs(SERVER, "4.0.0", "O(1)", "index1 index2", "Exchanges two databases.");
    }

    /** A database's number. @throws CommandException if there is no such database, or the argument is no number of 32 bits */
    static int database(Call call, int index) {
        int database = call.intArg(index);
        checkDatabase(call, database);
        return database;
    }

    private static void checkDatabase(Call call, int database) {
        if (database < 0 || database >= call.engine().store().databases()) {
            throw CommandException.DB_INDEX;
        }
    }

    /** {@code DBSIZE} */
    private static void dbSize(Call call) {
        Store store = call.engine().store();
        boolean lockHere = !call.locks().isHeld();
        long sum = 0;
        for (int stripe = 0; stripe < store.stripeCount(); stripe++) {
            if (lockHere) {
                call.locks().lockStripe(stripe, false);
            }
            Partition partition = store.stripe(stripe).partition(call.database());
            sum += partition == null ? 0 : partition.size();
            if (lockHere) {
                call.locks().unlock();
            }
        }
        call.reply().integer(sum);
    }

    /** {@code RANDOMKEY} */
    private static void randomKey(Call call) {
        List<byte[]> expired = new ArrayList<>();
        byte[] key = null;
        boolean any = true;
        while (key == null && any && expired.size() < RANDOM_TRIES) {
            int stripe = call.engine()
                    .store()
                    .randomStripe(call.database(), call.engine().random());
            any = stripe >= 0;
            key = any ? randomIn(call, stripe, expired) : null;
        }
        call.removeExpired(expired);
        if (key == null && any) {
            key = firstAlive(call);
        }
        if (key == null) {
            call.reply().nil();
        } else {
            call.reply().bulk(key);
        }
    }

    private static byte @Nullable [] randomIn(Call call, int stripe, List<byte[]> expired) {
        boolean lockHere = !call.locks().isHeld();
        if (lockHere) {
            call.locks().lockStripe(stripe, false);
        }
        try {
            Entry entry = call.engine()
                    .store()
                    .randomIn(stripe, call.database(), call.engine().random());
            if (entry == null) {
                return null;
            }
            if (call.isExpired(entry)) {
                expired.add(entry.key());
                return null;
            }
            return entry.key();
        } finally {
            if (lockHere) {
                call.locks().unlock();
            }
        }
    }

    /** Some key that has not expired, if there is one: what remains when most keys have. */
    private static byte @Nullable [] firstAlive(Call call) {
        Store store = call.engine().store();
        byte[][] found = new byte[1][];
        int start = call.engine().random().nextInt(store.tables());
        for (int i = 0; i < store.tables() && found[0] == null; i++) {
            int table = (start + i) % store.tables();
            ScanCommands.visitTable(call, table, entry -> {
                if (!call.isExpired(entry)) {
                    found[0] = entry.key();
                }
            });
        }
        return found[0];
    }

    /** {@code FLUSHDB [ASYNC | SYNC]} */
    private static void flushDb(Call call) {
        checkFlushMode(call);
        int database = call.database();
        long size = call.engine().store().size(database);
        call.engine().store().clear(database);
        call.databaseChanged(database);
        call.engine().tracking().flushed();
        // Recorded even if there was nothing, as in Redis.
        call.countChanges(Math.max(1, size) - 1);
        call.reply().ok();
    }

    /** {@code FLUSHALL [ASYNC | SYNC]} */
    private static void flushAll(Call call) {
        checkFlushMode(call);
        Store store = call.engine().store();
        long size = 0;
        for (int database = 0; database < store.databases(); database++) {
            size += store.size(database);
            store.clear(database);
            call.databaseChanged(database);
        }
        call.engine().tracking().flushed();
        call.countChanges(Math.max(1, size) - store.databases());
        call.engine().persistence().flushed();
        call.reply().ok();
    }

    /** Both modes are the same: the tables are let go at once, and the collector finds them. */
    private static void checkFlushMode(Call call) {
        boolean known = call.argc() == 1 || (call.argc() == 2 && (call.is(1, "ASYNC") || call.is(1, "SYNC")));
        if (!known) {
            throw CommandException.SYNTAX;
        }
    }

    /** {@code SWAPDB index1 index2} */
    private static void swapDb(Call call) {
        int one = swapIndex(call, 1, "first");
        int other = swapIndex(call, 2, "second");
        checkDatabase(call, one);
        checkDatabase(call, other);
        if (one != other) {
            call.engine().store().swap(one, other);
            call.databaseChanged(one);
            call.databaseChanged(other);
            call.countChanges(-1); // it is one change of two databases
        } else {
            call.countChanges(1);
        }
        call.reply().ok();
    }

    private static int swapIndex(Call call, int index, String which) {
        Request request = call.request();
        byte[] array = request.array(index);
        int offset = request.offset(index);
        int length = request.length(index);
        long value = Numbers.parseLong(array, offset, length);
        if (value != (int) value) {
            throw CommandException.err("invalid " + which + " DB index");
        }
        return (int) value;
    }
}
