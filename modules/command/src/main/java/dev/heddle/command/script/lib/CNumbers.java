package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaString;

/** Numbers converted as the C that Lua is written in does it on a 64-bit x86 machine. */
public final class CNumbers {
    private static final double TWO_POW_63 = 0x1p63;

    /** Integers below this have at most the 14 digits that Lua prints. */
    private static final double FOURTEEN_DIGITS = 1e14;

    private CNumbers() {}

    /** A double cast to a 64-bit integer: the fraction is cut off; what does not fit, and NaN, becomes the least. */
    public static long toLong(double value) {
        return value >= -TWO_POW_63 && value < TWO_POW_63 ? (long) value : Long.MIN_VALUE;
    }

    /** A double cast to a 32-bit integer; what does not fit, and NaN, becomes the least. */
    static int toInt(double value) {
        return value > -0x1p31 - 1 && value < 0x1p31 ? (int) value : Integer.MIN_VALUE;
    }

    /** A double cast to an unsigned 64-bit integer. */
    static long toUnsignedLong(double value) {
        return value >= TWO_POW_63 ? toLong(value - TWO_POW_63) ^ Long.MIN_VALUE : toLong(value);
    }

    static double fromUnsigned(long value) {
        if (value >= 0) {
            return value;
        }
        /* Halve with a sticky last bit, so that the conversion rounds as if it had seen all 64 bits. */
        return (double) (value >>> 1 | value & 1) * 2;
    }

    /** A number as Lua 5.1 turns it into a string: 14 significant digits, "1e+15", "inf", "-nan". */
    public static LuaString toText(double value) {
        ByteBuilder out = new ByteBuilder(24);
        appendText(out, value, 14);
        return out.toLuaString();
    }

    /** Appends a number with the given number of significant digits (1 to 99), as printf's %g. */
    static void appendText(ByteBuilder out, double value, int digits) {
        if (value == Math.rint(value) && Math.abs(value) < FOURTEEN_DIGITS && digits >= 14 && value != 0) {
            out.ascii(Long.toString((long) value));
            return;
        }
        CFormat.appendReal(out, new CFormat.Spec(0, 0, digits, 'g'), value);
    }
}
