package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaUserdata;

/** The light userdata of a null pointer: cjson.null, by which JSON's null survives in tables. Immutable. */
public final class NullPointer extends LuaUserdata {

    /** The only one: all null pointers are equal. */
    public static final NullPointer NULL = new NullPointer();

    private NullPointer() {
        super(new Object());
    }

    @Override
    public String tojstring() {
        return "userdata: (nil)";
    }
}
