package dev.heddle.command;

import dev.heddle.command.CommandSpec.Deprecation;
import dev.heddle.command.CommandSpec.Docs;
import dev.heddle.resp.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All commands, found by name.
 *
 * <p>Immutable once built. Names are looked up as they arrive, in any case, without making a String.
 */
public final class CommandTable {

    private final Map<String, CommandSpec> byName;
    private final @Nullable CommandSpec[] slots;
    private final byte[] @Nullable [] slotNames;

    private final ScriptHost scripts;

    private CommandTable(Map<String, CommandSpec> byName, ScriptHost scripts) {
        this.byName = byName;
        this.scripts = scripts;
        int size = Integer.highestOneBit(byName.size() * 4) * 2;
        this.slots = new CommandSpec[size];
        this.slotNames = new byte[size][];
        for (CommandSpec spec : byName.values()) {
            byte[] name = spec.name().toUpperCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
            int slot = hash(name, 0, name.length) & (size - 1);
            while (slots[slot] != null) {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = spec;
            slotNames[slot] = name;
        }
    }

    /** Who runs the scripts of the commands about scripts. */
    ScriptHost scripts() {
        return scripts;
    }

    /** The command that argument 0 names, without regard to subcommands; null if there is none. */
    public @Nullable CommandSpec find(Request request) {
        byte[] array = request.array(0);
        int offset = request.offset(0);
        int length = request.length(0);
        int slot = hash(array, offset, length) & (slots.length - 1);
        for (CommandSpec spec = slots[slot]; spec != null; spec = slots[slot]) {
            byte[] name = slotNames[slot];
            if (name != null && same(name, array, offset, length)) {
                return spec;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        return null;
    }

    /** By name in any case; {@code config|get} names a subcommand. */
    public @Nullable CommandSpec find(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        int bar = lower.indexOf('|');
        CommandSpec spec = byName.get(bar < 0 ? lower : lower.substring(0, bar));
        return bar < 0 || spec == null ? spec : spec.subcommands().get(lower.substring(bar + 1));
    }

    /** All commands in the order of their declaration, without subcommands. */
    public Collection<CommandSpec> all() {
        return byName.values();
    }

    /** All commands and subcommands. */
    public void forEach(Consumer<CommandSpec> action) {
        for (CommandSpec spec : byName.values()) {
            action.accept(spec);
            spec.subcommands().values().forEach(action);
        }
    }

    private static int hash(byte[] name, int offset, int length) {
        int hash = length;
        for (int i = offset; i < offset + length; i++) {
            hash = hash * 31 + (name[i] & 0xdf); // without the bit by which upper and lower case differ
        }
        return hash ^ (hash >>> 15);
    }

    private static boolean same(byte[] upper, byte[] array, int offset, int length) {
        if (upper.length != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            byte b = array[offset + i];
            if (upper[i] != (b >= 'a' && b <= 'z' ? b - 32 : b)) {
                return false;
            }
        }
        return true;
    }

    /** Collects the rows. */
    public static final class Builder {

        private final List<Row> rows = new ArrayList<>();
        private ScriptHost scripts = ScriptHost.NONE;

        /** Says who runs the scripts of the commands about scripts. */
        public void scripts(ScriptHost host) {
            scripts = host;
        }

        /** Declares a command that changes data. */
        public Row write(String name, Arity arity, Handler handler, Flag... flags) {
            return add(new Row(name, arity, handler, Flag.bits(flags) | Flag.WRITE.bit));
        }

        /** Declares a command that reads data. */
        public Row read(String name, Arity arity, Handler handler, Flag... flags) {
            return add(new Row(name, arity, handler, Flag.bits(flags) | Flag.READONLY.bit));
        }

        /** Declares a command that is about something else than data. */
        public Row other(String name, Arity arity, Handler handler, Flag... flags) {
            return add(new Row(name, arity, handler, Flag.bits(flags)));
        }

        /** Declares a command that only exists through its subcommands. */
        public Row container(String name) {
            return add(new Row(name, Arity.atLeast(1), null, 0));
        }

        public CommandTable build() {
            Map<String, CommandSpec> byName = new LinkedHashMap<>();
            for (Row row : rows) {
                CommandSpec spec = new CommandSpec(row);
                for (Row sub : row.subcommands) {
                    sub.arity = sub.arity.withContainer();
                    spec.add(new CommandSpec(sub));
                }
                if (byName.put(spec.name(), spec) != null) {
                    throw new IllegalStateException("declared twice: " + spec.name());
                }
            }
            return new CommandTable(byName, scripts);
        }

        private Row add(Row row) {
            rows.add(row);
            return row;
        }
    }

    /** A row that is being written. */
    public static final class Row {

        final String name;
        Arity arity;
        final @Nullable Handler handler;
        int flags;
        final List<KeySpec> keys = new ArrayList<>();
        final List<Row> subcommands = new ArrayList<>();
        final List<String> tips = new ArrayList<>();
        Docs docs = new Docs(Group.SERVER, "", "", "", "");

        @Nullable
        Function<Request, LockScope> lockRule;

        @Nullable
        LockScope lockScope;

        @Nullable
        Set<AclCategory> categories;

        @Nullable
        Function<Request, KeySpec.Access> accessRule;

        @Nullable
        Deprecation deprecation;

        Row(String name, Arity arity, @Nullable Handler handler, int flags) {
            this.name = name;
            this.arity = arity;
            this.handler = handler;
            this.flags = flags;
        }

        /** The first argument is the only key. */
        public Row key(KeySpec.Access access) {
            return keys(1, 1, 1, access);
        }

        /** All arguments are keys. */
        public Row allKeys(KeySpec.Access access) {
            return keys(1, -1, 1, access);
        }

        /** See {@link KeySpec.Range}. */
        public Row keys(int first, int last, int step, KeySpec.Access access) {
            keys.add(new KeySpec.Range(first, last, step, access));
            return this;
        }

        /** See {@link KeySpec.Counted}. */
        public Row countedKeys(int at, KeySpec.Access access) {
            keys.add(new KeySpec.Counted(at, access));
            flags |= Flag.MOVABLEKEYS.bit;
            return this;
        }

        /** See {@link KeySpec.After}. */
        public Row keyAfter(String word, int from, KeySpec.Access access) {
            keys.add(new KeySpec.After(word, from, access));
            flags |= Flag.MOVABLEKEYS.bit;
            return this;
        }

        /** See {@link KeySpec.Unstated}. */
        public Row unstatedKeys(KeySpec found) {
            keys.add(new KeySpec.Unstated(found));
            flags |= Flag.MOVABLEKEYS.bit;
            return this;
        }

        /** See {@link KeySpec.Rest}. */
        public Row keysAfter(String word, int from, KeySpec.Access access) {
            keys.add(new KeySpec.Rest(word, from, access));
            flags |= Flag.MOVABLEKEYS.bit;
            return this;
        }

        /** See {@link KeySpec.Halved}. */
        public Row halvedKeys(String word, int from, Map<String, Integer> options, KeySpec.Access access) {
            keys.add(new KeySpec.Halved(word, from, options, access));
            flags |= Flag.MOVABLEKEYS.bit;
            return this;
        }

        /** Needs all stripes, whatever its keys. */
        public Row exclusive() {
            lockScope = LockScope.ALL;
            return this;
        }

        /** Takes its locks by itself, one stripe after the other. */
        public Row locksItself() {
            lockScope = LockScope.NONE;
            return this;
        }

        /** Which locks it needs depends on its arguments. */
        public Row locks(Function<Request, LockScope> rule) {
            lockRule = rule;
            return this;
        }

        /** See {@link Docs}. */
        public Row docs(Group group, String since, String complexity, String syntax, String summary) {
            docs = new Docs(group, since, complexity, syntax, summary);
            return this;
        }

        /** The ACL categories that do not follow from the flags, in place of the group's. */
        public Row categories(AclCategory... chosen) {
            categories = Set.of(chosen);
            return this;
        }

        /** What happens to keys of {@link KeySpec.Access#RW_VARIABLE} with certain arguments. */
        public Row access(Function<Request, KeySpec.Access> rule) {
            accessRule = rule;
            return this;
        }

        /** What COMMAND INFO tells clients and proxies about replies and routing, such as {@code nondeterministic_output}. */
        public Row tips(String... chosen) {
            tips.addAll(List.of(chosen));
            return this;
        }

        /** See {@link Deprecation}. */
        public Row deprecated(String since, String replacement) {
            deprecation = new Deprecation(since, replacement);
            return this;
        }

        /** Adds subcommands, declared on a builder of their own. */
        public Row subcommands(Consumer<Builder> declaration) {
            Builder builder = new Builder();
            declaration.accept(builder);
            subcommands.addAll(builder.rows);
            return this;
        }
    }
}
