package dev.heddle.command.linearizability;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Decides whether a history of concurrent operations can be explained by running them one after the other. Stateless. */
final class Checker {

    /*
     * A history is linearizable if there is an order of its operations in which every one answers what the sequential model answers,
     * and which keeps real time: an operation that had returned before another was invoked stands before it.
     *
     * The search is that of Wing and Gong (Testing and verifying concurrent objects, 1993) with Lowe's memory (Testing for
     * linearizability, 2017): take any operation that may come first, that is one invoked before every other one has returned, check
     * its reply, go on with the rest; step back when stuck. Which operations are done and what the model holds determines everything
     * that can follow, so a pair of the two that has failed once need not be tried again: that keeps the exponential search short.
     */

    private static final int MAX_OPERATIONS = 62;

    private Checker() {}

    static boolean isLinearizable(List<Operation> history, Model start) {
        if (history.size() > MAX_OPERATIONS) {
            throw new IllegalArgumentException("too many operations: " + history.size());
        }
        return search(history, 0, start, new HashSet<>());
    }

    private record Position(long done, Model model) {}

    private static boolean search(List<Operation> history, long done, Model model, Set<Position> failed) {
        if (done == (1L << history.size()) - 1) {
            return true;
        }
        if (failed.contains(new Position(done, model))) {
            return false;
        }
        long firstReturn = Long.MAX_VALUE;
        for (int i = 0; i < history.size(); i++) {
            if ((done & 1L << i) == 0) {
                firstReturn = Math.min(firstReturn, history.get(i).returned());
            }
        }
        for (int i = 0; i < history.size(); i++) {
            Operation operation = history.get(i);
            if ((done & 1L << i) == 0 && operation.invoked() <= firstReturn) {
                Model.Step step = model.run(operation.words());
                if (step.reply().equals(operation.reply()) && search(history, done | 1L << i, step.next(), failed)) {
                    return true;
                }
            }
        }
        failed.add(new Position(done, model));
        return false;
    }
}
