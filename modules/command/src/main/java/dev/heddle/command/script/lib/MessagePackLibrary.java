package dev.heddle.command.script.lib;

import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** The table "cmsgpack". Behaves as lua-cmsgpack 0.4.0. */
final class MessagePackLibrary {
    private MessagePackLibrary() {}

    static LuaTable table() {
        LuaTable table = new ReadOnlyTable();
        LibraryFunction.define(table, "pack", MessagePackLibrary::pack);
        LibraryFunction.define(table, "unpack", args -> unpack(args, 0, 0));
        LibraryFunction.define(table, "unpack_one", args -> unpack(args, 1, args.integer(2, 0)));
        LibraryFunction.define(table, "unpack_limit", args -> {
            long limit = args.integer(2);
            return unpack(args, limit, args.integer(3, 0));
        });
        table.rawset("_NAME", LuaValue.valueOf("cmsgpack"));
        table.rawset("_VERSION", LuaValue.valueOf("lua-cmsgpack 0.4.0"));
        table.rawset("_COPYRIGHT", LuaValue.valueOf("Copyright (C) 2012, Salvatore Sanfilippo"));
        table.rawset("_DESCRIPTION", LuaValue.valueOf("MessagePack C implementation for Lua"));
        return table;
    }

    private static Varargs pack(Args args) {
        if (args.count() == 0) {
            throw args.bad(0, "MessagePack pack needs input.");
        }
        MessagePackEncoder encoder = new MessagePackEncoder();
        for (int i = 1; i <= args.count(); i++) {
            encoder.add(args.get(i), 0);
        }
        return encoder.toLuaString();
    }

    /** Without limit and offset: all values; else the next offset (-1 at the end) and at most so many values. */
    private static Varargs unpack(Args args, long limit, long offset) {
        LuaString data = args.string(1);
        if (offset < 0 || limit < 0) {
            throw new LibraryError("Invalid request to unpack with offset of " + (int) offset + " and limit of "
                    + data.m_length + ".");
        }
        if (offset > data.m_length) {
            throw new LibraryError(
                    "Start offset " + (int) offset + " greater than input length " + data.m_length + ".");
        }
        boolean all = limit == 0 && offset == 0;
        MessagePackDecoder decoder = new MessagePackDecoder(data, (int) offset);
        long most = all ? Integer.MAX_VALUE : limit;
        int arguments = all ? args.count() : 1;
        for (long i = 0; i < most && decoder.remaining() > 0; i++) {
            decoder.decodeOne(arguments);
        }
        LuaValue[] values = decoder.values();
        if (all) {
            return LuaValue.varargsOf(values);
        }
        int next = decoder.remaining() == 0 ? -1 : data.m_length - decoder.remaining();
        return LuaValue.varargsOf(LuaValue.valueOf(next), LuaValue.varargsOf(values));
    }
}
