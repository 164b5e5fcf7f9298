package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ADMIN;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Flag.MAY_REPLICATE;
import static dev.heddle.command.Group.HYPERLOGLOG;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.StripeLocks;
import dev.heddle.store.value.HyperLogLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands on {@link HyperLogLog}s, which are strings. Stateless. */
public final class HyperLogLogCommands {

    private static final CommandException NOT_ONE =
            new CommandException("WRONGTYPE Key is not a valid HyperLogLog string value.");
    private static final CommandException DAMAGED = new CommandException("INVALIDOBJ Corrupted HLL object detected");
    private static final CommandException NO_KEY = CommandException.err("The specified key does not exist");
    private static final CommandException NOT_SPARSE = CommandException.err("HLL encoding is not sparse");

    /** Elements that the self test counts, and by how much the estimate may be off: six times the standard error. */
    private static final int TEST_ELEMENTS = 100_000;

    private static final double TEST_ERROR = 0.05;

    private HyperLogLogCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.write("PFADD", atLeast(1), HyperLogLogCommands::add, DENYOOM, FAST)
                .key(Access.RW_INSERT)
                .docs(
                        HYPERLOGLOG,
                        "2.8.9",
                        "O(1) to add every element.",
                        "key [element [element ...]]",
                        "Lets a HyperLogLog see elements; makes it if need be.");
        t.read("PFCOUNT", atLeast(1), HyperLogLogCommands::count, MAY_REPLICATE)
                .allKeys(Access.RW_READ)
                .locksItself()
                .docs(
                        HYPERLOGLOG,
                        "2.8.9",
                        "O(1) for one key, O(N) for N of them, with large constants",
                        "key [key ...]",
                        "Answers about how many different elements have been seen.");
        t.write("PFMERGE", atLeast(1), HyperLogLogCommands::merge, DENYOOM)
                .key(Access.RW_ACCESS_INSERT)
                .keys(2, -1, 1, Access.RO)
                .docs(
                        HYPERLOGLOG,
                        "2.8.9",
                        "O(N) for N HyperLogLogs, with large constants",
                        "destkey [sourcekey [sourcekey ...]]",
                        "Makes one that has seen what all of them have.");
        t.write("PFDEBUG", exactly(2), HyperLogLogCommands::debug, DENYOOM, ADMIN)
                .keys(2, 2, 1, Access.RW_READ)
                .docs(
                        HYPERLOGLOG,
                        "2.8.9",
                        "N/A",
                        "subcommand key",
                        "Shows the registers of a HyperLogLog, for tests.");
        t.other("PFSELFTEST", exactly(0), HyperLogLogCommands::test, ADMIN)
                .docs(HYPERLOGLOG, "2.8.9", "N/A", "", "Counts known numbers of elements and checks the estimates.");
    }

    /** The HyperLogLog of an entry, to work on; null if there is no entry. @throws CommandException if it is none */
    private static @Nullable HyperLogLog of(@Nullable Entry entry) {
        Object value = StringValues.valueOf(entry);
        if (value == null) {
            return null;
        }
        HyperLogLog log = HyperLogLog.of(StringValues.array(value), StringValues.length(value));
        if (log == null) {
            throw NOT_ONE;
        }
        return log;
    }

    private static int sparseMax(Call call) {
        return (int) Math.min(
                Integer.MAX_VALUE,
                call.engine().settings().encoding.hllSparseMaxBytes.value());
    }

    private static void store(Call call, int index, @Nullable Entry entry, HyperLogLog log) {
        if (entry == null) {
            call.add(index, log.bytes());
        } else {
            call.value(index, entry, log.bytes());
        }
    }

    /** {@code PFADD key [element [element ...]]} */
    private static void add(Call call) {
        Entry entry = call.findForWrite(1);
        HyperLogLog there = of(entry);
        HyperLogLog log = there == null ? HyperLogLog.empty() : there;
        Request request = call.request();
        int max = sparseMax(call);
        int seen = there == null ? 1 : 0;
        try {
            for (int i = 2; i < call.argc(); i++) {
                seen += log.add(request.array(i), request.offset(i), request.length(i), max) ? 1 : 0;
            }
        } catch (IllegalStateException damaged) {
            throw DAMAGED;
        }
        if (seen > 0) {
            log.outdate();
            store(call, 1, entry, log);
            call.changed(1, EventClass.STRING, "pfadd");
            call.countChanges(seen - 1L);
        }
        call.reply().integer(seen > 0 ? 1 : 0);
    }

    /** {@code PFCOUNT key [key ...]} */
    private static void count(Call call) {
        StripeLocks locks = call.locks();
        boolean lockHere = !locks.isHeld();
        try {
            if (call.argc() > 2) {
                if (lockHere) {
                    call.spec().forEachKey(call.request(), index -> locks.want(call.hash(index)));
                    locks.lockWanted(false);
                }
                call.reply().integer(HyperLogLog.estimate(union(call, 1)));
                return;
            }
            if (lockHere) {
                locks.lock(call.hash(1), true); // to keep the estimate
            }
            countOne(call);
        } catch (IllegalStateException damaged) {
            throw DAMAGED;
        } finally {
            if (lockHere) {
                locks.unlock();
            }
        }
    }

    private static void countOne(Call call) {
        Entry entry = call.find(1);
        HyperLogLog log = of(entry);
        if (entry == null || log == null) {
            call.reply().integer(0);
            return;
        }
        long count = log.cached();
        if (count < 0) {
            count = log.estimate();
            if (call.locks().covers(call.hash(1), true)) {
                log.cache(count);
                call.value(1, entry, log.bytes());
            }
        }
        call.reply().integer(count);
    }

    /** The registers of all HyperLogLogs from this argument on, each as large as in any of them. */
    private static byte[] union(Call call, int from) {
        byte[] registers = new byte[HyperLogLog.REGISTERS];
        for (int i = from; i < call.argc(); i++) {
            HyperLogLog log = of(call.find(i));
            if (log != null) {
                log.maximum(registers);
            }
        }
        return registers;
    }

    /** {@code PFMERGE destkey [sourcekey [sourcekey ...]]} */
    private static void merge(Call call) {
        byte[] registers;
        boolean dense = false;
        HyperLogLog target;
        Entry entry = call.findForWrite(1);
        try {
            registers = union(call, 1);
            for (int i = 1; i < call.argc(); i++) {
                HyperLogLog log = of(call.peek(i));
                dense |= log != null && log.isDense();
            }
            HyperLogLog there = of(entry);
            target = there == null ? HyperLogLog.empty() : there;
            if (dense) {
                target.makeDense();
            }
            int max = sparseMax(call);
            for (int i = 0; i < registers.length; i++) {
                if (registers[i] > 0) {
                    target.raise(i, registers[i], max);
                }
            }
        } catch (IllegalStateException damaged) {
            throw DAMAGED;
        }
        target.outdate();
        store(call, 1, entry, target);
        call.changed(1, EventClass.STRING, "pfadd");
        call.reply().ok();
    }

    /** {@code PFDEBUG GETREG | DECODE | ENCODING | TODENSE key} */
    private static void debug(Call call) {
        Entry entry = call.findForWrite(2);
        if (entry == null) {
            throw NO_KEY;
        }
        HyperLogLog log = of(entry);
        if (log == null) {
            throw NO_KEY;
        }
        try {
            if (call.is(1, "GETREG")) {
                registers(call, entry, log);
            } else if (call.is(1, "DECODE")) {
                decode(call.reply(), log);
            } else if (call.is(1, "ENCODING")) {
                call.reply().simple(log.isDense() ? "dense" : "sparse");
            } else if (call.is(1, "TODENSE")) {
                call.reply().integer(toDense(call, entry, log) ? 1 : 0);
            } else {
                throw CommandException.err("Unknown PFDEBUG subcommand '" + call.text(1) + "'");
            }
        } catch (IllegalStateException damaged) {
            throw DAMAGED;
        }
    }

    private static boolean toDense(Call call, Entry entry, HyperLogLog log) {
        if (log.isDense()) {
            return false;
        }
        log.makeDense();
        call.value(2, entry, log.bytes());
        call.countChanges(1);
        return true;
    }

    private static void registers(Call call, Entry entry, HyperLogLog log) {
        toDense(call, entry, log);
        byte[] registers = new byte[HyperLogLog.REGISTERS];
        log.maximum(registers);
        call.reply().array(registers.length);
        for (byte register : registers) {
            call.reply().integer(register);
        }
    }

    private static void decode(ReplyWriter reply, HyperLogLog log) {
        if (log.isDense()) {
            throw NOT_SPARSE;
        }
        List<String> runs = new ArrayList<>();
        log.forEachRun((index, value, length) ->
                runs.add(value > 0 ? "v:" + value + "," + length : (length > 64 ? "Z:" : "z:") + length));
        reply.bulk(String.join(" ", runs));
    }

    /** {@code PFSELFTEST} */
    private static void test(Call call) {
        HyperLogLog sparse = HyperLogLog.empty();
        HyperLogLog dense = HyperLogLog.empty();
        dense.makeDense();
        for (int i = 1; i <= TEST_ELEMENTS; i++) {
            byte[] element = ("element " + i).getBytes(StandardCharsets.US_ASCII);
            boolean changed = dense.add(element, 0, element.length, 0);
            if (sparse.add(element, 0, element.length, sparseMax(call)) != changed) {
                throw CommandException.err("TESTFAILED the sparse form differs at element " + i);
            }
            if (Integer.bitCount(i) == 1 || i == TEST_ELEMENTS) {
                long estimate = dense.estimate();
                if (Math.abs(estimate - i) > Math.max(1, TEST_ERROR * i) || sparse.estimate() != estimate) {
                    throw CommandException.err("TESTFAILED " + i + " elements were counted as " + estimate);
                }
            }
        }
        call.reply().ok();
    }
}
