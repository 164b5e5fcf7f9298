package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.AclCategory;
import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandSpec;
import dev.heddle.command.CommandTable;
import dev.heddle.command.Flag;
import dev.heddle.command.Glob;
import dev.heddle.command.KeySpec;
import dev.heddle.resp.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** COMMAND: the command table as clients see it. Stateless. */
public final class CommandCommands {

    private static final String ANY_ORDER = "nondeterministic_output_order";

    private CommandCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.other("COMMAND", atLeast(0), CommandCommands::command, LOADING, STALE)
                .categories(AclCategory.CONNECTION)
                .tips(ANY_ORDER)
                .docs(SERVER, "2.8.13", "O(N) where N is the number of commands", "", "Describes all commands.")
                .subcommands(CommandCommands::declareSubcommands);
    }

    private static void declareSubcommands(CommandTable.Builder t) {
        t.other("COUNT", exactly(0), CommandCommands::count, LOADING, STALE)
                .categories(AclCategory.CONNECTION)
                .docs(SERVER, "2.8.13", "O(1)", "", "Answers how many commands there are.");
        t.other("LIST", atLeast(0), CommandCommands::list, LOADING, STALE)
                .categories(AclCategory.CONNECTION)
                .tips(ANY_ORDER)
                .docs(
                        SERVER,
                        "7.0.0",
                        "O(N) where N is the number of commands",
                        "[FILTERBY <MODULE module-name | ACLCAT category | PATTERN pattern>]",
                        "Lists the names of all commands, or of some.");
        t.other("INFO", atLeast(0), CommandCommands::info, LOADING, STALE)
                .categories(AclCategory.CONNECTION)
                .tips(ANY_ORDER)
                .docs(
                        SERVER,
                        "2.8.13",
                        "O(N) where N is the number of commands asked for",
                        "[command-name [command-name ...]]",
                        "Describes commands to programs.");
        t.other("DOCS", atLeast(0), CommandCommands::docs, LOADING, STALE)
                .categories(AclCategory.CONNECTION)
                .tips(ANY_ORDER)
                .docs(
                        SERVER,
                        "7.0.0",
                        "O(N) where N is the number of commands asked for",
                        "[command-name [command-name ...]]",
                        "Describes commands to people.");
        t.other("GETKEYS", atLeast(1), CommandCommands::getKeys, LOADING, STALE)
                .categories(AclCategory.CONNECTION)
                .docs(
                        SERVER,
                        "2.8.13",
                        "O(N) where N is the number of arguments",
                        "command [arg [arg ...]]",
                        "Picks the keys out of a whole command.");
        t.other("GETKEYSANDFLAGS", atLeast(1), CommandCommands::getKeysAndFlags, LOADING, STALE)
                .categories(AclCategory.CONNECTION)
                .docs(
                        SERVER,
                        "7.0.0",
                        "O(N) where N is the number of arguments",
                        "command [arg [arg ...]]",
                        "Picks the keys out of a whole command and says what happens to them.");
        t.other("HELP", exactly(0), Subcommands::help, LOADING, STALE)
                .categories(AclCategory.CONNECTION)
                .docs(SERVER, "5.0.0", "O(1)", "", "Lists the subcommands.");
    }

    private static void command(Call call) {
        List<CommandSpec> all = List.copyOf(call.engine().table().all());
        call.reply().array(all.size());
        all.forEach(spec -> CommandReplies.info(call.reply(), spec));
    }

    private static void count(Call call) {
        call.reply().integer(call.engine().table().all().size());
    }

    /** {@code COMMAND LIST [FILTERBY <MODULE module-name | ACLCAT category | PATTERN pattern>]} */
    private static void list(Call call) {
        Predicate<CommandSpec> filter = filter(call);
        List<String> names = new ArrayList<>();
        call.engine().table().forEach(spec -> {
            if (filter.test(spec)) {
                names.add(spec.fullName());
            }
        });
        call.reply().array(names.size());
        names.forEach(call.reply()::bulk);
    }

    private static Predicate<CommandSpec> filter(Call call) {
        if (call.argc() == 2) {
            return spec -> true;
        }
        if (call.argc() != 5 || !call.is(2, "FILTERBY")) {
            throw CommandException.SYNTAX;
        }
        if (call.is(3, "MODULE")) {
            return spec -> false; // there are no modules
        }
        if (call.is(3, "ACLCAT")) {
            AclCategory category = AclCategory.find(call.text(4));
            return spec -> category != null && AclCategory.of(spec).contains(category);
        }
        if (call.is(3, "PATTERN")) {
            Glob pattern = new Glob(call.arg(4), true);
            return spec -> pattern.matches(spec.fullName().getBytes(StandardCharsets.US_ASCII));
        }
        throw CommandException.SYNTAX;
    }

    /** {@code COMMAND INFO [command-name ...]} */
    private static void info(Call call) {
        if (call.argc() == 2) {
            command(call);
            return;
        }
        call.reply().array(call.argc() - 2);
        for (int i = 2; i < call.argc(); i++) {
            CommandSpec spec = call.engine().table().find(call.text(i));
            if (spec == null) {
                call.reply().nil();
            } else {
                CommandReplies.info(call.reply(), spec);
            }
        }
    }

    /** {@code COMMAND DOCS [command-name ...]} */
    private static void docs(Call call) {
        List<CommandSpec> asked = new ArrayList<>();
        if (call.argc() == 2) {
            asked.addAll(call.engine().table().all());
        }
        for (int i = 2; i < call.argc(); i++) {
            CommandSpec spec = call.engine().table().find(call.text(i));
            if (spec != null) {
                asked.add(spec);
            }
        }
        CommandReplies.map(call.reply(), asked, spec -> CommandReplies.docs(call.reply(), spec));
    }

    /** {@code COMMAND GETKEYS command [arg ...]} */
    private static void getKeys(Call call) {
        List<FoundKey> keys = keys(call);
        call.reply().array(keys.size());
        keys.forEach(key -> call.reply().bulk(call.arg(key.at())));
    }

    /** {@code COMMAND GETKEYSANDFLAGS command [arg ...]} */
    private static void getKeysAndFlags(Call call) {
        List<FoundKey> keys = keys(call);
        call.reply().array(keys.size());
        keys.forEach(key -> {
            call.reply().array(2);
            call.reply().bulk(call.arg(key.at()));
            CommandReplies.words(call.reply(), key.access().spelling());
        });
    }

    /**
     * A key of the command that is asked about.
     *
     * @param at its place among the arguments of COMMAND itself
     */
    private record FoundKey(int at, KeySpec.Access access) {}

    private static List<FoundKey> keys(Call call) {
        byte[][] words = new byte[call.argc() - 2][];
        for (int i = 0; i < words.length; i++) {
            words[i] = call.arg(i + 2);
        }
        Request request = Request.of(words);
        CommandSpec spec = resolve(call, request);
        if (spec == null) {
            throw CommandException.err("Invalid command specified");
        }
        if (spec.keys().stream().allMatch(key -> key.access() == KeySpec.Access.NOT_KEY)) {
            throw CommandException.err("The command has no key arguments");
        }
        if (!spec.accepts(request.count())) {
            throw CommandException.err("Invalid number of arguments specified for command");
        }
        List<FoundKey> keys = new ArrayList<>();
        for (KeySpec keySpec : spec.keys()) {
            KeySpec.Access access = spec.access(keySpec, request);
            keySpec.forEachKey(request, i -> keys.add(new FoundKey(i + 2, access)));
        }
        if (keys.isEmpty() && !spec.has(Flag.NO_MANDATORY_KEYS)) {
            throw CommandException.err("Invalid arguments specified for command");
        }
        return keys;
    }

    private static @Nullable CommandSpec resolve(Call call, Request request) {
        CommandSpec spec = call.engine().table().find(request);
        return spec == null || spec.subcommands().isEmpty() || request.count() == 1
                ? spec
                : spec.subcommands().get(request.string(1).toLowerCase(Locale.ROOT));
    }
}
