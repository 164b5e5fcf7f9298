package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Group.SORTED_SET;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.Glob;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.store.value.Ranks;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.Walk;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What answers some members of a sorted set in no order: by chance, or one piece after the other. Stateless. */
final class SortedSetSamples {

    private static final CommandException OUT_OF_RANGE = CommandException.err("value is out of range");
    private static final CommandException OUT_OF_COUNTS = CommandException.err(
            "value is out of range, value must between " + -Long.MAX_VALUE + " and " + Long.MAX_VALUE);
    private static final MathContext SEVENTEEN_DIGITS = new MathContext(17, RoundingMode.HALF_EVEN);

    private SortedSetSamples() {}

    static void declare(CommandTable.Builder t) {
        t.read("ZRANDMEMBER", atLeast(1), SortedSetSamples::zrandmember)
                .key(Access.RO)
                .tips("nondeterministic_output")
                .docs(
                        SORTED_SET,
                        "6.2.0",
                        "O(M*log(N)) for M of N members",
                        "key [count [WITHSCORES]]",
                        "Answers members chosen by chance.");
        t.read("ZSCAN", atLeast(2), SortedSetSamples::zscan)
                .key(Access.RO)
                .tips("nondeterministic_output")
                .docs(
                        SORTED_SET,
                        "2.8.0",
                        "O(1) for every call, O(N) for all N members",
                        "key cursor [MATCH pattern] [COUNT count]",
                        "Walks through the members of a sorted set, some at each call.");
    }

    /** {@code ZRANDMEMBER key [count [WITHSCORES]]} */
    private static void zrandmember(Call call) {
        RandomGenerator random = call.engine().random();
        if (call.argc() == 2) {
            SortedSetValue zset = call.read(1, SortedSetValue.class);
            if (zset == null) {
                call.reply().nil();
            } else {
                one(call.reply(), zset, random.nextInt(zset.size()), false);
            }
            return;
        }
        long count = call.longArg(2);
        if (count == Long.MIN_VALUE) {
            throw OUT_OF_COUNTS;
        }
        boolean withScores = call.argc() == 4;
        if (call.argc() > 4 || (withScores && !call.is(3, "WITHSCORES"))) {
            throw CommandException.SYNTAX;
        }
        if (withScores && Math.abs(count) > Long.MAX_VALUE / 2) {
            throw OUT_OF_RANGE;
        }
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        if (zset == null || count == 0) {
            call.reply().array(0);
        } else if (count > 0) {
            distinct(call, zset, (int) Math.min(count, zset.size()), withScores);
        } else {
            // A reply of so many members could not be held in memory: Redis would try.
            if (-count > Integer.MAX_VALUE / 2) {
                throw OUT_OF_RANGE;
            }
            SortedSets.beginMembers(call.reply(), (int) -count, withScores);
            for (long i = count; i < 0 && !call.replyTooLarge(); i++) {
                one(call.reply(), zset, random.nextInt(zset.size()), withScores);
            }
        }
    }

    private static void one(ReplyWriter reply, SortedSetValue zset, int rank, boolean withScores) {
        zset.forEach(
                new Ranks(rank, rank + 1),
                new Walk(false, withScores),
                (array, offset, length, score) -> SortedSets.member(reply, array, offset, length, score, withScores));
    }

    /** Answers {@code count} different members, each choice of them equally likely. */
    private static void distinct(Call call, SortedSetValue zset, int count, boolean withScores) {
        ReplyWriter reply = call.reply();
        RandomGenerator random = call.engine().random();
        int size = zset.size();
        SortedSets.beginMembers(reply, count, withScores);
        if (count > size / 4 || zset.isCompact()) {
            // One walk; the member at hand is taken if one of those still needed falls on it (Knuth's algorithm S).
            int[] left = {size, count};
            zset.forEach(new Ranks(0, size), new Walk(false, withScores), (array, offset, length, score) -> {
                if (left[1] > 0 && random.nextInt(left[0]) < left[1]) {
                    left[1]--;
                    SortedSets.member(reply, array, offset, length, score, withScores);
                }
                left[0]--;
            });
            return;
        }
        // Few of many: draw ranks; one that was drawn before makes room for the highest possible one (Floyd's
        // algorithm).
        Set<Integer> ranks = new HashSet<>();
        for (int top = size - count; top < size; top++) {
            int rank = random.nextInt(top + 1);
            int chosen = ranks.add(rank) ? rank : top;
            ranks.add(chosen);
            one(reply, zset, chosen, withScores);
        }
    }

    /** {@code ZSCAN key cursor [MATCH pattern] [COUNT count]} */
    private static void zscan(Call call) {
        long cursor = Cursors.parse(call, 2);
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        ReplyWriter reply = call.reply();
        List<byte[]> found = new ArrayList<>();
        long next = zset == null ? 0 : scan(call, zset, cursor, found);
        reply.array(2);
        reply.bulkLong(next);
        reply.array(found.size());
        for (byte[] element : found) {
            reply.bulkShared(element);
        }
    }

    private static long scan(Call call, SortedSetValue zset, long cursor, List<byte[]> found) {
        Glob pattern = null;
        long count = 10;
        for (int i = 3; i < call.argc(); i += 2) {
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
            } else {
                throw CommandException.SYNTAX;
            }
        }
        @Nullable Glob wanted = pattern;
        boolean compact = zset.isCompact();
        return zset.scan(cursor, count, (array, offset, length, score) -> {
            if (wanted == null || wanted.matches(array, offset, length)) {
                found.add(Arrays.copyOfRange(array, offset, offset + length));
                found.add(compact ? Numbers.toBytes(score) : seventeenDigits(score));
            }
        });
    }

    /** A score with 17 digits: what ZSCAN alone, and on large sets alone, answers in Redis (C's format {@code %.17Lg}). */
    static byte[] seventeenDigits(double score) {
        if (score == Math.rint(score) && Math.abs(score) < 1e17 || !Double.isFinite(score)) {
            return Numbers.toBytes(score);
        }
        BigDecimal digits = new BigDecimal(score).round(SEVENTEEN_DIGITS).stripTrailingZeros();
        int exponent = digits.precision() - digits.scale() - 1;
        String text;
        if (exponent >= -4 && exponent < 17) {
            text = digits.toPlainString();
        } else {
            BigDecimal fraction = digits.movePointLeft(exponent).stripTrailingZeros();
            String power = Integer.toString(Math.abs(exponent));
            text = fraction.toPlainString() + (exponent < 0 ? "e-" : "e+") + (power.length() < 2 ? "0" : "") + power;
        }
        return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }
}
