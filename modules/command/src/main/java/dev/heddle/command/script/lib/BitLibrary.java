package dev.heddle.command.script.lib;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** The table "bit": operations on 32-bit numbers, results signed. Behaves as LuaBitOp 1.0.2. */
final class BitLibrary {

    /** 2^52 + 2^51: added to a double, it leaves the rounded integer's lowest bits as the lowest bits of the sum. */
    private static final double ROUNDING = 6755399441055744.0;

    private BitLibrary() {}

    /** What an operation does to two numbers. */
    private interface Operation {
        int apply(int left, int right);
    }

    static LuaTable table() {
        LuaTable table = new ReadOnlyTable();
        LibraryFunction.define(table, "tobit", args -> LuaValue.valueOf(bits(args, 1)));
        LibraryFunction.define(table, "bnot", args -> LuaValue.valueOf(~bits(args, 1)));
        LibraryFunction.define(table, "bswap", args -> LuaValue.valueOf(Integer.reverseBytes(bits(args, 1))));
        LibraryFunction.define(table, "tohex", BitLibrary::tohex);
        fold(table, "band", (a, b) -> a & b);
        fold(table, "bor", (a, b) -> a | b);
        fold(table, "bxor", (a, b) -> a ^ b);
        shift(table, "lshift", (a, n) -> a << n);
        shift(table, "rshift", (a, n) -> a >>> n);
        shift(table, "arshift", (a, n) -> a >> n);
        shift(table, "rol", Integer::rotateLeft);
        shift(table, "ror", Integer::rotateRight);
        return table;
    }

    private static void fold(LuaTable table, String name, Operation operation) {
        LibraryFunction.define(table, name, args -> {
            int result = bits(args, 1);
            for (int i = args.count(); i > 1; i--) {
                result = operation.apply(result, bits(args, i));
            }
            return LuaValue.valueOf(result);
        });
    }

    private static void shift(LuaTable table, String name, Operation operation) {
        LibraryFunction.define(table, name, args -> {
            int value = bits(args, 1);
            return LuaValue.valueOf(operation.apply(value, bits(args, 2) & 31));
        });
    }

    private static int bits(Args args, int i) {
        return (int) Double.doubleToRawLongBits(args.number(i) + ROUNDING);
    }

    private static Varargs tohex(Args args) {
        int value = bits(args, 1);
        int digits = args.isNone(2) ? 8 : bits(args, 2);
        boolean upper = digits < 0;
        int count = digits == Integer.MIN_VALUE ? 8 : Math.min(Math.abs(digits), 8);
        String text = String.format("%08x", value).substring(8 - count);
        return LuaString.valueUsing(
                (upper ? text.toUpperCase(Locale.ROOT) : text).getBytes(StandardCharsets.ISO_8859_1));
    }
}
