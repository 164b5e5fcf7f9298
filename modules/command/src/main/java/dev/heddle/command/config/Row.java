package dev.heddle.command.config;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The first column of the catalogue: a directive's name, whether it has an effect, and how it may be changed. Immutable.
 *
 * @param note what to tell somebody who sets an accepted directive; empty for the usual sentence
 */
record Row(String name, Setting.Status status, List<String> aliases, Set<Trait> traits, String note) {

    /** A property of a directive; the names follow Redis's. */
    enum Trait {
        /** Only the file and the command line set it. */
        IMMUTABLE,
        /** CONFIG GET shows it by its exact name only. */
        HIDDEN,
        /** CONFIG SET needs {@code enable-protected-configs}. */
        PROTECTED,
        /** Its value must not show up in logs. */
        SENSITIVE,
        /** Refused while the data set is being loaded. */
        DENY_LOADING,
        /** Names something outside (a certificate) that is read again even when the name stays the same. */
        REREAD
    }

    Row {
        aliases = List.copyOf(aliases);
        traits = Set.copyOf(traits);
    }

    /** A directive that does what it says. */
    static Row active(String name) {
        return new Row(name, Setting.Status.ACTIVE, List.of(), Set.of(), "");
    }

    /** A directive that Redis has and that does nothing here. */
    static Row accepted(String name) {
        return new Row(name, Setting.Status.ACCEPTED, List.of(), Set.of(), "");
    }

    Row alias(String other) {
        List<String> more = new ArrayList<>(aliases);
        more.add(other);
        return new Row(name, status, more, traits, note);
    }

    Row with(Trait first, Trait... others) {
        Set<Trait> more = EnumSet.of(first, others);
        more.addAll(traits);
        return new Row(name, status, aliases, more, note);
    }

    Row note(String sentence) {
        return new Row(name, status, aliases, traits, sentence);
    }
}
