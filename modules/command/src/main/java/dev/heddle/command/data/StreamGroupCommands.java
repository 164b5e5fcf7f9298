package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.STREAM;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.store.value.ConsumerGroup;
import dev.heddle.store.value.PendingEntry;
import dev.heddle.store.value.StreamConsumer;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamValue;
import java.util.List;

/** XGROUP, which makes and changes groups of consumers, and XACK. Stateless. */
final class StreamGroupCommands {

    private static final CommandException NO_STREAM = CommandException.err("The XGROUP subcommand requires the key to"
            + " exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream"
            + " automatically.");
    private static final CommandException NAME_TAKEN =
            new CommandException("BUSYGROUP Consumer Group name already exists");

    private static final List<String> HELP = List.of(
            "XGROUP <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
            "CREATE <key> <groupname> <id|$> [option]",
            "    Create a new consumer group. Options are:",
            "    * MKSTREAM",
            "      Create the empty stream if it does not exist.",
            "    * ENTRIESREAD entries_read",
            "      Set the group's entries_read counter (internal use).",
            "CREATECONSUMER <key> <groupname> <consumer>",
            "    Create a new consumer in the specified group.",
            "DELCONSUMER <key> <groupname> <consumer>",
            "    Remove the specified consumer.",
            "DESTROY <key> <groupname>",
            "    Remove the specified group.",
            "SETID <key> <groupname> <id|$> [ENTRIESREAD entries_read]",
            "    Set the current group ID and entries_read counter.",
            "HELP",
            "    Print this help.");

    private StreamGroupCommands() {}

    static void declare(CommandTable.Builder t) {
        t.container("XGROUP")
                .docs(STREAM, "5.0.0", "Depends on subcommand.", "", "Makes and changes groups of consumers.")
                .subcommands(StreamGroupCommands::declareSubcommands);
        t.write("XACK", atLeast(3), StreamGroupCommands::acknowledge, FAST)
                .key(Access.RW)
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(log N) for each id, N being the number of pending entries",
                        "key group id [id ...]",
                        "Says that entries given to a consumer have been dealt with.");
    }

    private static void declareSubcommands(CommandTable.Builder t) {
        t.write("CREATE", atLeast(3), StreamGroupCommands::create, DENYOOM)
                .keys(2, 2, 1, Access.RW_INSERT)
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(1)",
                        "key group <id | $> [MKSTREAM] [ENTRIESREAD entries-read:integer]",
                        "Makes a group that will be given the entries behind an id.");
        t.write("SETID", atLeast(3), StreamGroupCommands::setId)
                .keys(2, 2, 1, Access.RW)
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(1)",
                        "key group <id | $> [ENTRIESREAD entries-read:integer]",
                        "Says behind which id a group goes on.");
        t.write("DESTROY", exactly(2), StreamGroupCommands::destroy)
                .keys(2, 2, 1, Access.RW_DELETE)
                .docs(STREAM, "5.0.0", "O(N) for N pending entries", "key group", "Removes a group.");
        t.write("CREATECONSUMER", exactly(3), StreamGroupCommands::createConsumer, DENYOOM)
                .keys(2, 2, 1, Access.RW_INSERT)
                .docs(STREAM, "6.2.0", "O(1)", "key group consumer", "Makes a consumer of a group.");
        t.write("DELCONSUMER", exactly(3), StreamGroupCommands::deleteConsumer)
                .keys(2, 2, 1, Access.RW_DELETE)
                .docs(STREAM, "5.0.0", "O(1)", "key group consumer", "Removes a consumer from a group.");
        t.other("HELP", exactly(0), StreamGroupCommands::help, LOADING, STALE)
                .docs(STREAM, "5.0.0", "O(1)", "", "Answers what XGROUP can do.");
    }

    /** What may stand behind the id of a group. Immutable. */
    private record Options(boolean makesStream, long entriesRead) {

        static Options parse(Call call, boolean create) {
            boolean makesStream = false;
            long entriesRead = ConsumerGroup.UNKNOWN;
            for (int i = 5; i < call.argc(); i++) {
                if (create && call.is(i, "MKSTREAM")) {
                    makesStream = true;
                } else if (i + 1 < call.argc() && call.is(i, "ENTRIESREAD")) {
                    i++;
                    entriesRead = call.longArg(i);
                    if (entriesRead < ConsumerGroup.UNKNOWN) {
                        throw CommandException.err("value for ENTRIESREAD must be positive or -1");
                    }
                } else {
                    throw call.spec().misused(call.text(1));
                }
            }
            return new Options(makesStream, entriesRead);
        }
    }

    /** {@code XGROUP CREATE key group <id | $> [MKSTREAM] [ENTRIESREAD entries-read]} */
    private static void create(Call call) {
        Options options = Options.parse(call, true);
        StreamValue stream = Streams.of(call.findForWrite(2));
        if (stream == null && !options.makesStream()) {
            throw NO_STREAM;
        }
        if (call.argc() > 8) {
            throw call.spec().misused(call.text(1));
        }
        StreamId id;
        if (call.is(4, "$")) {
            id = stream == null ? StreamId.ZERO : stream.lastId();
        } else {
            id = StreamIds.parse(call, 4);
        }
        if (stream != null && stream.group(call.arg(3)) != null) {
            throw NAME_TAKEN;
        }
        boolean made = stream == null;
        if (stream == null) {
            stream = new StreamValue();
            call.add(2, stream);
        }
        stream.addGroup(call.arg(3), id, options.entriesRead());
        call.reply().ok();
        if (made) {
            call.changed(2, EventClass.STREAM, "xgroup-create");
        } else {
            call.noted(2, EventClass.STREAM, "xgroup-create");
        }
    }

    /** {@code XGROUP SETID key group <id | $> [ENTRIESREAD entries-read]} */
    private static void setId(Call call) {
        Options options = Options.parse(call, false);
        StreamValue stream = stream(call);
        ConsumerGroup group = group(call, stream);
        if (call.argc() > 7) {
            throw call.spec().misused(call.text(1));
        }
        group.lastId(call.is(4, "$") ? stream.lastId() : StreamIds.parseOrExtreme(call, 4, 0));
        group.entriesRead(options.entriesRead());
        call.reply().ok();
        call.noted(2, EventClass.STREAM, "xgroup-setid");
    }

    private static StreamValue stream(Call call) {
        StreamValue stream = Streams.of(call.findForWrite(2));
        if (stream == null) {
            throw NO_STREAM;
        }
        return stream;
    }

    private static ConsumerGroup group(Call call, StreamValue stream) {
        ConsumerGroup group = stream.group(call.arg(3));
        if (group == null) {
            throw Streams.noSuchGroup(call, 2, 3);
        }
        return group;
    }

    /** {@code XGROUP DESTROY key group} */
    private static void destroy(Call call) {
        StreamValue stream = stream(call);
        ConsumerGroup group = stream.group(call.arg(3));
        if (group != null) {
            stream.removeGroup(group);
            call.noted(2, EventClass.STREAM, "xgroup-destroy");
            call.ready(2, stream);
        }
        call.reply().integer(group == null ? 0 : 1);
    }

    /** {@code XGROUP CREATECONSUMER key group consumer} */
    private static void createConsumer(Call call) {
        ConsumerGroup group = group(call, stream(call));
        boolean made = group.consumer(call.arg(4)) == null;
        if (made) {
            group.addConsumer(call.arg(4), call.clockMillis());
            call.noted(2, EventClass.STREAM, "xgroup-createconsumer");
        }
        call.reply().integer(made ? 1 : 0);
    }

    /** {@code XGROUP DELCONSUMER key group consumer} */
    private static void deleteConsumer(Call call) {
        ConsumerGroup group = group(call, stream(call));
        StreamConsumer consumer = group.consumer(call.arg(4));
        int pending = consumer == null ? 0 : consumer.pendingCount();
        if (consumer != null) {
            group.removeConsumer(consumer);
            call.noted(2, EventClass.STREAM, "xgroup-delconsumer");
        }
        call.reply().integer(pending);
    }

    /** {@code XGROUP HELP} */
    private static void help(Call call) {
        call.reply().array(HELP.size());
        HELP.forEach(call.reply()::simple);
    }

    /** {@code XACK key group id [id ...]} */
    private static void acknowledge(Call call) {
        StreamValue stream = Streams.of(call.find(1));
        ConsumerGroup group = stream == null ? null : stream.group(call.arg(2));
        int acknowledged = 0;
        if (group != null) {
            for (StreamId id : StreamIds.parseAll(call, 3)) {
                PendingEntry pending = group.pending(id);
                if (pending != null) {
                    group.removePending(pending);
                    acknowledged++;
                }
            }
        }
        call.countChanges(acknowledged);
        call.reply().integer(acknowledged);
    }
}
