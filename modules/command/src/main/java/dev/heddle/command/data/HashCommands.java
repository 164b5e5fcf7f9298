package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.HASH;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.FieldDeadlines;
import dev.heddle.store.value.HashValue;
import dev.heddle.store.value.HashValue.Part;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Hashes, their fields and values; see {@link HashRandomCommands} and {@link HashFieldExpiryCommands} for the rest. Stateless. */
public final class HashCommands {

    private static final CommandException NOT_INTEGER = CommandException.err("hash value is not an integer");
    private static final CommandException NOT_FLOAT = CommandException.err("hash value is not a float");
    private static final CommandException INFINITE = CommandException.err("value is NaN or Infinity");

    private HashCommands() {}

    public static void declare(CommandTable.Builder t) {
        declareReads(t);
        t.write("HSET", atLeast(3), HashCommands::hset, DENYOOM, FAST)
                .key(Access.RW)
                .docs(
                        HASH,
                        "2.0.0",
                        "O(1) for each field",
                        "key field value [field value ...]",
                        "Sets fields of a hash, which is made if need be.");
        t.write("HMSET", atLeast(3), HashCommands::hmset, DENYOOM, FAST)
                .deprecated("4.0.0", "`HSET` with multiple field-value pairs")
                .key(Access.RW)
                .docs(
                        HASH,
                        "2.0.0",
                        "O(N) for N fields",
                        "key field value [field value ...]",
                        "Sets fields of a hash; HSET does the same.");
        t.write("HSETNX", exactly(3), HashCommands::hsetnx, DENYOOM, FAST)
                .key(Access.RW_INSERT)
                .docs(HASH, "2.0.0", "O(1)", "key field value", "Sets a field of a hash unless it is there.");
        t.write("HDEL", atLeast(2), HashCommands::hdel, FAST)
                .key(Access.RW_DELETE)
                .docs(
                        HASH,
                        "2.0.0",
                        "O(N) for N fields to remove",
                        "key field [field ...]",
                        "Removes fields of a hash; an empty hash is deleted.");
        t.write("HINCRBY", exactly(3), HashCommands::hincrby, DENYOOM, FAST)
                .key(Access.RW_ACCESS)
                .docs(HASH, "2.0.0", "O(1)", "key field increment", "Adds to the integer in a field.");
        t.write("HINCRBYFLOAT", exactly(3), HashCommands::hincrbyfloat, DENYOOM, FAST)
                .key(Access.RW_ACCESS)
                .docs(
                        HASH,
                        "2.6.0",
                        "O(1)",
                        "key field increment:double",
                        "Adds to the floating-point number in a field.");
    }

    private static void declareReads(CommandTable.Builder t) {
        t.read("HGET", exactly(2), HashCommands::hget, FAST)
                .key(Access.RO)
                .docs(HASH, "2.0.0", "O(1)", "key field", "Answers the value of a field.");
        t.read("HMGET", atLeast(2), HashCommands::hmget, FAST)
                .key(Access.RO)
                .docs(HASH, "2.0.0", "O(N) for N fields", "key field [field ...]", "Answers the values of fields.");
        t.read("HGETALL", exactly(1), HashCommands::hgetall)
                .key(Access.RO)
                .tips("nondeterministic_output_order")
                .docs(HASH, "2.0.0", "O(N) for N fields", "key", "Answers all fields and their values.");
        t.read("HKEYS", exactly(1), HashCommands::hkeys)
                .key(Access.RO)
                .tips("nondeterministic_output_order")
                .docs(HASH, "2.0.0", "O(N) for N fields", "key", "Answers all fields.");
        t.read("HVALS", exactly(1), HashCommands::hvals)
                .key(Access.RO)
                .tips("nondeterministic_output_order")
                .docs(HASH, "2.0.0", "O(N) for N fields", "key", "Answers the values of all fields.");
        t.read("HLEN", exactly(1), HashCommands::hlen, FAST)
                .key(Access.RO_META)
                .docs(HASH, "2.0.0", "O(1)", "key", "Answers how many fields a hash has.");
        t.read("HEXISTS", exactly(2), HashCommands::hexists, FAST)
                .key(Access.RO_META)
                .docs(HASH, "2.0.0", "O(1)", "key field", "Tells whether a hash has a field.");
        t.read("HSTRLEN", exactly(2), HashCommands::hstrlen, FAST)
                .key(Access.RO_META)
                .docs(HASH, "3.2.0", "O(1)", "key field", "Answers the length of the value of a field.");
        t.read("HSCAN", atLeast(2), HashCommands::hscan)
                .key(Access.RO)
                .tips("nondeterministic_output")
                .docs(
                        HASH,
                        "2.8.0",
                        "O(1) for every call, O(N) for a whole scan of N fields",
                        "key cursor [MATCH pattern] [COUNT count] [NOVALUES]",
                        "Walks through the fields of a hash, some at each call.");
    }

    // ---- reading

    /** {@code HGET key field} */
    private static void hget(Call call) {
        HashFields.reply(call, call.read(1, HashValue.class), 2, new BulkReplies(call.reply()));
    }

    /** {@code HMGET key field [field ...]} */
    private static void hmget(Call call) {
        HashValue hash = call.read(1, HashValue.class);
        BulkReplies replies = new BulkReplies(call.reply());
        call.reply().array(call.argc() - 2);
        for (int i = 2; i < call.argc(); i++) {
            HashFields.reply(call, hash, i, replies);
        }
    }

    /** {@code HGETALL key} */
    private static void hgetall(Call call) {
        HashValue hash = snapshot(call);
        call.reply().map(hash == null ? 0 : hash.size(call.now()));
        all(call, hash, Part.BOTH);
    }

    /** {@code HKEYS key} */
    private static void hkeys(Call call) {
        HashValue hash = snapshot(call);
        call.reply().array(hash == null ? 0 : hash.size(call.now()));
        all(call, hash, Part.FIELDS);
    }

    /** {@code HVALS key} */
    private static void hvals(Call call) {
        HashValue hash = snapshot(call);
        call.reply().array(hash == null ? 0 : hash.size(call.now()));
        all(call, hash, Part.VALUES);
    }

    private static @Nullable HashValue snapshot(Call call) {
        HashValue hash = call.read(1, HashValue.class);
        return hash == null ? null : Snapshots.of(call, hash);
    }

    private static void all(Call call, @Nullable HashValue hash, Part part) {
        if (hash != null) {
            hash.forEach(part, call.now(), Patience.before(call, new BulkReplies(call.reply())));
        }
    }

    /** {@code HLEN key} */
    private static void hlen(Call call) {
        HashValue hash = call.read(1, HashValue.class);
        call.reply().integer(hash == null ? 0 : hash.size(call.now()));
    }

    /** {@code HEXISTS key field} */
    private static void hexists(Call call) {
        HashValue hash = call.read(1, HashValue.class);
        call.reply().integer(hash != null && HashFields.contains(call, hash, 2) ? 1 : 0);
    }

    /** {@code HSTRLEN key field} */
    private static void hstrlen(Call call) {
        HashValue hash = call.read(1, HashValue.class);
        Request request = call.request();
        call.reply()
                .integer(
                        hash == null
                                ? 0
                                : hash.valueLength(request.array(2), request.offset(2), request.length(2), call.now()));
    }

    /** {@code HSCAN key cursor [MATCH pattern] [COUNT count] [NOVALUES]} */
    private static void hscan(Call call) {
        long cursor = Cursors.parse(call, 2);
        HashValue hash = call.read(1, HashValue.class);
        if (hash == null) {
            ElementScan.replyEmpty(call);
            return;
        }
        ElementScan scan = new ElementScan(call, true);
        Part part = scan.withoutValues() ? Part.FIELDS : Part.BOTH;
        scan.reply(call, hash.scan(cursor, scan.count(), call.now(), part, scan));
    }

    // ---- changing

    /** {@code HSET key field value [field value ...]} */
    private static void hset(Call call) {
        call.reply().integer(setAll(call));
    }

    /** {@code HMSET key field value [field value ...]} */
    private static void hmset(Call call) {
        setAll(call);
        call.reply().ok();
    }

    /** @return how many fields are new */
    private static int setAll(Call call) {
        if (call.argc() % 2 == 1) {
            throw CommandException.err(
                    "wrong number of arguments for '" + call.spec().fullName() + "' command");
        }
        HashValue present = HashFields.forWrite(call, 2, call.argc(), 2);
        HashValue hash = present == null ? new HashValue() : present;
        CompactLimits limits = prepare(call, hash, 2, call.argc());
        int created = 0;
        for (int i = 2; i < call.argc(); i += 2) {
            created += HashFields.put(call, hash, i, call.take(i + 1), limits) ? 1 : 0;
            HashFields.persist(call, hash, i);
        }
        HashFields.settle(call, hash, present == null);
        call.changed(1, EventClass.HASH, "hset");
        call.countChanges((call.argc() - 2) / 2 - 1L);
        return created;
    }

    /** Gives a hash the form that it needs for these fields and values. */
    static CompactLimits prepare(Call call, HashValue hash, int from, int to) {
        CompactLimits limits = Compactness.ofHashes(call);
        hash.expect((to - from) / 2, limits);
        for (int i = from; i < to; i++) {
            hash.expectLength(call.request().length(i), limits);
        }
        return limits;
    }

    /** {@code HSETNX key field value} */
    private static void hsetnx(Call call) {
        HashValue present = HashFields.forWrite(call, 2, 3, 1);
        if (present != null && HashFields.contains(call, present, 2)) {
            call.reply().integer(0);
            return;
        }
        HashValue hash = present == null ? new HashValue() : present;
        HashFields.put(call, hash, 2, call.take(3), prepare(call, hash, 2, 4));
        HashFields.settle(call, hash, present == null);
        call.changed(1, EventClass.HASH, "hset");
        call.reply().integer(1);
    }

    /** {@code HDEL key field [field ...]} */
    private static void hdel(Call call) {
        HashValue hash = HashFields.forWrite(call, 2, call.argc(), 1);
        int removed = 0;
        for (int i = 2; hash != null && i < call.argc(); i++) {
            removed += HashFields.remove(call, hash, i) ? 1 : 0;
        }
        if (removed > 0) {
            call.changed(1, EventClass.HASH, "hdel");
            call.countChanges(removed - 1);
        }
        if (hash != null) {
            HashFields.settle(call, hash, false);
        }
        call.reply().integer(removed);
    }

    /** {@code HINCRBY key field increment} */
    private static void hincrby(Call call) {
        long increment = call.longArg(3);
        HashValue present = HashFields.forWrite(call, 2, 3, 1);
        byte[] old = present == null ? null : HashFields.get(call, present, 2);
        if (old != null && !Numbers.isLong(old, 0, old.length)) {
            throw NOT_INTEGER;
        }
        long value = old == null ? 0 : Numbers.parseLong(old, 0, old.length);
        long sum = value + increment;
        if (((value ^ sum) & (increment ^ sum)) < 0) {
            throw CommandException.OVERFLOW;
        }
        setNumber(call, present, Numbers.toBytes(sum));
        call.changed(1, EventClass.HASH, "hincrby");
        call.reply().integer(sum);
    }

    /** {@code HINCRBYFLOAT key field increment} */
    private static void hincrbyfloat(Call call) {
        Request request = call.request();
        BigDecimal increment = Numbers.parseDecimal(request.array(3), request.offset(3), request.length(3));
        if (increment == null) {
            throw Numbers.isInfinite(request.array(3), request.offset(3), request.length(3))
                    ? INFINITE
                    : CommandException.NOT_FLOAT;
        }
        HashValue present = HashFields.forWrite(call, 2, 3, 1);
        byte[] old = present == null ? null : HashFields.get(call, present, 2);
        BigDecimal value = old == null ? BigDecimal.ZERO : Numbers.parseDecimal(old, 0, old.length);
        if (value == null) {
            throw old != null && Numbers.isInfinite(old, 0, old.length) ? CommandException.NAN_OR_INFINITY : NOT_FLOAT;
        }
        BigDecimal sum = Numbers.addDecimals(value, increment);
        if (sum == null) {
            throw CommandException.NAN_OR_INFINITY;
        }
        byte[] text = Numbers.plain(sum).getBytes(StandardCharsets.US_ASCII);
        HashValue hash = setNumber(call, present, text);
        call.changed(1, EventClass.HASH, "hincrbyfloat");
        if (call.recorded()) {
            call.effect("HSET", call.arg(1), call.arg(2), text);
            long deadline = HashFields.deadline(call, hash, 2);
            if (deadline != FieldDeadlines.NONE) {
                FieldEffects.expireAt(call, deadline, 2, 3, 1);
            }
        }
        call.reply().bulk(text);
    }

    private static HashValue setNumber(Call call, @Nullable HashValue present, byte[] text) {
        HashValue hash = present == null ? new HashValue() : present;
        HashFields.put(call, hash, 2, text, Compactness.ofHashes(call));
        HashFields.settle(call, hash, present == null);
        return hash;
    }
}
