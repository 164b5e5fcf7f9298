package dev.heddle.command.script.lib;

import java.util.Map;
import java.util.WeakHashMap;
import org.luaj.vm2.LuaNil;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaUserdata;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/**
 * The functions of Lua 5.1's base library that need no knowledge of the interpreter's call stack. The interpreter
 * brings error, pcall, xpcall, getfenv, setfenv and coroutines itself.
 */
final class BaseLibrary {
    private static final LuaString METATABLE = LuaValue.valueOf("__metatable");
    private static final LuaString TO_STRING = LuaValue.valueOf("__tostring");

    private BaseLibrary() {}

    static void define(LuaTable globals) {
        LibraryFunction.define(globals, "assert", BaseLibrary::assertTrue);
        LibraryFunction.define(globals, "collectgarbage", BaseLibrary::collectGarbage);
        LibraryFunction.define(globals, "gcinfo", args -> LuaValue.valueOf((int) kilobytesInUse()));
        LibraryFunction.define(globals, "getmetatable", BaseLibrary::getMetatable);
        LibraryFunction.define(globals, "next", BaseLibrary::next);
        LibraryFunction.define(globals, "rawequal", BaseLibrary::rawEqual);
        LibraryFunction.define(globals, "rawget", BaseLibrary::rawGet);
        LibraryFunction.define(globals, "rawset", BaseLibrary::rawSet);
        LibraryFunction.define(globals, "select", BaseLibrary::select);
        LibraryFunction.define(globals, "setmetatable", BaseLibrary::setMetatable);
        LibraryFunction.define(globals, "tonumber", BaseLibrary::toNumber);
        LibraryFunction.define(globals, "tostring", BaseLibrary::toText);
        LibraryFunction.define(
                globals, "type", args -> LuaValue.valueOf(args.any(1).typename()));
        LibraryFunction.define(globals, "unpack", BaseLibrary::unpack);
        LuaValue next = new LibraryFunction("next", BaseLibrary::next);
        LibraryFunction.define(globals, "pairs", args -> LuaValue.varargsOf(next, args.table(1), LuaValue.NIL));
        LuaValue step = new LibraryFunction("?", BaseLibrary::nextIndex);
        LibraryFunction.define(globals, "ipairs", args -> LuaValue.varargsOf(step, args.table(1), LuaValue.ZERO));
        Map<LuaValue, Boolean> proxyMetatables = new WeakHashMap<>();
        LibraryFunction.define(globals, "newproxy", args -> newProxy(args, proxyMetatables));
        globals.rawset("_VERSION", LuaValue.valueOf("Lua 5.1"));
    }

    private static Varargs assertTrue(Args args) {
        if (!args.any(1).toboolean()) {
            throw new LibraryError(args.isNoneOrNil(2) ? LuaValue.valueOf("assertion failed!") : args.string(2));
        }
        return args.from(1);
    }

    private static Varargs collectGarbage(Args args) {
        String option = args.isNoneOrNil(1) ? "collect" : args.string(1).tojstring();
        args.int32(2, 0);
        return switch (option) {
            case "count" -> LuaValue.valueOf(kilobytesInUse());
            case "step" -> LuaValue.TRUE;
            case "setpause", "setstepmul" -> LuaValue.valueOf(200);
            case "stop", "restart", "collect" -> LuaValue.ZERO;
            default -> throw args.bad(1, "invalid option '" + option + "'");
        };
    }

    private static double kilobytesInUse() {
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1024.0;
    }

    private static Varargs getMetatable(Args args) {
        LuaValue metatable = args.any(1).getmetatable();
        if (metatable == null) {
            return LuaValue.NIL;
        }
        LuaValue shown = metatable.rawget(METATABLE);
        return shown.isnil() ? metatable : shown;
    }

    private static Varargs setMetatable(Args args) {
        LuaTable table = args.table(1);
        LuaValue metatable = args.get(2);
        if (args.isNone(2) || !(metatable instanceof LuaNil || metatable instanceof LuaTable)) {
            throw args.bad(2, "nil or table expected");
        }
        LuaValue present = table.getmetatable();
        if (present != null && !present.rawget(METATABLE).isnil()) {
            throw new LibraryError("cannot change a protected metatable");
        }
        table.setmetatable(metatable.isnil() ? null : metatable);
        return table;
    }

    private static Varargs next(Args args) {
        return args.table(1).next(args.get(2));
    }

    private static Varargs nextIndex(Args args) {
        int index = args.int32(2) + 1;
        LuaValue value = args.table(1).rawget(index);
        return value.isnil() ? LuaValue.NONE : LuaValue.varargsOf(LuaValue.valueOf(index), value);
    }

    private static Varargs rawEqual(Args args) {
        LuaValue first = args.any(1);
        return LuaValue.valueOf(first.raweq(args.any(2)));
    }

    private static Varargs rawGet(Args args) {
        LuaTable table = args.table(1);
        return table.rawget(args.any(2));
    }

    private static Varargs rawSet(Args args) {
        LuaTable table = args.table(1);
        LuaValue key = args.any(2);
        LuaValue value = args.any(3);
        if (key.isnil() || !key.isvalidkey()) {
            throw new LibraryError(key.isnil() ? "table index is nil" : "table index is NaN");
        }
        table.rawset(key, value);
        return table;
    }

    private static Varargs select(Args args) {
        int count = args.count();
        if (args.get(1) instanceof LuaString text && text.m_length > 0 && text.luaByte(0) == '#') {
            return LuaValue.valueOf(count - 1);
        }
        int i = args.int32(1);
        if (i < 0) {
            i = count + i;
        } else if (i > count) {
            i = count;
        }
        if (i < 1) {
            throw args.bad(1, "index out of range");
        }
        return args.from(i + 1);
    }

    private static Varargs unpack(Args args) {
        LuaTable table = args.table(1);
        int first = args.int32(2, 1);
        int last = args.isNoneOrNil(3) ? table.rawlen() : args.int32(3);
        if (first > last) {
            return LuaValue.NONE;
        }
        long count = (long) last - first + 1;
        if (count + args.count() > StringLibrary.STACK_SLOTS) {
            throw new LibraryError("too many results to unpack");
        }
        LuaValue[] values = new LuaValue[(int) count];
        for (int i = 0; i < values.length; i++) {
            values[i] = table.rawget(first + i);
        }
        return LuaValue.varargsOf(values);
    }

    private static Varargs toNumber(Args args) {
        int base = args.int32(2, 10);
        if (base == 10) {
            args.any(1);
            return args.isNumber(1) ? LuaValue.valueOf(args.number(1)) : LuaValue.NIL;
        }
        LuaString text = args.string(1);
        if (base < 2 || base > 36) {
            throw args.bad(2, "base out of range");
        }
        return WholeNumbers.parse(text, base);
    }

    private static Varargs toText(Args args) {
        LuaValue value = args.any(1);
        LuaValue metatable = value.getmetatable();
        LuaValue custom = metatable == null ? LuaValue.NIL : metatable.rawget(TO_STRING);
        return custom.isnil() ? textOf(value) : custom.call(value);
    }

    /** The text of a value without regard to metatables. */
    static LuaString textOf(LuaValue value) {
        LuaString text = Args.asString(value);
        if (text != null) {
            return text;
        }
        return switch (value.type()) {
            case LuaValue.TNIL, LuaValue.TBOOLEAN -> LuaValue.valueOf(value.tojstring());
            default ->
                LuaValue.valueOf(
                        value instanceof NullPointer ? value.tojstring() : Addresses.describe(value.typename(), value));
        };
    }

    private static Varargs newProxy(Args args, Map<LuaValue, Boolean> proxyMetatables) {
        LuaUserdata proxy = new LuaUserdata(new Object());
        LuaValue model = args.get(1);
        if (!model.toboolean()) {
            return proxy;
        }
        if (model.isboolean()) {
            LuaTable metatable = new LuaTable();
            proxyMetatables.put(metatable, true);
            proxy.setmetatable(metatable);
            return proxy;
        }
        LuaValue metatable = model.getmetatable();
        if (metatable == null || !proxyMetatables.containsKey(metatable)) {
            throw args.bad(1, "boolean or proxy expected");
        }
        proxy.setmetatable(metatable);
        return proxy;
    }
}
