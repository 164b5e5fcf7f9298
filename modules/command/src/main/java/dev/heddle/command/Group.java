package dev.heddle.command;

import java.util.Locale;

/** The chapter of the command reference in which a command stands; for data types also its ACL category. */
public enum Group {
    GENERIC("keyspace"),
    STRING("string"),
    LIST("list"),
    SET("set"),
    SORTED_SET("sortedset"),
    HASH("hash"),
    BITMAP("bitmap"),
    HYPERLOGLOG("hyperloglog"),
    GEO("geo"),
    STREAM("stream"),
    PUBSUB("pubsub"),
    TRANSACTIONS("transaction"),
    SCRIPTING("scripting"),
    CONNECTION("connection"),
    CLUSTER(""),
    SERVER("");

    private final String category;

    Group(String category) {
        this.category = category;
    }

    /** As COMMAND DOCS spells it. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The ACL category that all commands of this group belong to, or "" if there is none. */
    public String category() {
        return category;
    }
}
