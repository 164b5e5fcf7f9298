package dev.heddle.command.script;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LocVars;
import org.luaj.vm2.Lua;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;

/** Finds out how a script calls what is in a register, for the text of an error. Stateless. */
final class Variables {

    /** Operands from here on name constants, not registers. */
    private static final int CONSTANT = 1 << 8;

    private Variables() {}

    /**
     * What a register holds when an instruction is run, as Lua says it: {@code field 'x'}.
     *
     * @return null if it has no name
     */
    static @Nullable String describe(Prototype code, int counter, int register) {
        String local = local(code, counter, register);
        if (local != null) {
            return "local '" + local + "'";
        }
        for (int i = counter - 1; i >= 0; i--) {
            int instruction = code.code[i];
            if (Lua.GETARG_A(instruction) == register && sets(Lua.GET_OPCODE(instruction))) {
                return source(code, i, instruction);
            }
        }
        return null;
    }

    private static boolean sets(int operation) {
        return switch (operation) {
            case Lua.OP_SETTABUP, Lua.OP_SETUPVAL, Lua.OP_SETTABLE, Lua.OP_SETLIST, Lua.OP_JMP, Lua.OP_TEST -> false;
            case Lua.OP_EQ, Lua.OP_LT, Lua.OP_LE, Lua.OP_RETURN -> false;
            default -> true;
        };
    }

    private static @Nullable String local(Prototype code, int counter, int register) {
        int left = register;
        for (LocVars variable : code.locvars) {
            if (variable.startpc > counter) {
                return null;
            }
            if (counter < variable.endpc && left-- == 0) {
                return variable.varname.tojstring();
            }
        }
        return null;
    }

    private static @Nullable String source(Prototype code, int counter, int instruction) {
        return switch (Lua.GET_OPCODE(instruction)) {
            case Lua.OP_GETTABUP -> quoted("global", code, Lua.GETARG_C(instruction));
            case Lua.OP_GETTABLE -> quoted("field", code, Lua.GETARG_C(instruction));
            case Lua.OP_SELF -> quoted("method", code, Lua.GETARG_C(instruction));
            case Lua.OP_GETUPVAL -> "upvalue '" + code.upvalues[Lua.GETARG_B(instruction)].name.tojstring() + "'";
            case Lua.OP_MOVE -> describe(code, counter, Lua.GETARG_B(instruction));
            default -> null;
        };
    }

    private static @Nullable String quoted(String kind, Prototype code, int operand) {
        if (operand < CONSTANT) {
            return null;
        }
        LuaValue key = code.k[operand - CONSTANT];
        return key.isstring() ? kind + " '" + key.tojstring() + "'" : null;
    }
}
