package dev.heddle.console;

import com.google.gson.stream.JsonWriter;
import dev.heddle.command.CommandSpec;
import dev.heddle.command.CommandTable;
import dev.heddle.command.Flag;
import java.io.IOException;

/** The command table as JSON, for completion and help. Stateless. */
final class CommandHelp {

    private CommandHelp() {}

    static void write(CommandTable table, JsonWriter json) throws IOException {
        json.beginArray();
        for (CommandSpec spec : table.all()) {
            write(spec, json);
            for (CommandSpec subcommand : spec.subcommands().values()) {
                write(subcommand, json);
            }
        }
        json.endArray();
    }

    private static void write(CommandSpec spec, JsonWriter json) throws IOException {
        CommandSpec.Docs docs = spec.docs();
        json.beginObject();
        json.name("name").value(spec.fullName().replace('|', ' '));
        json.name("group").value(docs.group().spelling());
        json.name("arity").value(spec.arity());
        json.name("since").value(docs.since());
        json.name("complexity").value(docs.complexity());
        json.name("syntax").value(docs.syntax());
        json.name("summary").value(docs.summary());
        json.name("write").value(spec.isWrite());
        json.name("blocking").value(spec.has(Flag.BLOCKING));
        json.endObject();
    }
}
