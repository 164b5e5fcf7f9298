package dev.heddle.it;

import java.util.ArrayList;
import java.util.List;

/** The quoting of redis-cli: words between blanks, {@code "with escapes \x00 \n"} or {@code 'plain'}. Stateless. */
final class Quoting {

    private final String line;
    private int at;

    private Quoting(String line) {
        this.line = line;
    }

    /** The words of a line. */
    static List<String> split(String line) {
        return new Quoting(line).words();
    }

    /** The text with everything that is not printable ASCII, and the backslash, escaped. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\r' -> out.append("\\r");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\\' -> out.append("\\\\");
                default -> out.append(c >= ' ' && c < 127 ? String.valueOf(c) : String.format("\\x%02x", (int) c));
            }
        }
        return out.toString();
    }

    private List<String> words() {
        List<String> words = new ArrayList<>();
        while (true) {
            while (at < line.length() && line.charAt(at) <= ' ') {
                at++;
            }
            if (at == line.length()) {
                return words;
            }
            words.add(word());
        }
    }

    private String word() {
        StringBuilder word = new StringBuilder();
        char quote = line.charAt(at);
        if (quote != '"' && quote != '\'') {
            while (at < line.length() && line.charAt(at) > ' ') {
                word.append(line.charAt(at++));
            }
            return word.toString();
        }
        at++;
        while (at < line.length() && line.charAt(at) != quote) {
            word.append(line.charAt(at) == '\\' ? escaped(quote) : line.charAt(at++));
        }
        if (at == line.length()) {
            throw new IllegalArgumentException("unbalanced quotes: " + line);
        }
        at++;
        return word.toString();
    }

    private char escaped(char quote) {
        char c = line.charAt(at + 1);
        if (quote == '\'' && c != '\'') {
            at++;
            return '\\';
        }
        at += 2;
        return switch (c) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 7;
            case 'x' -> {
                at += 2;
                yield (char) Integer.parseInt(line.substring(at - 2, at), 16);
            }
            default -> c;
        };
    }
}
