package dev.heddle.command.script.lib;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;

/** One subject and one pattern. Confined to one call of a library function. */
final class LuaPattern {

    /*
     * Lua's patterns, matched by backtracking over the pattern's bytes without compiling it first, as the language's
     * authors do it: most items (a single character, a class, %b, %f, a back reference) only move both positions on,
     * and the method loops; what may have to be undone (captures and the quantifiers ? * + -) calls itself for the rest
     * of the pattern. The depth of that recursion is thus bounded by the number of such items in the pattern, not by
     * the subject, but a script may write a pattern of any length. MAX_DEPTH bounds it well below the stack of a
     * virtual thread.
     *
     * Invariants: a failed match(...) leaves `level` and the captures as it found them, so the caller can go on with
     * its next alternative. Patterns end at their first zero byte (C strings; %z stands for the byte), subjects do not;
     * reads behind the end give zero. The errors come while matching, so a malformed tail that is never reached is no
     * error.
     *
     * Reference: R. Ierusalimschy, "Lua 5.1 Reference Manual", 5.4.1.
     */

    private static final int MAX_CAPTURES = 32;
    private static final int MAX_DEPTH = 1_000;
    private static final int STEPS_PER_LOOK = 50_000;
    private static final int UNFINISHED = -1;
    private static final int POSITION = -2;
    private static final int NO_MATCH = -1;

    private final byte[] subject;
    private final int base;
    private final int subjectEnd;
    private final byte[] pattern;
    private final int patternEnd;

    private final int[] captureStart = new int[MAX_CAPTURES];
    private final int[] captureLength = new int[MAX_CAPTURES];
    private final @Nullable Runnable watch = ScriptWatch.current();
    private int level;
    private int depth;
    private long steps;

    LuaPattern(LuaString subject, LuaString pattern, int skip) {
        this.subject = subject.m_bytes;
        this.base = subject.m_offset;
        this.subjectEnd = subject.m_offset + subject.m_length;
        this.pattern =
                Arrays.copyOfRange(pattern.m_bytes, pattern.m_offset + skip, pattern.m_offset + cLength(pattern));
        this.patternEnd = this.pattern.length;
    }

    /** The length up to the first zero byte. */
    static int cLength(LuaString text) {
        for (int i = 0; i < text.m_length; i++) {
            if (text.m_bytes[text.m_offset + i] == 0) {
                return i;
            }
        }
        return text.m_length;
    }

    /** Tries to match at exactly this index of the subject; the index behind the match, or -1. */
    int matchAt(int index) {
        level = 0;
        depth = 0;
        int end = match(base + index, 0);
        return end == NO_MATCH ? NO_MATCH : end - base;
    }

    int captures() {
        return level;
    }

    /** What one capture holds; capture 0 of a pattern without captures is the whole match. */
    LuaValue capture(int i, int start, int end) {
        if (i >= level) {
            if (i == 0) {
                return slice(base + start, end - start);
            }
            throw new LibraryError("invalid capture index");
        }
        int length = captureLength[i];
        if (length == UNFINISHED) {
            throw new LibraryError("unfinished capture");
        }
        return length == POSITION ? LuaValue.valueOf(captureStart[i] - base + 1) : slice(captureStart[i], length);
    }

    /** All captures, or the whole match if there are none and {@code whole} says so. */
    LuaValue[] capturesOf(int start, int end, boolean whole) {
        int count = level == 0 && whole ? 1 : level;
        LuaValue[] values = new LuaValue[count];
        for (int i = 0; i < count; i++) {
            values[i] = capture(i, start, end);
        }
        return values;
    }

    private LuaString slice(int from, int length) {
        return LuaString.valueUsing(Arrays.copyOfRange(subject, from, from + length));
    }

    private int match(int from, int item) {
        stepped(1);
        if (++depth > MAX_DEPTH) {
            throw new LibraryError("pattern too complex");
        }
        try {
            return matchItems(from, item);
        } finally {
            depth--;
        }
    }

    private int matchItems(int from, int item) {
        int s = from;
        int p = item;
        while (p < patternEnd) {
            switch (pattern[p]) {
                case '(' -> {
                    return at(p + 1) == ')' ? open(s, p + 2, POSITION) : open(s, p + 1, UNFINISHED);
                }
                case ')' -> {
                    return close(s, p + 1);
                }
                case '$' -> {
                    if (p + 1 == patternEnd) {
                        return s == subjectEnd ? s : NO_MATCH;
                    }
                }
                default -> {}
            }
            int kind = pattern[p] == '%' ? at(p + 1) : 0;
            if (kind == 'b') {
                s = balanced(s, p + 2);
                p += 4;
            } else if (kind == 'f') {
                int end = frontierEnd(p + 2);
                s = atFrontier(s, p + 2, end) ? s : NO_MATCH;
                p = end;
            } else if (CTypes.isDigit(kind)) {
                s = backReference(s, kind);
                p += 2;
            } else {
                int end = itemEnd(p);
                int quantifier = at(end);
                if (quantifier == '*' || quantifier == '+' || quantifier == '-') {
                    return repeated(s, p, end, quantifier);
                }
                boolean matches = s < subjectEnd && single(subject[s] & 0xff, p, end);
                if (quantifier == '?') {
                    int result = matches ? match(s + 1, end + 1) : NO_MATCH;
                    if (result != NO_MATCH) {
                        return result;
                    }
                    p = end + 1;
                } else {
                    s = matches ? s + 1 : NO_MATCH;
                    p = end;
                }
            }
            if (s == NO_MATCH) {
                return NO_MATCH;
            }
        }
        return s;
    }

    private int repeated(int s, int p, int end, int quantifier) {
        if (quantifier == '-') {
            return fewest(s, p, end);
        }
        int least = quantifier == '+' ? 1 : 0;
        int count = 0;
        while (s + count < subjectEnd && single(subject[s + count] & 0xff, p, end)) {
            count++;
        }
        stepped(count);
        for (; count >= least; count--) {
            int result = match(s + count, end + 1);
            if (result != NO_MATCH) {
                return result;
            }
        }
        return NO_MATCH;
    }

    private int fewest(int from, int p, int end) {
        int s = from;
        while (true) {
            int result = match(s, end + 1);
            if (result != NO_MATCH) {
                return result;
            }
            if (s >= subjectEnd || !single(subject[s] & 0xff, p, end)) {
                return NO_MATCH;
            }
            s++;
        }
    }

    private void stepped(int count) {
        steps += count;
        if (steps >= STEPS_PER_LOOK) {
            steps = 0;
            if (watch != null) {
                watch.run();
            }
        }
    }

    private int open(int s, int p, int what) {
        if (level >= MAX_CAPTURES) {
            throw new LibraryError("too many captures");
        }
        captureStart[level] = s;
        captureLength[level] = what;
        level++;
        int result = match(s, p);
        if (result == NO_MATCH) {
            level--;
        }
        return result;
    }

    private int close(int s, int p) {
        int open = level - 1;
        while (open >= 0 && captureLength[open] != UNFINISHED) {
            open--;
        }
        if (open < 0) {
            throw new LibraryError("invalid pattern capture");
        }
        captureLength[open] = s - captureStart[open];
        int result = match(s, p);
        if (result == NO_MATCH) {
            captureLength[open] = UNFINISHED;
        }
        return result;
    }

    private int backReference(int s, int digit) {
        int i = digit - '1';
        if (i < 0 || i >= level || captureLength[i] == UNFINISHED) {
            throw new LibraryError("invalid capture index");
        }
        int length = captureLength[i];
        /* A position capture has no text: its mark, taken as a length, is longer than any rest of a subject. */
        if (length < 0 || subjectEnd - s < length) {
            return NO_MATCH;
        }
        int start = captureStart[i];
        return Arrays.equals(subject, start, start + length, subject, s, s + length) ? s + length : NO_MATCH;
    }

    private int balanced(int from, int p) {
        if (p + 1 >= patternEnd) {
            throw new LibraryError("unbalanced pattern");
        }
        if (from >= subjectEnd || subject[from] != pattern[p]) {
            return NO_MATCH;
        }
        int nesting = 1;
        for (int s = from + 1; s < subjectEnd; s++) {
            if (subject[s] == pattern[p + 1]) {
                if (--nesting == 0) {
                    return s + 1;
                }
            } else if (subject[s] == pattern[p]) {
                nesting++;
            }
        }
        return NO_MATCH;
    }

    private int frontierEnd(int p) {
        if (at(p) != '[') {
            throw new LibraryError("missing '[' after '" + '%' + "f' in pattern");
        }
        return itemEnd(p);
    }

    private boolean atFrontier(int s, int p, int end) {
        int before = s == base ? 0 : subject[s - 1] & 0xff;
        int here = s < subjectEnd ? subject[s] & 0xff : 0;
        return !inSet(before, p, end - 1) && inSet(here, p, end - 1);
    }

    /** The index behind the single-character item that begins at p. */
    private int itemEnd(int from) {
        int p = from + 1;
        if (pattern[from] == '%') {
            if (p >= patternEnd) {
                throw new LibraryError("malformed pattern (ends with '%')");
            }
            return p + 1;
        }
        if (pattern[from] != '[') {
            return p;
        }
        if (at(p) == '^') {
            p++;
        }
        do {
            if (p >= patternEnd) {
                throw new LibraryError("malformed pattern (missing ']')");
            }
            if (pattern[p++] == '%' && p < patternEnd) {
                p++;
            }
        } while (at(p) != ']');
        return p + 1;
    }

    private boolean single(int c, int p, int end) {
        return switch (pattern[p]) {
            case '.' -> true;
            case '%' -> inClass(c, pattern[p + 1] & 0xff);
            case '[' -> inSet(c, p, end - 1);
            default -> (pattern[p] & 0xff) == c;
        };
    }

    private boolean inSet(int c, int from, int last) {
        int p = from;
        boolean found = true;
        if (at(p + 1) == '^') {
            found = false;
            p++;
        }
        while (++p < last) {
            if (pattern[p] == '%') {
                p++;
                if (inClass(c, at(p))) {
                    return found;
                }
            } else if (at(p + 1) == '-' && p + 2 < last) {
                p += 2;
                if (at(p - 2) <= c && c <= at(p)) {
                    return found;
                }
            } else if (at(p) == c) {
                return found;
            }
        }
        return !found;
    }

    private static boolean inClass(int c, int letter) {
        boolean in;
        switch (CTypes.toLower(letter)) {
            case 'a' -> in = CTypes.isAlpha(c);
            case 'c' -> in = CTypes.isControl(c);
            case 'd' -> in = CTypes.isDigit(c);
            case 'l' -> in = CTypes.isLower(c);
            case 'p' -> in = CTypes.isPunctuation(c);
            case 's' -> in = CTypes.isSpace(c);
            case 'u' -> in = CTypes.isUpper(c);
            case 'w' -> in = CTypes.isAlnum(c);
            case 'x' -> in = CTypes.hexDigit(c) >= 0;
            case 'z' -> in = c == 0;
            default -> {
                return letter == c;
            }
        }
        return CTypes.isLower(letter) == in;
    }

    private int at(int p) {
        return p < patternEnd ? pattern[p] & 0xff : 0;
    }
}
