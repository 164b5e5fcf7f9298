package dev.heddle.command.script;

import dev.heddle.command.CommandException;
import dev.heddle.command.script.FunctionLibrary.Function;
import dev.heddle.command.script.lib.ScriptRandom;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;

/**
 * The libraries of functions.
 *
 * <p>Thread-safe: the map is replaced as a whole, by threads that hold all stripes exclusively, and read by any.
 */
public final class Functions {

    /** How libraries are packed for FUNCTION DUMP: a port, implemented by persistence, which knows the format. Thread-safe. */
    public interface Codec {

        /** Packs the sources of libraries, with a checksum. */
        byte[] pack(List<byte[]> sources);

        /** @throws CommandException if the bytes are damaged */
        List<byte[]> unpack(byte[] packed);
    }

    /** How long the code of a library may run when it is loaded. */
    private static final long LOAD_NANOS = 500_000_000;

    private final ScriptRandom random;
    /** Guarded by all stripes; made when first needed. */
    private @Nullable Interpreter interpreter;

    private volatile Map<String, FunctionLibrary> libraries = Map.of();
    private volatile @Nullable Codec codec;

    Functions(ScriptRandom random) {
        this.random = random;
    }

    public void codec(Codec newCodec) {
        codec = newCodec;
    }

    Codec codec() {
        Codec known = codec;
        if (known == null) {
            throw CommandException.err("libraries cannot be packed without persistence");
        }
        return known;
    }

    Collection<FunctionLibrary> libraries() {
        return libraries.values();
    }

    /** The sources of all libraries. */
    public List<byte[]> sources() {
        return libraries.values().stream().map(FunctionLibrary::source).toList();
    }

    /** How many functions all libraries have. */
    public int functionCount() {
        return libraries.values().stream()
                .mapToInt(library -> library.functions().size())
                .sum();
    }

    @Nullable
    Function find(String name) {
        for (FunctionLibrary library : libraries.values()) {
            Function function = library.functions().get(name);
            if (function != null) {
                return function;
            }
        }
        return null;
    }

    // ---- changes: these need all stripes exclusively

    /** Loads a library. @return its name. @throws CommandException if it makes no sense, or its name or that of a function is taken */
    public String load(byte[] source, boolean replace) {
        TreeMap<String, FunctionLibrary> all = new TreeMap<>(libraries);
        String name = add(all, source, replace);
        libraries = all;
        return name;
    }

    private String add(Map<String, FunctionLibrary> all, byte[] source, boolean replace) {
        Shebang shebang = Shebang.of(source, true);
        String name = shebang.name();
        if (!shebang.present() || name == null) {
            throw CommandException.err("Missing library metadata");
        }
        if (!Registry.isName(name)) {
            throw CommandException.err(
                    "Library names can only contain letters, numbers, or underscores(_) and must be at"
                            + " least one character long");
        }
        FunctionLibrary old = all.remove(name);
        if (old != null && !replace) {
            throw CommandException.err("Library '" + name + "' already exists");
        }
        FunctionLibrary library = new FunctionLibrary(name, source, register(shebang.body()));
        for (FunctionLibrary other : all.values()) {
            for (String function : library.functions().keySet()) {
                if (other.functions().containsKey(function)) {
                    throw CommandException.err("Function " + function + " already exists");
                }
            }
        }
        all.put(name, library);
        return name;
    }

    private Map<String, Function> register(byte[] body) {
        Interpreter lua = interpreter();
        Registry registry = new Registry();
        long end = System.nanoTime() + LOAD_NANOS;
        try {
            lua.load(registry, compile(body), () -> {
                if (System.nanoTime() > end) {
                    throw new ScriptKilled("FUNCTION LOAD timeout");
                }
            });
        } catch (LuaError e) {
            throw CommandException.err("Error registering functions: " + text(lua.value(e)));
        } catch (ScriptKilled late) {
            throw CommandException.err("Error registering functions: ERR " + late.getMessage());
        } catch (StackOverflowError deep) {
            throw CommandException.err("Error registering functions: ERR stack overflow");
        }
        if (registry.functions().isEmpty()) {
            throw CommandException.err("No functions registered");
        }
        return registry.functions();
    }

    private static Prototype compile(byte[] body) {
        try {
            return CoreFunctions.compile(body, "@user_function");
        } catch (LuaError e) {
            throw CommandException.err("Error compiling function: " + line(ScriptErrors.compileError(e)));
        }
    }

    private static String text(LuaValue value) {
        LuaValue text = value.istable() ? value.checktable().rawget("err") : value;
        String said = text.tojstring();
        return line(value.istable() ? said : "ERR " + said);
    }

    private static String line(String text) {
        return text.replace('\r', ' ').replace('\n', ' ');
    }

    Interpreter interpreter() {
        Interpreter current = interpreter;
        if (current == null) {
            current = Interpreter.forFunctions(random);
            interpreter = current;
        }
        return current;
    }

    void delete(String name) {
        TreeMap<String, FunctionLibrary> all = new TreeMap<>(libraries);
        if (all.remove(name) == null) {
            throw CommandException.err("Library not found");
        }
        libraries = all;
    }

    void flush() {
        libraries = Map.of();
        interpreter = null;
    }

    /** What FUNCTION RESTORE does with libraries that are there. */
    enum Restoring {
        FLUSH,
        APPEND,
        REPLACE
    }

    /** Loads several libraries, or none of them. */
    void restore(List<byte[]> sources, Restoring policy) {
        TreeMap<String, FunctionLibrary> all = new TreeMap<>();
        if (policy != Restoring.FLUSH) {
            all.putAll(libraries);
        }
        for (byte[] source : sources) {
            add(all, source, policy == Restoring.REPLACE);
        }
        libraries = all;
    }

    /** Runs a function's body with the keys and arguments as its two arguments. */
    LuaValue call(ScriptRun run, Function function, LuaTable keys, LuaTable arguments) {
        return interpreter().call(run, function.body(), keys, arguments);
    }
}
