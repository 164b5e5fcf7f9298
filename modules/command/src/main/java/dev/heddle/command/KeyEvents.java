package dev.heddle.command;

import dev.heddle.command.config.KeyspaceEvents;
import dev.heddle.command.config.Setting;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Publishes changes of keys on channels, as {@code notify-keyspace-events} wants it.
 *
 * <p>Thread-safe. Publishes under the key's stripe, so that the events of one key keep their order; see {@link Audience} for what that locks.
 */
final class KeyEvents implements KeyObserver {

    private final PubSub pubSub;
    private final Keyspace keyspace;
    /** What is published. Written while the settings' lock is held. */
    private volatile KeyspaceEvents wanted = KeyspaceEvents.NONE;

    private KeyEvents(PubSub pubSub, Keyspace keyspace) {
        this.pubSub = pubSub;
        this.keyspace = keyspace;
    }

    /** Publishes from now on what the setting names at each time. */
    static void publish(Setting<KeyspaceEvents> setting, PubSub pubSub, Keyspace keyspace) {
        KeyEvents events = new KeyEvents(pubSub, keyspace);
        setting.onChange(events::follow);
        events.follow(setting.value());
    }

    /** Observes the keyspace only while there is something to publish. */
    private void follow(KeyspaceEvents events) {
        boolean before = wanted.publishesAny();
        wanted = events;
        if (!before && events.publishesAny()) {
            keyspace.addObserver(this);
        } else if (before && !events.publishesAny()) {
            keyspace.removeObserver(this);
        }
    }

    @Override
    public void keyChanged(int database, byte[] key, EventClass eventClass, String event) {
        KeyspaceEvents events = wanted;
        if (!events.publishes(eventClass.letter()) || !pubSub.hasListeners()) {
            return;
        }
        byte[] name = event.getBytes(StandardCharsets.ISO_8859_1);
        if (events.byKey()) {
            pubSub.publish(channel("__keyspace@", database, key), name);
        }
        if (events.byEvent()) {
            pubSub.publish(channel("__keyevent@", database, name), key);
        }
    }

    @Override
    public void keyNoted(int database, byte[] key, EventClass eventClass, String event) {
        keyChanged(database, key, eventClass, event);
    }

    @Override
    public void keyMissed(int database, byte[] key) {
        keyChanged(database, key, EventClass.KEY_MISS, "keymiss");
    }

    @Override
    public void databaseChanged(int database) {
        // FLUSHALL and SWAPDB are no events
    }

    private static byte[] channel(String kind, int database, byte[] rest) {
        ByteArrayOutputStream name = new ByteArrayOutputStream(32 + rest.length);
        name.writeBytes((kind + database + "__:").getBytes(StandardCharsets.ISO_8859_1));
        name.writeBytes(rest);
        return name.toByteArray();
    }
}
