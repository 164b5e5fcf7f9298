package dev.heddle.command.script;

import dev.heddle.command.script.FunctionLibrary.Function;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** Takes the functions that a library registers while it is being loaded: {@code redis.register_function}. Confined to that load. */
final class Registry {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]+");

    private final Map<String, Function> functions = new TreeMap<>();

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    Map<String, Function> functions() {
        return functions;
    }

    Varargs register(Varargs arguments) {
        Function function = switch (arguments.narg()) {
            case 1 -> named(arguments.arg1());
            case 2 -> positional(arguments.arg1(), arguments.arg(2));
            default -> throw refusal("wrong number of arguments to redis.register_function");
        };
        if (!isName(function.name())) {
            throw refusal("Library names can only contain letters, numbers, or underscores(_) and must be at least one"
                    + " character long");
        }
        if (functions.putIfAbsent(function.name(), function) != null) {
            throw refusal("Function already exists in the library");
        }
        return LuaValue.NONE;
    }

    private static ScriptError refusal(String text) {
        return ScriptError.reply("ERR " + text);
    }

    private static Function positional(LuaValue name, LuaValue body) {
        if (!name.isstring()) {
            throw refusal("first argument to redis.register_function must be a string");
        }
        if (!body.isfunction()) {
            throw refusal("second argument to redis.register_function must be a function");
        }
        return new Function(name.tojstring(), body, Set.of(), null);
    }

    private static Function named(LuaValue argument) {
        if (!argument.istable()) {
            throw refusal("calling redis.register_function with a single argument is only applicable to Lua table"
                    + " (representing named arguments).");
        }
        LuaTable table = argument.checktable();
        String name = null;
        LuaValue body = null;
        String description = null;
        Set<ScriptFlag> flags = Set.of();
        for (Varargs entry = table.next(LuaValue.NIL); !entry.arg1().isnil(); entry = table.next(entry.arg1())) {
            LuaValue value = entry.arg(2);
            switch (entry.arg1().tojstring()) {
                case "function_name" -> name = string(value, "function_name");
                case "description" -> description = string(value, "description");
                case "callback" -> body = function(value);
                case "flags" -> flags = flags(value);
                default -> throw refusal("unknown argument given to redis.register_function");
            }
        }
        return complete(name, body, flags, description);
    }

    private static Function complete(
            @Nullable String name, @Nullable LuaValue body, Set<ScriptFlag> flags, @Nullable String description) {
        if (name == null) {
            throw refusal("redis.register_function must get a function name argument");
        }
        if (body == null) {
            throw refusal("redis.register_function must get a callback argument");
        }
        return new Function(name, body, flags, description);
    }

    private static String string(LuaValue value, String what) {
        if (value.type() != LuaValue.TSTRING) {
            throw refusal(what + " argument given to redis.register_function must be a string");
        }
        return value.tojstring();
    }

    private static LuaValue function(LuaValue value) {
        if (!value.isfunction()) {
            throw refusal("callback argument given to redis.register_function must be a function");
        }
        return value;
    }

    private static Set<ScriptFlag> flags(LuaValue value) {
        if (!value.istable()) {
            throw refusal("flags argument to redis.register_function must be a table representing function flags");
        }
        Set<ScriptFlag> flags = EnumSet.noneOf(ScriptFlag.class);
        LuaTable list = value.checktable();
        for (int i = 1; !list.rawget(i).isnil(); i++) {
            LuaValue word = list.rawget(i);
            ScriptFlag flag = word.type() == LuaValue.TSTRING ? ScriptFlag.of(word.tojstring()) : null;
            if (flag == null) {
                throw refusal("unknown flag given");
            }
            flags.add(flag);
        }
        return flags;
    }
}
