package dev.heddle.command.script.lib;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaFunction;
import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/**
 * The arguments of one call, converted and refused as Lua 5.1's auxiliary library does it: numbers pass as strings,
 * numeric strings as numbers, and an error names the argument and the function. Positions count from 1. Immutable.
 */
final class Args {
    private final String function;
    private final Varargs values;

    Args(String function, Varargs values) {
        this.function = function;
        this.values = values;
    }

    int count() {
        return values.narg();
    }

    /** The argument, nil if it was not given. */
    LuaValue get(int i) {
        return values.arg(i);
    }

    Varargs from(int i) {
        return values.subargs(i);
    }

    boolean isNone(int i) {
        return i > values.narg();
    }

    boolean isNoneOrNil(int i) {
        return values.arg(i).isnil();
    }

    /** These arguments and a nil. */
    Args withNilBehind() {
        LuaValue[] more = new LuaValue[count() + 1];
        for (int i = 0; i < count(); i++) {
            more[i] = values.arg(i + 1);
        }
        more[count()] = LuaValue.NIL;
        return new Args(function, LuaValue.varargsOf(more));
    }

    LuaValue any(int i) {
        if (isNone(i)) {
            throw bad(i, "value expected");
        }
        return values.arg(i);
    }

    LuaString string(int i) {
        LuaString text = asString(values.arg(i));
        if (text == null) {
            throw wrongType(i, "string");
        }
        return text;
    }

    double number(int i) {
        LuaValue value = values.arg(i);
        if (value instanceof LuaNumber) {
            return value.todouble();
        }
        if (value instanceof LuaString text) {
            NumberScanner scanner = new NumberScanner();
            if (scanner.wholeString(text)) {
                return scanner.value();
            }
        }
        throw wrongType(i, "number");
    }

    boolean isNumber(int i) {
        LuaValue value = values.arg(i);
        return value instanceof LuaNumber || value instanceof LuaString text && new NumberScanner().wholeString(text);
    }

    /** A number cut to 64 bits as C casts it. */
    long integer(int i) {
        return CNumbers.toLong(number(i));
    }

    long integer(int i, long fallback) {
        return isNoneOrNil(i) ? fallback : integer(i);
    }

    /** A number cut to 64 bits, of which the lower 32 are taken. */
    int int32(int i) {
        return (int) integer(i);
    }

    int int32(int i, int fallback) {
        return isNoneOrNil(i) ? fallback : int32(i);
    }

    LuaTable table(int i) {
        if (values.arg(i) instanceof LuaTable table) {
            return table;
        }
        throw wrongType(i, "table");
    }

    LuaFunction function(int i) {
        if (values.arg(i) instanceof LuaFunction function) {
            return function;
        }
        throw wrongType(i, "function");
    }

    LibraryError wrongType(int i, String expected) {
        return bad(i, expected + " expected, got " + typeName(i));
    }

    LibraryError bad(int i, String what) {
        return new LibraryError("bad argument #" + i + " to '" + function + "' (" + what + ")");
    }

    private String typeName(int i) {
        return isNone(i) ? "no value" : values.arg(i).typename();
    }

    /** The string that a string or number is, null for other types. */
    static @Nullable LuaString asString(LuaValue value) {
        if (value instanceof LuaString text) {
            return text;
        }
        return value instanceof LuaNumber ? CNumbers.toText(value.todouble()) : null;
    }
}
