package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaString;

/**
 * Walks a format of the table "struct" letter by letter, keeping byte order and alignment. Sizes are those of C on a
 * 64-bit machine. Confined to one call.
 */
final class StructFormat {
    private static final int MAX_INTEGER = 32;
    private static final int MAX_ALIGNMENT = 8;

    private final Args args;
    private final LuaString format;
    private final int length;
    private int at;
    private boolean bigEndian;
    private int alignment = 1;
    private int option;
    private int size;

    StructFormat(Args args) {
        this.args = args;
        this.format = args.string(1);
        this.length = LuaPattern.cLength(format);
    }

    /** Moves to the next letter, and over the size that may follow it; false at the end. */
    boolean next() {
        if (at >= length) {
            return false;
        }
        option = format.luaByte(at++);
        size = switch (option) {
            case 'B', 'b', 'x' -> 1;
            case 'H', 'h' -> 2;
            case 'L', 'l', 'T', 'd' -> 8;
            case 'f' -> 4;
            case 'c' -> number(1);
            case 'i', 'I' -> integerSize();
            default -> 0;
        };
        return true;
    }

    int option() {
        return option;
    }

    /** Bytes that this element takes, 0 if it has no fixed size. */
    int size() {
        return size;
    }

    boolean bigEndian() {
        return bigEndian;
    }

    boolean isInteger() {
        return "bBhHlLTiI".indexOf(option) >= 0;
    }

    boolean isSigned() {
        return CTypes.isLower(option);
    }

    /** Bytes to skip at this position before the element. */
    int padding(long position) {
        if (size == 0 || option == 'c') {
            return 0;
        }
        long unit = Math.min(size, alignment);
        return (int) (unit - (position & unit - 1) & unit - 1);
    }

    /** Obeys a letter that stands for no element. */
    void control() {
        switch (option) {
            case ' ' -> {}
            case '>' -> bigEndian = true;
            case '<' -> bigEndian = false;
            case '!' -> {
                int wanted = number(MAX_ALIGNMENT);
                if (Integer.bitCount(wanted) != 1) {
                    throw new LibraryError("alignment " + wanted + " is not a power of 2");
                }
                alignment = wanted;
            }
            default -> throw args.bad(1, "invalid format option '" + (char) option + "'");
        }
    }

    private int integerSize() {
        int wanted = number(4);
        if (wanted > MAX_INTEGER) {
            throw new LibraryError("integral size " + wanted + " is larger than limit of " + MAX_INTEGER);
        }
        return wanted;
    }

    private int number(int fallback) {
        if (!digitFollows()) {
            return fallback;
        }
        long value = 0;
        while (digitFollows()) {
            value = value * 10 + format.luaByte(at) - '0';
            if (value > Integer.MAX_VALUE) {
                throw new LibraryError("integral size overflow");
            }
            at++;
        }
        return (int) value;
    }

    private boolean digitFollows() {
        return at < length && CTypes.isDigit(format.luaByte(at));
    }
}
