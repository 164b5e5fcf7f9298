package dev.heddle.command.script.lib;

/** The "type: 0x..." that Lua prints for values that have no text of their own. */
final class Addresses {
    private Addresses() {}

    /** A stable text for one object; two objects may, rarely, get the same. */
    static String describe(String type, Object value) {
        return String.format(
                "%s: 0x%012x", type, 0x7f0000000000L | (System.identityHashCode(value) & 0xffffffffL) << 4);
    }
}
