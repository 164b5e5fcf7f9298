package dev.heddle.command.script.lib;

import dev.heddle.command.script.lib.CFormat.Spec;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.Varargs;

/** string.format: the template's parts, each written by {@link CFormat}. Confined to one call. */
final class StringFormat {
    private static final int MAX_FLAGS = 5;
    private static final int KEPT_WHOLE = 100;

    private final Args args;
    private final LuaString template;
    private final ByteBuilder out;
    private int at;
    private int argument = 1;

    private StringFormat(Args args) {
        this.args = args;
        this.template = args.string(1);
        this.out = new ByteBuilder(template.m_length + 16);
    }

    static Varargs format(Args args) {
        return new StringFormat(args).run();
    }

    private Varargs run() {
        while (at < template.m_length) {
            int c = template.luaByte(at++);
            if (c != '%') {
                out.add(c);
            } else if (peek() == '%') {
                out.add('%');
                at++;
            } else {
                argument++;
                if (args.isNone(argument)) {
                    throw args.bad(argument, "no value");
                }
                convert(readSpec());
            }
        }
        return out.toLuaString();
    }

    private Spec readSpec() {
        int flags = 0;
        int start = at;
        for (int flag; (flag = flagOf(peek())) != 0; at++) {
            flags |= flag;
        }
        if (at - start > MAX_FLAGS) {
            throw new LibraryError("invalid format (repeated flags)");
        }
        int width = twoDigits();
        int precision = -1;
        if (peek() == '.') {
            at++;
            precision = twoDigits();
        }
        if (CTypes.isDigit(peek())) {
            throw new LibraryError("invalid format (width or precision too long)");
        }
        char conversion = (char) peek();
        at++;
        return new Spec(flags, width, precision, conversion);
    }

    private int twoDigits() {
        int value = 0;
        for (int i = 0; i < 2 && CTypes.isDigit(peek()); i++) {
            value = value * 10 + peek() - '0';
            at++;
        }
        return value;
    }

    private void convert(Spec spec) {
        switch (spec.conversion()) {
            case 'c' -> character(spec, CNumbers.toInt(args.number(argument)));
            case 'd', 'i' -> CFormat.appendSigned(out, spec, CNumbers.toLong(args.number(argument)));
            case 'o', 'u', 'x', 'X' ->
                CFormat.appendUnsigned(out, spec, CNumbers.toUnsignedLong(args.number(argument)));
            case 'e', 'E', 'f', 'g', 'G' -> CFormat.appendReal(out, spec, args.number(argument));
            case 'q' -> quoted(args.string(argument));
            case 's' -> string(spec, args.string(argument));
            case 0 -> throw new LibraryError("invalid option '%' to 'format'");
            default -> throw new LibraryError("invalid option '%" + spec.conversion() + "' to 'format'");
        }
    }

    /** The C library prints into a buffer that is then taken up to its first zero byte. */
    private void character(Spec spec, int value) {
        byte[] one = {(byte) value};
        if (one[0] != 0) {
            CFormat.appendBytes(out, new Spec(spec.flags(), spec.width(), -1, 'c'), one, 0, 1);
        } else if (!spec.has(CFormat.LEFT)) {
            out.repeat(' ', spec.width() - 1);
        }
    }

    private void string(Spec spec, LuaString text) {
        if (spec.precision() < 0 && text.m_length >= KEPT_WHOLE) {
            out.add(text);
        } else {
            CFormat.appendBytes(out, spec, text.m_bytes, text.m_offset, LuaPattern.cLength(text));
        }
    }

    private void quoted(LuaString text) {
        out.add('"');
        for (int i = 0; i < text.m_length; i++) {
            int c = text.luaByte(i);
            switch (c) {
                case '"', '\\', '\n' -> {
                    out.add('\\');
                    out.add(c);
                }
                case '\r' -> out.ascii("\\r");
                case 0 -> out.ascii("\\000");
                default -> out.add(c);
            }
        }
        out.add('"');
    }

    private static int flagOf(int c) {
        return switch (c) {
            case '-' -> CFormat.LEFT;
            case '+' -> CFormat.PLUS;
            case ' ' -> CFormat.SPACE;
            case '#' -> CFormat.ALTERNATE;
            case '0' -> CFormat.ZERO;
            default -> 0;
        };
    }

    private int peek() {
        return at < template.m_length ? template.luaByte(at) : 0;
    }
}
