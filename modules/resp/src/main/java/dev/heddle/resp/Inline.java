package dev.heddle.resp;

/**
 * Splits one inline command into arguments, in place.
 *
 * <p>The grammar, as redis-cli users know it: blanks separate arguments; a double-quoted part knows {@code \n \r \t \b
 * \a}, {@code \xHH} and a backslash before any other character; a single-quoted part knows {@code \'} only; a closing
 * quote must be followed by a blank or the end. An argument never gets longer by unquoting, so it is written over the
 * place where it was read and nothing is allocated.
 *
 * <p>Confined to one connection's thread.
 */
final class Inline {
    private static final byte[] NONE = {};

    private final Request request;

    /* Confined to one call of split. */
    private byte[] line = NONE;
    private int at;
    private int end;
    private int out;

    Inline(Request request) {
        this.request = request;
    }

    /** Adds the arguments in {@code [from, to)} of an array, which is the request's base array, to the request. */
    void split(byte[] array, int from, int to) throws ProtocolException {
        line = array;
        at = from;
        end = to;
        while (skipBlanks()) {
            int start = at;
            out = start;
            argument();
            request.add(start, out - start);
        }
        line = NONE;
    }

    private boolean skipBlanks() {
        while (at < end && isBlank(line[at])) {
            at++;
        }
        return at < end;
    }

    private void argument() throws ProtocolException {
        while (at < end) {
            byte c = line[at++];
            switch (c) {
                case ' ', '\t', '\r', '\n' -> {
                    return;
                }
                case '"' -> {
                    doubleQuoted();
                    return;
                }
                case '\'' -> {
                    singleQuoted();
                    return;
                }
                default -> line[out++] = c;
            }
        }
    }

    private void doubleQuoted() throws ProtocolException {
        while (at < end) {
            byte c = line[at++];
            if (c == '"') {
                closeQuote();
                return;
            }
            line[out++] = c == '\\' && at < end ? escaped() : c;
        }
        throw ProtocolException.UNBALANCED_QUOTES;
    }

    private byte escaped() {
        byte c = line[at++];
        return switch (c) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 7;
            case 'x' -> hexadecimal();
            default -> c;
        };
    }

    private byte hexadecimal() {
        if (at + 2 <= end) {
            int high = Character.digit(line[at], 16);
            int low = Character.digit(line[at + 1], 16);
            if (high >= 0 && low >= 0) {
                at += 2;
                return (byte) ((high << 4) | low);
            }
        }
        return 'x';
    }

    private void singleQuoted() throws ProtocolException {
        while (at < end) {
            byte c = line[at++];
            if (c == '\'') {
                closeQuote();
                return;
            }
            if (c == '\\' && at < end && line[at] == '\'') {
                c = line[at++];
            }
            line[out++] = c;
        }
        throw ProtocolException.UNBALANCED_QUOTES;
    }

    private void closeQuote() throws ProtocolException {
        if (at < end && !isBlank(line[at])) {
            throw ProtocolException.UNBALANCED_QUOTES;
        }
    }

    /** What C's isspace says in the "C" locale. */
    private static boolean isBlank(byte c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }
}
