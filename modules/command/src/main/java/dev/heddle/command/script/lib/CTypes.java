package dev.heddle.command.script.lib;

/** C's ctype.h in the "C" locale: bytes above 127 belong to no class. Arguments may be signed or unsigned bytes. */
final class CTypes {
    private CTypes() {}

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isLower(int c) {
        return c >= 'a' && c <= 'z';
    }

    static boolean isUpper(int c) {
        return c >= 'A' && c <= 'Z';
    }

    static boolean isAlpha(int c) {
        return isLower(c) || isUpper(c);
    }

    static boolean isAlnum(int c) {
        return isAlpha(c) || isDigit(c);
    }

    static boolean isSpace(int c) {
        return c == ' ' || c >= '\t' && c <= '\r';
    }

    static boolean isControl(int c) {
        return c >= 0 && c < ' ' || c == 127;
    }

    static boolean isPunctuation(int c) {
        return c > ' ' && c < 127 && !isAlnum(c);
    }

    static int hexDigit(int c) {
        if (isDigit(c)) {
            return c - '0';
        }
        int lower = toLower(c);
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    static int toLower(int c) {
        return isUpper(c) ? c + 32 : c;
    }

    static int toUpper(int c) {
        return isLower(c) ? c - 32 : c;
    }
}
