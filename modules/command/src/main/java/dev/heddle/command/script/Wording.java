package dev.heddle.command.script;

import dev.heddle.command.script.Frames.Place;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Lua;
import org.luaj.vm2.Prototype;

/**
 * Says errors of the interpreter, which is one of Lua 5.2 with texts of its own, as Lua 5.1 says them: with the name of the variable that was
 * the trouble. Scripts and their tests compare such texts. Stateless.
 */
final class Wording {

    private static final Pattern INDEX = Pattern.compile("attempt to index \\? \\(a (\\w+) value\\)");
    private static final Pattern CALL = Pattern.compile("attempt to call (\\w+)");
    private static final Pattern ARITHMETIC =
            Pattern.compile("attempt to perform arithmetic (?:__\\w+ )?on (\\w+)(?: and (\\w+))?");
    private static final Pattern CONCATENATION = Pattern.compile("attempt to concatenate (\\w+)(?: and (\\w+))?");
    private static final Pattern LENGTH = Pattern.compile("attempt to get length of (\\w+)");
    private static final Pattern COMPARISON = Pattern.compile("attempt to compare (?:__\\w+ )?on (\\w+) and (\\w+)");

    /** An assignment to a field of something that has none, or under no name. */
    private static final Pattern TARGET = Pattern.compile("(?:table )?index expected, got (\\w+)");

    /** The highest constant or register number that an operand of an instruction names directly. */
    private static final int CONSTANT = 1 << 8;

    private Wording() {}

    static String of(String text, @Nullable Place place) {
        Matcher m = INDEX.matcher(text);
        if (m.matches()) {
            return "attempt to index " + named(place, Operand.INDEXED, m.group(1));
        }
        m = CALL.matcher(text);
        if (m.matches()) {
            return "attempt to call " + named(place, Operand.CALLED, m.group(1));
        }
        m = ARITHMETIC.matcher(text);
        if (m.matches()) {
            return arithmetic("attempt to perform arithmetic on ", m, place, "number");
        }
        m = CONCATENATION.matcher(text);
        if (m.matches()) {
            return arithmetic("attempt to concatenate ", m, place, "string");
        }
        m = LENGTH.matcher(text);
        if (m.matches()) {
            return "attempt to get length of " + named(place, Operand.SECOND, m.group(1));
        }
        m = COMPARISON.matcher(text);
        if (m.matches()) {
            return m.group(1).equals(m.group(2))
                    ? "attempt to compare two " + m.group(1) + " values"
                    : "attempt to compare " + m.group(1) + " with " + m.group(2);
        }
        m = TARGET.matcher(text);
        if (m.matches()) {
            return m.group(1).equals("table")
                    ? "table index is nil"
                    : "attempt to index " + named(place, Operand.INDEXED, m.group(1));
        }
        return text;
    }

    /** The right operand is to blame unless it is of a type that is right. */
    private static String arithmetic(String begin, Matcher types, @Nullable Place place, String right) {
        String left = types.group(1);
        String second = types.group(2);
        boolean blamesLeft =
                second == null || second.equals(right) || second.equals("number") || second.equals("string");
        return blamesLeft ? begin + named(place, Operand.SECOND, left) : begin + named(place, Operand.THIRD, second);
    }

    /** Which operand of an instruction is meant. */
    private enum Operand {
        INDEXED,
        CALLED,
        SECOND,
        THIRD
    }

    private static String named(@Nullable Place place, Operand operand, String type) {
        String bare = "a " + type + " value";
        if (place == null) {
            return bare;
        }
        Prototype code = place.code();
        int instruction = code.code[place.counter()];
        int register = register(operand, instruction);
        if (register < 0 || register >= CONSTANT) {
            return bare;
        }
        String name = Variables.describe(code, place.counter(), register);
        return name == null ? bare : name + " (" + bare + ")";
    }

    private static int register(Operand operand, int instruction) {
        int operation = Lua.GET_OPCODE(instruction);
        return switch (operand) {
            case CALLED -> operation == Lua.OP_CALL ? Lua.GETARG_A(instruction) : -1;
            case SECOND -> operation == Lua.OP_CONCAT ? -1 : Lua.GETARG_B(instruction);
            case THIRD -> operation == Lua.OP_CONCAT ? -1 : Lua.GETARG_C(instruction);
            case INDEXED ->
                switch (operation) {
                    case Lua.OP_GETTABLE, Lua.OP_SELF -> Lua.GETARG_B(instruction);
                    case Lua.OP_SETTABLE -> Lua.GETARG_A(instruction);
                    default -> -1;
                };
        };
    }
}
