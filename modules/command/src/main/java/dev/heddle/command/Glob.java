package dev.heddle.command;

/**
 * A pattern for names: {@code *} any bytes, {@code ?} one byte, {@code [a-c]} and {@code [^a]} one byte out of a class or outside of it,
 * {@code \} before a byte that stands for itself.
 *
 * <p>Immutable.
 */
public final class Glob {

    /*
     * Problem: the pattern comes from a client, and the obvious matcher, which tries every length for every star by recursion, takes
     * a time exponential in the number of stars: "*a*a*a*a*b" against many a's stops a server.
     *
     * Every part but the star matches exactly one byte. So once the part of the pattern between two stars has been found, the first
     * place where it was found is the best one: whatever follows can only have more text to choose from. A mismatch therefore goes
     * back to the last star only, and lets it swallow one more byte; earlier stars never have to be tried again. Each byte of text
     * restarts the part behind a star at most once: length of text times length of pattern, at worst.
     *
     * The edges are Redis's: a class without ']' ends with the pattern, "[a-]" is a range up to ']', the ends of a range may be
     * exchanged, bytes above 127 are smaller than the others, an escaped byte in a class is compared in its case.
     */

    private static final int MISMATCH = -1;

    private final byte[] pattern;
    private final boolean ignoreCase;

    /** A pattern, which nobody changes any more; {@code ignoreCase} is about ASCII letters. */
    public Glob(byte[] pattern, boolean ignoreCase) {
        this.pattern = pattern;
        this.ignoreCase = ignoreCase;
    }

    public boolean matches(byte[] text) {
        return walk(text, 0, text.length) >= 0;
    }

    public boolean matches(byte[] text, int offset, int length) {
        return walk(text, offset, length) >= 0;
    }

    /** How many steps the match took; the complement of that if there is none. */
    long walk(byte[] text, int offset, int length) {
        int end = offset + length;
        int at = offset;
        int part = 0;
        int afterStar = MISMATCH;
        int starEnd = 0;
        for (long steps = 1; ; steps++) {
            if (part < pattern.length && pattern[part] == '*') {
                part++;
                if (part == pattern.length) {
                    return steps;
                }
                afterStar = part;
                starEnd = at;
                continue;
            }
            if (at == end) {
                return part == pattern.length ? steps : ~steps;
            }
            int next = part < pattern.length ? one(part, text[at]) : MISMATCH;
            if (next != MISMATCH) {
                part = next;
                at++;
            } else if (afterStar != MISMATCH) {
                part = afterStar;
                at = ++starEnd;
            } else {
                return ~steps;
            }
        }
    }

    /** Where the pattern goes on behind the part at {@code part} if that part matches this byte. */
    private int one(int part, byte c) {
        return switch (pattern[part]) {
            case '?' -> part + 1;
            case '[' -> oneOf(part + 1, c);
            default -> {
                int literal = pattern[part] == '\\' && part + 1 < pattern.length ? part + 1 : part;
                yield same(pattern[literal], c) ? literal + 1 : MISMATCH;
            }
        };
    }

    /** The same for a class whose first byte after the bracket stands at {@code from}. */
    private int oneOf(int from, byte c) {
        int i = from;
        boolean negated = i < pattern.length && pattern[i] == '^';
        if (negated) {
            i++;
        }
        boolean inside = false;
        for (; i < pattern.length && pattern[i] != ']'; i++) {
            if (pattern[i] == '\\' && i + 1 < pattern.length) {
                i++;
                inside |= pattern[i] == c;
            } else if (i + 2 < pattern.length && pattern[i + 1] == '-') {
                inside |= inRange(pattern[i], pattern[i + 2], c);
                i += 2;
            } else {
                inside |= same(pattern[i], c);
            }
        }
        return inside != negated ? Math.min(i + 1, pattern.length) : MISMATCH;
    }

    private boolean inRange(byte one, byte other, byte c) {
        int low = folded((byte) Math.min(one, other));
        int high = folded((byte) Math.max(one, other));
        int folded = folded(c);
        return low <= folded && folded <= high;
    }

    private boolean same(byte a, byte b) {
        return a == b || (ignoreCase && folded(a) == folded(b));
    }

    private int folded(byte b) {
        return ignoreCase && b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
    }
}
