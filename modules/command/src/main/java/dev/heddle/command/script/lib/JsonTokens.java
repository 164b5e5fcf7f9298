package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;

/**
 * The tokens of a JSON text. As in the C library the text ends at its first zero byte, numbers are what strtod reads,
 * and bytes above 127 in strings pass unchecked. Confined to one call.
 */
final class JsonTokens {
    static final int OBJECT_BEGIN = 0;
    static final int OBJECT_END = 1;
    static final int ARRAY_BEGIN = 2;
    static final int ARRAY_END = 3;
    static final int STRING = 4;
    static final int NUMBER = 5;
    static final int BOOLEAN = 6;
    static final int NULL = 7;
    static final int COLON = 8;
    static final int COMMA = 9;
    static final int END = 10;
    static final int ERROR = 11;

    private static final String[] NAMES = {
        "T_OBJ_BEGIN", "T_OBJ_END", "T_ARR_BEGIN", "T_ARR_END", "T_STRING", "T_NUMBER",
        "T_BOOLEAN", "T_NULL", "T_COLON", "T_COMMA", "T_END", "T_ERROR"
    };

    private final byte[] bytes;
    private final int base;
    private final int end;
    private final boolean invalidNumbers;
    private final NumberScanner scanner = new NumberScanner();
    private final ByteBuilder string = new ByteBuilder(64);
    private int at;
    private int type;
    private int index;
    private LuaValue value = LuaValue.NIL;
    private String error = "";

    JsonTokens(LuaString text, boolean invalidNumbers) {
        this.bytes = text.m_bytes;
        this.base = text.m_offset;
        this.at = base;
        this.end = base + LuaPattern.cLength(text);
        this.invalidNumbers = invalidNumbers;
    }

    int type() {
        return type;
    }

    /** The value of a string, number, boolean or null. */
    LuaValue value() {
        return value;
    }

    /** Where the token (or what is wrong in it) is, counted from 1. */
    int index() {
        return index + 1;
    }

    /** How many bytes are read. */
    int position() {
        return at - base;
    }

    /** What the token is, or what is wrong with it. */
    String description() {
        return type == ERROR ? error : NAMES[type];
    }

    int next() {
        int c = byteAt(at);
        while (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            c = byteAt(++at);
        }
        index = at - base;
        switch (c) {
            case '{' -> mark(OBJECT_BEGIN);
            case '}' -> mark(OBJECT_END);
            case '[' -> mark(ARRAY_BEGIN);
            case ']' -> mark(ARRAY_END);
            case ',' -> mark(COMMA);
            case ':' -> mark(COLON);
            case 0 -> type = END;
            case '"' -> string();
            default -> {
                if (c == '-' || CTypes.isDigit(c)) {
                    number();
                } else {
                    word(c);
                }
            }
        }
        return type;
    }

    private void mark(int punctuation) {
        type = punctuation;
        at++;
    }

    private void number() {
        if (!invalidNumbers && looksInvalid()) {
            fail("invalid number");
        } else {
            scanNumber();
        }
    }

    private void scanNumber() {
        if (scanner.scan(bytes, at, end)) {
            type = NUMBER;
            value = LuaValue.valueOf(scanner.value());
            at = scanner.end();
        } else {
            fail("invalid number");
        }
    }

    private void word(int first) {
        if (startsWith("true")) {
            constant(BOOLEAN, LuaValue.TRUE, 4);
        } else if (startsWith("false")) {
            constant(BOOLEAN, LuaValue.FALSE, 5);
        } else if (startsWith("null")) {
            constant(NULL, NullPointer.NULL, 4);
        } else if (invalidNumbers && "iInN+".indexOf(first) >= 0 && looksInvalid()) {
            scanNumber();
        } else {
            fail("invalid token");
        }
    }

    private void constant(int kind, LuaValue constant, int length) {
        type = kind;
        value = constant;
        at += length;
    }

    /** Numbers that strtod takes and JSON does not: "+1", hexadecimal, leading zeros, infinity, NaN. */
    private boolean looksInvalid() {
        int p = at;
        if (byteAt(p) == '+') {
            return true;
        }
        if (byteAt(p) == '-') {
            p++;
        }
        int c = byteAt(p);
        if (c == '0') {
            int second = byteAt(p + 1);
            return (second | 0x20) == 'x' || CTypes.isDigit(second);
        }
        return lowerIs(p, "inf") || lowerIs(p, "nan");
    }

    private void string() {
        at++;
        string.clear();
        while (true) {
            int c = byteAt(at);
            if (c == '"') {
                break;
            }
            if (c == 0) {
                fail("unexpected end of string");
                return;
            }
            if (c != '\\') {
                string.add(c);
                at++;
            } else if (byteAt(at + 1) == 'u') {
                if (!unicodeEscape()) {
                    fail("invalid unicode escape code");
                    return;
                }
            } else {
                int escaped = escaped(byteAt(at + 1));
                if (escaped < 0) {
                    fail("invalid escape code");
                    return;
                }
                string.add(escaped);
                at += 2;
            }
        }
        at++;
        type = STRING;
        value = string.toLuaString();
    }

    private static int escaped(int letter) {
        return switch (letter) {
            case '"', '\\', '/' -> letter;
            case 'b' -> '\b';
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'f' -> '\f';
            case 'r' -> '\r';
            default -> -1;
        };
    }

    /** Appends what \\uXXXX, or a pair of surrogates, stands for as UTF-8. */
    private boolean unicodeEscape() {
        int code = hex4(at + 2);
        int length = 6;
        if (code < 0) {
            return false;
        }
        if ((code & 0xf800) == 0xd800) {
            int low = byteAt(at + 6) == '\\' && byteAt(at + 7) == 'u' ? hex4(at + 8) : -1;
            if ((code & 0x400) != 0 || low < 0 || (low & 0xfc00) != 0xdc00) {
                return false;
            }
            code = ((code & 0x3ff) << 10 | low & 0x3ff) + 0x10000;
            length = 12;
        }
        appendUtf8(code);
        at += length;
        return true;
    }

    private void appendUtf8(int code) {
        if (code <= 0x7f) {
            string.add(code);
        } else if (code <= 0x7ff) {
            string.add(code >> 6 | 0xc0);
            string.add(code & 0x3f | 0x80);
        } else if (code <= 0xffff) {
            string.add(code >> 12 | 0xe0);
            string.add(code >> 6 & 0x3f | 0x80);
            string.add(code & 0x3f | 0x80);
        } else {
            string.add(code >> 18 | 0xf0);
            string.add(code >> 12 & 0x3f | 0x80);
            string.add(code >> 6 & 0x3f | 0x80);
            string.add(code & 0x3f | 0x80);
        }
    }

    private int hex4(int from) {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = CTypes.hexDigit(byteAt(from + i));
            if (digit < 0) {
                return -1;
            }
            code = code << 4 | digit;
        }
        return code;
    }

    private void fail(String what) {
        type = ERROR;
        index = at - base;
        error = what;
    }

    private boolean startsWith(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (byteAt(at + i) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean lowerIs(int from, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (CTypes.toLower(byteAt(from + i)) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private int byteAt(int i) {
        return i < end ? bytes[i] & 0xff : 0;
    }
}
