package dev.heddle.command.script.lib;

import java.util.List;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/** What a script may set in one instance of cjson, and the functions that set it. Confined to whoever runs scripts. */
final class JsonSettings {
    static final int OFF = 0;
    static final int ON = 1;
    /** Encode what JSON cannot express as null. */
    static final int AS_NULL = 2;

    private static final List<String> SWITCH = List.of("off", "on");
    private static final List<String> SWITCH_OR_NULL = List.of("off", "on", "null");

    int sparseConvert = OFF;
    int sparseRatio = 2;
    int sparseSafe = 10;
    int encodeMaxDepth = 1_000;
    int decodeMaxDepth = 1_000;
    int encodeInvalidNumbers = OFF;
    int decodeInvalidNumbers = ON;
    int keepBuffer = ON;
    int numberPrecision = 14;

    void define(LuaTable table) {
        LibraryFunction.define(table, "encode_sparse_array", args -> {
            limit(args, 3);
            sparseConvert = choice(args, sparseConvert, SWITCH);
            sparseRatio = integer(args, 2, sparseRatio, 0, Integer.MAX_VALUE);
            sparseSafe = integer(args, 3, sparseSafe, 0, Integer.MAX_VALUE);
            return LuaValue.varargsOf(
                    shown(sparseConvert, SWITCH), LuaValue.valueOf(sparseRatio), LuaValue.valueOf(sparseSafe));
        });
        LibraryFunction.define(table, "encode_max_depth", args -> {
            limit(args, 1);
            encodeMaxDepth = integer(args, 1, encodeMaxDepth, 1, Integer.MAX_VALUE);
            return LuaValue.valueOf(encodeMaxDepth);
        });
        LibraryFunction.define(table, "decode_max_depth", args -> {
            limit(args, 1);
            decodeMaxDepth = integer(args, 1, decodeMaxDepth, 1, Integer.MAX_VALUE);
            return LuaValue.valueOf(decodeMaxDepth);
        });
        LibraryFunction.define(table, "encode_number_precision", args -> {
            limit(args, 1);
            numberPrecision = integer(args, 1, numberPrecision, 1, 14);
            return LuaValue.valueOf(numberPrecision);
        });
        LibraryFunction.define(table, "encode_keep_buffer", args -> {
            limit(args, 1);
            keepBuffer = choice(args, keepBuffer, SWITCH);
            return shown(keepBuffer, SWITCH);
        });
        LibraryFunction.define(table, "encode_invalid_numbers", args -> {
            limit(args, 1);
            encodeInvalidNumbers = choice(args, encodeInvalidNumbers, SWITCH_OR_NULL);
            return shown(encodeInvalidNumbers, SWITCH_OR_NULL);
        });
        LibraryFunction.define(table, "decode_invalid_numbers", args -> {
            limit(args, 1);
            decodeInvalidNumbers = choice(args, decodeInvalidNumbers, SWITCH);
            return shown(decodeInvalidNumbers, SWITCH);
        });
    }

    private static void limit(Args args, int most) {
        if (args.count() > most) {
            throw args.bad(most + 1, "found too many arguments");
        }
    }

    private static int integer(Args args, int i, int present, int least, int most) {
        if (args.isNoneOrNil(i)) {
            return present;
        }
        int value = args.int32(i);
        if (value < least || value > most) {
            throw args.bad(1, "expected integer between " + least + " and " + most);
        }
        return value;
    }

    private static int choice(Args args, int present, List<String> options) {
        LuaValue value = args.get(1);
        if (value.isnil()) {
            return present;
        }
        if (value.isboolean()) {
            return value.toboolean() ? ON : OFF;
        }
        String word = args.string(1).tojstring();
        int choice = options.indexOf(word);
        if (choice < 0) {
            throw args.bad(1, "invalid option '" + word + "'");
        }
        return choice;
    }

    private static LuaValue shown(int choice, List<String> options) {
        return choice == AS_NULL ? LuaValue.valueOf(options.get(choice)) : LuaValue.valueOf(choice == ON);
    }
}
