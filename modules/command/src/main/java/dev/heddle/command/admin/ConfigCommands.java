package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ADMIN;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.config.ConfigException;
import dev.heddle.command.config.Setting;
import dev.heddle.command.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** CONFIG: the settings by name. Stateless. */
public final class ConfigCommands {

    private static final String[] EVERYWHERE = {"request_policy:all_nodes", "response_policy:all_succeeded"};

    private ConfigCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.container("CONFIG")
                .docs(SERVER, "2.0.0", "Depends on subcommand.", "", "A container for commands about settings.")
                .subcommands(ConfigCommands::declareSubcommands);
    }

    private static void declareSubcommands(CommandTable.Builder t) {
        t.other("GET", atLeast(1), ConfigCommands::get, ADMIN, NOSCRIPT, LOADING, STALE)
                .docs(
                        SERVER,
                        "2.0.0",
                        "O(N) where N is the number of settings asked for",
                        "parameter [parameter ...]",
                        "Answers the settings whose names match.");
        t.other("SET", atLeast(2), ConfigCommands::set, ADMIN, NOSCRIPT, LOADING, STALE)
                .tips(EVERYWHERE)
                .docs(
                        SERVER,
                        "2.0.0",
                        "O(N) where N is the number of settings given",
                        "parameter value [parameter value ...]",
                        "Changes settings, all or none.");
        t.other("RESETSTAT", exactly(0), ConfigCommands::resetStat, ADMIN, NOSCRIPT, LOADING, STALE)
                .tips(EVERYWHERE)
                .docs(SERVER, "2.0.0", "O(1)", "", "Sets the counters of INFO to zero.");
        t.other("REWRITE", exactly(0), ConfigCommands::rewrite, ADMIN, NOSCRIPT, LOADING, STALE)
                .tips(EVERYWHERE)
                .docs(SERVER, "2.8.0", "O(1)", "", "Writes the settings in force into the configuration file.");
        t.other("HELP", exactly(0), Subcommands::help, LOADING, STALE)
                .docs(SERVER, "5.0.0", "O(1)", "", "Lists the subcommands.");
    }

    /** {@code CONFIG GET parameter [parameter ...]} */
    private static void get(Call call) {
        List<String> patterns = new ArrayList<>();
        for (int i = 2; i < call.argc(); i++) {
            patterns.add(call.text(i));
        }
        List<Map.Entry<String, String>> found = call.engine().settings().get(patterns);
        call.reply().map(found.size());
        found.forEach(setting -> {
            call.reply().bulk(setting.getKey());
            call.reply().bulk(setting.getValue());
        });
    }

    /** {@code CONFIG SET parameter value [parameter value ...]} */
    private static void set(Call call) {
        if (call.argc() % 2 != 0) {
            throw CommandException.SYNTAX;
        }
        Settings settings = call.engine().settings();
        List<Map.Entry<String, String>> pairs = new ArrayList<>();
        for (int i = 2; i < call.argc(); i += 2) {
            Setting<?> setting = settings.find(call.text(i));
            if (setting != null && setting.sensitive()) {
                call.redact(i + 1);
            }
            pairs.add(Map.entry(call.text(i), call.text(i + 1)));
        }
        try {
            settings.set(
                    pairs,
                    new Settings.Origin(
                            call.session().isLocal(), call.engine().loading().active()));
        } catch (ConfigException refusal) {
            throw new CommandException(String.valueOf(refusal.getMessage()));
        }
        call.reply().ok();
    }

    private static void resetStat(Call call) {
        // What this connection has counted and not yet reported happened before the reset.
        call.session().endBatch();
        call.engine().stats().reset();
        call.engine().table().forEach(spec -> spec.stats().reset());
        call.reply().ok();
    }

    private static void rewrite(Call call) {
        try {
            call.engine().settings().rewrite();
        } catch (ConfigException refusal) {
            throw new CommandException(String.valueOf(refusal.getMessage()));
        }
        call.reply().ok();
    }
}
