package dev.heddle.command;

/** The classes of key events, each with its letter in {@code notify-keyspace-events}. */
public enum EventClass {
    GENERIC('g'),
    STRING('$'),
    LIST('l'),
    SET('s'),
    HASH('h'),
    ZSET('z'),
    EXPIRED('x'),
    EVICTED('e'),
    STREAM('t'),
    MODULE('d'),
    KEY_MISS('m'),
    NEW('n');

    private final char letter;

    EventClass(char letter) {
        this.letter = letter;
    }

    public char letter() {
        return letter;
    }
}
