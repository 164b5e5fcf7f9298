package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.SORTED_SET;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.SortedSetValue;

/** Sorted sets, member by member. Stateless. */
public final class SortedSetCommands {

    private SortedSetCommands() {}

    /** Declares all commands on sorted sets, those of the other files too. */
    public static void declare(CommandTable.Builder t) {
        declareWrites(t);
        declareReads(t);
        SortedSetPops.declare(t);
        SortedSetSamples.declare(t);
        SortedSetRangeCommands.declare(t);
        SortedSetAlgebraCommands.declare(t);
    }

    private static void declareWrites(CommandTable.Builder t) {
        t.write("ZADD", atLeast(3), call -> add(call, false), DENYOOM, FAST)
                .key(Access.RW)
                .docs(
                        SORTED_SET,
                        "1.2.0",
                        "O(log(N)) for each member, N being the size of the set",
                        "key [NX | XX] [GT | LT] [CH] [INCR] score member [score member ...]",
                        "Adds members to a sorted set, or gives them other scores.");
        t.write("ZINCRBY", exactly(3), call -> add(call, true), DENYOOM, FAST)
                .key(Access.RW_ACCESS)
                .docs(
                        SORTED_SET,
                        "1.2.0",
                        "O(log(N)) for a set of N members",
                        "key increment member",
                        "Adds a number to the score of a member.");
        t.write("ZREM", atLeast(2), SortedSetCommands::zrem, FAST)
                .key(Access.RW_DELETE)
                .docs(
                        SORTED_SET,
                        "1.2.0",
                        "O(M*log(N)) for M of N members",
                        "key member [member ...]",
                        "Takes members out of a sorted set.");
    }

    private static void declareReads(CommandTable.Builder t) {
        t.read("ZCARD", exactly(1), SortedSetCommands::zcard, FAST)
                .key(Access.RO_META)
                .docs(SORTED_SET, "1.2.0", "O(1)", "key", "Answers how many members a sorted set has.");
        t.read("ZSCORE", exactly(2), SortedSetCommands::zscore, FAST)
                .key(Access.RO)
                .docs(SORTED_SET, "1.2.0", "O(1)", "key member", "Answers the score of a member.");
        t.read("ZMSCORE", atLeast(2), SortedSetCommands::zmscore, FAST)
                .key(Access.RO)
                .docs(
                        SORTED_SET,
                        "6.2.0",
                        "O(N) for N members asked for",
                        "key member [member ...]",
                        "Answers the scores of several members.");
        t.read("ZRANK", atLeast(2), call -> rank(call, false), FAST)
                .key(Access.RO)
                .docs(
                        SORTED_SET,
                        "2.0.0",
                        "O(log(N)) for a set of N members",
                        "key member [WITHSCORE]",
                        "Answers how many members come before one, from the lowest score on.");
        t.read("ZREVRANK", atLeast(2), call -> rank(call, true), FAST)
                .key(Access.RO)
                .docs(
                        SORTED_SET,
                        "2.0.0",
                        "O(log(N)) for a set of N members",
                        "key member [WITHSCORE]",
                        "Answers how many members come before one, from the highest score on.");
    }

    /** {@code ZADD key [NX | XX] [GT | LT] [CH] [INCR] score member [score member ...]}, {@code ZINCRBY key increment member} */
    private static void add(Call call, boolean increment) {
        AddRule rule = AddRule.parse(call, increment);
        int pairs = rule.pairs(call);
        double[] scores = new double[pairs];
        for (int i = 0; i < pairs; i++) {
            scores[i] = call.doubleArg(rule.first() + 2 * i);
        }
        Request request = call.request();
        CompactLimits limits = SortedSets.limits(call);
        Entry entry = call.findForWrite(1);
        SortedSetValue zset = SortedSets.of(entry);
        if (zset == null) {
            if (rule.presentOnly()) {
                replyAdded(call.reply(), rule, 0, 0);
                return;
            }
            zset = SortedSets.create(call, pairs, request.length(rule.first() + 1), limits);
        } else if (pairs > limits.entries()) {
            zset.unpack();
        }
        ScoreUpdates updates = new ScoreUpdates(zset, rule, limits);
        for (int i = 0; i < pairs; i++) {
            updates.put(request, rule.first() + 2 * i + 1, scores[i]);
        }
        if (entry == null) {
            call.add(1, zset);
        }
        int changes = updates.added() + updates.updated();
        if (changes > 0) {
            call.changed(1, EventClass.ZSET, rule.increment() ? "zincr" : "zadd");
            call.countChanges(changes - 1L);
        }
        if (rule.increment() && !updates.refused()) {
            call.reply().real(updates.score());
        } else {
            replyAdded(call.reply(), rule, updates.added(), updates.updated());
        }
    }

    private static void replyAdded(ReplyWriter reply, AddRule rule, int added, int updated) {
        if (rule.increment()) {
            reply.nil();
        } else {
            reply.integer(rule.changes() ? added + updated : added);
        }
    }

    /** {@code ZREM key member [member ...]} */
    private static void zrem(Call call) {
        Entry entry = call.findForWrite(1);
        SortedSetValue zset = SortedSets.of(entry);
        int removed = 0;
        if (entry != null && zset != null) {
            Request request = call.request();
            for (int i = 2; i < call.argc() && zset.size() > 0; i++) {
                if (zset.remove(request.array(i), request.offset(i), request.length(i))) {
                    removed++;
                }
            }
            if (removed > 0) {
                SortedSets.taken(call, 1, entry, zset, "zrem", removed);
            }
        }
        call.reply().integer(removed);
    }

    /** {@code ZCARD key} */
    private static void zcard(Call call) {
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        call.reply().integer(zset == null ? 0 : zset.size());
    }

    /** {@code ZSCORE key member} */
    private static void zscore(Call call) {
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        if (zset == null) {
            call.reply().nil();
        } else {
            replyScore(call, zset, 2);
        }
    }

    /** {@code ZMSCORE key member [member ...]} */
    private static void zmscore(Call call) {
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        call.reply().array(call.argc() - 2);
        for (int i = 2; i < call.argc(); i++) {
            if (zset == null) {
                call.reply().nil();
            } else {
                replyScore(call, zset, i);
            }
        }
    }

    private static void replyScore(Call call, SortedSetValue zset, int member) {
        double score = score(call.request(), zset, member);
        if (Double.isNaN(score)) {
            call.reply().nil();
        } else {
            call.reply().real(score);
        }
    }

    private static double score(Request request, SortedSetValue zset, int member) {
        return zset.score(request.array(member), request.offset(member), request.length(member));
    }

    /** {@code ZRANK | ZREVRANK key member [WITHSCORE]} */
    private static void rank(Call call, boolean backwards) {
        if (call.argc() > 4) {
            throw CommandException.err(
                    "wrong number of arguments for '" + call.spec().fullName() + "' command");
        }
        boolean withScore = call.argc() == 4;
        if (withScore && !call.is(3, "WITHSCORE")) {
            throw CommandException.SYNTAX;
        }
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        Request request = call.request();
        int rank = zset == null ? -1 : zset.rank(request.array(2), request.offset(2), request.length(2));
        ReplyWriter reply = call.reply();
        if (zset == null || rank < 0) {
            if (withScore) {
                reply.nilArray();
            } else {
                reply.nil();
            }
            return;
        }
        if (withScore) {
            reply.array(2);
        }
        reply.integer(backwards ? zset.size() - 1 - rank : rank);
        if (withScore) {
            reply.real(score(request, zset, 2));
        }
    }
}
