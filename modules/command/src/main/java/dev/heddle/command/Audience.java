package dev.heddle.command;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Those who have subscribed to one channel or pattern.
 *
 * <p>Thread-safe. Its lock is taken under stripes, and outboxes are locked under it; nothing waits there.
 */
final class Audience {

    private final byte[] name;
    private final @Nullable Glob glob;
    private final ReentrantLock lock = new ReentrantLock();
    /** In the order in which they came. Guarded by lock. */
    private final Set<Session> members = new LinkedHashSet<>(4);
    /** Guarded by lock: the last one has left, and this is no longer in the registry. */
    private boolean gone;

    /** @param glob for a pattern */
    Audience(byte[] name, @Nullable Glob glob) {
        this.name = name;
        this.glob = glob;
    }

    byte[] name() {
        return name;
    }

    /** Whether this is a pattern's audience and the channel is one of the pattern's. */
    boolean matches(byte[] channel) {
        Glob pattern = glob;
        return pattern != null && pattern.matches(channel);
    }

    /** @return false if this audience has dissolved: look for another */
    boolean add(Session session) {
        lock.lock();
        try {
            if (!gone) {
                members.add(session);
            }
            return !gone;
        } finally {
            lock.unlock();
        }
    }

    /** Afterwards no further message reaches the session's outbox. @return whether nobody is left, for good */
    boolean remove(Session session) {
        lock.lock();
        try {
            members.remove(session);
            gone = members.isEmpty();
            return gone;
        } finally {
            lock.unlock();
        }
    }

    /** Hands a message to everybody. @return how many they are */
    int tell(Message message) {
        lock.lock();
        try {
            for (Session member : members) {
                member.outbox().add(message.encoded(member.protocol()));
            }
            return members.size();
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return members.size();
        } finally {
            lock.unlock();
        }
    }
}
