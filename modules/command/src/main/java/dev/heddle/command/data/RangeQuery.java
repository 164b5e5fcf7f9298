package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.store.value.LexRange;
import dev.heddle.store.value.Ranks;
import dev.heddle.store.value.ScoreRange;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.Walk;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of ZRANGE and its relatives: {@code min max [BYSCORE | BYLEX] [REV] [LIMIT offset count] [WITHSCORES]}.
 *
 * <p>Confined to one call; does not change once it is read.
 */
final class RangeQuery {

    /** What a range is about. */
    enum By {
        RANK,
        SCORE,
        LEX
    }

    private @Nullable By by;
    private boolean backwards;
    private boolean withScores;
    private long skip;
    private long count = -1;

    private long first;
    private long last;
    private @Nullable ScoreRange scores;
    private @Nullable LexRange members;

    private RangeQuery() {}

    /**
     * The arguments of ZRANGE or ZRANGESTORE.
     *
     * @param at where {@code min} stands
     * @param scoresAllowed whether WITHSCORES is an option
     */
    static RangeQuery general(Call call, int at, boolean scoresAllowed) {
        RangeQuery query = new RangeQuery();
        query.readOptions(call, at + 2, scoresAllowed, true);
        query.readRange(call, at);
        return query;
    }

    /** The arguments of a command whose name says what the range is about and in which direction it goes. */
    static RangeQuery fixed(Call call, By by, boolean backwards) {
        RangeQuery query = new RangeQuery();
        query.by = by;
        query.backwards = backwards;
        query.readOptions(call, 4, true, false);
        query.readRange(call, 2);
        return query;
    }

    By by() {
        return by == null ? By.RANK : by;
    }

    Walk walk() {
        return new Walk(backwards, withScores);
    }

    Walk walkWithScores() {
        return new Walk(backwards, true);
    }

    /** The ranks of the members that are asked for. */
    Ranks select(SortedSetValue zset) {
        if (scores != null) {
            return zset.ranks(scores).limit(skip, count, backwards);
        }
        if (members != null) {
            return zset.ranks(members, backwards).limit(skip, count, backwards);
        }
        int size = zset.size();
        Ranks ranks = RangeArguments.ranks(first, last, size);
        return backwards ? new Ranks(size - ranks.to(), size - ranks.from()) : ranks;
    }

    private void readOptions(Call call, int from, boolean scoresAllowed, boolean formsAllowed) {
        boolean directionAllowed = formsAllowed;
        for (int i = from; i < call.argc(); i++) {
            if (scoresAllowed && call.is(i, "WITHSCORES")) {
                withScores = true;
            } else if (call.is(i, "LIMIT") && call.argc() - i > 2) {
                skip = call.longArg(i + 1);
                count = call.longArg(i + 2);
                i += 2;
            } else if (directionAllowed && call.is(i, "REV")) {
                backwards = true;
                directionAllowed = false;
            } else if (by == null && call.is(i, "BYLEX")) {
                by = By.LEX;
            } else if (by == null && call.is(i, "BYSCORE")) {
                by = By.SCORE;
            } else {
                throw CommandException.SYNTAX;
            }
        }
        if (count != -1 && by() == By.RANK) {
            throw CommandException.err(
                    "syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
        }
        if (withScores && by == By.LEX) {
            throw CommandException.err("syntax error, WITHSCORES not supported in combination with BYLEX");
        }
    }

    private void readRange(Call call, int at) {
        int min = backwards ? at + 1 : at;
        int max = backwards ? at : at + 1;
        switch (by()) {
            case RANK -> {
                first = call.longArg(at);
                last = call.longArg(at + 1);
            }
            case SCORE -> scores = RangeArguments.scores(call, min, max);
            case LEX -> members = RangeArguments.members(call, min, max);
        }
    }
}
