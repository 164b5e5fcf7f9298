package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Group.SORTED_SET;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.store.value.Ranks;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.Walk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;

/** Unions, intersections and differences of sorted sets. Stateless. */
final class SortedSetAlgebraCommands {

    private static final String INPUTS =
            "numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM | MIN | MAX>]";
    private static final String UNION_COSTS = "O(N)+O(M*log(M)) for N members in all and M in the result";
    private static final String INTER_COSTS =
            "O(N*K)+O(M*log(M)) for N members in the smallest of K sets and M in the result";
    private static final String DIFF_COSTS =
            "O(N*K)+O(M*log(M)) for N members in the first of K sets and M in the result";

    private SortedSetAlgebraCommands() {}

    static void declare(CommandTable.Builder t) {
        declareReads(t);
        declareStores(t);
    }

    private static void declareReads(CommandTable.Builder t) {
        t.read("ZUNION", atLeast(2), call -> answer(call, Operation.UNION))
                .countedKeys(1, Access.RO)
                .docs(
                        SORTED_SET,
                        "6.2.0",
                        UNION_COSTS,
                        INPUTS + " [WITHSCORES]",
                        "Answers the members that are in any of several sorted sets.");
        t.read("ZINTER", atLeast(2), call -> answer(call, Operation.INTER))
                .countedKeys(1, Access.RO)
                .docs(
                        SORTED_SET,
                        "6.2.0",
                        INTER_COSTS,
                        INPUTS + " [WITHSCORES]",
                        "Answers the members that are in all of several sorted sets.");
        t.read("ZDIFF", atLeast(2), call -> answer(call, Operation.DIFF))
                .countedKeys(1, Access.RO)
                .docs(
                        SORTED_SET,
                        "6.2.0",
                        DIFF_COSTS,
                        "numkeys key [key ...] [WITHSCORES]",
                        "Answers the members of a sorted set that are in none of the others.");
        t.read("ZINTERCARD", atLeast(2), SortedSetAlgebraCommands::zintercard)
                .countedKeys(1, Access.RO)
                .docs(
                        SORTED_SET,
                        "7.0.0",
                        "O(N*K) for N members in the smallest of K sets",
                        "numkeys key [key ...] [LIMIT limit]",
                        "Answers how many members are in all of several sorted sets.");
    }

    private static void declareStores(CommandTable.Builder t) {
        t.write("ZUNIONSTORE", atLeast(3), call -> store(call, Operation.UNION), DENYOOM)
                .keys(1, 1, 1, Access.OW)
                .countedKeys(2, Access.RO)
                .docs(
                        SORTED_SET,
                        "2.0.0",
                        UNION_COSTS,
                        "destination " + INPUTS,
                        "Stores the members that are in any of several sorted sets.");
        t.write("ZINTERSTORE", atLeast(3), call -> store(call, Operation.INTER), DENYOOM)
                .keys(1, 1, 1, Access.OW)
                .countedKeys(2, Access.RO)
                .docs(
                        SORTED_SET,
                        "2.0.0",
                        INTER_COSTS,
                        "destination " + INPUTS,
                        "Stores the members that are in all of several sorted sets.");
        t.write("ZDIFFSTORE", atLeast(3), call -> store(call, Operation.DIFF), DENYOOM)
                .keys(1, 1, 1, Access.OW)
                .countedKeys(2, Access.RO)
                .docs(
                        SORTED_SET,
                        "6.2.0",
                        DIFF_COSTS,
                        "destination numkeys key [key ...]",
                        "Stores the members of a sorted set that are in none of the others.");
    }

    /** {@code ZUNION | ZINTER numkeys key [key ...] [WEIGHTS ...] [AGGREGATE ...] [WITHSCORES]}, {@code ZDIFF numkeys key [key ...] [WITHSCORES]} */
    private static void answer(Call call, Operation operation) {
        Inputs inputs = new Inputs(call, 1, operation, Purpose.ANSWER);
        SortedSetValue result = inputs.combine(call);
        SortedSets.members(
                call.reply(), result, new Ranks(0, result.size()), inputs.withScores ? Walk.PAIRS : Walk.MEMBERS);
    }

    /** {@code ZUNIONSTORE | ZINTERSTORE | ZDIFFSTORE destination numkeys key [key ...] ...} */
    private static void store(Call call, Operation operation) {
        SortedSetValue result = new Inputs(call, 2, operation, Purpose.STORE).combine(call);
        if (result.size() > 0) {
            result.pack(SortedSets.limits(call));
        }
        SortedSets.store(call, result, operation.event);
    }

    /** {@code ZINTERCARD numkeys key [key ...] [LIMIT limit]} */
    private static void zintercard(Call call) {
        Inputs inputs = new Inputs(call, 1, Operation.INTER, Purpose.COUNT);
        long limit = inputs.limit == 0 ? Long.MAX_VALUE : inputs.limit;
        long[] found = {0};
        inputs.intersect((array, offset, length, score) -> found[0]++, () -> found[0] >= limit);
        call.reply().integer(found[0]);
    }

    private enum Operation {
        UNION,
        INTER,
        DIFF;

        final String event = "z" + name().toLowerCase(Locale.ROOT) + "store";
    }

    private enum Purpose {
        ANSWER,
        STORE,
        COUNT
    }

    /** How the scores of a member in two inputs become one. */
    private enum Aggregate implements DoubleBinaryOperator {
        SUM {
            @Override
            public double applyAsDouble(double a, double b) {
                return orZero(a + b);
            }
        },
        MIN {
            @Override
            public double applyAsDouble(double a, double b) {
                return b < a ? b : a;
            }
        },
        MAX {
            @Override
            public double applyAsDouble(double a, double b) {
                return b > a ? b : a;
            }
        }
    }

    /** Of infinities with different signs, and of an infinity times zero, Redis makes zero. */
    private static double orZero(double score) {
        return Double.isNaN(score) ? 0 : score;
    }

    /** Asked between members whether enough have been found. */
    @FunctionalInterface
    private interface Enough {
        boolean reached();
    }

    /** The inputs and options of one command. Confined to its call. */
    private static final class Inputs {

        private final Operation operation;
        private final List<AlgebraSource> sources = new ArrayList<>();
        private Aggregate aggregate = Aggregate.SUM;
        private boolean withScores;
        private long limit;

        /** @param at where the number of keys stands */
        Inputs(Call call, int at, Operation operation, Purpose purpose) {
            this.operation = operation;
            long keys = call.longArg(at);
            if (keys < 1) {
                throw CommandException.err(
                        "at least 1 input key is needed for '" + call.spec().fullName() + "' command");
            }
            if (keys > call.argc() - at - 1) {
                throw CommandException.SYNTAX;
            }
            int behind = at + 1 + (int) keys;
            for (int key = at + 1; key < behind; key++) {
                sources.add(AlgebraSource.read(call, key));
            }
            readOptions(call, behind, purpose);
            if (operation != Operation.DIFF) {
                // The smallest first. Sums depend on the order in their last digit: it has to be Redis's.
                sources.sort(Comparator.comparingInt(AlgebraSource::size));
            }
        }

        private void readOptions(Call call, int from, Purpose purpose) {
            boolean scored = operation != Operation.DIFF && purpose != Purpose.COUNT;
            int i = from;
            while (i < call.argc()) {
                int left = call.argc() - i;
                if (scored && left > sources.size() && call.is(i, "WEIGHTS")) {
                    i++;
                    for (AlgebraSource source : sources) {
                        source.weight(weight(call, i++));
                    }
                } else if (scored && left >= 2 && call.is(i, "AGGREGATE")) {
                    aggregate = aggregate(call, i + 1);
                    i += 2;
                } else if (purpose == Purpose.ANSWER && call.is(i, "WITHSCORES")) {
                    withScores = true;
                    i++;
                } else if (purpose == Purpose.COUNT && left >= 2 && call.is(i, "LIMIT")) {
                    limit = SortedSets.count(call, i + 1, 0, CommandException.err("LIMIT can't be negative"));
                    i += 2;
                } else {
                    throw CommandException.SYNTAX;
                }
            }
        }

        SortedSetValue combine(Call call) {
            SortedSetValue.Builder builder =
                    new SortedSetValue.Builder(call.engine().random());
            switch (operation) {
                case UNION -> unite(builder);
                case INTER -> intersect(builder::add, () -> false);
                case DIFF -> subtract(builder);
            }
            return builder.build();
        }

        private void unite(SortedSetValue.Builder builder) {
            for (AlgebraSource source : sources) {
                double weight = source.weight();
                source.forEach((array, offset, length, score) ->
                        builder.merge(array, offset, length, orZero(weight * score), aggregate));
            }
        }

        /** Goes through the smallest input and looks its members up in the others. */
        void intersect(SortedSetValue.Visitor result, Enough enough) {
            AlgebraSource smallest = sources.getFirst();
            List<AlgebraSource> others = sources.subList(1, sources.size());
            smallest.forEach((array, offset, length, score) -> {
                if (enough.reached()) {
                    return;
                }
                double sum = orZero(smallest.weight() * score);
                for (AlgebraSource other : others) {
                    double there = other.score(array, offset, length);
                    if (Double.isNaN(there)) {
                        return;
                    }
                    sum = aggregate.applyAsDouble(sum, there * other.weight());
                }
                result.accept(array, offset, length, sum);
            });
        }

        private void subtract(SortedSetValue.Builder builder) {
            List<AlgebraSource> others = new ArrayList<>(sources.subList(1, sources.size()));
            // The largest first: it is the likeliest to have the member.
            others.sort(Comparator.comparingInt(AlgebraSource::size).reversed());
            sources.getFirst().forEach((array, offset, length, score) -> {
                for (AlgebraSource other : others) {
                    if (!Double.isNaN(other.score(array, offset, length))) {
                        return;
                    }
                }
                builder.add(array, offset, length, score);
            });
        }

        private static double weight(Call call, int index) {
            try {
                return call.doubleArg(index);
            } catch (CommandException notFloat) {
                throw CommandException.err("weight value is not a float");
            }
        }

        private static Aggregate aggregate(Call call, int index) {
            for (Aggregate each : Aggregate.values()) {
                if (call.is(index, each.name())) {
                    return each;
                }
            }
            throw CommandException.SYNTAX;
        }
    }
}
