package dev.heddle.command;

import dev.heddle.resp.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One row of the command table: all that is known about a command or subcommand.
 *
 * <p>Immutable once the table is built, but for its {@link CommandStats}.
 */
public final class CommandSpec {

    /** How much of a word an error quotes. */
    private static final int QUOTED = 128;

    private final String name;
    private final int arity;
    private final List<KeySpec> keys;
    private final @Nullable Handler handler;
    private final int flags;
    private final Docs docs;
    private final boolean firstKeyOnly;
    private final @Nullable Function<Request, LockScope> lockRule;
    private final LockScope lockScope;
    private final boolean immediate;
    private final boolean ping;
    private final CommandStats stats = new CommandStats();
    private final TreeMap<String, CommandSpec> subcommands = new TreeMap<>();
    private final List<String> tips;
    private final @Nullable Set<AclCategory> categories;
    private final @Nullable Deprecation deprecation;
    private final @Nullable Function<Request, KeySpec.Access> accessRule;
    private @Nullable CommandSpec parent;

    CommandSpec(CommandTable.Row row) {
        this.name = row.name.toLowerCase(Locale.ROOT);
        this.arity = row.arity.encoded();
        this.keys = List.copyOf(row.keys);
        this.handler = row.handler;
        this.flags = row.flags;
        this.docs = row.docs;
        this.tips = List.copyOf(row.tips);
        this.categories = row.categories;
        this.deprecation = row.deprecation;
        this.accessRule = row.accessRule;
        this.lockRule = row.lockRule;
        this.lockScope = row.lockScope != null ? row.lockScope : keys.isEmpty() ? LockScope.NONE : LockScope.KEYS;
        this.immediate = Transaction.IMMEDIATE.contains(name);
        this.ping = name.equals("ping");
        this.firstKeyOnly = lockRule == null
                && lockScope == LockScope.KEYS
                && keys.size() == 1
                && keys.getFirst() instanceof KeySpec.Range range
                && range.first() == 1
                && range.last() == 1;
    }

    void add(CommandSpec subcommand) {
        subcommand.parent = this;
        if (subcommands.put(subcommand.name, subcommand) != null) {
            throw new IllegalStateException("declared twice: " + subcommand.fullName());
        }
    }

    /** Lower case, without the container's name. */
    public String name() {
        return name;
    }

    /** {@code config|get} for a subcommand. */
    public String fullName() {
        return parent == null ? name : parent.name + "|" + name;
    }

    /** The error for a subcommand that is used wrongly; {@code word} is how the client has named it. */
    public CommandException misused(String word) {
        String container = (parent == null ? name : parent.name).toUpperCase(Locale.ROOT);
        return CommandException.err("unknown subcommand or wrong number of arguments for '"
                + word.substring(0, Math.min(QUOTED, word.length())) + "'. Try " + container + " HELP.");
    }

    /** As COMMAND INFO tells it: how many arguments, name included; negative if it is the least number. */
    public int arity() {
        return arity;
    }

    /** Whether a request with this many arguments, name included, can be this command. */
    public boolean accepts(int count) {
        return arity >= 0 ? count == arity : count >= -arity;
    }

    public boolean has(Flag flag) {
        return (flags & flag.bit) != 0;
    }

    int flagBits() {
        return flags;
    }

    public boolean isWrite() {
        return (flags & Flag.WRITE.bit) != 0;
    }

    public List<Flag> flags() {
        List<Flag> list = new ArrayList<>();
        for (Flag flag : Flag.values()) {
            if (has(flag)) {
                list.add(flag);
            }
        }
        return list;
    }

    public List<KeySpec> keys() {
        return keys;
    }

    /** Calls {@code action} with the index of each argument that is a key, in order of the specs. */
    public void forEachKey(Request request, IntConsumer action) {
        for (KeySpec spec : keys) {
            spec.forEachKey(request, action);
        }
    }

    /** What happens to the keys of one of the specs, with these arguments. */
    public KeySpec.Access access(KeySpec keySpec, Request request) {
        return keySpec.access() == KeySpec.Access.RW_VARIABLE && accessRule != null
                ? accessRule.apply(request)
                : keySpec.access();
    }

    public Docs docs() {
        return docs;
    }

    /** What clients and proxies may want to know about replies and routing, as COMMAND INFO tells it. */
    public List<String> tips() {
        return tips;
    }

    /** Null while the command is as good as any. */
    public @Nullable Deprecation deprecation() {
        return deprecation;
    }

    /** The categories that the row names in place of its group's; null if it names none. See {@link AclCategory#of}. */
    @Nullable
    Set<AclCategory> declaredCategories() {
        return categories;
    }

    /** What runs; null for a container that needs a subcommand. */
    public @Nullable Handler handler() {
        return handler;
    }

    public CommandStats stats() {
        return stats;
    }

    /** Subcommands by name, sorted; empty for most commands. */
    public Map<String, CommandSpec> subcommands() {
        return subcommands;
    }

    public @Nullable CommandSpec parent() {
        return parent;
    }

    /** Whether the one key is the first argument: the fast path of locking. */
    boolean firstKeyOnly() {
        return firstKeyOnly;
    }

    /** Whether it runs at once even between MULTI and EXEC. */
    boolean immediate() {
        return immediate;
    }

    boolean isExec() {
        return immediate && name.equals("exec");
    }

    /** Whether it is PING, which tells those who watch over the server when writes are refused. */
    boolean isPing() {
        return ping;
    }

    /**
     * Which locks a transaction needs for it. What takes its locks by itself finds them taken; what may look at any data without naming
     * keys has all of them.
     */
    LockScope lockScopeInTransaction(Request request) {
        LockScope scope = lockScope(request);
        if (scope != LockScope.NONE) {
            return scope;
        }
        return switch (parent == null ? docs.group() : parent.docs.group()) {
            case CONNECTION, PUBSUB, TRANSACTIONS -> LockScope.NONE;
            default -> LockScope.ALL;
        };
    }

    LockScope lockScope(Request request) {
        return lockRule == null ? lockScope : lockRule.apply(request);
    }

    /**
     * What the reference says.
     *
     * @param since the Redis version that brought it
     * @param syntax the arguments, in the notation of the Redis reference: {@code key [NX | XX] [EX seconds]}
     */
    public record Docs(Group group, String since, String complexity, String syntax, String summary) {}

    /**
     * That a command is no longer recommended.
     *
     * @param since the Redis version that said so
     * @param replacement what to use in its place, in Markdown: {@code `SET` with the `NX` argument}
     */
    public record Deprecation(String since, String replacement) {}
}
