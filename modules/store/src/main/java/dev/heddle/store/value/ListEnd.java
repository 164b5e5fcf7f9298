package dev.heddle.store.value;

/** One of the two ends of a list: LEFT and RIGHT to the commands. */
public enum ListEnd {
    HEAD,
    TAIL
}
