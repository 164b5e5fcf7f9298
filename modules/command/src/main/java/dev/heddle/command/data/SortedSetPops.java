package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.SORTED_SET;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.Ranks;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.Walk;

/**
 * What takes members from the ends of sorted sets. {@link #firstSortedSet}, {@link #popOne} and {@link #popMany} serve a call from one key, and are
 * all that the forms that wait for a member need besides waiting. Stateless.
 */
final class SortedSetPops {

    private SortedSetPops() {}

    static void declare(CommandTable.Builder t) {
        String complexity = "O(log(N)+M) for M of N members";
        t.write("ZPOPMIN", atLeast(1), call -> pop(call, false), FAST)
                .key(Access.RW_POP)
                .docs(SORTED_SET, "5.0.0", complexity, "key [count]", "Takes the members with the lowest scores.");
        t.write("ZPOPMAX", atLeast(1), call -> pop(call, true), FAST)
                .key(Access.RW_POP)
                .docs(SORTED_SET, "5.0.0", complexity, "key [count]", "Takes the members with the highest scores.");
        t.write("ZMPOP", atLeast(3), SortedSetPops::zmpop)
                .countedKeys(1, Access.RW_POP)
                .docs(
                        SORTED_SET,
                        "7.0.0",
                        "O(K+log(N)+M) for M of N members, K being the number of keys",
                        "numkeys key [key ...] <MIN | MAX> [COUNT count]",
                        "Takes members from an end of the first of several sorted sets that is there.");
    }

    /** {@code ZPOPMIN | ZPOPMAX key [count]} */
    private static void pop(Call call, boolean highest) {
        if (call.argc() > 3) {
            throw CommandException.SYNTAX;
        }
        boolean counted = call.argc() == 3;
        long count = counted ? SortedSets.count(call, 2, 0, CommandException.MUST_BE_POSITIVE) : 1;
        Entry entry = call.findForWrite(1);
        SortedSetValue zset = SortedSets.of(entry);
        if (entry == null || zset == null || count == 0) {
            call.reply().array(0);
            return;
        }
        Ranks ranks = end(zset, highest, count);
        boolean pairs = counted && call.reply().protocol() == 3;
        call.reply().array(pairs ? ranks.size() : 2 * ranks.size());
        take(call, 1, entry, ranks, highest, pairs);
    }

    /** {@code ZMPOP numkeys key [key ...] <MIN | MAX> [COUNT count]} */
    private static void zmpop(Call call) {
        Several several = Several.parse(call, 1);
        int key = firstSortedSet(call, 2, several.keys());
        if (key < 0) {
            call.reply().nilArray();
        } else {
            popMany(call, key, several.highest(), several.count());
        }
    }

    // ---- serving from one key

    /** The first of some keys that there is, or -1. @throws CommandException WRONGTYPE if that is no sorted set */
    static int firstSortedSet(Call call, int firstKey, int keys) {
        for (int key = firstKey; key < firstKey + keys; key++) {
            if (call.reaches(key) && SortedSets.of(call.findForWrite(key)) != null && call.isTurn(key)) {
                return key;
            }
        }
        return -1;
    }

    /**
     * Takes one member from the sorted set that {@link #firstSortedSet} has found, and answers key, member and score, as BZPOPMIN does;
     * what is recorded is the ZPOPMIN or ZPOPMAX that it comes to.
     */
    static void popOne(Call call, int key, boolean highest) {
        Entry entry = present(call, key);
        call.reply().array(3);
        replyKey(call, key);
        take(call, key, entry, end(value(entry), highest, 1), highest, false);
        if (call.recorded()) {
            call.effect(command(highest), call.arg(key));
        }
    }

    /** Takes up to {@code count} members likewise, and answers the key and an array of pairs, as ZMPOP does. */
    static void popMany(Call call, int key, boolean highest, long count) {
        Entry entry = present(call, key);
        Ranks ranks = end(value(entry), highest, count);
        call.reply().array(2);
        replyKey(call, key);
        call.reply().array(ranks.size());
        take(call, key, entry, ranks, highest, true);
        if (call.recorded()) {
            call.effect(command(highest), call.arg(key), Numbers.toBytes(ranks.size()));
        }
    }

    private static Ranks end(SortedSetValue zset, boolean highest, long count) {
        return new Ranks(0, zset.size()).limit(0, count, highest);
    }

    /** Answers the members with these ranks, in pairs or without, and takes them out. */
    private static void take(Call call, int key, Entry entry, Ranks ranks, boolean highest, boolean pairs) {
        SortedSetValue zset = value(entry);
        ReplyWriter reply = call.reply();
        zset.forEach(ranks, new Walk(highest, true), (array, offset, length, score) -> {
            if (pairs) {
                reply.array(2);
            }
            SortedSets.member(reply, array, offset, length);
            reply.real(score);
        });
        zset.remove(ranks);
        SortedSets.taken(call, key, entry, zset, highest ? "zpopmax" : "zpopmin", ranks.size());
    }

    private static Entry present(Call call, int key) {
        Entry entry = call.findForWrite(key);
        if (entry == null) {
            throw new IllegalStateException("the key is not there");
        }
        return entry;
    }

    private static SortedSetValue value(Entry entry) {
        if (entry.value() instanceof SortedSetValue zset) {
            return zset;
        }
        throw CommandException.WRONG_TYPE;
    }

    private static void replyKey(Call call, int key) {
        Request request = call.request();
        call.reply().bulk(request.array(key), request.offset(key), request.length(key));
    }

    private static String command(boolean highest) {
        return highest ? "ZPOPMAX" : "ZPOPMIN";
    }

    /**
     * The arguments of ZMPOP from the number of keys on.
     *
     * <p>Immutable.
     */
    record Several(int keys, boolean highest, long count) {

        /** @param at where the number of keys stands */
        static Several parse(Call call, int at) {
            long keys = SortedSets.count(call, at, 1, CommandException.err("numkeys should be greater than 0"));
            if (keys > call.argc() - at - 2) {
                throw CommandException.SYNTAX;
            }
            int where = at + 1 + (int) keys;
            boolean highest = call.is(where, "MAX");
            if (!highest && !call.is(where, "MIN")) {
                throw CommandException.SYNTAX;
            }
            long count = 1;
            if (call.argc() > where + 1) {
                if (!call.is(where + 1, "COUNT") || call.argc() == where + 2) {
                    throw CommandException.SYNTAX;
                }
                count = SortedSets.count(call, where + 2, 1, CommandException.err("count should be greater than 0"));
                if (call.argc() > where + 3) {
                    throw CommandException.SYNTAX;
                }
            }
            return new Several((int) keys, highest, count);
        }
    }
}
