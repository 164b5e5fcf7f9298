package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.ADMIN;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.PROTECTED;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.Glob;
import dev.heddle.command.Handler;
import dev.heddle.command.data.ObjectCommands;
import dev.heddle.resp.Numbers;
import dev.heddle.store.AccessClock;
import dev.heddle.store.Entry;
import dev.heddle.store.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DEBUG: what test suites and the curious need. In the table it is one command without subcommands, as in Redis, so it finds the handler
 * of its first argument by itself. Stateless.
 */
public final class DebugCommands {

    private static final Logger LOG = LoggerFactory.getLogger(DebugCommands.class);

    /** As wide as the clock of Redis is. */
    private static final int LRU_MASK = 0xffffff;

    /**
     * One subcommand.
     *
     * @param least arguments, DEBUG and its own name included
     */
    private record Subcommand(int least, int most, Handler handler, String syntax, String summary) {}

    private static final Map<String, Subcommand> SUBCOMMANDS = subcommands();

    private DebugCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.other("DEBUG", atLeast(1), DebugCommands::debug, ADMIN, NOSCRIPT, LOADING, STALE, PROTECTED)
                .docs(
                        SERVER,
                        "1.0.0",
                        "Depends on subcommand.",
                        "subcommand [arg [arg ...]]",
                        "A container for commands to test with.");
    }

    private static Map<String, Subcommand> subcommands() {
        Map<String, Subcommand> map = new TreeMap<>();
        map.put("CHANGE-REPL-ID", exactly(0, DebugCommands::changeId, "", "Takes another replication id."));
        map.put("DIGEST", exactly(0, DebugCommands::digest, "", "Answers a fingerprint of all data."));
        map.put(
                "DIGEST-VALUE",
                new Subcommand(
                        2, Integer.MAX_VALUE, DebugCommands::digestValue, "<key> ...", "Fingerprints of values."));
        map.put(
                "ERROR",
                exactly(1, call -> call.reply().error(call.arg(2)), "<string>", "Answers an error with this text."));
        map.put("JMAP", exactly(0, DebugCommands::jmap, "", "Writes the heap in use, pool by pool, to the log."));
        map.put("LOADAOF", exactly(0, DebugReload::loadJournal, "", "Replaces all data by the append-only file."));
        map.put("LOG", exactly(1, DebugCommands::log, "<message>", "Writes a message to the log."));
        map.put("OBJECT", exactly(1, DebugCommands::object, "<key>", "Describes how a value is kept."));
        map.put("PAUSE-CRON", exactly(1, DebugCommands::pauseCron, "<0|1>", "1 stops active expiry, 0 resumes it."));
        map.put(
                "POPULATE",
                new Subcommand(
                        3,
                        5,
                        DebugPopulate::run,
                        "<count> [<prefix>] [<size>]",
                        "Adds string keys <prefix>:0, <prefix>:1, ... that are not there yet; not recorded."));
        map.put("PROTOCOL", exactly(1, DebugProtocol::run, "<type>", "Answers a sample of a reply type."));
        map.put(
                "QUICKLIST-PACKED-THRESHOLD",
                exactly(1, DebugCommands::packedThreshold, "<size>", "Checked, and without effect."));
        map.put(
                "RELOAD",
                new Subcommand(
                        2,
                        Integer.MAX_VALUE,
                        DebugReload::reload,
                        "[NOSAVE] [NOFLUSH] [MERGE]",
                        "Saves all data and loads it again; or does not save, or adds to what is there."));
        map.put(
                "REPLYBUFFER",
                exactly(
                        2,
                        DebugCommands::replyBuffer,
                        "<PEAK-RESET-TIME|RESIZING> <value>",
                        "Checked, and without effect."));
        map.put(
                "SET-ACTIVE-EXPIRE",
                exactly(1, DebugCommands::activeExpire, "<0|1>", "0 lets expired keys lie until they are met."));
        map.put(
                "SET-DISABLE-DENY-SCRIPTS",
                exactly(1, DebugCommands::denyNothing, "<0|1>", "1 lets scripts run every command."));
        map.put(
                "SET-SKIP-CHECKSUM-VALIDATION",
                exactly(1, DebugCommands::accept, "<0|1>", "Accepted, and without effect."));
        map.put("SLEEP", exactly(1, DebugCommands::sleep, "<seconds>", "Answers after some seconds, or parts of one."));
        map.put(
                "STRINGMATCH-LEN",
                exactly(2, DebugCommands::match, "<pattern> <string>", "Answers whether a pattern matches: 1 or 0."));
        return map;
    }

    private static Subcommand exactly(int count, Handler handler, String syntax, String summary) {
        return new Subcommand(count + 2, count + 2, handler, syntax, summary);
    }

    private static void debug(Call call) {
        if (call.argc() == 2 && call.is(1, "HELP")) {
            help(call);
            return;
        }
        Subcommand subcommand = SUBCOMMANDS.get(call.text(1).toUpperCase(Locale.ROOT));
        if (subcommand == null || call.argc() < subcommand.least() || call.argc() > subcommand.most()) {
            throw Subcommands.misused(call);
        }
        subcommand.handler().run(call);
    }

    private static void help(Call call) {
        List<String> lines = new ArrayList<>();
        SUBCOMMANDS.forEach((name, subcommand) -> {
            lines.add((name + " " + subcommand.syntax()).trim());
            lines.add("    " + subcommand.summary());
        });
        Subcommands.help(call, call.spec(), lines);
    }

    private static void changeId(Call call) {
        call.engine().serverInfo().renewReplicationId();
        call.reply().ok();
    }

    private static void digest(Call call) {
        if (!call.locks().isHeld()) {
            call.locks().wantAll();
            call.locks().lockWanted(false);
        }
        call.reply().simple(new DataDigest().ofStore(call.engine().store()));
    }

    /** {@code DEBUG DIGEST-VALUE key ...}: of expired keys, too. */
    private static void digestValue(Call call) {
        if (!call.locks().isHeld()) {
            for (int i = 2; i < call.argc(); i++) {
                call.locks().want(call.hash(i));
            }
            call.locks().lockWanted(false);
        }
        DataDigest digest = new DataDigest();
        call.reply().array(call.argc() - 2);
        for (int i = 2; i < call.argc(); i++) {
            byte[] key = call.arg(i);
            Entry entry = call.engine().store().find(call.database(), key, 0, key.length, call.hash(i));
            call.reply().simple(entry == null ? DataDigest.ofNothing() : digest.ofValue(entry));
        }
    }

    private static void log(Call call) {
        LOG.warn("DEBUG LOG: {}", call.text(2));
        call.reply().ok();
    }

    private static void jmap(Call call) {
        LOG.warn("DEBUG JMAP: {}", MemoryCommands.poolReport());
        call.reply().ok();
    }

    /** {@code DEBUG OBJECT key}: looks without leaving a trace. */
    private static void object(Call call) {
        long hash = call.hash(2);
        if (!call.locks().isHeld()) {
            call.locks().lock(hash, false);
        }
        byte[] key = call.arg(2);
        // Also what has expired and is still there: this is about what is in memory.
        Entry entry = call.engine().store().find(call.database(), key, 0, key.length, hash);
        if (entry == null) {
            throw CommandException.NO_SUCH_KEY;
        }
        Object value = entry.value();
        call.reply()
                .simple("Value at:0x" + Integer.toHexString(System.identityHashCode(value))
                        + " refcount:1 encoding:" + ObjectCommands.encoding(value)
                        + " serializedlength:" + serializedLength(value)
                        + " lru:" + (entry.access() & LRU_MASK)
                        + " lru_seconds_idle:" + AccessClock.idleSeconds(entry.access(), call.now()));
    }

    /** About how long the value is in a snapshot. */
    private static long serializedLength(Object value) {
        return switch (value) {
            case byte[] bytes -> bytes.length + 1L;
            case Long number -> Numbers.length(number) + 1L;
            case Value other -> other.bytes();
            default -> throw new IllegalStateException("no value: " + value.getClass());
        };
    }

    private static void pauseCron(Call call) {
        call.engine().expiryCycle().enabled(number(call) == 0);
        call.reply().ok();
    }

    private static void activeExpire(Call call) {
        call.engine().expiryCycle().enabled(number(call) != 0);
        call.reply().ok();
    }

    private static void denyNothing(Call call) {
        call.engine().scripts().denyNothing(number(call) != 0);
        call.reply().ok();
    }

    private static void accept(Call call) {
        call.reply().ok();
    }

    /** What is no number counts as 0, as everywhere in DEBUG. */
    private static long number(Call call) {
        try {
            return call.longArg(2);
        } catch (CommandException notANumber) {
            return 0;
        }
    }

    private static void packedThreshold(Call call) {
        if (!call.text(2).matches("(?i)\\d{1,10}([kmg]b?|b)?")) {
            throw CommandException.err("argument must be a memory value bigger than 1 and smaller than 4gb");
        }
        call.reply().ok();
    }

    /** {@code DEBUG REPLYBUFFER <PEAK-RESET-TIME <NEVER | RESET | millis> | RESIZING 0|1>} */
    private static void replyBuffer(Call call) {
        if (call.is(2, "PEAK-RESET-TIME")) {
            if (!call.is(3, "NEVER") && !call.is(3, "RESET")) {
                call.longArg(3);
            }
        } else if (!call.is(2, "RESIZING")) {
            throw Subcommands.misused(call);
        }
        call.reply().ok();
    }

    /** {@code DEBUG SLEEP seconds}: holds up this connection only; without locks, for nobody waits with one. */
    private static void sleep(Call call) {
        double seconds = Numbers.parseDouble(
                call.request().array(2),
                call.request().offset(2),
                call.request().length(2));
        try {
            TimeUnit.NANOSECONDS.sleep(Double.isNaN(seconds) ? 0 : (long) (seconds * 1e9));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        call.reply().ok();
    }

    private static void match(Call call) {
        call.reply().integer(new Glob(call.arg(2), false).matches(call.arg(3)) ? 1 : 0);
    }
}
