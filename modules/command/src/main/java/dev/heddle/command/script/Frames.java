package dev.heddle.command.script;

import dev.heddle.command.script.lib.CNumbers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Lua;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaDouble;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;

/** The Lua functions that are being run, one below the other, by one coroutine or the script itself. Confined like the script. */
final class Frames {

    /** An endless recursion must end before the Java stack does, which the launcher makes large enough. A power of two. */
    private static final int DEEPEST = 8_192;

    private LuaClosure[] functions = new LuaClosure[16];
    private LuaValue[][] registers = new LuaValue[16][];
    private int[] counters = new int[16];
    private int depth;

    void push(LuaClosure function, LuaValue[] stack) {
        if (depth == functions.length) {
            if (depth >= DEEPEST) {
                throw ScriptError.here("stack overflow");
            }
            functions = Arrays.copyOf(functions, 2 * depth);
            registers = Arrays.copyOf(registers, 2 * depth);
            counters = Arrays.copyOf(counters, 2 * depth);
        }
        functions[depth] = function;
        registers[depth] = stack;
        counters[depth] = 0;
        depth++;
    }

    void pop() {
        if (depth > 0) {
            depth--;
        }
    }

    int depth() {
        return depth;
    }

    /** After an error that may have left frames behind. */
    void depth(int rightOne) {
        depth = Math.min(depth, rightOne);
    }

    /** The next instruction of the innermost function is about to be run. */
    void at(int counter) {
        int top = depth - 1;
        if (top < 0) {
            return;
        }
        counters[top] = counter;
        int instruction = functions[top].p.code[counter];
        if (Lua.GET_OPCODE(instruction) == Lua.OP_CONCAT) {
            numbersToText(registers[top], Lua.GETARG_B(instruction), Lua.GETARG_C(instruction));
        }
    }

    /**
     * The interpreter's concatenation prints numbers as Java does, with the digits of a float. What is about to be joined are copies in
     * registers of their own, so numbers among them can be replaced by their text as Lua 5.1 prints it.
     */
    private static void numbersToText(LuaValue[] stack, int from, int to) {
        for (int i = from; i <= to; i++) {
            if (stack[i] instanceof LuaDouble number) {
                stack[i] = CNumbers.toText(number.todouble());
            }
        }
    }

    /** The function at a level, 1 for the innermost; null if there are not so many. */
    @Nullable
    LuaClosure function(int level) {
        int index = depth - level;
        return index >= 0 && index < depth ? functions[index] : null;
    }

    /** Where the function of a level is, as {@code @user_script:1}; null if there is none. */
    @Nullable
    Place place(int level) {
        LuaClosure function = function(level);
        if (function == null) {
            return null;
        }
        Prototype code = function.p;
        int counter = counters[depth - level];
        int line = counter < code.lineinfo.length ? code.lineinfo[counter] : 0;
        return new Place(code.source.tojstring(), line, code, counter);
    }

    /**
     * A place in a source.
     *
     * @param source the chunk's name, with an {@code @} or {@code =} before it unless it is the text itself
     * @param counter the instruction that was run, in {@code code}
     */
    record Place(String source, int line, Prototype code, int counter) {

        /** As Lua puts it before a message: {@code user_script:1: }. */
        String prefix() {
            return shortSource() + ":" + line + ": ";
        }

        private String shortSource() {
            if (source.startsWith("@") || source.startsWith("=")) {
                return source.substring(1);
            }
            int lineEnd = source.indexOf('\n');
            String first = lineEnd < 0 ? source : source.substring(0, lineEnd) + "...";
            return "[string \"" + first + "\"]";
        }
    }
}
