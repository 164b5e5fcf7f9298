package dev.heddle.command.data;

import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.GENERIC;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.command.config.EvictionPolicy;
import dev.heddle.command.config.MemorySettings;
import dev.heddle.store.AccessClock;
import dev.heddle.store.Entry;
import dev.heddle.store.value.Value;
import java.util.List;
import java.util.function.BiConsumer;

/** OBJECT: how a value is kept. Stateless. */
public final class ObjectCommands {

    /** What Redis answers for a value that is part of the program, and never freed. */
    private static final int PERMANENT = Integer.MAX_VALUE;

    private static final String NOTE =
            " Please note that when switching between policies at runtime LRU and LFU data will take"
                    + " some time to adjust.";
    private static final CommandException NO_FREQUENCY =
            CommandException.err("An LFU maxmemory policy is not selected, access frequency not tracked." + NOTE);

    private static final CommandException NO_IDLE_TIME =
            CommandException.err("An LFU maxmemory policy is selected, idle time not tracked." + NOTE);

    private static final List<String> HELP = List.of(
            "OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
            "ENCODING <key>",
            "    Return the kind of internal representation used in order to store the value",
            "    associated with a <key>.",
            "FREQ <key>",
            "    Return the access frequency index of the <key>. The returned integer is",
            "    proportional to the logarithm of the recent access frequency of the key.",
            "IDLETIME <key>",
            "    Return the idle time of the <key>, that is the approximated number of",
            "    seconds elapsed since the last access to the key.",
            "REFCOUNT <key>",
            "    Return the number of references of the value associated with the specified",
            "    <key>.",
            "HELP",
            "    Print this help.");

    private ObjectCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.container("OBJECT")
                .docs(GENERIC, "2.2.3", "Depends on subcommand.", "", "Tells how values are kept.")
                .subcommands(ObjectCommands::declareSubcommands);
    }

    private static void declareSubcommands(CommandTable.Builder t) {
        t.read("ENCODING", exactly(1), call -> answer(call, ObjectCommands::encoding))
                .keys(2, 2, 1, Access.RO_META)
                .tips("nondeterministic_output")
                .docs(GENERIC, "2.2.3", "O(1)", "key", "Answers the name of the form that a value has in memory.");
        t.read("REFCOUNT", exactly(1), call -> answer(call, ObjectCommands::refCount))
                .keys(2, 2, 1, Access.RO_META)
                .tips("nondeterministic_output")
                .docs(GENERIC, "2.2.3", "O(1)", "key", "Answers how many share the value of a key.");
        t.read("IDLETIME", exactly(1), call -> answer(call, ObjectCommands::idleTime))
                .keys(2, 2, 1, Access.RO_META)
                .tips("nondeterministic_output")
                .docs(GENERIC, "2.2.3", "O(1)", "key", "Answers for how many seconds a key has not been used.");
        t.read("FREQ", exactly(1), call -> answer(call, ObjectCommands::frequency))
                .keys(2, 2, 1, Access.RO_META)
                .tips("nondeterministic_output")
                .docs(
                        GENERIC,
                        "4.0.0",
                        "O(1)",
                        "key",
                        "Answers how often a key is used, under a policy that counts that.");
        t.other("HELP", exactly(0), ObjectCommands::help, LOADING, STALE)
                .docs(GENERIC, "6.2.0", "O(1)", "", "Answers what OBJECT can do.");
    }

    /** Looks the key up as if nobody had, and answers nil if it is not there. */
    private static void answer(Call call, BiConsumer<Call, Entry> whatOf) {
        Entry entry = call.peek(2);
        if (entry == null) {
            call.reply().nil();
        } else {
            whatOf.accept(call, entry);
        }
    }

    /** {@code OBJECT ENCODING key} */
    private static void encoding(Call call, Entry entry) {
        call.reply().bulk(encoding(entry.value()));
    }

    /** The name of the form that a value has in memory. */
    public static String encoding(Object value) {
        return value instanceof Value other ? other.encoding() : StringValues.encoding(value);
    }

    /** {@code OBJECT REFCOUNT key} */
    private static void refCount(Call call, Entry entry) {
        boolean shared = entry.value() instanceof Long number
                && number >= 0
                && number < StringValues.SHARED_NUMBERS
                && sharesNumbers(call.engine().settings().memory);
        call.reply().integer(shared ? PERMANENT : 1);
    }

    /** Whether Redis shares small numbers: not if each value has to remember when it was used. */
    private static boolean sharesNumbers(MemorySettings memory) {
        EvictionPolicy policy = memory.maxMemoryPolicy.value();
        return memory.maxMemory.value() == 0
                || switch (policy) {
                    case VOLATILE_LRU, VOLATILE_LFU, ALLKEYS_LRU, ALLKEYS_LFU -> false;
                    case VOLATILE_RANDOM, VOLATILE_TTL, ALLKEYS_RANDOM, NOEVICTION -> true;
                };
    }

    /** {@code OBJECT IDLETIME key} */
    private static void idleTime(Call call, Entry entry) {
        if (call.engine().uses().byFrequency()) {
            throw NO_IDLE_TIME;
        }
        call.reply().integer(AccessClock.idleSeconds(entry.access(), call.now()));
    }

    /** {@code OBJECT FREQ key} */
    private static void frequency(Call call, Entry entry) {
        if (!call.engine().uses().byFrequency()) {
            throw NO_FREQUENCY;
        }
        call.reply().integer(call.engine().uses().frequency(entry, call.clockMillis()));
    }

    /** {@code OBJECT HELP} */
    private static void help(Call call) {
        call.reply().array(HELP.size());
        for (String line : HELP) {
            call.reply().simple(line);
        }
    }
}
