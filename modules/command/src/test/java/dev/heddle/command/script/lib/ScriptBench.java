package dev.heddle.command.script.lib;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LoadState;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.BaseLib;
import org.luaj.vm2.lib.CoroutineLib;

/** Evaluates expressions with the libraries on LuaJ's plain interpreter, and prints their values in one fixed form. */
final class ScriptBench {
    private static final int MAX_DEPTH = 8;
    private static final int MAX_VALUES = 40;
    private static final int MAX_STRING = 2_000;

    private final Globals globals = new Globals();

    ScriptBench() {
        LoadState.install(globals);
        LuaC.install(globals);
        globals.load(new BaseLib());
        globals.set("package", LuaValue.tableOf(new LuaValue[] {LuaValue.valueOf("loaded"), new LuaTable()}));
        globals.load(new CoroutineLib());
        LuaLibraries.install(globals, new ScriptRandom());
    }

    Globals globals() {
        return globals;
    }

    Varargs run(String chunk) {
        byte[] source = chunk.getBytes(StandardCharsets.ISO_8859_1);
        return globals.load(new ByteArrayInputStream(source), "=x", "t", globals)
                .invoke();
    }

    String evaluate(String expression) {
        try {
            return show(run("return " + expression));
        } catch (LibraryError e) {
            return "! " + quote(e.text());
        } catch (LuaError e) {
            return "! " + quote(LuaValue.valueOf(String.valueOf(e.getMessage())));
        }
    }

    private static String show(Varargs values) {
        StringJoiner out = new StringJoiner(" | ");
        for (int i = 1; i <= values.narg(); i++) {
            if (i > MAX_VALUES) {
                out.add("+" + values.narg());
                break;
            }
            out.add(show(values.arg(i), 0));
        }
        return out.toString();
    }

    private static String show(LuaValue value, int depth) {
        if (value instanceof LuaNumber) {
            double number = value.todouble();
            if (Double.isNaN(number)) {
                return "nan";
            }
            ByteBuilder text = new ByteBuilder(32);
            CFormat.appendReal(text, new CFormat.Spec(0, 0, 17, 'g'), number);
            return text.toLuaString().tojstring();
        }
        if (value instanceof LuaString text) {
            return text.m_length > MAX_STRING ? "#" + text.m_length : quote(text);
        }
        if (value instanceof LuaTable table) {
            return depth > MAX_DEPTH ? "..." : show(table, depth);
        }
        return value.isnil() || value.isboolean() ? value.tojstring() : value.typename();
    }

    private static String show(LuaTable table, int depth) {
        List<String> parts = new ArrayList<>();
        for (Varargs pair = table.next(LuaValue.NIL); !pair.isnil(1); pair = table.next(pair.arg1())) {
            parts.add("[" + show(pair.arg1(), depth + 1) + "]=" + show(pair.arg(2), depth + 1));
        }
        Collections.sort(parts);
        return "{" + String.join(",", parts) + "}";
    }

    private static String quote(LuaString text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.m_length; i++) {
            int c = text.luaByte(i);
            if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
                out.append((char) c);
            } else {
                out.append(String.format("\\x%02x", c));
            }
        }
        return out.append('"').toString();
    }
}
