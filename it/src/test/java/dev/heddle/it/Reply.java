package dev.heddle.it;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One reply, with every byte of it. Bytes stand in strings as Latin-1 throughout the tests, one char for one byte.
 * Immutable.
 *
 * @param head the first line without its end: the type's character and what follows
 * @param body what a bulk reply carries, null for all others
 * @param elements the elements of an aggregate; of a map keys and values in turn
 */
record Reply(String head, @Nullable String body, List<Reply> elements) {

    /** Stands for the end of the connection. */
    static final Reply CLOSED = new Reply("(closed)", null, List.of());

    /** The character that says the type. */
    char type() {
        return head.charAt(0);
    }

    boolean isError() {
        return type() == '-' || type() == '!';
    }

    /** The content of a bulk or simple reply, an error without its dash. */
    String text() {
        if (body != null) {
            return type() == '=' ? body.substring(4) : body;
        }
        return head.substring(1);
    }

    /** The number of an integer reply, or of a bulk reply that holds one. */
    long integer() {
        return Long.parseLong(text());
    }

    /** The texts of the elements. */
    List<String> texts() {
        return elements.stream().map(Reply::text).toList();
    }

    /** The bytes as they came. */
    String bytes() {
        StringBuilder out = new StringBuilder();
        appendTo(out);
        return out.toString();
    }

    private void appendTo(StringBuilder out) {
        out.append(head).append("\r\n");
        if (body != null) {
            out.append(body).append("\r\n");
        }
        elements.forEach(element -> element.appendTo(out));
    }

    /** The bytes as one printable line. */
    String printable() {
        return Quoting.escape(bytes());
    }

    @Override
    public String toString() {
        return printable();
    }
}
