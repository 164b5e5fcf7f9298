package dev.heddle.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file of commands, one a line, quoted as in redis-cli. An empty line or one that starts with {@code #} says nothing.
 * {@code !form COMMAND} says how replies are compared ({@link Form}), for commands that are not in
 * {@code unordered-replies.tsv}. A line {@code => REPLY} (or two: the first for RESP2, the second for RESP3) below a
 * command that the other server does not have gives Heddle's reply, escaped as {@link Reply#printable} does.
 * Immutable.
 */
record Script(String name, List<Line> lines) {

    /**
     * A command of the script.
     *
     * @param number the line's number in the file
     * @param text the line itself
     * @param expected the replies for RESP2 and RESP3; empty if the other server's reply is the measure
     */
    record Line(int number, String text, List<String> words, Form form, List<String> expected) {

        /** The command without its arguments, for containers with the subcommand: {@code config|get}. */
        String command() {
            return words.get(0).toLowerCase(Locale.ROOT);
        }

        @Nullable
        String expected(int protocol) {
            return expected.isEmpty() ? null : expected.get(Math.min(protocol - 2, expected.size() - 1));
        }
    }

    /** Reads a script of the test's resources. */
    static Script read(String name, Map<String, Form> forms) {
        List<Line> lines = new ArrayList<>();
        int number = 0;
        for (String text : Resources.lines("side-by-side/" + name)) {
            number++;
            if (text.startsWith("=>")) {
                Line last = lines.removeLast();
                List<String> expected = new ArrayList<>(last.expected());
                expected.add(text.substring(2).strip());
                lines.add(new Line(last.number(), last.text(), last.words(), last.form(), expected));
            } else if (!text.isBlank() && !text.startsWith("#")) {
                lines.add(line(number, text, forms));
            }
        }
        return new Script(name, lines);
    }

    private static Line line(int number, String text, Map<String, Form> forms) {
        String command = text.startsWith("!") ? text.substring(text.indexOf(' ') + 1) : text;
        List<String> words = Quoting.split(command);
        Form form = text.startsWith("!") ? Form.of(text.substring(1, text.indexOf(' '))) : form(words, forms);
        return new Line(number, command, words, form, List.of());
    }

    private static Form form(List<String> words, Map<String, Form> forms) {
        String command = words.get(0).toUpperCase(Locale.ROOT);
        String subcommand = words.size() > 1 ? command + "|" + words.get(1).toUpperCase(Locale.ROOT) : command;
        return forms.getOrDefault(command, forms.getOrDefault(subcommand, Form.EXACT));
    }
}
