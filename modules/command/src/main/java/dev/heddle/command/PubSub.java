package dev.heddle.command;

import dev.heddle.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Who listens to which channels, and how a message reaches them.
 *
 * <p>Thread-safe: no lock is common to all channels. Publishing is allowed under a stripe's lock, see {@link Audience}.
 */
public final class PubSub {

    /** What can be subscribed to. */
    public enum Kind {
        CHANNEL("message", "subscribe", "unsubscribe"),
        PATTERN("pmessage", "psubscribe", "punsubscribe"),
        /** Channels of SSUBSCRIBE, a space of names of its own. */
        SHARD("smessage", "ssubscribe", "sunsubscribe");

        private final byte[] message;
        private final byte[] joined;
        private final byte[] left;

        Kind(String message, String joined, String left) {
            this.message = Message.word(message);
            this.joined = Message.word(joined);
            this.left = Message.word(left);
        }

        /** The first word of an acknowledgement. */
        public byte[] acknowledgement(boolean subscribed) {
            return subscribed ? joined.clone() : left.clone();
        }
    }

    private final Store store;
    private final ConcurrentMap<KeyName, Audience> channels = new ConcurrentHashMap<>();
    private final ConcurrentMap<KeyName, Audience> patterns = new ConcurrentHashMap<>();
    private final ConcurrentMap<KeyName, Audience> shardChannels = new ConcurrentHashMap<>();

    PubSub(Store store) {
        this.store = store;
    }

    private ConcurrentMap<KeyName, Audience> of(Kind kind) {
        return switch (kind) {
            case CHANNEL -> channels;
            case PATTERN -> patterns;
            case SHARD -> shardChannels;
        };
    }

    private KeyName name(byte[] name) {
        return new KeyName(0, name, store.hash(name));
    }

    /** Whether anybody listens to a channel or pattern: not for shard channels. */
    boolean hasListeners() {
        return !channels.isEmpty() || !patterns.isEmpty();
    }

    // ---- subscribing: the session's own thread

    void join(Session session, Kind kind, byte[] name) {
        Glob glob = kind == Kind.PATTERN ? new Glob(name, false) : null;
        Audience audience;
        do {
            audience = of(kind).computeIfAbsent(name(name), absent -> new Audience(name, glob));
        } while (!audience.add(session));
    }

    void leave(Session session, Kind kind, byte[] name) {
        KeyName key = name(name);
        Audience audience = of(kind).get(key);
        if (audience != null && audience.remove(session)) {
            of(kind).remove(key, audience);
        }
    }

    // ---- publishing: any thread

    /** Hands a message to all who listen to the channel. @return how many subscriptions it has met */
    public int publish(byte[] channel, byte[] payload) {
        int met = tell(channels.get(name(channel)), Kind.CHANNEL, channel, payload);
        if (!patterns.isEmpty()) {
            for (Audience audience : patterns.values()) {
                if (audience.matches(channel)) {
                    met += audience.tell(new Message(Kind.PATTERN.message, audience.name(), channel, payload));
                }
            }
        }
        return met;
    }

    /** As {@link #publish}, for shard channels: patterns do not match these. */
    public int publishToShard(byte[] channel, byte[] payload) {
        return tell(shardChannels.get(name(channel)), Kind.SHARD, channel, payload);
    }

    private static int tell(@Nullable Audience audience, Kind kind, byte[] channel, byte[] payload) {
        return audience == null ? 0 : audience.tell(new Message(kind.message, channel, payload));
    }

    // ---- what PUBSUB and INFO show

    /** The channels that somebody has subscribed to, those that match if a pattern is given. */
    public List<byte[]> names(Kind kind, @Nullable Glob filter) {
        List<byte[]> names = new ArrayList<>();
        for (Audience audience : of(kind).values()) {
            if (filter == null || filter.matches(audience.name())) {
                names.add(audience.name());
            }
        }
        return names;
    }

    /** How many channels or patterns have subscribers. */
    public int count(Kind kind) {
        return of(kind).size();
    }

    /** How many sessions have subscribed to a channel. */
    public int subscribers(Kind kind, byte[] channel) {
        Audience audience = of(kind).get(name(channel));
        return audience == null ? 0 : audience.size();
    }
}
