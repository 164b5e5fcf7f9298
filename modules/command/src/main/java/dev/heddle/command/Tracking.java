package dev.heddle.command;

import dev.heddle.command.TrackingMode.Options;
import dev.heddle.command.config.Setting;
import dev.heddle.resp.ReplyWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which sessions may have copies of which keys, and how they hear that these are out of date.
 *
 * <p>Thread-safe. {@link #remember} needs the stripes of the command's keys, {@link #keyChanged} that of the key; {@link #broadcast} is called
 * without any.
 */
public final class Tracking implements KeyObserver {

    /*
     * Default mode. A read enters (key, session) into the table under the key's stripe before it looks at the key. A change takes
     * the key's sessions out of the table under the same stripe, held exclusively, and appends a message to each one's outbox. So either the
     * read has seen the new value, or its session is told after its reply; see Outbox. A key is told of once: whoever reads it
     * again is entered again. Names are tracked without their database, as Redis does: too many messages do no harm.
     *
     * The table holds ids, not sessions: it is not searched when one ends, its ids simply lead nowhere. If the table is larger than
     * tracking-table-max-keys, some keys are taken out, and their sessions told as if they had changed.
     *
     * Broadcast. Nothing is remembered; the keys that a command changes are collected in its session and compared with all
     * prefixes at the command's end, one message for each prefix. A change that is no command's (expiry, eviction) is told at once.
     *
     * Nobody observes the keyspace while nobody tracks.
     */

    private static final byte[] INVALIDATE = Message.word("invalidate");
    private static final byte[] CHANNEL = Message.word("__redis__:invalidate");
    private static final byte[] MESSAGE = Message.word("message");
    private static final byte[] BROKEN = Message.word("tracking-redir-broken");
    private static final int ANY_DATABASE = 0;

    private final Engine engine;
    private final Setting<Long> maxKeys;
    /** Sets are touched only inside compute. */
    private final ConcurrentHashMap<KeyName, Set<Long>> table = new ConcurrentHashMap<>();

    private final AtomicLong items = new AtomicLong();
    private final ConcurrentSkipListMap<byte[], Set<Session>> prefixes =
            new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    private final AtomicInteger clients = new AtomicInteger();
    /** Around changes of who tracks, and of prefixes. May be taken under stripes; none is taken under it. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Around {@link #victims}. */
    private final ReentrantLock evictionLock = new ReentrantLock();
    /** Where the search for keys to take out goes on. Guarded by evictionLock. */
    private Iterator<KeyName> victims = List.<KeyName>of().iterator();

    Tracking(Engine engine) {
        this.engine = engine;
        this.maxKeys = engine.settings().memory.trackingTableMaxKeys;
        maxKeys.onChange(limit -> trim());
    }

    // ---- who tracks: the session's own thread

    /** CLIENT TRACKING ON. The options agree with each other and with the mode that is on. */
    public void enable(Session session, Options options, Collection<byte[]> newPrefixes) {
        SortedSet<byte[]> wanted = TrackingMode.noPrefixes();
        lock.lock();
        try {
            TrackingMode old = session.interests().tracking();
            if (old == null && clients.getAndIncrement() == 0) {
                engine.keyspace().addObserver(this);
            }
            if (old != null) {
                wanted.addAll(old.prefixes());
            }
            if (options.broadcast()) {
                wanted.addAll(newPrefixes.isEmpty() ? List.of(new byte[0]) : newPrefixes);
                for (byte[] prefix : wanted) {
                    prefixes.computeIfAbsent(prefix, absent -> ConcurrentHashMap.newKeySet(1))
                            .add(session);
                }
            }
            TrackingMode mode = new TrackingMode(options, wanted);
            mode.caching(old != null && old.caching());
            session.interests().tracking(mode);
        } finally {
            lock.unlock();
        }
    }

    /** CLIENT TRACKING OFF, RESET, or the session's end. */
    public void disable(Session session) {
        lock.lock();
        try {
            TrackingMode old = session.interests().tracking();
            if (old == null) {
                return;
            }
            session.interests().tracking(null);
            for (byte[] prefix : old.prefixes()) {
                Set<Session> listeners = prefixes.get(prefix);
                if (listeners != null) {
                    listeners.remove(session);
                    if (listeners.isEmpty()) {
                        prefixes.remove(prefix);
                    }
                }
            }
            if (clients.decrementAndGet() == 0) {
                engine.keyspace().removeObserver(this);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- remembering

    /** Remembers the keys of a command that is about to read them; their stripes are held. */
    void remember(Call call) {
        TrackingMode mode = call.session().interests().tracking();
        CommandSpec spec = call.spec();
        Group group = spec.docs().group();
        boolean reads = spec.has(Flag.READONLY) && group != Group.SCRIPTING && group != Group.PUBSUB;
        if (mode == null || !reads || !mode.remembers()) {
            return;
        }
        long id = call.session().id();
        spec.forEachKey(call.request(), index -> {
            KeyName name = new KeyName(ANY_DATABASE, call.arg(index), call.hash(index));
            table.compute(name, (key, old) -> {
                Set<Long> ids = old == null ? new LinkedHashSet<>(2) : old;
                if (ids.add(id)) {
                    items.incrementAndGet();
                }
                return ids;
            });
        });
        trim();
    }

    /** Takes keys out of the table until it is as small as it has to be. */
    private void trim() {
        long limit = maxKeys.value();
        if (limit == 0 || table.mappingCount() <= limit) {
            return;
        }
        evictionLock.lock();
        try {
            boolean fresh = false;
            while (table.mappingCount() > limit) {
                if (victims.hasNext()) {
                    tellTrackers(null, victims.next());
                    fresh = false;
                } else if (fresh) {
                    return; // somebody else has emptied it
                } else {
                    victims = table.keySet().iterator();
                    fresh = true;
                }
            }
        } finally {
            evictionLock.unlock();
        }
    }

    // ---- telling

    @Override
    public void keyChanged(int database, byte[] key, EventClass eventClass, String event) {
        keyChangedBy(null, database, key, eventClass, event);
    }

    @Override
    public void keyChangedBy(@Nullable Session by, int database, byte[] key, EventClass eventClass, String event) {
        KeyName name = new KeyName(ANY_DATABASE, key, engine.store().hash(key));
        if (!table.isEmpty()) {
            tellTrackers(by, name);
        }
        if (!prefixes.isEmpty()) {
            if (by == null) {
                broadcast(null, Set.of(name));
            } else {
                by.interests().changedKeys().add(name);
            }
        }
    }

    @Override
    public void databaseChanged(int database) {
        // SWAPDB tells nobody, as in Redis; FLUSHALL and FLUSHDB call flushed()
    }

    /** All keys, or those of one database, are gone: whoever tracks is told to forget everything. */
    public void flushed() {
        if (clients.get() == 0) {
            return;
        }
        for (Session session : engine.sessions().all()) {
            TrackingMode mode = session.interests().tracking();
            if (mode != null) {
                send(session, mode, null);
            }
        }
        for (KeyName key : table.keySet()) {
            forget(key);
        }
    }

    private @Nullable Set<Long> forget(KeyName key) {
        Set<Long> ids = table.remove(key);
        if (ids != null) {
            items.addAndGet(-ids.size());
        }
        return ids;
    }

    private void tellTrackers(@Nullable Session by, KeyName key) {
        Set<Long> ids = forget(key);
        if (ids == null) {
            return;
        }
        Invalidation invalidation = new Invalidation(List.of(key));
        for (long id : ids) {
            Session session = engine.sessions().find(id);
            TrackingMode mode = session == null ? null : session.interests().tracking();
            if (session == null
                    || mode == null
                    || mode.options().broadcast()
                    || (mode.options().noLoop() && session.isSame(by))) {
                continue;
            }
            send(session, mode, invalidation);
        }
    }

    /** Tells of the keys that a session's command has changed. No stripe is held. */
    void broadcast(Session by) {
        Set<KeyName> keys = by.interests().changedKeys();
        broadcast(by, keys);
        keys.clear();
    }

    private void broadcast(@Nullable Session by, Set<KeyName> keys) {
        prefixes.forEach((prefix, listeners) -> {
            List<KeyName> matching =
                    keys.stream().filter(key -> startsWith(key.key(), prefix)).toList();
            if (matching.isEmpty()) {
                return;
            }
            Invalidation invalidation = new Invalidation(matching);
            for (Session session : listeners) {
                TrackingMode mode = session.interests().tracking();
                if (mode != null && !(mode.options().noLoop() && session.isSame(by))) {
                    send(session, mode, invalidation);
                }
            }
        });
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    /** @param invalidation null for all keys */
    private void send(Session session, TrackingMode mode, @Nullable Invalidation invalidation) {
        long redirect = mode.options().redirect();
        Session target = redirect == 0 ? session : engine.sessions().find(redirect);
        if (target == null || (redirect != 0 && target.closing())) {
            mode.brokenRedirect(true);
            if (session.protocol() == 3) {
                session.outbox().add(broken(redirect));
            }
        } else if (target.protocol() == 3) {
            target.outbox().add(invalidation == null ? all(3) : invalidation.encoded(3));
        } else if (redirect != 0 && target.interests().isSubscribed()) {
            target.outbox().add(invalidation == null ? all(2) : invalidation.encoded(2));
        }
    }

    private static byte[] broken(long redirect) {
        ReplyWriter writer = new ReplyWriter();
        writer.protocol(3);
        writer.push(2);
        writer.bulk(BROKEN);
        writer.integer(redirect);
        return writer.toByteArray();
    }

    private static byte[] all(int protocol) {
        ReplyWriter writer = begin(protocol);
        writer.nil();
        return writer.toByteArray();
    }

    private static ReplyWriter begin(int protocol) {
        ReplyWriter writer = new ReplyWriter();
        writer.protocol(protocol);
        if (protocol == 3) {
            writer.push(2);
            writer.bulk(INVALIDATE);
        } else {
            writer.array(3);
            writer.bulk(MESSAGE);
            writer.bulk(CHANNEL);
        }
        return writer;
    }

    /** A message about some keys. Confined to the thread that tells it. */
    private static final class Invalidation {

        private final List<KeyName> keys;
        private byte @Nullable [] two;
        private byte @Nullable [] three;

        Invalidation(List<KeyName> keys) {
            this.keys = keys;
        }

        byte[] encoded(int protocol) {
            byte[] bytes = protocol == 3 ? three : two;
            if (bytes == null) {
                ReplyWriter writer = begin(protocol);
                writer.array(keys.size());
                keys.forEach(key -> writer.bulk(key.key()));
                bytes = writer.toByteArray();
                if (protocol == 3) {
                    three = bytes;
                } else {
                    two = bytes;
                }
            }
            return bytes;
        }
    }

    // ---- what INFO shows, and what CLIENT TRACKING refuses

    /** How many sessions track. */
    public int clients() {
        return clients.get();
    }

    /** How many keys somebody may have a copy of. */
    public long keys() {
        return table.mappingCount();
    }

    /** How many pairs of a key and a session that may have a copy. */
    public long items() {
        return items.get();
    }

    /** How many prefixes there are of all broadcasts. */
    public int prefixes() {
        return prefixes.size();
    }

    /** @throws CommandException "Prefix '...' overlaps with ...": nobody wants to be told twice */
    public static void checkPrefixes(@Nullable TrackingMode old, List<byte[]> wanted) {
        for (int i = 0; i < wanted.size(); i++) {
            for (byte[] existing : old == null ? TrackingMode.noPrefixes() : old.prefixes()) {
                check(wanted.get(i), existing, "an existing");
            }
            for (byte[] other : wanted.subList(i + 1, wanted.size())) {
                check(wanted.get(i), other, "another provided");
            }
        }
    }

    private static void check(byte[] prefix, byte[] other, String which) {
        if (startsWith(prefix, other) || startsWith(other, prefix)) {
            throw CommandException.err("Prefix '" + text(prefix) + "' overlaps with " + which + " prefix '"
                    + text(other) + "'. Prefixes for a single client must not overlap.");
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
