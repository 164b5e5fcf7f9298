package dev.heddle.command.script.lib;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/**
 * The table "math" of Lua 5.1, with the random numbers of {@link ScriptRandom}. Of Java's two families of functions
 * these are the ones that nearly always round as the C library does; StrictMath errs by a unit of the last place often.
 */
final class MathLibrary {
    private static final double RADIANS_PER_DEGREE = Math.PI / 180.0;

    private MathLibrary() {}

    static LuaTable table(ScriptRandom random) {
        LuaTable table = new ReadOnlyTable();
        unary(table, "abs", Math::abs);
        unary(table, "acos", Math::acos);
        unary(table, "asin", Math::asin);
        unary(table, "atan", Math::atan);
        unary(table, "ceil", Math::ceil);
        unary(table, "cos", Math::cos);
        unary(table, "cosh", MathLibrary::cosh);
        unary(table, "deg", x -> x / RADIANS_PER_DEGREE);
        unary(table, "exp", Math::exp);
        unary(table, "floor", Math::floor);
        unary(table, "log", Math::log);
        unary(table, "log10", Math::log10);
        unary(table, "rad", x -> x * RADIANS_PER_DEGREE);
        unary(table, "sin", Math::sin);
        unary(table, "sinh", Math::sinh);
        unary(table, "sqrt", Math::sqrt);
        unary(table, "tan", Math::tan);
        unary(table, "tanh", Math::tanh);
        binary(table, "atan2", Math::atan2);
        binary(table, "fmod", (x, y) -> x % y);
        binary(table, "pow", MathLibrary::power);
        binary(table, "mod", (x, y) -> x % y);
        LibraryFunction.define(table, "frexp", MathLibrary::frexp);
        LibraryFunction.define(table, "ldexp", MathLibrary::ldexp);
        LibraryFunction.define(table, "max", args -> extreme(args, 1));
        LibraryFunction.define(table, "min", args -> extreme(args, -1));
        LibraryFunction.define(table, "modf", MathLibrary::modf);
        LibraryFunction.define(table, "random", args -> random(args, random));
        LibraryFunction.define(table, "randomseed", args -> {
            random.seed(args.int32(1));
            return LuaValue.NONE;
        });
        table.rawset("pi", LuaValue.valueOf(Math.PI));
        table.rawset("huge", LuaValue.valueOf(Double.POSITIVE_INFINITY));
        return table;
    }

    private static void unary(LuaTable table, String name, DoubleUnaryOperator function) {
        LibraryFunction.define(table, name, args -> LuaValue.valueOf(function.applyAsDouble(args.number(1))));
    }

    /** The arguments are checked from the last to the first, as compiled C happens to do it. */
    private static void binary(LuaTable table, String name, DoubleBinaryOperator function) {
        LibraryFunction.define(table, name, args -> {
            double y = args.number(2);
            return LuaValue.valueOf(function.applyAsDouble(args.number(1), y));
        });
    }

    /** C's pow is 1 where Java's is NaN: for a base of 1, and for a base of -1 with an infinite exponent. */
    private static double power(double base, double exponent) {
        if (base == 1 || base == -1 && Double.isInfinite(exponent)) {
            return 1;
        }
        return Math.pow(base, exponent);
    }

    private static Varargs ldexp(Args args) {
        int exponent = args.int32(2);
        /* In one step Math.scalb rounds once, also into the subnormal range, as C does. */
        return LuaValue.valueOf(Math.scalb(args.number(1), exponent));
    }

    /** For moderate arguments the plain definition is the closer one; Java's errs by a unit of the last place. */
    private static double cosh(double x) {
        double magnitude = Math.abs(x);
        if (magnitude > 0.35 && magnitude < 22) {
            double power = Math.exp(magnitude);
            return 0.5 * power + 0.5 / power;
        }
        return Math.cosh(x);
    }

    private static Varargs frexp(Args args) {
        double value = args.number(1);
        if (value == 0 || Double.isNaN(value) || Double.isInfinite(value)) {
            return LuaValue.varargsOf(LuaValue.valueOf(value), LuaValue.valueOf(0));
        }
        boolean subnormal = Math.abs(value) < Double.MIN_NORMAL;
        double normal = subnormal ? value * 0x1p54 : value;
        int exponent = Math.getExponent(normal) + 1;
        double mantissa = Math.scalb(normal, -exponent);
        return LuaValue.varargsOf(LuaValue.valueOf(mantissa), LuaValue.valueOf(subnormal ? exponent - 54 : exponent));
    }

    private static Varargs modf(Args args) {
        double value = args.number(1);
        double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
        double fraction = Double.isInfinite(value) ? 0 : value - whole;
        return LuaValue.varargsOf(LuaValue.valueOf(whole), LuaValue.valueOf(fraction));
    }

    private static Varargs extreme(Args args, int direction) {
        double best = args.number(1);
        for (int i = 2; i <= args.count(); i++) {
            double value = args.number(i);
            if (direction > 0 ? value > best : value < best) {
                best = value;
            }
        }
        return LuaValue.valueOf(best);
    }

    private static Varargs random(Args args, ScriptRandom random) {
        double fraction = random.nextFraction();
        switch (args.count()) {
            case 0 -> {
                return LuaValue.valueOf(fraction);
            }
            case 1 -> {
                int high = args.int32(1);
                if (high < 1) {
                    throw args.bad(1, "interval is empty");
                }
                return LuaValue.valueOf(Math.floor(fraction * high) + 1);
            }
            case 2 -> {
                int low = args.int32(1);
                int high = args.int32(2);
                if (low > high) {
                    throw args.bad(2, "interval is empty");
                }
                return LuaValue.valueOf(Math.floor(fraction * (high - low + 1)) + low);
            }
            default -> throw new LibraryError("wrong number of arguments");
        }
    }
}
