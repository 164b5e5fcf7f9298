package dev.heddle.it;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The commands and options that a server says it has. Immutable.
 *
 * @param options by command, {@code config|set} for a subcommand; every word that a syntax names, upper case
 */
record Documentation(Map<String, Set<String>> options) {

    /** Asks the server. */
    static Documentation of(RawClient client) {
        client.call("HELLO", "3");
        Map<String, Set<String>> options = new TreeMap<>();
        collect(client.call("COMMAND", "DOCS"), options);
        return new Documentation(options);
    }

    Set<String> commands() {
        return options.keySet();
    }

    private static void collect(Reply docs, Map<String, Set<String>> options) {
        for (int i = 0; i < docs.elements().size(); i += 2) {
            String name = docs.elements().get(i).text().toLowerCase(Locale.ROOT);
            Reply about = docs.elements().get(i + 1);
            Reply subcommands = entry(about, "subcommands");
            if (subcommands != null) {
                collect(subcommands, options);
            } else {
                Set<String> tokens = new TreeSet<>();
                collectTokens(entry(about, "arguments"), tokens);
                options.put(name, tokens);
            }
        }
    }

    private static @Nullable Reply entry(Reply map, String key) {
        for (int i = 0; i + 1 < map.elements().size(); i += 2) {
            if (map.elements().get(i).text().equals(key)) {
                return map.elements().get(i + 1);
            }
        }
        return null;
    }

    private static void collectTokens(@Nullable Reply arguments, Set<String> tokens) {
        if (arguments == null) {
            return;
        }
        for (Reply argument : arguments.elements()) {
            Reply token = entry(argument, "token");
            if (token != null && token.text().chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '-')) {
                tokens.add(token.text().toUpperCase(Locale.ROOT));
            }
            collectTokens(entry(argument, "arguments"), tokens);
        }
    }

    /** The words that the lines send, upper case, by command and by command with subcommand. */
    static Map<String, Set<String>> wordsByCommand(List<Script.Line> lines) {
        Map<String, Set<String>> words = new HashMap<>();
        for (Script.Line line : lines) {
            List<String> upper =
                    line.words().stream().map(w -> w.toUpperCase(Locale.ROOT)).toList();
            words.computeIfAbsent(line.command(), k -> new TreeSet<>()).addAll(upper);
            if (upper.size() > 1) {
                String name = line.command() + "|" + upper.get(1).toLowerCase(Locale.ROOT);
                words.computeIfAbsent(name, k -> new TreeSet<>()).addAll(upper);
            }
        }
        return words;
    }
}
