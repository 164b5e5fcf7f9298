package dev.heddle.command.config;

import java.util.ArrayList;
import java.util.List;

/**
 * A glob for names: {@code *}, {@code ?}, {@code [a-c]}, {@code [^a]}, and {@code \} before a literal. Immutable.
 *
 * <p>Matching goes back at most to the last {@code *}, so it takes at most length of name times length of pattern steps:
 * a star that matched too little can always be made up for by the latest one.
 */
public final class NamePattern {

    /** One position of a pattern. */
    private sealed interface Part {}

    /** {@code *}. */
    private record Star() implements Part {}

    /** One char out of the ranges, given as pairs of ends, or one outside of them. */
    private record OneOf(String ranges, boolean negated) implements Part {
        boolean matches(char c) {
            boolean inside = false;
            for (int i = 0; i < ranges.length(); i += 2) {
                inside |= ranges.charAt(i) <= c && c <= ranges.charAt(i + 1);
            }
            return inside != negated;
        }
    }

    private static final OneOf ANY = new OneOf("", true);

    private final List<Part> parts = new ArrayList<>();

    public NamePattern(String pattern) {
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at++);
            switch (c) {
                case '*' -> parts.add(new Star());
                case '?' -> parts.add(ANY);
                case '[' -> at = bracket(pattern, at);
                default -> {
                    char literal = c == '\\' && at < pattern.length() ? pattern.charAt(at++) : c;
                    parts.add(new OneOf(String.valueOf(new char[] {literal, literal}), false));
                }
            }
        }
    }

    /** Whether a text has any of the characters that make it more than a plain name. */
    static boolean isPattern(String text) {
        return text.indexOf('*') >= 0 || text.indexOf('?') >= 0 || text.indexOf('[') >= 0;
    }

    /** Reads what stands behind {@code [}; a missing {@code ]} is taken to stand at the end. */
    private int bracket(String pattern, int start) {
        int at = start;
        boolean negated = at < pattern.length() && pattern.charAt(at) == '^';
        if (negated) {
            at++;
        }
        StringBuilder ranges = new StringBuilder();
        while (at < pattern.length() && pattern.charAt(at) != ']') {
            if (pattern.charAt(at) == '\\' && at + 1 < pattern.length()) {
                at++;
            }
            char low = pattern.charAt(at++);
            char high = low;
            if (at + 1 < pattern.length() && pattern.charAt(at) == '-') {
                high = pattern.charAt(at + 1);
                at += 2;
            }
            ranges.append(low < high ? low : high).append(low < high ? high : low);
        }
        parts.add(new OneOf(ranges.toString(), negated));
        return Math.min(at + 1, pattern.length());
    }

    public boolean matches(String name) {
        int at = 0;
        int part = 0;
        int starPart = -1;
        int starAt = 0;
        while (at < name.length()) {
            if (part < parts.size() && parts.get(part) instanceof Star) {
                starPart = part++;
                starAt = at;
            } else if (part < parts.size() && parts.get(part) instanceof OneOf one && one.matches(name.charAt(at))) {
                part++;
                at++;
            } else if (starPart >= 0) {
                part = starPart + 1;
                at = ++starAt;
            } else {
                return false;
            }
        }
        while (part < parts.size() && parts.get(part) instanceof Star) {
            part++;
        }
        return part == parts.size();
    }
}
