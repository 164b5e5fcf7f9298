package dev.heddle.command.admin;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What containers of subcommands have in common. Stateless. */
public final class Subcommands {

    private Subcommands() {}

    /** The HELP of a container, made from the rows of its subcommands. */
    public static void help(Call call) {
        CommandSpec container = call.spec().parent();
        if (container == null) {
            throw new IllegalStateException("not a subcommand: " + call.spec().name());
        }
        List<String> lines = new ArrayList<>();
        if (container.handler() != null) {
            lines.add("(no subcommand)");
            lines.add("    " + container.docs().summary());
        }
        for (CommandSpec subcommand : container.subcommands().values()) {
            if (!subcommand.name().equals("help")) {
                String syntax = subcommand.docs().syntax();
                lines.add((subcommand.name().toUpperCase(Locale.ROOT) + " " + syntax).trim());
                lines.add("    " + subcommand.docs().summary());
            }
        }
        help(call, container, lines);
    }

    /** The HELP of a command that is not divided into subcommands. */
    static void help(Call call, CommandSpec command, List<String> lines) {
        call.reply().array(lines.size() + 3);
        call.reply()
                .simple(command.name().toUpperCase(Locale.ROOT)
                        + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        lines.forEach(call.reply()::simple);
        call.reply().simple("HELP");
        call.reply().simple("    Print this help.");
    }

    /** The error for a subcommand that is used wrongly. */
    public static CommandException misused(Call call) {
        return call.spec().misused(call.text(1));
    }
}
