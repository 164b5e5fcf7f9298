package dev.heddle.command;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The categories by which access rules name sets of commands, in the order in which COMMAND INFO lists them. */
public enum AclCategory {
    KEYSPACE,
    READ,
    WRITE,
    SET,
    SORTEDSET,
    LIST,
    HASH,
    STRING,
    BITMAP,
    HYPERLOGLOG,
    GEO,
    STREAM,
    PUBSUB,
    ADMIN,
    FAST,
    SLOW,
    BLOCKING,
    DANGEROUS,
    CONNECTION,
    TRANSACTION,
    SCRIPTING;

    /** As access rules spell it, without the {@code @}. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The category of this name, in any case; null if there is none. */
    public static @Nullable AclCategory find(String name) {
        for (AclCategory category : values()) {
            if (category.name().equalsIgnoreCase(name)) {
                return category;
            }
        }
        return null;
    }

    /**
     * The categories of a command: some follow from its flags, the rest is what its row says, or if it says nothing the category of its
     * group. A container is in none of these: its subcommands are.
     */
    public static Set<AclCategory> of(CommandSpec spec) {
        EnumSet<AclCategory> set = EnumSet.noneOf(AclCategory.class);
        set.add(spec.has(Flag.FAST) ? FAST : SLOW);
        if (spec.has(Flag.WRITE)) {
            set.add(WRITE);
        }
        if (spec.has(Flag.READONLY) && spec.docs().group() != Group.SCRIPTING) {
            set.add(READ);
        }
        if (spec.has(Flag.ADMIN)) {
            set.add(ADMIN);
            set.add(DANGEROUS);
        }
        if (spec.has(Flag.PUBSUB)) {
            set.add(PUBSUB);
        }
        if (spec.has(Flag.BLOCKING)) {
            set.add(BLOCKING);
        }
        Set<AclCategory> declared = spec.declaredCategories();
        AclCategory group =
                spec.handler() == null ? null : find(spec.docs().group().category());
        if (declared != null) {
            set.addAll(declared);
        } else if (group != null) {
            set.add(group);
        }
        return set;
    }
}
