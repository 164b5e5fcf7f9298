package dev.heddle.persistence.rdb;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ASKING;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Group.GENERIC;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.AclCategory;
import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** DUMP and RESTORE: values as bytes that another server understands. Stateless. */
public final class DumpCommands {

    private static final CommandException BUSY_KEY = new CommandException("BUSYKEY Target key name already exists.");
    private static final CommandException BAD_TTL = CommandException.err("Invalid TTL value, must be >= 0");
    private static final CommandException BAD_IDLE_TIME = CommandException.err("Invalid IDLETIME value, must be >= 0");
    private static final CommandException BAD_FREQUENCY =
            CommandException.err("Invalid FREQ value, must be >= 0 and <= 255");
    private static final CommandException BAD_CHECKSUM =
            CommandException.err("DUMP payload version or checksum are wrong");
    private static final CommandException BAD_FORMAT = CommandException.err("Bad data format");

    private static final int LARGEST_FREQUENCY = 255;
    private static final String COST = "O(N) for a value of N bytes, and O(N*log(N)) for a sorted set of N members";
    private static final String SYNTAX =
            "key ttl serialized-value [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency]";

    private DumpCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.read("DUMP", exactly(1), DumpCommands::dump)
                .key(Access.RO)
                .tips("nondeterministic_output")
                .docs(GENERIC, "2.6.0", "O(N) for a value of N bytes", "key", "Answers a value as bytes for RESTORE.");
        t.write("RESTORE", atLeast(3), DumpCommands::restore, DENYOOM)
                .key(Access.OW)
                .categories(AclCategory.KEYSPACE, AclCategory.DANGEROUS)
                .docs(GENERIC, "2.6.0", COST, SYNTAX, "Makes a key out of the bytes that DUMP has answered.");
        t.write("RESTORE-ASKING", atLeast(3), DumpCommands::restore, DENYOOM, ASKING)
                .key(Access.OW)
                .categories(AclCategory.KEYSPACE, AclCategory.DANGEROUS)
                .docs(SERVER, "3.0.0", COST, SYNTAX, "As RESTORE, between the servers of a cluster.");
    }

    /** {@code DUMP key} */
    private static void dump(Call call) {
        Entry entry = call.find(1);
        if (entry == null) {
            call.reply().nil();
        } else {
            call.reply().bulk(DumpPayload.of(entry.value(), call.engine().settings()));
        }
    }

    /** {@code RESTORE key ttl payload [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency]} */
    private static void restore(Call call) {
        Options options = Options.of(call);
        Entry there = call.findForWrite(1);
        if (there != null && !options.replaces) {
            throw BUSY_KEY;
        }
        long ttl = call.longArg(2);
        if (ttl < 0) {
            throw BAD_TTL;
        }
        Object value = value(call);
        if (there != null) {
            call.remove(1, there);
        }
        long expireAt = ttl == 0 ? Entry.NEVER : options.absolute ? ttl : later(call.clockMillis(), ttl);
        if (expireAt != Entry.NEVER && expireAt <= call.now()) {
            if (there != null) {
                call.changed(1, EventClass.GENERIC, "del");
                if (call.recorded()) {
                    call.effect("DEL", call.arg(1));
                }
            }
        } else {
            Entry entry = call.add(1, value, expireAt);
            call.engine().uses().restore(entry, options.idleSeconds, options.frequency, call.clockMillis());
            call.changed(1, EventClass.GENERIC, "restore");
            if (call.recorded() && expireAt != Entry.NEVER && !options.absolute) {
                call.effect(absolute(call, expireAt));
            }
        }
        call.reply().ok();
    }

    private static Object value(Call call) {
        Request request = call.request();
        byte[] array = request.array(3);
        int offset = request.offset(3);
        int length = request.length(3);
        if (!DumpPayload.isValid(array, offset, length)) {
            throw BAD_CHECKSUM;
        }
        Object value = DumpPayload.read(array, offset, length, call.engine());
        if (value == null) {
            throw BAD_FORMAT;
        }
        return value;
    }

    private static long later(long now, long ttl) {
        return ttl > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + ttl;
    }

    /** The command with its deadline in place of its time to live. */
    private static byte[][] absolute(Call call, long expireAt) {
        List<byte[]> words = new ArrayList<>();
        for (int i = 0; i < call.argc(); i++) {
            words.add(i == 2 ? Numbers.toBytes(expireAt) : call.arg(i));
        }
        words.add("ABSTTL".getBytes(StandardCharsets.US_ASCII));
        return words.toArray(byte[][]::new);
    }

    /**
     * What stands behind the payload.
     *
     * @param idleSeconds -1 if it is not given
     * @param frequency -1 if it is not given
     */
    private record Options(boolean replaces, boolean absolute, long idleSeconds, int frequency) {

        static Options of(Call call) {
            boolean replaces = false;
            boolean absolute = false;
            long idle = -1;
            long frequency = -1;
            for (int i = 4; i < call.argc(); i++) {
                boolean more = i + 1 < call.argc();
                if (call.is(i, "REPLACE")) {
                    replaces = true;
                } else if (call.is(i, "ABSTTL")) {
                    absolute = true;
                } else if (call.is(i, "IDLETIME") && more && frequency == -1) {
                    idle = call.longArg(++i);
                    if (idle < 0) {
                        throw BAD_IDLE_TIME;
                    }
                } else if (call.is(i, "FREQ") && more && idle == -1) {
                    frequency = call.longArg(++i);
                    if (frequency < 0 || frequency > LARGEST_FREQUENCY) {
                        throw BAD_FREQUENCY;
                    }
                } else {
                    throw CommandException.SYNTAX;
                }
            }
            return new Options(replaces, absolute, idle, (int) frequency);
        }
    }
}
