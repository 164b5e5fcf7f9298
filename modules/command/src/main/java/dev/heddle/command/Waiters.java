package dev.heddle.command;

import dev.heddle.command.Handover.Place;
import dev.heddle.command.Waiter.State;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import dev.heddle.store.value.StreamValue;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who waits for what, and how it is handed to them.
 *
 * <p>Thread-safe. {@link #register}, {@link #noteReady} and {@link #isAwaited} need the stripes of the keys; {@link #serve} those of at
 * least the keys that have become ready.
 */
public final class Waiters {

    /*
     * Problem: a client that waits at some keys must get the first element that appears at one of them, before anybody who asks later,
     * even if threads push, pop, give up and disconnect at the same moment.
     *
     * A waiter is put into the queues of its keys while its command holds their stripes, having found nothing. A key appears under the
     * same stripe's lock; so either the command has seen it, or the pusher sees the waiter: no wake-up is lost. The pusher serves
     * waiters before it lets go of the stripe, so nobody can take the element in between. It runs the waiter's own attempt and
     * writes the waiter's own reply; the waiter's thread, parked without any lock, has only to send it.
     *
     * Order of locks: stripes first, then a queue (a bin of the map, inside compute), held for a few instructions. Leaving a queue needs
     * no stripe; so a waiter that gives up or whose client has gone leaves all its queues at once, and the queues hold none but
     * those who wait, but for a moment. Each step costs a constant, however many others wait.
     *
     * A move needs the stripe of its destination as well. If the pusher does not hold it, the key is deferred: the pusher unlocks, takes all that is
     * needed in ascending order, and looks again (finish). Until then the key may have an element and a queue at once. Invariant: then
     * some thread is about to run finish for this key. A command that would wait and finds such a queue joins it (Call.isTurn) and is
     * served by that thread if there is enough; an LPOP does not wait for its turn.
     *
     * An entry of a stream is taken by nobody. So all who wait at a stream are asked whether there is something for them, which they can tell
     * without a change (Attempt.isReady); and they are asked as well when the stream or a group is gone, for that ends the wait of a
     * group's consumers with an error. While the stripes are held the answer stays true, so that the attempt that follows succeeds.
     *
     * Why not wake the waiter and let it try again? Whoever comes in between would take the element first: waiters starve, and a push wakes
     * threads for nothing.
     */

    private static final Logger LOG = LoggerFactory.getLogger(Waiters.class);
    private static final String UNBLOCKED = "UNBLOCKED client unblocked via CLIENT UNBLOCK";

    private final Engine engine;
    private final Store store;
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder steps = new LongAdder();
    /** Queues by key, in order of arrival; a queue is touched only inside compute, and goes when it is empty. */
    private final Map<WaitKind, ConcurrentMap<KeyName, Set<Waiter>>> queues = new EnumMap<>(WaitKind.class);

    Waiters(Engine engine) {
        this.engine = engine;
        this.store = engine.store();
        for (WaitKind kind : WaitKind.values()) {
            queues.put(kind, new ConcurrentHashMap<>());
        }
    }

    /** Whether anybody waits: a single field read. */
    boolean any() {
        return waiting.get() != 0;
    }

    /** How many sessions wait. */
    public int count() {
        return waiting.get();
    }

    /** How many keys are waited at. */
    public long keys() {
        return queues.values().stream()
                .flatMap(queue -> queue.keySet().stream())
                .distinct()
                .count();
    }

    /** At how many keys somebody waits who is also told when the key is gone: consumers of a stream. */
    public long keysThatMustStay() {
        long count = 0;
        for (KeyName key : queues(WaitKind.STREAM).keySet()) {
            boolean consumer = all(new Place(WaitKind.STREAM, key)).stream()
                    .anyMatch(waiter -> waiter.spec().isWrite());
            count += consumer ? 1 : 0;
        }
        return count;
    }

    /** How many waiters have been looked at to serve some of them: what serving costs. */
    long steps() {
        return steps.sum();
    }

    private ConcurrentMap<KeyName, Set<Waiter>> queues(WaitKind kind) {
        ConcurrentMap<KeyName, Set<Waiter>> map = queues.get(kind);
        if (map == null) {
            throw new IllegalStateException("no queues of " + kind);
        }
        return map;
    }

    // ---- waiting: the session's own thread

    /** Lets a session wait, whose command has tried in vain; it still holds the stripes. */
    Waiter register(Call call, Wait wait) {
        LinkedHashSet<KeyName> keys = new LinkedHashSet<>();
        for (int i = wait.firstKey(); i < wait.firstKey() + wait.keys(); i++) {
            keys.add(new KeyName(call.database(), call.arg(i), call.hash(i)));
        }
        List<Long> needed = new ArrayList<>();
        if (wait.needsAllKeys()) {
            call.spec().forEachKey(call.request(), i -> needed.add(call.hash(i)));
        }
        Waiter waiter = new Waiter(
                call,
                wait,
                List.copyOf(keys),
                needed.stream().mapToLong(Long::longValue).toArray());
        waiting.incrementAndGet();
        for (KeyName key : waiter.keys()) {
            queues(wait.kind()).compute(key, (k, queue) -> {
                Set<Waiter> line = queue == null ? new LinkedHashSet<>(4) : queue;
                line.add(waiter);
                return line;
            });
        }
        call.session().waiter(waiter);
        return waiter;
    }

    /**
     * Waits, on the session's own thread and without any lock, and writes the reply that it has come to.
     *
     * @throws InterruptedException if the thread is to end
     */
    void await(Session session, Waiter waiter) throws InterruptedException {
        try {
            session.beginWait(() -> end(waiter, State.GONE));
            session.outbox().leaveUnless(() -> waiter.state() == State.SERVING || waiter.state() == State.SERVED);
            if (session.closing()) {
                end(waiter, State.GONE);
            }
            while (!waiter.park()) {
                end(waiter, State.TIMED_OUT);
            }
        } finally {
            end(waiter, State.GONE);
            session.waiter(null);
            session.finishWait();
        }
        answer(session, waiter);
    }

    private static void answer(Session session, Waiter waiter) {
        ReplyWriter reply = session.reply();
        switch (waiter.state()) {
            case SERVED -> {
                session.recorder().dependsOn(waiter.ticket());
                waiter.reply().moveTo(reply);
            }
            case TIMED_OUT -> reply.nilArray();
            case UNBLOCKED -> session.engine().dispatcher().fail(waiter.spec(), reply, UNBLOCKED);
            case GONE -> session.closeAfterReply();
            case WAITING, SERVING -> throw new IllegalStateException("the wait is not over");
        }
    }

    /** Ends a session's wait as if its time were over, or with an error; false if it does not wait. Any thread. */
    public boolean unblock(Session session, boolean withError) {
        Waiter waiter = session.waiter();
        return waiter != null && end(waiter, withError ? State.UNBLOCKED : State.TIMED_OUT);
    }

    /** Ends a wait without success, from any thread; false if something else has ended it before. */
    boolean end(Waiter waiter, State outcome) {
        if (!waiter.change(State.WAITING, outcome)) {
            return false;
        }
        leave(waiter);
        waiter.wake();
        return true;
    }

    private void leave(Waiter waiter) {
        waiting.decrementAndGet();
        for (KeyName key : waiter.keys()) {
            queues(waiter.waitsFor().kind()).computeIfPresent(key, (k, queue) -> {
                queue.remove(waiter);
                return queue.isEmpty() ? null : queue;
            });
        }
    }

    // ---- handing over: the thread of whoever makes something available

    /** Whether anybody waits at a key. */
    boolean isAwaited(WaitKind kind, KeyName key) {
        return queues(kind).containsKey(key);
    }

    /** Notes that a key has a new value. */
    void noteReady(Handover handover, KeyName key, Object value) {
        WaitKind kind = WaitKind.of(value);
        if (kind != null && isAwaited(kind, key)) {
            handover.ready.add(new Place(kind, key));
        }
    }

    /** Notes that a value has been removed: who waits for more of it must be told. */
    void noteGone(Handover handover, KeyName key, Object value) {
        if (value instanceof StreamValue) {
            noteReady(handover, key, value);
        }
    }

    /** Notes that any key of a database may have a new value. */
    void noteReady(Handover handover, int database) {
        queues.forEach((kind, map) -> {
            for (KeyName key : map.keySet()) {
                if (key.database() == database) {
                    handover.ready.add(new Place(kind, key));
                }
            }
        });
    }

    /** Serves whoever waits for what the session's command has made available, under the locks of that command. */
    void serve(Session session) {
        Handover handover = session.handover();
        long now = engine.clock().millis();
        for (Place place = handover.ready.poll(); place != null; place = handover.ready.poll()) {
            serve(session, place, now);
        }
    }

    /** Does what could not be done under the command's locks. The caller holds none any more. */
    void finish(Session session) {
        Handover handover = session.handover();
        StripeLocks locks = session.locks();
        for (Place place = handover.deferred.poll(); place != null; place = handover.deferred.poll()) {
            Waiter waiter = first(place);
            if (waiter != null) {
                locks.want(place.key().hash());
                for (long hash : waiter.needed()) {
                    locks.want(hash);
                }
                locks.lockWanted(true);
                try {
                    handover.ready.add(place);
                    serve(session);
                } finally {
                    locks.unlock();
                }
            }
        }
        handover.served.forEach(Waiter::wake);
        handover.served.clear();
    }

    private void serve(Session session, Place place, long now) {
        switch (place.kind()) {
            case LIST, SORTED_SET -> serveInTurn(session, place, now);
            case STREAM -> serveAll(session, place, now);
        }
    }

    /**
     * What is in a stream is there for everybody who waits for it, but for those of one group; and who waits in a group must be told
     * when that, or the stream, is gone. So all are asked, in order.
     */
    private void serveAll(Session session, Place place, long now) {
        for (Waiter waiter : all(place)) {
            steps.increment();
            Call look = callFor(session, waiter, new ReplyWriter(), now);
            if (waiter.waitsFor().attempt().isReady(look) && waiter.change(State.WAITING, State.SERVING)) {
                deliver(session, waiter, now);
            }
        }
    }

    private List<Waiter> all(Place place) {
        List<Waiter> all = new ArrayList<>();
        queues(place.kind()).computeIfPresent(place.key(), (k, queue) -> {
            all.addAll(queue);
            return queue;
        });
        return all;
    }

    private void serveInTurn(Session session, Place place, long now) {
        for (Waiter waiter = first(place); waiter != null; waiter = first(place)) {
            if (!holds(session.locks(), place.key().hash(), waiter)) {
                session.handover().deferred.add(place);
                return;
            }
            if (!isAvailable(place, now)) {
                return;
            }
            if (waiter.change(State.WAITING, State.SERVING)) {
                deliver(session, waiter, now);
            }
        }
    }

    private static boolean holds(StripeLocks locks, long hash, Waiter waiter) {
        for (long needed : waiter.needed()) {
            if (!locks.covers(needed, true)) {
                return false;
            }
        }
        return locks.covers(hash, true);
    }

    private boolean isAvailable(Place place, long now) {
        KeyName key = place.key();
        Entry entry = store.find(key.database(), key.key(), 0, key.key().length, key.hash());
        return entry != null && !entry.isExpired(now) && WaitKind.of(entry.value()) == place.kind();
    }

    /** The first who waits at a key: one who has just given up may still stand before it for a moment. */
    private @Nullable Waiter first(Place place) {
        Waiter[] first = new Waiter[1];
        queues(place.kind()).computeIfPresent(place.key(), (k, queue) -> {
            Iterator<Waiter> line = queue.iterator();
            while (first[0] == null && line.hasNext()) {
                steps.increment();
                Waiter waiter = line.next();
                first[0] = waiter.state() == State.WAITING ? waiter : null;
            }
            return queue;
        });
        return first[0];
    }

    private Call callFor(Session session, Waiter waiter, ReplyWriter reply, long now) {
        Call call = new Call(engine, session, session.locks(), reply);
        call.begin(waiter.spec(), waiter.request(), now);
        call.database(waiter.database());
        return call;
    }

    /** Runs the attempt of a waiter in its stead. */
    private void deliver(Session session, Waiter waiter, long now) {
        waiter.session().outbox().enterFor(); // what its own move invalidates comes after its reply
        Call call = callFor(session, waiter, waiter.reply(), now);
        try {
            if (!waiter.waitsFor().attempt().run(call)) {
                throw new IllegalStateException("there is nothing for it");
            }
            if (call.changes() > 0) {
                call.record();
            }
        } catch (CommandException refusal) {
            answerError(waiter, refusal.text());
        } catch (StackOverflowError | RuntimeException bug) {
            LOG.error("{} failed", waiter.spec().fullName(), bug);
            answerError(waiter, Dispatcher.INTERNAL_ERROR);
        } finally {
            call.countBytes();
            call.forgetEffects();
            waiter.ticket(session.ticket());
            waiter.change(State.SERVING, State.SERVED);
            leave(waiter);
            session.handover().served.add(waiter);
        }
    }

    private void answerError(Waiter waiter, String text) {
        waiter.reply().clear();
        engine.dispatcher().fail(waiter.spec(), waiter.reply(), text);
    }
}
