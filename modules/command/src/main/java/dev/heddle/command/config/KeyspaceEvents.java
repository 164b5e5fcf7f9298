package dev.heddle.command.config;

import java.util.List;

/**
 * Which changes of keys are published ({@code notify-keyspace-events}), by the letters of their classes.
 *
 * <p>Immutable.
 *
 * @param letters a bit for each letter that is on, by its place in {@link #ORDER}
 */
public record KeyspaceEvents(int letters) {

    /** All letters in the order in which CONFIG GET prints them; {@code K} and {@code E} say where to publish, the others what. */
    private static final String ORDER = "g$lshzxetdnKEm";
    /** What {@code A} stands for. */
    private static final int ALL = bits("g$lshzxetd");

    private static final int NEW = bits("n");
    private static final int BY_KEY = bits("K");
    private static final int BY_EVENT = bits("E");

    /** No events. */
    public static final KeyspaceEvents NONE = new KeyspaceEvents(0);

    /** Whether anything is published at all. */
    public boolean publishesAny() {
        return (letters & (BY_KEY | BY_EVENT)) != 0 && (letters & ~(BY_KEY | BY_EVENT)) != 0;
    }

    /** Whether events of the class with this letter are published anywhere: the class itself and K or E are on. */
    public boolean publishes(char letter) {
        return (letters & (BY_KEY | BY_EVENT)) != 0 && (letters & 1 << ORDER.indexOf(letter)) != 0;
    }

    /** Whether events are published under {@code __keyspace@<db>__:<key>}. */
    public boolean byKey() {
        return (letters & BY_KEY) != 0;
    }

    /** Whether events are published under {@code __keyevent@<db>__:<event>}. */
    public boolean byEvent() {
        return (letters & BY_EVENT) != 0;
    }

    /**
     * Reads the letters, in any order.
     *
     * @throws ConfigException {@code Invalid event class character. Use 'Ag$lshzxeKEtmdn'.}
     */
    public static KeyspaceEvents parse(String letters) {
        return new KeyspaceEvents(bits(letters));
    }

    private static int bits(String letters) {
        int bits = 0;
        for (int i = 0; i < letters.length(); i++) {
            int place = ORDER.indexOf(letters.charAt(i));
            if (letters.charAt(i) == 'A') {
                bits |= ALL;
            } else if (place >= 0) {
                bits |= 1 << place;
            } else {
                throw new ConfigException("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
            }
        }
        return bits;
    }

    /** The letters as Redis prints them: {@code A} for all of its classes, and then {@code n} stays unsaid. */
    public String text() {
        return text(false);
    }

    private String text(boolean withNew) {
        boolean all = (letters & ALL) == ALL;
        int unsaid = all ? ALL | (withNew ? 0 : NEW) : 0;
        StringBuilder text = new StringBuilder(all ? "A" : "");
        for (int i = 0; i < ORDER.length(); i++) {
            if ((letters & ~unsaid & 1 << i) != 0) {
                text.append(ORDER.charAt(i));
            }
        }
        return text.toString();
    }

    /** The directive. A file gets the {@code n} beside {@code A}, so that it survives a restart. */
    static final class EventsCodec implements Codec<KeyspaceEvents> {
        @Override
        public KeyspaceEvents parse(List<String> words, KeyspaceEvents current) {
            return KeyspaceEvents.parse(words.get(0));
        }

        @Override
        public String text(KeyspaceEvents value) {
            return value.text();
        }

        @Override
        public String fileText(KeyspaceEvents value) {
            return ConfigText.quote(value.text(true));
        }
    }
}
