package dev.heddle.command.script;

import dev.heddle.resp.Numbers;
import java.nio.charset.StandardCharsets;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/**
 * Makes Lua values of an encoded reply, by the rules of Redis: an integer becomes a number, a string a string, nothing {@code false} (in protocol 3
 * {@code nil}), a status or error a table with the one field {@code ok} or {@code err}; the new types of protocol 3 tables with a field that names
 * them. Confined to one thread.
 */
final class LuaReplies {

    private final byte[] bytes;
    private int at;

    private LuaReplies(byte[] bytes) {
        this.bytes = bytes;
    }

    /** @param bytes a complete reply of ours */
    static LuaValue decode(byte[] bytes) {
        return new LuaReplies(bytes).value();
    }

    private LuaValue value() {
        byte kind = bytes[at++];
        return switch (kind) {
            case ':' -> number(line());
            case '+' -> field("ok", line());
            case '-' -> field("err", line());
            case '$' -> bulk();
            case '*', '>' -> array();
            case '%' -> map();
            case '~' -> set();
            case '_' -> {
                line();
                yield LuaValue.NIL;
            }
            case '#' -> line().luaByte(0) == 't' ? LuaValue.TRUE : LuaValue.FALSE;
            case ',' -> {
                LuaString digits = line();
                yield field(
                        "double",
                        LuaValue.valueOf(Numbers.parseDouble(digits.m_bytes, digits.m_offset, digits.m_length)));
            }
            case '(' -> field("big_number", line());
            case '=' -> verbatim();
            case '|' -> {
                map(); // attributes are not shown to scripts
                yield value();
            }
            default -> throw new IllegalStateException("reply of unknown kind " + kind);
        };
    }

    private LuaString line() {
        int start = at;
        while (bytes[at] != '\r') {
            at++;
        }
        at += 2;
        return LuaString.valueUsing(bytes, start, at - 2 - start);
    }

    private int length() {
        LuaString digits = line();
        return (int) Numbers.parseLong(digits.m_bytes, digits.m_offset, digits.m_length);
    }

    private static LuaValue number(LuaString digits) {
        long value = Numbers.parseLong(digits.m_bytes, digits.m_offset, digits.m_length);
        return value == (int) value ? LuaValue.valueOf((int) value) : LuaValue.valueOf((double) value);
    }

    private static LuaTable field(String name, LuaValue value) {
        LuaTable table = new LuaTable();
        table.rawset(name, value);
        return table;
    }

    private LuaValue bulk() {
        int length = length();
        if (length < 0) {
            return LuaValue.FALSE;
        }
        LuaString text = LuaString.valueUsing(bytes, at, length);
        at += length + 2;
        return text;
    }

    private LuaValue array() {
        int count = length();
        if (count < 0) {
            return LuaValue.FALSE;
        }
        LuaTable table = new LuaTable(count, 0);
        for (int i = 1; i <= count; i++) {
            table.rawset(i, value());
        }
        return table;
    }

    private LuaValue map() {
        int count = length();
        LuaTable table = new LuaTable(0, count);
        for (int i = 0; i < count; i++) {
            LuaValue key = value();
            table.rawset(key, value());
        }
        return field("map", table);
    }

    private LuaValue set() {
        int count = length();
        LuaTable table = new LuaTable(0, count);
        for (int i = 0; i < count; i++) {
            table.rawset(value(), LuaValue.TRUE);
        }
        return field("set", table);
    }

    private LuaValue verbatim() {
        int length = length();
        LuaTable parts = new LuaTable();
        parts.rawset("format", LuaString.valueOf(new String(bytes, at, 3, StandardCharsets.ISO_8859_1)));
        parts.rawset("string", LuaString.valueUsing(bytes, at + 4, length - 4));
        at += length + 2;
        return field("verbatim_string", parts);
    }
}
