package dev.heddle.command.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of a configuration: quoting, splitting into words, and file names. Thread-safe: it has no state.
 *
 * <p>Configuration texts are bytes, because a password may be any bytes and CONFIG GET must give back what CONFIG SET
 * took. They are kept in strings whose chars are the bytes (ISO-8859-1), so that nothing is lost and the code reads
 * like text; {@link #path} and {@link #of} translate where the outside world speaks UTF-8.
 */
public final class ConfigText {
    private static final String HEX = "0123456789abcdef";

    private ConfigText() {}

    /**
     * Splits a line into words as redis.conf, the command line and inline commands do: blanks separate; {@code "..."}
     * understands {@code \n \r \t \a \b \xHH} and takes any other escaped byte as it is; {@code '...'} understands only
     * {@code \'}. A closing quote must be followed by a blank or the end.
     *
     * @throws ConfigException {@code Unbalanced quotes in configuration line}
     */
    public static List<String> split(String line) {
        return new WordSplitter(line).words();
    }

    /** Puts a text into double quotes, so that {@link #split} reads it back as one word. */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\', '"' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case 7 -> out.append("\\a");
                case '\b' -> out.append("\\b");
                default -> {
                    if (c >= ' ' && c <= '~') {
                        out.append(c);
                    } else {
                        out.append("\\x").append(HEX.charAt((c >> 4) & 15)).append(HEX.charAt(c & 15));
                    }
                }
            }
        }
        return out.append('"').toString();
    }

    /** The configuration text for a string of the outside world (UTF-8). */
    public static String of(String unicode) {
        return new String(unicode.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** A configuration text for people to read (UTF-8). */
    public static String display(String text) {
        return new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /**
     * The file that a configuration text names.
     *
     * @throws ConfigException {@code Invalid argument}, if no file can have such a name
     */
    public static Path path(String text) {
        try {
            return Path.of(display(text));
        } catch (InvalidPathException e) {
            throw new ConfigException("Invalid argument");
        }
    }

    /** The short reason of a failed file operation, in the operating system's usual words. */
    static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "No such file or directory";
            case AccessDeniedException denied -> "Permission denied";
            case NotDirectoryException plain -> "Not a directory";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }

    /** A cursor over one line. Confined to one call. */
    private static final class WordSplitter {
        private final String line;
        private int at;

        WordSplitter(String line) {
            this.line = line;
        }

        List<String> words() {
            List<String> words = new ArrayList<>();
            while (true) {
                while (at < line.length() && isBlank(line.charAt(at))) {
                    at++;
                }
                if (at == line.length()) {
                    return words;
                }
                words.add(word());
            }
        }

        /** A word ends at a blank or after a closing quote; a quote may also open in the middle of it. */
        private String word() {
            StringBuilder word = new StringBuilder();
            while (at < line.length()) {
                char c = line.charAt(at++);
                if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
                    break;
                }
                if (c == '"' || c == '\'') {
                    quoted(c, word);
                    break;
                }
                word.append(c);
            }
            return word.toString();
        }

        private void quoted(char quote, StringBuilder word) {
            while (at < line.length()) {
                char c = line.charAt(at++);
                if (c == quote) {
                    if (at < line.length() && !isBlank(line.charAt(at))) {
                        break;
                    }
                    return;
                }
                if (c == '\\' && at < line.length() && (quote == '"' || line.charAt(at) == '\'')) {
                    word.append(quote == '"' ? escaped() : line.charAt(at++));
                } else {
                    word.append(c);
                }
            }
            throw new ConfigException("Unbalanced quotes in configuration line");
        }

        private char escaped() {
            char c = line.charAt(at++);
            return switch (c) {
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'b' -> '\b';
                case 'a' -> 7;
                case 'x' -> hex();
                default -> c;
            };
        }

        private char hex() {
            int high = at + 1 < line.length() ? Character.digit(line.charAt(at), 16) : -1;
            int low = high >= 0 ? Character.digit(line.charAt(at + 1), 16) : -1;
            if (low < 0) {
                return 'x';
            }
            at += 2;
            return (char) (high * 16 + low);
        }

        private static boolean isBlank(char c) {
            return c == ' ' || (c >= '\t' && c <= '\r');
        }
    }
}
