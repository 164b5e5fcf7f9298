package dev.heddle.command.config;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Which changes of keys are published ({@code notify-keyspace-events}). Immutable.
 *
 * @param classes the classes that are on
 */
public record KeyspaceEvents(Set<EventClass> classes) {

    /** The classes of events with their letters, in the order in which CONFIG GET prints them. */
    public enum EventClass {
        /** DEL, EXPIRE, RENAME and other commands on any type. */
        GENERIC('g'),
        STRING('$'),
        LIST('l'),
        SET('s'),
        HASH('h'),
        ZSET('z'),
        /** A key whose time was over. */
        EXPIRED('x'),
        /** A key that gave way when memory ran out. */
        EVICTED('e'),
        STREAM('t'),
        MODULE('d'),
        /** A key that did not exist before; not a part of {@code A}. */
        NEW('n'),
        /** Publish under {@code __keyspace@<db>__:<key>}. */
        KEYSPACE('K'),
        /** Publish under {@code __keyevent@<db>__:<event>}. */
        KEYEVENT('E'),
        /** A key that was asked for and is not there; not a part of {@code A}. */
        MISS('m');

        private final char letter;

        EventClass(char letter) {
            this.letter = letter;
        }
    }

    private static final Set<EventClass> ALL = Set.copyOf(EnumSet.range(EventClass.GENERIC, EventClass.MODULE));

    /** No events. */
    public static final KeyspaceEvents NONE = new KeyspaceEvents(Set.of());

    /** Keeps a copy of the classes. */
    public KeyspaceEvents {
        classes = Set.copyOf(classes);
    }

    /** Whether events of this class are published anywhere: the class itself and K or E are on. */
    public boolean publishes(EventClass type) {
        return classes.contains(type)
                && (classes.contains(EventClass.KEYSPACE) || classes.contains(EventClass.KEYEVENT));
    }

    /**
     * Reads the letters, in any order.
     *
     * @throws ConfigException {@code Invalid event class character. Use 'Ag$lshzxeKEtmdn'.}
     */
    public static KeyspaceEvents parse(String letters) {
        Set<EventClass> classes = EnumSet.noneOf(EventClass.class);
        for (int i = 0; i < letters.length(); i++) {
            if (letters.charAt(i) == 'A') {
                classes.addAll(ALL);
            } else {
                classes.add(of(letters.charAt(i)));
            }
        }
        return new KeyspaceEvents(classes);
    }

    private static EventClass of(char letter) {
        for (EventClass type : EventClass.values()) {
            if (type.letter == letter) {
                return type;
            }
        }
        throw new ConfigException("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
    }

    /** The letters as Redis prints them: {@code A} for all of its classes, and then {@code n} stays unsaid. */
    public String text() {
        return letters(false);
    }

    private String letters(boolean withNew) {
        StringBuilder text = new StringBuilder();
        boolean all = classes.containsAll(ALL);
        if (all) {
            text.append('A');
        }
        for (EventClass type : EventClass.values()) {
            boolean unsaid = all && (ALL.contains(type) || (type == EventClass.NEW && !withNew));
            if (classes.contains(type) && !unsaid) {
                text.append(type.letter);
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
            return ConfigText.quote(value.letters(true));
        }
    }
}
