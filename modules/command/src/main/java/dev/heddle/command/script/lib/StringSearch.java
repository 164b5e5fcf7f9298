package dev.heddle.command.script.lib;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaFunction;
import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.VarArgFunction;

/** find, match, gmatch and gsub of the table "string". */
final class StringSearch {
    private static final String SPECIALS = "^$*+?.([%-";

    private StringSearch() {}

    static void define(LuaTable table) {
        LibraryFunction.define(table, "find", args -> search(args, true));
        LibraryFunction.define(table, "match", args -> search(args, false));
        LibraryFunction.define(table, "gmatch", StringSearch::gmatch);
        LibraryFunction.define(table, "gsub", StringSearch::gsub);
        table.rawset("gfind", table.rawget("gmatch"));
    }

    private static Varargs search(Args args, boolean find) {
        LuaString subject = args.string(1);
        LuaString pattern = args.string(2);
        long position = StringLibrary.fromStart(args.integer(3, 1), subject.m_length) - 1;
        int from = Math.clamp(position, 0, subject.m_length);
        if (find && (args.get(4).toboolean() || isPlain(pattern))) {
            int index = indexOf(subject, pattern, from);
            return index < 0
                    ? LuaValue.NIL
                    : LuaValue.varargsOf(LuaValue.valueOf(index + 1), LuaValue.valueOf(index + pattern.m_length));
        }
        boolean anchored = pattern.m_length > 0 && pattern.luaByte(0) == '^';
        LuaPattern matcher = new LuaPattern(subject, pattern, anchored ? 1 : 0);
        int start = from;
        do {
            int end = matcher.matchAt(start);
            if (end >= 0) {
                LuaValue[] captures = matcher.capturesOf(start, end, !find);
                return find
                        ? LuaValue.varargsOf(
                                LuaValue.valueOf(start + 1), LuaValue.valueOf(end), LuaValue.varargsOf(captures))
                        : LuaValue.varargsOf(captures);
            }
        } while (start++ < subject.m_length && !anchored);
        return LuaValue.NIL;
    }

    /** Only the part before a zero byte is looked at, as C sees it; the search itself then takes all bytes. */
    private static boolean isPlain(LuaString pattern) {
        int length = LuaPattern.cLength(pattern);
        for (int i = 0; i < length; i++) {
            if (SPECIALS.indexOf(pattern.luaByte(i)) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static int indexOf(LuaString subject, LuaString wanted, int from) {
        if (wanted.m_length == 0) {
            return from;
        }
        byte[] bytes = subject.m_bytes;
        int last = subject.m_offset + subject.m_length - wanted.m_length;
        byte first = wanted.m_bytes[wanted.m_offset];
        int wantedEnd = wanted.m_offset + wanted.m_length;
        for (int i = subject.m_offset + from; i <= last; i++) {
            if (bytes[i] == first
                    && Arrays.equals(bytes, i, i + wanted.m_length, wanted.m_bytes, wanted.m_offset, wantedEnd)) {
                return i - subject.m_offset;
            }
        }
        return -1;
    }

    private static Varargs gmatch(Args args) {
        return new Matches(args.string(1), args.string(2));
    }

    /** The iterator of gmatch: a '^' has no meaning in its pattern. Confined to the script. */
    private static final class Matches extends VarArgFunction {
        private final int length;
        private final LuaPattern matcher;
        private int next;

        Matches(LuaString subject, LuaString pattern) {
            length = subject.m_length;
            matcher = new LuaPattern(subject, pattern, 0);
        }

        @Override
        public Varargs invoke(Varargs ignored) {
            for (int start = next; start <= length; start++) {
                int end = matcher.matchAt(start);
                if (end >= 0) {
                    next = end == start ? end + 1 : end;
                    return LuaValue.varargsOf(matcher.capturesOf(start, end, true));
                }
            }
            next = length + 1;
            return LuaValue.NONE;
        }

        @Override
        public String tojstring() {
            return Addresses.describe("function", this);
        }
    }

    private static Varargs gsub(Args args) {
        LuaString subject = args.string(1);
        LuaString pattern = args.string(2);
        LuaValue replacement = args.get(3);
        int most = args.int32(4, subject.m_length + 1);
        boolean anchored = pattern.m_length > 0 && pattern.luaByte(0) == '^';
        if (!(replacement instanceof LuaNumber
                || replacement instanceof LuaString
                || replacement instanceof LuaFunction
                || replacement instanceof LuaTable)) {
            throw args.bad(3, "string/function/table expected");
        }
        LuaPattern matcher = new LuaPattern(subject, pattern, anchored ? 1 : 0);
        ByteBuilder out = new ByteBuilder(subject.m_length);
        int count = 0;
        int at = 0;
        while (count < most) {
            int end = matcher.matchAt(at);
            if (end >= 0) {
                count++;
                addReplacement(out, matcher, replacement, new Match(subject, at, end));
            }
            if (end > at) {
                at = end;
            } else if (at < subject.m_length) {
                out.add(subject.luaByte(at++));
            } else {
                break;
            }
            if (anchored) {
                break;
            }
        }
        out.add(subject.m_bytes, subject.m_offset + at, subject.m_length - at);
        return LuaValue.varargsOf(out.toLuaString(), LuaValue.valueOf(count));
    }

    private record Match(LuaString subject, int start, int end) {
        void addTo(ByteBuilder out) {
            out.add(subject.m_bytes, subject.m_offset + start, end - start);
        }
    }

    private static void addReplacement(ByteBuilder out, LuaPattern matcher, LuaValue replacement, Match match) {
        LuaValue value;
        if (replacement instanceof LuaFunction function) {
            LuaValue[] captures = matcher.capturesOf(match.start, match.end, true);
            value = function.invoke(LuaValue.varargsOf(captures)).arg1();
        } else if (replacement instanceof LuaTable table) {
            value = table.get(matcher.capture(0, match.start, match.end));
        } else {
            addTemplate(out, matcher, Args.asString(replacement), match);
            return;
        }
        if (!value.toboolean()) {
            match.addTo(out);
            return;
        }
        LuaString text = Args.asString(value);
        if (text == null) {
            throw new LibraryError("invalid replacement value (a " + value.typename() + ")");
        }
        out.add(text);
    }

    private static void addTemplate(ByteBuilder out, LuaPattern matcher, @Nullable LuaString template, Match match) {
        if (template == null) {
            return;
        }
        int i = 0;
        while (i < template.m_length) {
            int c = template.luaByte(i++);
            if (c != '%') {
                out.add(c);
                continue;
            }
            int which = i < template.m_length ? template.luaByte(i) : 0;
            i++;
            if (!CTypes.isDigit(which)) {
                out.add(which);
            } else if (which == '0') {
                match.addTo(out);
            } else {
                LuaString text = Args.asString(matcher.capture(which - '1', match.start, match.end));
                if (text != null) {
                    out.add(text);
                }
            }
        }
    }
}
