package dev.heddle.command;

import dev.heddle.command.PubSub.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a session wants to be told of without asking (channels and patterns, keys that it caches, everybody's commands), and what it has
 * to tell others.
 *
 * <p>Confined to the session's thread, except for the volatile fields, which others may read.
 */
public final class Interests {

    /** A name, its entry here and the one in the hub. */
    private static final int SUBSCRIPTION_BYTES = 192;

    private final Session session;
    /** Names by kind; made by the first subscription. */
    private @Nullable Map<Kind, Map<KeyName, byte[]>> subscriptions;
    /** Whether there is anything at all below: what every command looks at. */
    private volatile boolean any;

    private volatile int channelCount;
    private volatile int patternCount;
    private volatile int shardCount;
    private volatile boolean monitoring;
    /** What the session has changed, for those who want to know; see {@link Tracking}. */
    private @Nullable Set<KeyName> changedKeys;

    private volatile @Nullable TrackingMode tracking;

    Interests(Session session) {
        this.session = session;
    }

    /** Bytes that subscriptions and prefixes occupy, about; any thread may ask. */
    long bytes() {
        TrackingMode mode = tracking;
        int names = channelCount
                + patternCount
                + shardCount
                + (mode == null ? 0 : mode.prefixes().size());
        return (long) SUBSCRIPTION_BYTES * names;
    }

    // ---- channels and patterns

    private Map<KeyName, byte[]> of(Kind kind) {
        Map<Kind, Map<KeyName, byte[]>> current = subscriptions;
        return current == null ? Map.of() : current.getOrDefault(kind, Map.of());
    }

    private Map<KeyName, byte[]> made(Kind kind) {
        Map<Kind, Map<KeyName, byte[]>> current = subscriptions;
        if (current == null) {
            current = new EnumMap<>(Kind.class);
            subscriptions = current;
        }
        return current.computeIfAbsent(kind, absent -> new LinkedHashMap<>());
    }

    private KeyName key(byte[] name) {
        return new KeyName(0, name, session.engine().store().hash(name));
    }

    /** Whether the session is a subscriber, for the rules that bind only these. */
    public boolean isSubscribed() {
        return channelCount + patternCount + shardCount != 0;
    }

    /** How many channels or patterns the session has subscribed to. */
    public int count(Kind kind) {
        return switch (kind) {
            case CHANNEL -> channelCount;
            case PATTERN -> patternCount;
            case SHARD -> shardCount;
        };
    }

    /** What an acknowledgement counts: channels and patterns together, shard channels by themselves. */
    private int acknowledged(Kind kind) {
        return kind == Kind.SHARD ? shardCount : channelCount + patternCount;
    }

    /** The names of one kind, in the order in which they were subscribed to. */
    public Collection<byte[]> names(Kind kind) {
        return new ArrayList<>(of(kind).values());
    }

    private void recount() {
        channelCount = of(Kind.CHANNEL).size();
        patternCount = of(Kind.PATTERN).size();
        shardCount = of(Kind.SHARD).size();
        review();
    }

    private void review() {
        any = isSubscribed() || monitoring || tracking != null;
    }

    /** Whether the session wants to be told of anything: a single field read. */
    boolean any() {
        return any;
    }

    /** Subscribes, and acknowledges that. */
    public void subscribe(Call call, Kind kind, byte[] name) {
        boolean fresh = made(kind).put(key(name), name) == null;
        recount();
        acknowledge(call, kind, true, name);
        if (fresh) {
            session.engine().pubSub().join(session, kind, name);
        }
    }

    /** Unsubscribes, if there is such a subscription, and acknowledges that in any case. */
    public void unsubscribe(Call call, Kind kind, byte[] name) {
        if (isSubscribed() && made(kind).remove(key(name)) != null) {
            session.engine().pubSub().leave(session, kind, name);
        }
        recount();
        acknowledge(call, kind, false, name);
    }

    /** Acknowledges that everything of a kind was unsubscribed from, though there was nothing. */
    public void acknowledgeNothing(Call call, Kind kind) {
        acknowledge(call, kind, false, null);
    }

    /* Among the messages, so that it stands in the right place between them; in EXEC's reply if it is a part of that. */
    private void acknowledge(Call call, Kind kind, boolean subscribed, byte @Nullable [] name) {
        if (call.isNested()) {
            Acknowledgement.write(call.reply(), kind, subscribed, name, acknowledged(kind));
        } else {
            session.outbox()
                    .add(Acknowledgement.encode(session.protocol(), kind, subscribed, name, acknowledged(kind)));
        }
    }

    private void unsubscribeAll() {
        if (!isSubscribed()) {
            return;
        }
        for (Kind kind : Kind.values()) {
            for (byte[] name : of(kind).values()) {
                session.engine().pubSub().leave(session, kind, name);
            }
        }
        subscriptions = null;
        recount();
    }

    // ---- cached keys

    /** How this session is told of changes of keys that it caches; null if it is not. */
    public @Nullable TrackingMode tracking() {
        return tracking;
    }

    void tracking(@Nullable TrackingMode mode) {
        tracking = mode;
        review();
    }

    /** Keys that this session has changed and that have not been broadcast yet. */
    Set<KeyName> changedKeys() {
        Set<KeyName> current = changedKeys;
        if (current == null) {
            current = new LinkedHashSet<>();
            changedKeys = current;
        }
        return current;
    }

    /** Whether there is anything to broadcast. */
    boolean broadcasts() {
        Set<KeyName> current = changedKeys;
        return current != null && !current.isEmpty();
    }

    // ---- everybody's commands

    /** Whether the session is told of everybody's commands. */
    public boolean isMonitoring() {
        return monitoring;
    }

    void monitoring(boolean on) {
        monitoring = on;
        review();
    }

    /** The session is no longer interested in anything: RESET, or its end. */
    void clear() {
        unsubscribeAll();
        if (tracking != null) {
            session.engine().tracking().disable(session);
        }
        if (monitoring) {
            session.engine().monitors().remove(session);
        }
    }
}
