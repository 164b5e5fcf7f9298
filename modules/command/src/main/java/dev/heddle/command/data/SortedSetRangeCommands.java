package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.SORTED_SET;

import dev.heddle.command.Call;
import dev.heddle.command.CommandTable;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.command.data.RangeQuery.By;
import dev.heddle.store.Entry;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.LexRange;
import dev.heddle.store.value.Ranks;
import dev.heddle.store.value.ScoreRange;
import dev.heddle.store.value.SortedSetValue;
import java.util.function.Function;

/** Ranges of sorted sets by rank, by score and by member. Stateless. */
final class SortedSetRangeCommands {

    private static final String COMPLEXITY = "O(log(N)+M) for M of N members";
    private static final String SEARCH = "O(log(N)) for a set of N members";

    private SortedSetRangeCommands() {}

    static void declare(CommandTable.Builder t) {
        declareRanges(t);
        declareOldRanges(t);
        declareCounts(t);
        declareRemovals(t);
    }

    private static void declareRanges(CommandTable.Builder t) {
        t.read("ZRANGE", atLeast(3), call -> range(call, RangeQuery.general(call, 2, true)))
                .key(Access.RO)
                .docs(
                        SORTED_SET,
                        "1.2.0",
                        COMPLEXITY,
                        "key start:string stop:string [BYSCORE | BYLEX] [REV] [LIMIT offset count] [WITHSCORES]",
                        "Answers the members in a range of ranks, scores or names.");
        t.write("ZRANGESTORE", atLeast(4), SortedSetRangeCommands::zrangestore, DENYOOM)
                .keys(1, 1, 1, Access.OW)
                .keys(2, 2, 1, Access.RO)
                .docs(
                        SORTED_SET,
                        "6.2.0",
                        COMPLEXITY,
                        "dst@0 src@1 min max [BYSCORE | BYLEX] [REV] [LIMIT offset count]",
                        "Stores the members in a range under another key.");
    }

    private static void declareOldRanges(CommandTable.Builder t) {
        t.read("ZREVRANGE", atLeast(3), call -> range(call, RangeQuery.fixed(call, By.RANK, true)))
                .key(Access.RO)
                .deprecated("6.2.0", "`ZRANGE` with the `REV` argument")
                .docs(
                        SORTED_SET,
                        "1.2.0",
                        COMPLEXITY,
                        "key start stop [WITHSCORES]",
                        "Answers the members in a range of ranks, from the highest score on.");
        t.read("ZRANGEBYSCORE", atLeast(3), call -> range(call, RangeQuery.fixed(call, By.SCORE, false)))
                .key(Access.RO)
                .deprecated("6.2.0", "`ZRANGE` with the `BYSCORE` argument")
                .docs(
                        SORTED_SET,
                        "1.0.5",
                        COMPLEXITY,
                        "key min:double max:double [WITHSCORES] [LIMIT offset count]",
                        "Answers the members in a range of scores.");
        t.read("ZREVRANGEBYSCORE", atLeast(3), call -> range(call, RangeQuery.fixed(call, By.SCORE, true)))
                .key(Access.RO)
                .deprecated("6.2.0", "`ZRANGE` with the `REV` and `BYSCORE` arguments")
                .docs(
                        SORTED_SET,
                        "2.2.0",
                        COMPLEXITY,
                        "key max:double min:double [WITHSCORES] [LIMIT offset count]",
                        "Answers the members in a range of scores, from the highest on.");
        t.read("ZRANGEBYLEX", atLeast(3), call -> range(call, RangeQuery.fixed(call, By.LEX, false)))
                .key(Access.RO)
                .deprecated("6.2.0", "`ZRANGE` with the `BYLEX` argument")
                .docs(
                        SORTED_SET,
                        "2.8.9",
                        COMPLEXITY,
                        "key min max [LIMIT offset count]",
                        "Answers the members in a range of names.");
        t.read("ZREVRANGEBYLEX", atLeast(3), call -> range(call, RangeQuery.fixed(call, By.LEX, true)))
                .key(Access.RO)
                .deprecated("6.2.0", "`ZRANGE` with the `REV` and `BYLEX` arguments")
                .docs(
                        SORTED_SET,
                        "2.8.9",
                        COMPLEXITY,
                        "key max min [LIMIT offset count]",
                        "Answers the members in a range of names, from the last on.");
    }

    private static void declareCounts(CommandTable.Builder t) {
        t.read("ZCOUNT", exactly(3), call -> count(call, byScore(call)), FAST)
                .key(Access.RO)
                .docs(
                        SORTED_SET,
                        "2.0.0",
                        SEARCH,
                        "key min:double max:double",
                        "Answers how many members are in a range of scores.");
        t.read("ZLEXCOUNT", exactly(3), call -> count(call, byMember(call)), FAST)
                .key(Access.RO)
                .docs(SORTED_SET, "2.8.9", SEARCH, "key min max", "Answers how many members are in a range of names.");
    }

    private static void declareRemovals(CommandTable.Builder t) {
        t.write("ZREMRANGEBYRANK", exactly(3), call -> remove(call, byRank(call), "zremrangebyrank"))
                .key(Access.RW_DELETE)
                .docs(SORTED_SET, "2.0.0", COMPLEXITY, "key start stop", "Takes out the members in a range of ranks.");
        t.write("ZREMRANGEBYSCORE", exactly(3), call -> remove(call, byScore(call), "zremrangebyscore"))
                .key(Access.RW_DELETE)
                .docs(
                        SORTED_SET,
                        "1.2.0",
                        COMPLEXITY,
                        "key min:double max:double",
                        "Takes out the members in a range of scores.");
        t.write("ZREMRANGEBYLEX", exactly(3), call -> remove(call, byMember(call), "zremrangebylex"))
                .key(Access.RW_DELETE)
                .docs(SORTED_SET, "2.8.9", COMPLEXITY, "key min max", "Takes out the members in a range of names.");
    }

    private static Function<SortedSetValue, Ranks> byRank(Call call) {
        long first = call.longArg(2);
        long last = call.longArg(3);
        return zset -> RangeArguments.ranks(first, last, zset.size());
    }

    private static Function<SortedSetValue, Ranks> byScore(Call call) {
        ScoreRange range = RangeArguments.scores(call, 2, 3);
        return zset -> zset.ranks(range);
    }

    private static Function<SortedSetValue, Ranks> byMember(Call call) {
        LexRange range = RangeArguments.members(call, 2, 3);
        return zset -> zset.ranks(range, false);
    }

    /** {@code ZRANGE key start stop [BYSCORE | BYLEX] [REV] [LIMIT offset count] [WITHSCORES]} and the old names for its forms */
    private static void range(Call call, RangeQuery query) {
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        if (zset == null) {
            call.reply().array(0);
        } else {
            SortedSets.members(call.reply(), zset, query.select(zset), query.walk());
        }
    }

    /** {@code ZRANGESTORE dst src min max [BYSCORE | BYLEX] [REV] [LIMIT offset count]} */
    private static void zrangestore(Call call) {
        RangeQuery query = RangeQuery.general(call, 3, false);
        SortedSetValue source = call.read(2, SortedSetValue.class);
        CompactLimits limits = SortedSets.limits(call);
        if (source == null) {
            SortedSets.store(call, new SortedSetValue(call.engine().random()), "zrangestore");
            return;
        }
        Ranks ranks = query.select(source);
        SortedSetValue result;
        if (query.by() == By.RANK && ranks.size() <= limits.entries()) {
            result = new SortedSetValue(call.engine().random());
            source.forEach(
                    ranks,
                    query.walkWithScores(),
                    (array, offset, length, score) -> result.put(array, offset, length, score, limits));
        } else {
            // Redis does not know the number of members in other ranges beforehand, and takes the form for large sets.
            SortedSetValue.Builder builder =
                    new SortedSetValue.Builder(call.engine().random());
            source.forEach(ranks, query.walkWithScores(), builder::add);
            result = builder.build();
        }
        SortedSets.store(call, result, "zrangestore");
    }

    /** {@code ZCOUNT | ZLEXCOUNT key min max} */
    private static void count(Call call, Function<SortedSetValue, Ranks> range) {
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        call.reply().integer(zset == null ? 0 : range.apply(zset).size());
    }

    /** {@code ZREMRANGEBYRANK | ZREMRANGEBYSCORE | ZREMRANGEBYLEX key min max} */
    private static void remove(Call call, Function<SortedSetValue, Ranks> range, String event) {
        Entry entry = call.findForWrite(1);
        SortedSetValue zset = SortedSets.of(entry);
        int removed = 0;
        if (entry != null && zset != null) {
            Ranks ranks = range.apply(zset);
            removed = ranks.size();
            if (removed > 0) {
                zset.remove(ranks);
                SortedSets.taken(call, 1, entry, zset, event, removed);
            }
        }
        call.reply().integer(removed);
    }
}
