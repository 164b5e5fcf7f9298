package dev.heddle.command;

import dev.heddle.resp.Numbers;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import dev.heddle.store.value.HashValue;
import dev.heddle.store.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a command: its arguments, its keys, its reply. Every session has one and uses it again and again.
 *
 * <p>Confined to its session's thread. The key methods need the locks that the command's row has asked for; assertions check that.
 */
public final class Call {

    /** How many expired fields a writer removes from a hash before it goes on; it looks past the others. */
    private static final int REAPED_FIELDS = 256;

    private final Engine engine;
    private final Keyspace keyspace;
    private final Store store;
    private final Session session;
    private final StripeLocks locks;
    private final ReplyWriter reply;

    private Request request = Request.of();
    private CommandSpec spec;
    private int database;
    private long now;
    /** The time by the clock; {@link #now} stands still at 0 while a journal is repeated. */
    private long clockMillis;
    /** The hash of argument 1, computed once by the dispatcher for commands whose only key that is. */
    private long firstKeyHash;

    private boolean firstKeyHashed;
    private int changes;
    private boolean metExpired;
    /** Whether the locks are held for this call and nothing else. */
    private boolean ownsLocks;

    private boolean effectsGiven;
    /** Which arguments are secret, one bit each: the slow log shows no more than the first 32. */
    private long redacted;

    /** Values that may have been changed in place, with the hashes of their keys and their databases; the first {@link #changing} count. */
    private @Nullable Value[] changed = {};

    private long[] changedHashes = {};
    private int[] changedDatabases = {};
    private int changing;

    private final List<Effect> effects = new ArrayList<>(0);

    /** A call for commands that run inside of this one, with replies of their own. */
    Call withReply(ReplyWriter other) {
        return new Call(engine, session, locks, other, true);
    }

    /** What a script that this call runs, runs its commands through. */
    public ScriptCalls scriptCalls() {
        ScriptCalls calls = session.scriptCalls(this);
        calls.outer(this);
        return calls;
    }

    /** Whether this runs inside of another call: of EXEC, or of a script. */
    private final boolean nested;

    private @Nullable Call child;
    /** What is being tried and may have to wait; null for most commands, and while a waiter is served. */
    private @Nullable Wait trying;
    /** What this call has begun to wait for. */
    private @Nullable Waiter waiter;

    Call(Engine engine, Session session, StripeLocks locks, ReplyWriter reply) {
        this(engine, session, locks, reply, false);
    }

    private Call(Engine engine, Session session, StripeLocks locks, ReplyWriter reply, boolean nested) {
        this.engine = engine;
        this.keyspace = engine.keyspace();
        this.store = engine.store();
        this.session = session;
        this.locks = locks;
        this.reply = reply;
        this.nested = nested;
        this.spec = engine.table().all().iterator().next();
    }

    void begin(CommandSpec newSpec, Request newRequest, long nowMillis) {
        spec = newSpec;
        request = newRequest;
        clockMillis = nowMillis;
        now = session.repeats() ? 0 : nowMillis;
        database = session.database();
        firstKeyHashed = false;
        changes = 0;
        metExpired = false;
        redacted = 0;
        trying = null;
        waiter = null;
        ownsLocks = false;
    }

    /** The locks that are held now were taken for this call. */
    void locked() {
        ownsLocks = locks.isHeld();
    }

    /** The call for commands that run inside of this one, one after the other: they share its locks and its reply. */
    Call nested() {
        Call call = child;
        if (call == null) {
            call = new Call(engine, session, locks, reply, true);
            child = call;
        }
        return call;
    }

    /** Whether this runs inside of another call: of EXEC, or of a script, whose locks are held. */
    public boolean isNested() {
        return nested;
    }

    long hashFirstKey() {
        firstKeyHash = store.hash(request.array(1), request.offset(1), request.length(1));
        firstKeyHashed = true;
        return firstKeyHash;
    }

    // ---- surroundings

    public Engine engine() {
        return engine;
    }

    public Session session() {
        return session;
    }

    public CommandSpec spec() {
        return spec;
    }

    public ReplyWriter reply() {
        return reply;
    }

    public StripeLocks locks() {
        return locks;
    }

    /**
     * Whether {@link #unlockEarly} may be called: the locks are held for this call alone, not for a transaction or script around it, and
     * the command is one that reads.
     */
    public boolean canUnlockEarly() {
        return ownsLocks && !spec.isWrite();
    }

    /**
     * Gives the locks back before the reply is written: for a large reply out of a copy. The key methods cannot be used from then on.
     */
    public void unlockEarly() {
        if (!canUnlockEarly()) {
            throw new IllegalStateException("these locks are not this call's own");
        }
        ownsLocks = false;
        locks.unlock();
    }

    /**
     * Lets other connections run for a moment, in the middle of something long, and sends what has been written of the reply. Does nothing
     * while locks are held: others might wait for them.
     */
    public void breathe() {
        if (!locks.isHeld()) {
            session.replyGrows();
            session.giveWay();
        }
    }

    /** The database that the key methods look into: the session's, unless {@link #database(int)} has chosen another for this call. */
    public int database() {
        return database;
    }

    /** Makes the key methods of this call look into another database. */
    public void database(int index) {
        database = index;
    }

    /**
     * The time of this command, in milliseconds since the epoch, by which keys expire. While a journal is repeated it is 0: what had expired
     * when a record was made was removed by a record of its own, and nothing else may be missing.
     */
    public long now() {
        return now;
    }

    /** The time from which relative deadlines count, in milliseconds since the epoch. */
    public long clockMillis() {
        return clockMillis;
    }

    // ---- arguments; 0 is the command's name (or the container's, with the subcommand's at 1)

    public Request request() {
        return request;
    }

    /** How many arguments there are, the name included. */
    public int argc() {
        return request.count();
    }

    /** A copy of an argument. */
    public byte[] arg(int index) {
        return request.copy(index);
    }

    /** An argument to be stored: never changed again by anybody. Only once per argument. */
    public byte[] take(int index) {
        return request.take(index);
    }

    /** Keeps an argument, a password, out of everything that shows commands to somebody else. */
    public void redact(int index) {
        if (index < Long.SIZE) {
            redacted |= 1L << index;
        }
    }

    boolean isRedacted(int index) {
        return index < Long.SIZE && (redacted >>> index & 1) != 0;
    }

    /** Whether an argument is this word, in any case. */
    public boolean is(int index, String upperCase) {
        return request.is(index, upperCase);
    }

    /** An argument as text, for words and messages: one character per byte. */
    public String text(int index) {
        return request.string(index);
    }

    /** @throws CommandException "value is not an integer or out of range" */
    public long longArg(int index) {
        return Arguments.longAt(request, index);
    }

    /** @throws CommandException "value is not an integer or out of range", or "value is out of range, value must between ..." */
    public int intArg(int index) {
        return (int) longArg(index, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** @throws CommandException "value is not an integer or out of range", or "value is out of range, value must between ..." */
    public long longArg(int index, long least, long most) {
        long value = Arguments.longAt(request, index);
        if (value < least || value > most) {
            throw CommandException.err("value is out of range, value must between " + least + " and " + most);
        }
        return value;
    }

    /** @throws CommandException "value is out of range, must be positive", also if it is no number; 0 is allowed */
    public long positiveArg(int index) {
        long value;
        try {
            value = Arguments.longAt(request, index);
        } catch (CommandException notANumber) {
            throw CommandException.MUST_BE_POSITIVE;
        }
        if (value < 0) {
            throw CommandException.MUST_BE_POSITIVE;
        }
        return value;
    }

    /** @throws CommandException "value is not a valid float", also for NaN */
    public double doubleArg(int index) {
        double value = Numbers.parseDouble(request.array(index), request.offset(index), request.length(index));
        if (Double.isNaN(value)) {
            throw CommandException.NOT_FLOAT;
        }
        return value;
    }

    /** Whether the client will be closed, as its reply has become too large: then the rest of it need not be made. */
    public boolean replyTooLarge() {
        return reply == session.reply() && session.outbox().refusesToGrow(reply.size());
    }

    // ---- keys, named by the index of their argument

    public long hash(int index) {
        return index == 1 && firstKeyHashed
                ? firstKeyHash
                : store.hash(request.array(index), request.offset(index), request.length(index));
    }

    /** The entry of a key for reading; counts a hit or miss and notes the use. Null if there is none, or it has expired. */
    public @Nullable Entry find(int index) {
        Entry entry = look(index);
        if (entry != null) {
            touch(entry);
        }
        return entry;
    }

    /** As {@link #find}, for a command that is about the key and not its value: this is no use of it. */
    public @Nullable Entry look(int index) {
        Entry entry = peek(index);
        if (entry == null) {
            session.misses++;
            if (keyspace.isObserved()) {
                keyspace.tellMiss(database, request.copy(index));
            }
        } else {
            session.hits++;
        }
        return entry;
    }

    /** As {@link #find}, but as if nobody had looked. */
    public @Nullable Entry peek(int index) {
        long hash = hash(index);
        assert locks.covers(hash, false);
        Entry entry = store.find(database, request.array(index), request.offset(index), request.length(index), hash);
        return spec.isWrite() ? withoutExpired(entry, hash) : visible(entry);
    }

    /** The value of a key for reading, or null if there is none. @throws CommandException WRONGTYPE */
    public <V extends Value> @Nullable V read(int index, Class<V> type) {
        return cast(find(index), type);
    }

    /** The entry of a key that may be changed. An expired one is removed first. */
    public @Nullable Entry findForWrite(int index) {
        long hash = hash(index);
        assert locks.covers(hash, true);
        Entry entry = withoutExpired(
                store.find(database, request.array(index), request.offset(index), request.length(index), hash), hash);
        if (entry != null) {
            touch(entry);
        }
        return entry;
    }

    /**
     * Removes an entry that has expired, or expired fields of it. A command that writes does so with every key it looks at, also with those
     * it only reads: so their removal is recorded before its own effect, which may depend on it.
     */
    private @Nullable Entry withoutExpired(@Nullable Entry entry, long hash) {
        if (entry == null) {
            return null;
        }
        if (entry.isExpired(now)) {
            keyspace.expire(database, entry, hash, session.recorder());
            disappeared(entry.key(), hash, entry.value());
            return null;
        }
        store.beforeChange(database, entry, hash);
        if (entry.value() instanceof Value value) {
            mayChange(value, hash);
        }
        if (entry.value() instanceof HashValue value && value.anyDue(now)) {
            boolean gone = value.isGone(now);
            keyspace.expireFields(database, entry, hash, value, now, REAPED_FIELDS, session.recorder());
            if (gone) {
                return null;
            }
        }
        return entry;
    }

    /** The value of a key that may be changed, or null if there is none. @throws CommandException WRONGTYPE */
    public <V extends Value> @Nullable V write(int index, Class<V> type) {
        return cast(findForWrite(index), type);
    }

    /** As {@link #find} for a key that is no argument (SORT's patterns); counts nothing. */
    public @Nullable Entry find(byte[] key) {
        long hash = store.hash(key);
        assert locks.covers(hash, false);
        Entry entry = store.find(database, key, 0, key.length, hash);
        return spec.isWrite() ? withoutExpired(entry, hash) : visible(entry);
    }

    /** Adds a key that is not there ({@link #findForWrite} said so). */
    public Entry add(int index, Object value) {
        return add(index, value, Entry.NEVER);
    }

    /** Adds a key that is not there, with a time to live. */
    public Entry add(int index, Object value, long expireAt) {
        byte[] key = request.copy(index);
        Entry entry = store.add(database, key, hash(index), value, expireAt);
        if (value instanceof Value other) {
            mayChange(other, hash(index));
        }
        engine.uses().enter(entry, clockMillis);
        keyspace.tell(session, database, key, EventClass.NEW, "new");
        appeared(key, hash(index), value);
        return entry;
    }

    /** Sets a key, whatever was there; its time to live is gone. Looks up what {@link #findForWrite} would. */
    public Entry set(int index, Object value) {
        return set(index, value, Entry.NEVER);
    }

    /** Sets a key, whatever was there, to expire at a time ({@link Entry#NEVER} for not at all). */
    public Entry set(int index, Object value, long expireAt) {
        Entry entry = findForWrite(index);
        return entry == null ? add(index, value, expireAt) : overwrite(index, entry, value, expireAt);
    }

    /** Replaces the value of a key whose entry is at hand; its time to live stays. */
    public void value(int index, Entry entry, Object value) {
        store.value(database, entry, hash(index), value);
        if (value instanceof Value other) {
            mayChange(other, hash(index));
        }
    }

    /** Sets a key whose entry is at hand. */
    public Entry overwrite(int index, Entry entry, Object value, long expireAt) {
        assert store.isPreserved(entry);
        disappeared(entry.key(), hash(index), entry.value());
        value(index, entry, value);
        appeared(entry.key(), hash(index), value);
        return entry.expireAt() == expireAt ? entry : expireAt(index, entry, expireAt);
    }

    /** Sets or clears when a key expires; the entry may be another from now on. */
    public Entry expireAt(int index, Entry entry, long at) {
        return store.expireAt(database, entry, hash(index), at);
    }

    /** Notes that fields of the hash at a key have got or lost deadlines: to be called after every change of a hash that has any. */
    public void deadlinesChanged(int index, HashValue value) {
        store.scheduleFields(database, request.copy(index), hash(index), value);
    }

    /** Removes a field that has expired; the command goes on as if it had not been there. */
    public void removeExpiredField(int keyIndex, HashValue value, int fieldIndex) {
        byte[] field = request.copy(fieldIndex);
        value.remove(field, 0, field.length);
        keyspace.fieldExpired(database, request.copy(keyIndex), field, session.recorder());
    }

    /** Removes a key whose entry is at hand. Tells nobody: the caller knows whether this is a DEL, a RENAME or an empty list. */
    public void remove(int index, Entry entry) {
        store.remove(database, entry, hash(index));
        disappeared(entry.key(), hash(index), entry.value());
    }

    /** Removes a key that has become empty, and tells of its deletion. */
    public void removeEmptied(int index, Entry entry) {
        remove(index, entry);
        keyspace.tell(session, database, entry.key(), EventClass.GENERIC, "del");
    }

    // ---- waiting

    /**
     * Tries something, and waits until it succeeds if it does not: the reply then comes later. Inside of a transaction or script it
     * never waits. What has not succeeded has changed and answered nothing.
     */
    public void tryOrWait(Wait wait) {
        trying = nested ? null : wait;
        boolean done = wait.attempt().run(this);
        trying = null;
        if (done) {
            return;
        }
        if (nested) {
            wait.unwilling().accept(reply);
        } else {
            waiter = engine.waiters().register(this, wait);
        }
    }

    /**
     * Whether an attempt may look into a key: whoever serves a waiter holds the stripes of some of its keys only, the others have
     * nothing for it or are looked after by somebody else.
     */
    public boolean reaches(int index) {
        return locks.covers(hash(index), spec.isWrite());
    }

    /** Whether this attempt may take from a key: not if others have been waiting there before. */
    public boolean isTurn(int index) {
        Wait wait = trying;
        return wait == null
                || !engine.waiters().any()
                || !engine.waiters().isAwaited(wait.kind(), new KeyName(database, request.copy(index), hash(index)));
    }

    @Nullable
    Waiter waiter() {
        return waiter;
    }

    // ---- consequences

    /**
     * Answers an error in the way of a command that has failed although it has done something.
     *
     * @param counted whether the error goes into the server's figures; not if the command that made it has counted it
     */
    public void fail(String text, boolean counted) {
        reply.error(text);
        spec.stats().countFailed();
        if (counted) {
            countError(text);
        }
    }

    /** Counts an error that stands somewhere in a reply. */
    public void countError(String text) {
        engine.stats().countError(text);
    }

    /** Notes that the key has changed. To be called once for each change, after it has been made. */
    public void changed(int index, EventClass eventClass, String event) {
        changes++;
        if (keyspace.isObserved()) {
            keyspace.tell(session, database, request.copy(index), eventClass, event);
        }
    }

    /** As {@link #changed(int, EventClass, String)}, with the key's own array at hand. */
    public void changed(byte[] key, EventClass eventClass, String event) {
        changes++;
        keyspace.tell(session, database, key, eventClass, event);
    }

    /** Counts further elements that a change has touched: INFO counts them one by one. */
    public void countChanges(long more) {
        changes += (int) Math.min(more, Integer.MAX_VALUE / 2);
    }

    /** Tells of an event that changes nothing further, such as the deletion that goes with a move. */
    public void event(int index, EventClass eventClass, String event) {
        if (keyspace.isObserved()) {
            keyspace.tell(session, database, request.copy(index), eventClass, event);
        }
    }

    /** As {@link #changed}, for a change that is none to those who watch the key: see {@link KeyObserver#keyNoted}. */
    public void noted(int index, EventClass eventClass, String event) {
        changes++;
        if (keyspace.isObserved()) {
            keyspace.tellNote(database, request.copy(index), eventClass, event);
        }
    }

    /** Notes that the value at a key has got something for those who wait there, or is of no more use to them. */
    public void ready(int index, Object value) {
        if (engine.waiters().any()) {
            appeared(request.copy(index), hash(index), value);
        }
    }

    /** Notes that every key of a database is gone or another. */
    public void databaseChanged(int index) {
        changes++;
        keyspace.tellDatabaseChanged(index);
        if (engine.waiters().any()) {
            engine.waiters().noteReady(session.handover(), index);
        }
    }

    /** Notes that a value is gone: somebody may be waiting for more of it, and must be told. */
    private void disappeared(byte[] key, long hash, Object value) {
        if (engine.waiters().any()) {
            engine.waiters().noteGone(session.handover(), new KeyName(database, key, hash), value);
        }
    }

    /** Notes that there is a value at a key where there was another one or none: somebody may be waiting for that. */
    private void appeared(byte[] key, long hash, Object value) {
        if (engine.waiters().any()) {
            engine.waiters().noteReady(session.handover(), new KeyName(database, key, hash), value);
        }
    }

    /** Whether a record of what this call does is wanted: without, {@link #effect} need not be called. */
    public boolean recorded() {
        return keyspace.journal().isOpen();
    }

    /** Says what is to be recorded in place of the command as it came; several calls record several commands that belong together. */
    public void effect(byte[]... command) {
        effectsGiven = true;
        effects.add(new Effect(database, command));
    }

    /** As {@link #effect(byte[]...)}, for a command's name and further arguments. */
    public void effect(String name, byte[]... arguments) {
        byte[][] command = new byte[arguments.length + 1][];
        command[0] = name.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        effect(command);
    }

    int changes() {
        return changes;
    }

    boolean metExpired() {
        return metExpired;
    }

    /** Hands the effects of a write to the journal; the stripes are still held. */
    void record() {
        session.changes += changes;
        if (changes > 0 && recorded()) {
            if (effectsGiven) {
                session.recorder().record(List.copyOf(effects));
            } else {
                session.recorder().record(database, request);
            }
        }
        forgetEffects();
    }

    void forgetEffects() {
        if (effectsGiven || !effects.isEmpty()) {
            effects.clear();
            effectsGiven = false;
        }
    }

    /** Removes the keys of this call that have expired: readers, who share their lock, only saw that they are no longer there. */
    void reapExpired() {
        spec.forEachKey(request, index -> {
            long hash = store.hash(request.array(index), request.offset(index), request.length(index));
            boolean lockHere = !locks.isHeld();
            if (lockHere) {
                locks.lock(hash, true);
            }
            try {
                findForWrite(index);
            } finally {
                if (lockHere) {
                    locks.unlock();
                }
            }
        });
    }

    /** Whether an entry that a walk has met has expired, or is a hash whose fields all have, so that its key must not be seen. */
    public boolean isExpired(Entry entry) {
        return entry.isExpired(now) || (entry.value() instanceof HashValue value && value.isGone(now));
    }

    /**
     * Removes keys of this call's database that have expired, as a scan met them under a shared lock. Takes their stripes one by one
     * unless some are held already; without an exclusive one it leaves the key to the next who meets it.
     */
    public void removeExpired(Iterable<byte[]> keys) {
        if (engine.pauses().writesPaused()) {
            return;
        }
        boolean lockHere = !locks.isHeld();
        for (byte[] key : keys) {
            long hash = store.hash(key);
            if (lockHere) {
                locks.lock(hash, true);
            }
            try {
                Entry entry = locks.covers(hash, true) ? store.find(database, key, 0, key.length, hash) : null;
                if (entry != null && entry.isExpired(now)) {
                    keyspace.expire(database, entry, hash, session.recorder());
                    disappeared(entry.key(), hash, entry.value());
                } else if (entry != null && entry.value() instanceof HashValue value && value.isGone(now)) {
                    keyspace.expireFields(database, entry, hash, value, now, REAPED_FIELDS, session.recorder());
                }
            } finally {
                if (lockHere) {
                    locks.unlock();
                }
            }
        }
    }

    /** A value that this call may change in place, now or later. */
    private void mayChange(Value value, long hash) {
        if (changing == changed.length) {
            changed = Arrays.copyOf(changed, Math.max(4, 2 * changing));
            changedHashes = Arrays.copyOf(changedHashes, changed.length);
            changedDatabases = Arrays.copyOf(changedDatabases, changed.length);
        }
        changed[changing] = value;
        changedHashes[changing] = hash;
        changedDatabases[changing] = database;
        changing++;
    }

    /** Has the store count what the values of this call have become larger or smaller by; the stripes are still held. */
    void countBytes() {
        for (int i = 0; i < changing; i++) {
            store.changed(changedDatabases[i], changedHashes[i], changed[i]);
            changed[i] = null;
        }
        changing = 0;
    }

    private @Nullable Entry visible(@Nullable Entry entry) {
        if (entry != null && entry.isExpired(now)) {
            metExpired = true;
            return null;
        }
        if (entry != null && entry.value() instanceof HashValue value && value.anyDue(now)) {
            metExpired = true;
            return value.isGone(now) ? null : entry;
        }
        return entry;
    }

    private void touch(Entry entry) {
        if (!session.noTouch()) {
            engine.uses().use(entry, clockMillis);
        }
    }

    private static <V extends Value> @Nullable V cast(@Nullable Entry entry, Class<V> type) {
        if (entry == null) {
            return null;
        }
        Object value = entry.value();
        if (!type.isInstance(value)) {
            throw CommandException.WRONG_TYPE;
        }
        return type.cast(value);
    }
}
