package dev.heddle.command.data;

import dev.heddle.command.CommandException;
import dev.heddle.resp.Request;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.SortedSetValue;

/**
 * Carries out a ZADD by its {@link AddRule}, and counts what it comes to.
 *
 * <p>Confined to one call.
 */
final class ScoreUpdates {

    private static final CommandException NOT_A_NUMBER = CommandException.err("resulting score is not a number (NaN)");

    private final SortedSetValue zset;
    private final AddRule rule;
    private final CompactLimits limits;
    private int added;
    private int updated;
    private boolean refused;
    private double score;

    ScoreUpdates(SortedSetValue zset, AddRule rule, CompactLimits limits) {
        this.zset = zset;
        this.rule = rule;
        this.limits = limits;
    }

    /** How many members are new. */
    int added() {
        return added;
    }

    /** How many members that were there have another score. */
    int updated() {
        return updated;
    }

    /** Whether the rule has left the last member as it was. */
    boolean refused() {
        return refused;
    }

    /** What the last member was given. */
    double score() {
        return score;
    }

    /** Gives a member, an argument of the request, a score. @throws CommandException "resulting score is not a number (NaN)" */
    void put(Request request, int member, double given) {
        byte[] array = request.array(member);
        int offset = request.offset(member);
        int length = request.length(member);
        score = given;
        if (!rule.isPlain() && !admits(zset.score(array, offset, length))) {
            refused = true;
            return;
        }
        double before = zset.put(array, offset, length, score, limits);
        if (Double.isNaN(before)) {
            added++;
        } else if (before != score) {
            updated++;
        }
    }

    /** Whether the rule lets a member that has this score (NaN: is not there) get the new one, to which INCR adds the present one. */
    private boolean admits(double present) {
        if (Double.isNaN(present)) {
            return !rule.presentOnly();
        }
        if (rule.absentOnly()) {
            return false;
        }
        if (rule.increment()) {
            score += present;
            if (Double.isNaN(score)) {
                throw NOT_A_NUMBER;
            }
        }
        return !(rule.lessOnly() && score >= present) && !(rule.greaterOnly() && score <= present);
    }
}
