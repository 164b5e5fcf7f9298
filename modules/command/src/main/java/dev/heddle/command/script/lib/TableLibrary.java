package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaFunction;
import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** The table "table" of Lua 5.1; sorting is in {@link TableSort}. */
final class TableLibrary {
    private TableLibrary() {}

    static LuaTable table() {
        LuaTable table = new ReadOnlyTable();
        LibraryFunction.define(table, "concat", TableLibrary::concat);
        LibraryFunction.define(table, "foreach", TableLibrary::forEach);
        LibraryFunction.define(table, "foreachi", TableLibrary::forEachIndex);
        LibraryFunction.define(
                table, "getn", args -> LuaValue.valueOf(args.table(1).rawlen()));
        LibraryFunction.define(table, "maxn", TableLibrary::maxn);
        LibraryFunction.define(table, "insert", TableLibrary::insert);
        LibraryFunction.define(table, "remove", TableLibrary::remove);
        LibraryFunction.define(table, "setn", TableLibrary::setn);
        LibraryFunction.define(table, "sort", TableSort::sort);
        return table;
    }

    private static Varargs concat(Args args) {
        LuaString separator = args.isNoneOrNil(2) ? LuaValue.EMPTYSTRING : args.string(2);
        LuaTable table = args.table(1);
        int first = args.int32(3, 1);
        int last = args.isNoneOrNil(4) ? table.rawlen() : args.int32(4);
        ByteBuilder out = new ByteBuilder(64);
        for (long i = first; i <= last; i++) {
            LuaValue value = table.rawget((int) i);
            LuaString text = Args.asString(value);
            if (text == null) {
                throw new LibraryError(
                        "invalid value (" + value.typename() + ") at index " + i + " in table for 'concat'");
            }
            out.add(text);
            if (i < last) {
                out.add(separator);
            }
        }
        return out.toLuaString();
    }

    private static Varargs forEach(Args args) {
        LuaTable table = args.table(1);
        LuaFunction function = args.function(2);
        for (Varargs pair = table.next(LuaValue.NIL); !pair.isnil(1); pair = table.next(pair.arg1())) {
            LuaValue result = function.invoke(pair.arg1(), pair.arg(2)).arg1();
            if (!result.isnil()) {
                return result;
            }
        }
        return LuaValue.NONE;
    }

    private static Varargs forEachIndex(Args args) {
        LuaTable table = args.table(1);
        int length = table.rawlen();
        LuaFunction function = args.function(2);
        for (int i = 1; i <= length; i++) {
            LuaValue result =
                    function.invoke(LuaValue.valueOf(i), table.rawget(i)).arg1();
            if (!result.isnil()) {
                return result;
            }
        }
        return LuaValue.NONE;
    }

    private static Varargs maxn(Args args) {
        LuaTable table = args.table(1);
        double most = 0;
        for (Varargs pair = table.next(LuaValue.NIL); !pair.isnil(1); pair = table.next(pair.arg1())) {
            if (pair.arg1() instanceof LuaNumber key) {
                most = Math.max(most, key.todouble());
            }
        }
        return LuaValue.valueOf(most);
    }

    private static Varargs insert(Args args) {
        LuaTable table = args.table(1);
        int end = table.rawlen() + 1;
        if (args.count() == 2) {
            table.rawset(end, args.get(2));
            return LuaValue.NONE;
        }
        if (args.count() != 3) {
            throw new LibraryError("wrong number of arguments to 'insert'");
        }
        int position = args.int32(2);
        for (int i = Math.max(end, position); i > position; i--) {
            table.rawset(i, table.rawget(i - 1));
        }
        table.rawset(position, args.get(3));
        return LuaValue.NONE;
    }

    private static Varargs remove(Args args) {
        LuaTable table = args.table(1);
        int last = table.rawlen();
        int position = args.int32(2, last);
        if (position < 1 || position > last) {
            return LuaValue.NONE;
        }
        LuaValue removed = table.rawget(position);
        for (int i = position; i < last; i++) {
            table.rawset(i, table.rawget(i + 1));
        }
        table.rawset(last, LuaValue.NIL);
        return removed;
    }

    private static Varargs setn(Args args) {
        args.table(1);
        throw new LibraryError("'setn' is obsolete");
    }
}
