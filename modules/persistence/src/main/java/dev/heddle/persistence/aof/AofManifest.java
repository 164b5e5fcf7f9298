package dev.heddle.persistence.aof;

import dev.heddle.command.config.ConfigException;
import dev.heddle.command.config.ConfigText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which files make up the append-only file, as redis-server 7 writes it down: one line for each, {@code file NAME seq NUMBER type LETTER}.
 * Immutable.
 *
 * @param base what the increments build on; null if there is nothing before them
 * @param history files that a rewrite has replaced and that are to be deleted
 * @param increments in ascending order
 */
record AofManifest(@Nullable Part base, List<Part> history, List<Part> increments) {

    static final AofManifest EMPTY = new AofManifest(null, List.of(), List.of());

    /** The longest line, its end included. */
    private static final int LONGEST_LINE = 1024;

    /**
     * One file.
     *
     * @param name without a folder, one character for each byte
     * @param type {@code b}, {@code h} or {@code i}
     */
    record Part(String name, long seq, char type) {

        static final char BASE = 'b';
        static final char HISTORY = 'h';
        static final char INCREMENT = 'i';

        Part asHistory() {
            return new Part(name, seq, HISTORY);
        }
    }

    /** A manifest that cannot be understood; the message names line and reason. */
    static final class FormatException extends Exception {

        private static final long serialVersionUID = 1;

        FormatException(int line, String text, String reason) {
            super("line " + line + " (" + ConfigText.quote(text) + "): " + reason);
        }
    }

    AofManifest {
        history = List.copyOf(history);
        increments = List.copyOf(increments);
    }

    boolean isEmpty() {
        return base == null && increments.isEmpty();
    }

    /** The files to be loaded, in order. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        if (base != null) {
            parts.add(base);
        }
        parts.addAll(increments);
        return parts;
    }

    /** The number for the next increment. */
    long nextIncrement() {
        return increments.isEmpty() ? 1 : increments.getLast().seq() + 1;
    }

    /** The number for the next base. */
    long nextBase() {
        long last = base == null ? 0 : base.seq();
        for (Part part : history) {
            last = Math.max(last, part.name().contains(".base.") ? part.seq() : 0);
        }
        return last + 1;
    }

    /** The text of the file, one character for each byte. */
    String text() {
        StringBuilder text = new StringBuilder();
        if (base != null) {
            line(text, base);
        }
        history.forEach(part -> line(text, part));
        increments.forEach(part -> line(text, part));
        return text.toString();
    }

    private static void line(StringBuilder text, Part part) {
        text.append("file ").append(word(part.name()));
        text.append(" seq ").append(part.seq());
        text.append(" type ").append(part.type()).append('\n');
    }

    /** A name as it is, or in quotes if it would not be read back as the same word. */
    private static String word(String name) {
        boolean plain = !name.isEmpty()
                && name.chars().allMatch(c -> c > ' ' && c <= '~' && c != '"' && c != '\\' && c != '\'');
        return plain ? name : ConfigText.quote(name);
    }

    /**
     * Reads the text of a manifest. Keys it does not know are skipped, as redis-server does; newer ones write some.
     *
     * @throws FormatException with the line
     */
    static AofManifest parse(String text) throws FormatException {
        Parser parser = new Parser();
        int number = 0;
        for (int at = 0; at < text.length(); ) {
            int end = text.indexOf('\n', at);
            number++;
            String line = text.substring(at, end < 0 ? text.length() : end);
            if (end < 0 || end - at + 1 > LONGEST_LINE) {
                throw new FormatException(number, line, end < 0 ? "the line has no end" : "the line is too long");
            }
            parser.line(number, line);
            at = end + 1;
        }
        if (number == 0) {
            throw new FormatException(0, "", "the manifest is empty");
        }
        return new AofManifest(parser.base, parser.history, parser.increments);
    }

    /** Confined to one call. */
    private static final class Parser {

        private @Nullable Part base;
        private final List<Part> history = new ArrayList<>();
        private final List<Part> increments = new ArrayList<>();

        void line(int number, String line) throws FormatException {
            if (line.startsWith("#")) {
                return;
            }
            Part part = part(number, line);
            switch (part.type()) {
                case Part.BASE -> {
                    if (base != null) {
                        throw new FormatException(number, line, "there is another base file");
                    }
                    base = part;
                }
                case Part.HISTORY -> history.add(part);
                case Part.INCREMENT -> {
                    if (!increments.isEmpty()
                            && part.seq() <= increments.getLast().seq()) {
                        throw new FormatException(number, line, "increments must have growing numbers");
                    }
                    increments.add(part);
                }
                default -> throw new FormatException(number, line, "the type must be b, h or i");
            }
        }

        private static Part part(int number, String line) throws FormatException {
            List<String> words = words(number, line);
            if (words.size() < 6 || words.size() % 2 != 0) {
                throw new FormatException(number, line, "this is not 'file NAME seq NUMBER type LETTER'");
            }
            String name = null;
            long seq = 0;
            char type = 0;
            for (int i = 0; i < words.size(); i += 2) {
                String value = words.get(i + 1);
                switch (words.get(i).toLowerCase(Locale.ROOT)) {
                    case "file" -> name = value;
                    case "seq" -> seq = value.matches("[0-9]{1,18}") ? Long.parseLong(value) : 0;
                    case "type" -> type = value.length() == 1 ? value.charAt(0) : 0;
                    default -> {
                        // a key of a newer version
                    }
                }
            }
            if (name == null || name.isEmpty() || seq == 0 || type == 0) {
                throw new FormatException(number, line, "file, seq (a number from 1 on) and type are needed");
            }
            if (name.indexOf('/') >= 0
                    || name.indexOf('\0') >= 0
                    || name.indexOf('\\') >= 0
                    || name.equals(".")
                    || name.equals("..")) {
                throw new FormatException(number, line, "the file must be a name without a folder");
            }
            return new Part(name, seq, type);
        }

        private static List<String> words(int number, String line) throws FormatException {
            try {
                return ConfigText.split(line);
            } catch (ConfigException e) {
                throw new FormatException(number, line, "the quotes do not match");
            }
        }
    }
}
