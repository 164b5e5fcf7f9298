package dev.heddle.command.script;

import dev.heddle.command.script.lib.CNumbers;
import dev.heddle.resp.ReplyWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** Makes a reply of what a script returns, by the rules of Redis: the way back from {@link LuaReplies}. Confined to one thread. */
final class LuaResults {

    /** As many tables within tables as Lua's stack has room for in Redis. */
    private static final int DEEPEST = 1_000;

    private final ReplyWriter reply;
    private final int protocol;
    private final Consumer<String> errors;

    private LuaResults(ReplyWriter reply, int protocol, Consumer<String> errors) {
        this.reply = reply;
        this.protocol = protocol;
        this.errors = errors;
    }

    /**
     * Writes a reply.
     *
     * @param protocol which the script has chosen; how truth is answered depends on it
     * @param errors is told of each error that nobody has counted yet
     */
    static void write(LuaValue value, ReplyWriter reply, int protocol, Consumer<String> errors) {
        new LuaResults(reply, protocol, errors).write(value, 0);
    }

    private void write(LuaValue value, int depth) {
        if (depth > DEEPEST) {
            reply.error("ERR reached lua stack limit");
            return;
        }
        switch (value.type()) {
            case LuaValue.TSTRING -> bulk(value.checkstring());
            case LuaValue.TINT, LuaValue.TNUMBER -> reply.integer(CNumbers.toLong(value.todouble()));
            case LuaValue.TBOOLEAN -> bool(value.toboolean());
            case LuaValue.TTABLE -> table(value.checktable(), depth);
            default -> reply.nil();
        }
    }

    private void bulk(LuaString text) {
        reply.bulk(text.m_bytes, text.m_offset, text.m_length);
    }

    private void bool(boolean value) {
        if (protocol == 3) {
            reply.bool(value);
        } else if (value) {
            reply.integer(1);
        } else {
            reply.nil();
        }
    }

    private void table(LuaTable table, int depth) {
        LuaValue error = table.rawget("err");
        if (error.type() == LuaValue.TSTRING) {
            String text = line(error.tojstring());
            if (!table.rawget(RedisLibrary.COUNTED).toboolean()) {
                errors.accept(text);
            }
            reply.error(text);
            return;
        }
        LuaValue status = table.rawget("ok");
        if (status.type() == LuaValue.TSTRING) {
            reply.simple(line(status.tojstring()));
            return;
        }
        LuaValue real = table.rawget("double");
        if (real.isnumber() && real.type() != LuaValue.TSTRING) {
            reply.real(real.todouble());
            return;
        }
        LuaValue map = table.rawget("map");
        if (map.istable()) {
            map(map.checktable(), depth);
            return;
        }
        LuaValue set = table.rawget("set");
        if (set.istable()) {
            set(set.checktable(), depth);
            return;
        }
        LuaValue big = table.rawget("big_number");
        if (big.type() == LuaValue.TSTRING) {
            reply.bigNumber(line(big.tojstring()));
            return;
        }
        LuaValue verbatim = table.rawget("verbatim_string");
        if (verbatim.istable() && verbatim(verbatim.checktable())) {
            return;
        }
        array(table, depth);
    }

    /** A status or error must stay on its line. */
    private static String line(String text) {
        return text.replace('\r', ' ').replace('\n', ' ');
    }

    private boolean verbatim(LuaTable parts) {
        LuaValue format = parts.rawget("format");
        LuaValue string = parts.rawget("string");
        if (format.type() != LuaValue.TSTRING || string.type() != LuaValue.TSTRING) {
            return false;
        }
        LuaString text = string.checkstring();
        byte[] bytes = new byte[text.m_length];
        text.copyInto(0, bytes, 0, bytes.length);
        String name = (format.tojstring() + "   ").substring(0, 3);
        reply.verbatim(new String(name.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1), bytes);
        return true;
    }

    private void map(LuaTable map, int depth) {
        int mark = reply.deferred();
        int pairs = 0;
        for (Varargs entry = map.next(LuaValue.NIL); !entry.arg1().isnil(); entry = map.next(entry.arg1())) {
            write(entry.arg1(), depth + 1);
            write(entry.arg(2), depth + 1);
            pairs++;
        }
        reply.closeMap(mark, pairs);
    }

    private void set(LuaTable set, int depth) {
        int mark = reply.deferred();
        int members = 0;
        for (Varargs entry = set.next(LuaValue.NIL); !entry.arg1().isnil(); entry = set.next(entry.arg1())) {
            write(entry.arg1(), depth + 1);
            members++;
        }
        reply.closeSet(mark, members);
    }

    /** Up to the first element that is nil. */
    private void array(LuaTable table, int depth) {
        int mark = reply.deferred();
        int count = 0;
        for (LuaValue element = table.rawget(1); !element.isnil(); element = table.rawget(count + 1)) {
            write(element, depth + 1);
            count++;
        }
        reply.closeArray(mark, count);
    }
}
