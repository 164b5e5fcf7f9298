package dev.heddle.command.script;

import dev.heddle.command.CommandSpec;
import dev.heddle.command.Flag;
import dev.heddle.command.ScriptCalls;
import dev.heddle.command.script.lib.ReadOnlyTable;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.VarArgFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The library {@code redis} of scripts.
 *
 * <p>Guarded by all stripes, like everything that runs scripts.
 */
final class RedisLibrary {

    /** The field of an error that says that the server has counted it already. */
    static final String COUNTED = "ignore_error_stats_update";

    private static final String OUT_OF_MEMORY = "OOM command not allowed when used memory > 'maxmemory'.";

    private static final Logger LOG = LoggerFactory.getLogger("dev.heddle.script");

    private static final String VERSION = "7.2.4";
    private static final int VERSION_NUMBER = 0x00070204;

    private static final int REPLICATE_ALL = 3;

    private @Nullable ScriptRun run;
    private @Nullable Registry registry;

    /** Whose commands run from now on; null for none: then commands are refused. */
    void running(@Nullable ScriptRun newRun) {
        run = newRun;
    }

    /** Who takes the functions of the library that is being loaded; null if none is. */
    void registering(@Nullable Registry newRegistry) {
        registry = newRegistry;
    }

    private Varargs register(Varargs arguments) {
        Registry current = registry;
        if (current == null) {
            throw ScriptError.reply("ERR redis.register_function can only be called on FUNCTION LOAD command");
        }
        return current.register(arguments);
    }

    private interface Body {
        Varargs run(Varargs arguments);
    }

    private static void define(LuaTable table, String name, Body body) {
        table.rawset(name, new VarArgFunction() {
            @Override
            public Varargs invoke(Varargs arguments) {
                return body.run(arguments);
            }
        });
    }

    /**
     * The library as scripts see it.
     *
     * @param functions whether it can register functions
     */
    ReadOnlyTable table(boolean functions) {
        ReadOnlyTable table = new ReadOnlyTable();
        if (functions) {
            define(table, "register_function", this::register);
        }
        define(table, "call", this::call);
        define(table, "pcall", this::protectedCall);
        define(table, "error_reply", arguments -> reply(arguments, "err"));
        define(table, "status_reply", arguments -> reply(arguments, "ok"));
        define(table, "sha1hex", RedisLibrary::sha1);
        define(table, "log", RedisLibrary::log);
        define(table, "setresp", this::setProtocol);
        define(table, "set_repl", RedisLibrary::setReplication);
        define(table, "replicate_commands", arguments -> LuaValue.TRUE);
        define(table, "breakpoint", arguments -> LuaValue.FALSE);
        define(table, "debug", arguments -> LuaValue.NONE);
        define(table, "acl_check_cmd", this::mayRun);
        table.rawset("REDIS_VERSION", LuaValue.valueOf(VERSION));
        table.rawset("REDIS_VERSION_NUM", LuaValue.valueOf(VERSION_NUMBER));
        table.rawset("LOG_DEBUG", LuaValue.valueOf(0));
        table.rawset("LOG_VERBOSE", LuaValue.valueOf(1));
        table.rawset("LOG_NOTICE", LuaValue.valueOf(2));
        table.rawset("LOG_WARNING", LuaValue.valueOf(3));
        table.rawset("REPL_NONE", LuaValue.valueOf(0));
        table.rawset("REPL_AOF", LuaValue.valueOf(1));
        table.rawset("REPL_SLAVE", LuaValue.valueOf(2));
        table.rawset("REPL_REPLICA", LuaValue.valueOf(2));
        table.rawset("REPL_ALL", LuaValue.valueOf(REPLICATE_ALL));
        return table;
    }

    private ScriptRun current() {
        ScriptRun current = run;
        if (current == null) {
            throw ScriptError.here("Script attempted to access nonexistent global variable 'call'");
        }
        return current;
    }

    private Varargs call(Varargs arguments) {
        LuaValue reply = execute(arguments);
        if (isError(reply)) {
            throw ScriptError.of(reply);
        }
        return reply;
    }

    private Varargs protectedCall(Varargs arguments) {
        try {
            return execute(arguments);
        } catch (ScriptError refusal) {
            return refusal.value();
        }
    }

    private static boolean isError(LuaValue reply) {
        return reply.istable() && !reply.checktable().rawget("err").isnil();
    }

    private LuaValue execute(Varargs arguments) {
        ScriptRun current = current();
        ScriptCalls calls = current.calls();
        Request request = request(arguments);
        CommandSpec spec = calls.find(request);
        String refusal = refusal(current, spec, request);
        if (spec == null || refusal != null) {
            String error = refusal == null ? "ERR Unknown Redis command called from script" : refusal;
            calls.rejected(spec, error);
            LuaTable table = ScriptError.table(error);
            table.rawset(COUNTED, LuaValue.TRUE);
            throw ScriptError.of(table);
        }
        if (spec.isWrite()) {
            current.writes();
        }
        LuaValue reply = LuaReplies.decode(calls.run(spec, request));
        if (isError(reply)) {
            reply.rawset(COUNTED, LuaValue.TRUE);
        }
        return reply;
    }

    /** Why a script may not run a command that exists, as the text of an error; null if it may. */
    private static @Nullable String refusal(ScriptRun current, @Nullable CommandSpec spec, Request request) {
        if (spec == null) {
            return null;
        }
        if (!spec.accepts(request.count())) {
            return "ERR Wrong number of args calling Redis command from script";
        }
        if (spec.has(Flag.NOSCRIPT) && !current.mayRunAll()) {
            return "ERR This Redis command is not allowed from script";
        }
        if (spec.isWrite() && current.readOnly()) {
            return "ERR Write commands are not allowed from read-only scripts.";
        }
        String refusal = current.calls().refusal(spec);
        // Once it has written it is not stopped halfway.
        boolean stopped = spec.has(Flag.DENYOOM)
                && current.calls().outOfMemory()
                && !current.wrote()
                && !current.mayExceedMemory();
        return refusal == null && stopped ? OUT_OF_MEMORY : refusal;
    }

    private static Request request(Varargs arguments) {
        int count = arguments.narg();
        if (count == 0) {
            throw ScriptError.reply("ERR Please specify at least one argument for this redis lib call");
        }
        byte[][] bytes = new byte[count][];
        for (int i = 0; i < count; i++) {
            bytes[i] = bytes(arguments.arg(i + 1));
        }
        return Request.of(bytes);
    }

    private static byte[] bytes(LuaValue argument) {
        return switch (argument.type()) {
            case LuaValue.TSTRING -> bytes(argument.checkstring());
            case LuaValue.TNUMBER ->
                argument.isinttype() ? Numbers.toBytes((long) argument.toint()) : Numbers.toBytes(argument.todouble());
            default -> throw ScriptError.reply("ERR Lua redis lib command arguments must be strings or integers");
        };
    }

    static byte[] bytes(LuaString text) {
        byte[] bytes = new byte[text.m_length];
        text.copyInto(0, bytes, 0, bytes.length);
        return bytes;
    }

    private static Varargs reply(Varargs arguments, String field) {
        if (arguments.narg() != 1 || arguments.arg1().type() != LuaValue.TSTRING) {
            return ScriptError.table("ERR wrong number or type of arguments");
        }
        LuaTable table = new LuaTable();
        LuaString text = arguments.checkstring(1);
        table.rawset(field, field.equals("err") ? withCode(text) : text);
        return table;
    }

    /** An error begins with its code, without a dash: what has no blank has no code, and gets the usual one. */
    private static LuaString withCode(LuaString text) {
        boolean marked = text.m_length > 0 && text.luaByte(0) == '-';
        LuaString bare = marked ? text.substring(1, text.m_length) : text;
        boolean coded = bare.indexOf((byte) ' ', 0) >= 0;
        return coded ? bare : LuaValue.valueOf("ERR ").concat(bare).checkstring();
    }

    private static Varargs sha1(Varargs arguments) {
        if (arguments.narg() != 1) {
            throw ScriptError.reply("ERR wrong number of arguments");
        }
        return LuaValue.valueOf(
                sha1(bytes(arguments.arg1().isstring() ? arguments.checkstring(1) : LuaValue.EMPTYSTRING)));
    }

    /** SHA-1 as scripts are named: 40 lower-case hexadecimal digits. */
    static String sha1(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    private static Varargs log(Varargs arguments) {
        if (arguments.narg() < 2) {
            throw ScriptError.reply("ERR redis.log() requires two arguments or more.");
        }
        if (!arguments.arg1().isnumber()) {
            throw ScriptError.reply("ERR First argument must be a number (log level).");
        }
        StringBuilder text = new StringBuilder();
        for (int i = 2; i <= arguments.narg(); i++) {
            if (arguments.arg(i).isstring()) {
                text.append(i == 2 ? "" : " ").append(arguments.checkjstring(i).replaceAll("\\p{Cntrl}", "?"));
            }
        }
        switch (arguments.arg1().toint()) {
            case 0, 1 -> LOG.debug("{}", text);
            case 2 -> LOG.info("{}", text);
            case 3 -> LOG.warn("{}", text);
            default -> throw ScriptError.reply("ERR Invalid log level.");
        }
        return LuaValue.NONE;
    }

    private Varargs setProtocol(Varargs arguments) {
        if (arguments.narg() != 1) {
            throw ScriptError.reply("ERR redis.setresp() requires one argument.");
        }
        int version = arguments.arg1().isnumber() ? arguments.arg1().toint() : 0;
        if (version != 2 && version != 3) {
            throw ScriptError.reply("ERR RESP version must be 2 or 3.");
        }
        current().calls().protocol(version);
        return LuaValue.NONE;
    }

    /** Effects go to the journal as a whole or not at all, so that a restart finds what was there: only "all" is meaningful here. */
    private static Varargs setReplication(Varargs arguments) {
        if (arguments.narg() != 1) {
            throw ScriptError.reply("ERR redis.set_repl() requires one argument.");
        }
        int flags = arguments.arg1().isnumber() ? arguments.arg1().toint() : -1;
        if ((flags & ~REPLICATE_ALL) != 0) {
            throw ScriptError.reply(
                    "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
        }
        return LuaValue.NONE;
    }

    private Varargs mayRun(Varargs arguments) {
        Request request = request(arguments);
        if (current().calls().find(request) == null) {
            throw ScriptError.reply("ERR Invalid command passed to redis.acl_check_cmd()");
        }
        return LuaValue.TRUE;
    }

    /** A string as an argument has it. */
    static LuaString string(byte[] bytes) {
        return LuaString.valueUsing(bytes);
    }
}
