package dev.heddle.it;

import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A client of a kill campaign: writes to keys of its own, in pipelines of random length, and remembers what was acknowledged.
 *
 * <p>{@link #run} is confined to one thread at a time; {@link #check} is called while no thread runs.
 */
final class KillClient implements Runnable {

    /*
     * A connection's commands run in the order in which they were sent, and the log is a prefix of what has run. So after a restart the
     * client's keys must be exactly what they were after the first k of its steps, for one k: with appendfsync always not less than
     * the steps that were acknowledged, with everysec not less than those acknowledged two seconds before the kill; and never more
     * than were sent. A step is a command or a transaction. Half a transaction, a step too few or one out of order fits no k.
     */

    private static final int MOST_IN_FLIGHT = 24;
    /** A step that took part of an earlier life of the server is folded into the state only when it is this old. */
    private final long tolerance;

    private final KillModel model;
    private final Random random;
    private final ArrayDeque<Step> recent = new ArrayDeque<>();
    private final AtomicBoolean stop;
    private long steps;
    private @Nullable String failure;

    /** A step that was sent. */
    private static final class Step {
        private final KillModel.Change change;
        /** When it was acknowledged, in nanoseconds; 0 if it has not been. */
        private long acknowledged;

        Step(KillModel.Change change) {
            this.change = change;
        }
    }

    /** @param tolerance how old an acknowledged step must be, in nanoseconds, for the server to be obliged to have it */
    KillClient(String name, long seed, long tolerance, AtomicBoolean stop) {
        this.model = new KillModel(name);
        this.random = new Random(seed);
        this.tolerance = tolerance;
        this.stop = stop;
    }

    /** How many steps have been acknowledged. */
    long steps() {
        return steps;
    }

    /** What went wrong while it ran. */
    @Nullable
    String failure() {
        return failure;
    }

    private int port;

    void port(int newPort) {
        port = newPort;
    }

    /** Writes until the server is gone. */
    @Override
    public void run() {
        try (RawClient client = RawClient.connect(port)) {
            boolean goOn = true;
            while (goOn && !stop.get()) {
                goOn = batch(client);
                fold(System.nanoTime());
            }
        } catch (UncheckedIOException gone) {
            // The server has been killed while it was being written to.
            return;
        }
    }

    private boolean batch(RawClient client) {
        List<Step> batch = new ArrayList<>();
        int size = 1 + random.nextInt(MOST_IN_FLIGHT);
        for (int i = 0; i < size; i++) {
            Step step = new Step(model.next(random));
            batch.add(step);
            recent.add(step);
        }
        for (Step step : batch) {
            step.change.commands().forEach(client::send);
        }
        for (Step step : batch) {
            for (int i = 0; i < step.change.commands().size(); i++) {
                Reply reply = client.read();
                if (reply.equals(Reply.CLOSED)) {
                    return false;
                }
                if (reply.isError()) {
                    failure = step.change.commands() + " answered " + reply;
                    return false;
                }
            }
            step.acknowledged = System.nanoTime();
            steps++;
        }
        return true;
    }

    /** Forgets steps that the server is obliged to have: they become part of the state. */
    private void fold(long now) {
        while (!recent.isEmpty() && isDue(recent.peek(), now)) {
            model.fold(recent.remove().change);
        }
    }

    private boolean isDue(Step step, long now) {
        return step.acknowledged != 0 && now - step.acknowledged >= tolerance;
    }

    /**
     * Compares with what a restarted server has, and takes that over.
     *
     * @param killed when the server was killed, in nanoseconds
     * @return what is wrong, or null
     */
    @Nullable
    String check(RawClient client, long killed) {
        fold(killed);
        KillModel.State found = model.read(client);
        KillModel.State state = model.folded();
        int had = 0;
        boolean fits = state.equals(found);
        Iterator<Step> rest = recent.iterator();
        while (!fits && rest.hasNext()) {
            rest.next().change.apply(state);
            had++;
            fits = state.equals(found);
        }
        if (!fits) {
            return model.name() + ": what is there fits no number of steps from the acknowledged ones on ("
                    + recent.size()
                    + " more were sent).\nfound:  " + found + "\noldest: " + model.folded() + "\nnewest: " + state
                    + "\nsteps:  "
                    + recent.stream()
                            .map(step -> step.change.commands().toString())
                            .toList();
        }
        for (int i = 0; i < had; i++) {
            model.fold(recent.remove().change);
        }
        recent.clear();
        model.restart();
        return null;
    }
}
