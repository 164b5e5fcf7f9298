package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.store.Entry;
import dev.heddle.store.EntrySize;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** MEMORY. Stateless. */
public final class MemoryCommands {

    private static final String[] VARYING = {
        "nondeterministic_output", "request_policy:all_shards", "response_policy:special"
    };
    private static final long SMALL = 5L << 20;
    private static final long NOTICEABLE = 10L << 20;
    private static final long BIG_CLIENT = 200L << 10;

    private MemoryCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.container("MEMORY")
                .docs(SERVER, "4.0.0", "Depends on subcommand.", "", "A container for commands about memory.")
                .subcommands(MemoryCommands::declareSubcommands);
    }

    private static void declareSubcommands(CommandTable.Builder t) {
        t.read("USAGE", atLeast(1), MemoryCommands::usage)
                .keys(2, 2, 1, Access.RO_META)
                .docs(
                        SERVER,
                        "4.0.0",
                        "O(1)",
                        "key [SAMPLES count]",
                        "Answers about how many bytes a key takes with its value.");
        t.other("STATS", exactly(0), MemoryCommands::stats)
                .tips(VARYING)
                .docs(SERVER, "4.0.0", "O(1)", "", "Answers where the memory goes.");
        t.other("DOCTOR", exactly(0), MemoryCommands::doctor)
                .tips(VARYING)
                .docs(SERVER, "4.0.0", "O(1)", "", "Says in words what is wrong with the use of memory, if anything.");
        t.other("PURGE", exactly(0), MemoryCommands::purge)
                .tips("request_policy:all_shards", "response_policy:all_succeeded")
                .docs(
                        SERVER,
                        "4.0.0",
                        "Depends on how much memory is allocated, could be slow",
                        "",
                        "Lets the virtual machine collect its garbage and give back what it can.");
        t.other("MALLOC-STATS", exactly(0), MemoryCommands::pools)
                .tips(VARYING)
                .docs(
                        SERVER,
                        "4.0.0",
                        "Depends on how much memory is allocated, could be slow",
                        "",
                        "Describes the memory pools of the virtual machine.");
        t.other("HELP", exactly(0), Subcommands::help, LOADING, STALE)
                .docs(SERVER, "4.0.0", "O(1)", "", "Lists the subcommands.");
    }

    /** {@code MEMORY USAGE key [SAMPLES count]}: values know their size, nothing has to be sampled. */
    private static void usage(Call call) {
        for (int i = 3; i < call.argc(); i += 2) {
            if (!call.is(i, "SAMPLES") || i + 1 == call.argc() || call.longArg(i + 1) < 0) {
                throw CommandException.SYNTAX;
            }
        }
        Entry entry = call.peek(2);
        if (entry == null) {
            call.reply().nil();
        } else {
            call.reply().integer(EntrySize.of(entry));
        }
    }

    private static void stats(Call call) {
        InfoMemory memory = InfoMemory.now(call);
        List<StoreFigures.Database> databases =
                StoreFigures.databases(call.engine().store(), call.locks(), call.now());
        long keys = StoreFigures.keys(call.engine().store());
        ReplyWriter reply = call.reply();
        reply.map(27 + databases.size());
        number(reply, "peak.allocated", memory.peak());
        number(reply, "total.allocated", memory.used());
        number(reply, "startup.allocated", memory.startup());
        number(reply, "replication.backlog", 0);
        number(reply, "clients.slaves", 0);
        number(reply, "clients.normal", memory.clients());
        number(reply, "cluster.links", 0);
        number(reply, "aof.buffer", 0);
        number(reply, "lua.caches", 0);
        number(reply, "functions.caches", 0);
        databases.forEach(database -> database(reply, database));
        number(reply, "overhead.total", memory.overhead());
        number(reply, "keys.count", keys);
        number(reply, "keys.bytes-per-key", keys == 0 ? 0 : (memory.used() - memory.startup()) / keys);
        number(reply, "dataset.bytes", memory.dataset());
        real(reply, "dataset.percentage", memory.datasetPercent());
        real(reply, "peak.percentage", memory.peakPercent());
        number(reply, "allocator.allocated", memory.used());
        number(reply, "allocator.active", memory.committed());
        number(reply, "allocator.resident", memory.committed());
        real(reply, "allocator-fragmentation.ratio", memory.heapSlack());
        number(reply, "allocator-fragmentation.bytes", memory.committed() - memory.used());
        real(reply, "allocator-rss.ratio", 1);
        number(reply, "allocator-rss.bytes", 0);
        real(reply, "rss-overhead.ratio", memory.residentRatio());
        number(reply, "rss-overhead.bytes", memory.resident() - memory.committed());
        real(reply, "fragmentation", memory.fragmentation());
        number(reply, "fragmentation.bytes", memory.resident() - memory.used());
    }

    private static void database(ReplyWriter reply, StoreFigures.Database database) {
        reply.bulk("db." + database.index());
        reply.map(3);
        number(reply, "overhead.hashtable.main", database.overhead());
        number(reply, "overhead.hashtable.expires", 4 * database.expiring());
        number(reply, "overhead.hashtable.slot-to-keys", 0);
    }

    private static void number(ReplyWriter reply, String name, long value) {
        reply.bulk(name);
        reply.integer(value);
    }

    private static void real(ReplyWriter reply, String name, double value) {
        reply.bulk(name);
        reply.real(value);
    }

    private static void doctor(Call call) {
        InfoMemory memory = InfoMemory.now(call);
        List<String> findings = findings(memory, call.engine().sessions().count());
        if (memory.used() - memory.startup() < SMALL) {
            text(call, "There is next to nothing in memory: too little to tell whether it is used well.\n");
        } else if (findings.isEmpty()) {
            text(call, "Nothing is wrong with the use of memory.\n");
        } else {
            text(call, String.join("\n", findings) + "\n");
        }
    }

    private static List<String> findings(InfoMemory memory, int clients) {
        List<String> findings = new ArrayList<>();
        if (memory.peak() > 1.5 * memory.used()) {
            findings.add("* Peak: there was a time when half as much again was in use. The virtual machine may have"
                    + " kept that memory; MEMORY PURGE asks it to give back what it does not need.");
        }
        if (memory.fragmentation() > 2 && memory.resident() - memory.used() > NOTICEABLE) {
            findings.add("* Resident: the process takes more than twice of what its data and objects need. That is"
                    + " room in which the collector works; a smaller maximum heap size leaves it less.");
        }
        if (memory.clients() / Math.max(1, clients) > BIG_CLIENT) {
            findings.add("* Clients: their buffers take more than 200 KB each on average. CLIENT LIST shows whose are"
                    + " large: clients that read too slowly, or send very long pipelines.");
        }
        return findings;
    }

    private static void purge(Call call) {
        System.gc();
        call.reply().ok();
    }

    private static void pools(Call call) {
        text(call, poolReport());
    }

    /** The memory pools of the virtual machine, line by line. */
    static String poolReport() {
        StringBuilder text = new StringBuilder(InfoMemory.allocator()).append('\n');
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage usage = pool.getUsage();
            text.append(String.format(
                    Locale.ROOT,
                    "%-40s used %d committed %d max %d\n",
                    pool.getName(),
                    usage.getUsed(),
                    usage.getCommitted(),
                    usage.getMax()));
        }
        return text.toString();
    }

    private static void text(Call call, String text) {
        call.reply().verbatim("txt", text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
