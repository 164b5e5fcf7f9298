package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.AclCategory;
import dev.heddle.command.Call;
import dev.heddle.command.CommandTable;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;

/** INFO. Stateless. */
public final class InfoCommand {

    private InfoCommand() {}

    public static void declare(CommandTable.Builder t) {
        t.other("INFO", atLeast(0), InfoCommand::info, LOADING, STALE)
                .categories(AclCategory.DANGEROUS)
                .tips("nondeterministic_output", "request_policy:all_shards", "response_policy:special")
                .docs(
                        SERVER,
                        "1.0.0",
                        "O(1)",
                        "[section [section ...]]",
                        "Tells how the server is doing, section by section.");
    }

    /** {@code INFO [section ...]} */
    private static void info(Call call) {
        // What this connection has counted and not yet reported belongs into the figures, too.
        call.session().endBatch();
        InfoText text = new InfoText();
        sections(call).forEach(section -> section.write(call, text));
        call.reply().verbatim("txt", text.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private static Set<InfoSections> sections(Call call) {
        EnumSet<InfoSections> chosen = EnumSet.noneOf(InfoSections.class);
        if (call.argc() == 1) {
            addDefault(chosen);
        }
        for (int i = 1; i < call.argc(); i++) {
            String word = call.text(i);
            if (call.is(i, "DEFAULT")) {
                addDefault(chosen);
            } else if (call.is(i, "ALL") || call.is(i, "EVERYTHING")) {
                chosen.addAll(EnumSet.allOf(InfoSections.class));
            } else {
                for (InfoSections section : InfoSections.values()) {
                    if (section.isNamed(word)) {
                        chosen.add(section);
                    }
                }
            }
        }
        return chosen;
    }

    private static void addDefault(Set<InfoSections> chosen) {
        for (InfoSections section : InfoSections.values()) {
            if (section.isDefault()) {
                chosen.add(section);
            }
        }
    }
}
