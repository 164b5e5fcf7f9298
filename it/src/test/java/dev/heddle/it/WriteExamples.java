package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The examples of {@code write-commands.txt}. Immutable. */
final class WriteExamples {

    private final Map<String, List<String>> lines = new LinkedHashMap<>();

    WriteExamples() {
        for (String line : Resources.lines("write-commands.txt")) {
            if (!line.isBlank() && !line.startsWith("#")) {
                int colon = line.indexOf(": ");
                List<String> commands = List.of(line.substring(colon + 2).split(" \\| "));
                assertThat(lines.put(line.substring(0, colon), commands))
                        .as(line)
                        .isNull();
            }
        }
    }

    /** The names of a server's commands and subcommands that write, as its command table tells. */
    static Set<String> writeCommandsOf(RawClient client) {
        Set<String> names = new TreeSet<>();
        collect(client.call("COMMAND").elements(), names);
        return names;
    }

    private static void collect(List<Reply> rows, Set<String> names) {
        for (Reply row : rows) {
            List<Reply> columns = row.elements();
            if (columns.get(2).texts().contains("write")) {
                names.add(columns.get(0).text());
            }
            collect(columns.get(9).elements(), names);
        }
    }

    /** What has been run, and what the server did not know. */
    record Outcome(Set<String> run, Set<String> unknown) {}

    /** Runs the examples whose commands the server knows, and insists that each of them succeeds. */
    Outcome run(RawClient client, Set<String> known) {
        Outcome outcome = new Outcome(new TreeSet<>(), new TreeSet<>());
        lines.forEach((name, commands) -> {
            if (!known.contains(name)) {
                outcome.unknown().add(name);
                return;
            }
            client.call("SELECT", "0");
            for (String command : commands) {
                Reply reply = client.line(command);
                assertThat(reply.isError())
                        .as("%s: %s answered %s", name, command, reply)
                        .isFalse();
            }
            outcome.run().add(name);
        });
        return outcome;
    }

    /** The names without an example. */
    List<String> missing(Set<String> names) {
        List<String> missing = new ArrayList<>(names);
        missing.removeAll(lines.keySet());
        return missing;
    }
}
