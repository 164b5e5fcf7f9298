package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.STREAM;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.store.value.ConsumerGroup;
import dev.heddle.store.value.PendingEntry;
import dev.heddle.store.value.StreamConsumer;
import dev.heddle.store.value.StreamCursor;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamValue;
import java.util.Collection;
import java.util.List;

/** XINFO, which tells how streams and groups stand. Stateless. */
final class StreamInfoCommands {

    private static final long DEFAULT_COUNT = 10;

    private static final List<String> HELP = List.of(
            "XINFO <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
            "CONSUMERS <key> <groupname>",
            "    Show consumers of <groupname>.",
            "GROUPS <key>",
            "    Show the stream consumer groups.",
            "STREAM <key> [FULL [COUNT <count>]",
            "    Show information about the stream.",
            "HELP",
            "    Print this help.");

    private StreamInfoCommands() {}

    static void declare(CommandTable.Builder t) {
        t.container("XINFO")
                .docs(STREAM, "5.0.0", "Depends on subcommand.", "", "Tells how streams and their groups stand.")
                .subcommands(StreamInfoCommands::declareSubcommands);
    }

    private static void declareSubcommands(CommandTable.Builder t) {
        t.read("STREAM", atLeast(1), StreamInfoCommands::stream)
                .keys(2, 2, 1, Access.RO)
                .docs(STREAM, "5.0.0", "O(1)", "key [FULL [COUNT count]]", "Tells how a stream stands.");
        t.read("GROUPS", exactly(1), StreamInfoCommands::groups)
                .keys(2, 2, 1, Access.RO)
                .docs(STREAM, "5.0.0", "O(1)", "key", "Tells how the groups of a stream stand.");
        t.read("CONSUMERS", exactly(2), StreamInfoCommands::consumers)
                .keys(2, 2, 1, Access.RO)
                .tips("nondeterministic_output")
                .docs(STREAM, "5.0.0", "O(1)", "key group", "Tells how the consumers of a group stand.");
        t.other("HELP", exactly(0), StreamInfoCommands::help, LOADING, STALE)
                .docs(STREAM, "5.0.0", "O(1)", "", "Answers what XINFO can do.");
    }

    private static StreamValue find(Call call) {
        StreamValue stream = Streams.of(call.find(2));
        if (stream == null) {
            throw CommandException.NO_SUCH_KEY;
        }
        return stream;
    }

    private static void number(ReplyWriter reply, String name, long value) {
        reply.bulk(name);
        reply.integer(value);
    }

    private static void id(ReplyWriter reply, String name, StreamId value) {
        reply.bulk(name);
        Streams.id(reply, value);
    }

    /** {@code XINFO STREAM key [FULL [COUNT count]]} */
    private static void stream(Call call) {
        StreamValue stream = find(call);
        boolean full = call.argc() > 3;
        long count = DEFAULT_COUNT;
        if (full) {
            boolean counted = call.argc() == 6 && call.is(4, "COUNT");
            if (!call.is(3, "FULL") || (call.argc() != 4 && !counted)) {
                throw call.spec().misused(call.text(1));
            }
            count = counted ? call.longArg(5) : count;
            count = count < 0 ? DEFAULT_COUNT : count;
        }
        ReplyWriter reply = call.reply();
        reply.map(full ? 9 : 10);
        number(reply, "length", stream.length());
        int chunks = stream.log().chunks().size();
        number(reply, "radix-tree-keys", chunks);
        number(
                reply,
                "radix-tree-nodes",
                chunks + 1); // with the root: the index here is a tree with one key in each node
        id(reply, "last-generated-id", stream.lastId());
        id(reply, "max-deleted-entry-id", stream.maxDeletedId());
        number(reply, "entries-added", stream.entriesAdded());
        id(reply, "recorded-first-entry-id", stream.log().first());
        if (full) {
            reply.bulk("entries");
            entries(reply, stream, count);
            reply.bulk("groups");
            reply.array(stream.groups().size());
            for (ConsumerGroup group : stream.groups()) {
                fullGroup(reply, stream, group, count);
            }
        } else {
            number(reply, "groups", stream.groups().size());
            edge(reply, "first-entry", stream, false);
            edge(reply, "last-entry", stream, true);
        }
    }

    private static void edge(ReplyWriter reply, String name, StreamValue stream, boolean last) {
        reply.bulk(name);
        StreamCursor cursor = stream.log().cursor(StreamId.ZERO, StreamId.MAX, last);
        if (cursor.next()) {
            Streams.entry(reply, cursor);
        } else {
            reply.nil();
        }
    }

    private static void entries(ReplyWriter reply, StreamValue stream, long most) {
        int mark = reply.deferred();
        int count = 0;
        StreamCursor cursor = stream.log().cursor(StreamId.ZERO, StreamId.MAX, false);
        while ((most == 0 || count < most) && cursor.next()) {
            Streams.entry(reply, cursor);
            count++;
        }
        reply.closeArray(mark, count);
    }

    private static void progress(ReplyWriter reply, StreamValue stream, ConsumerGroup group) {
        id(reply, "last-delivered-id", group.lastId());
        reply.bulk("entries-read");
        if (group.entriesRead() == ConsumerGroup.UNKNOWN) {
            reply.nil();
        } else {
            reply.integer(group.entriesRead());
        }
        reply.bulk("lag");
        stream.lag(group).ifPresentOrElse(reply::integer, reply::nil);
    }

    private static void fullGroup(ReplyWriter reply, StreamValue stream, ConsumerGroup group, long most) {
        reply.map(7);
        reply.bulk("name");
        reply.bulk(group.name());
        progress(reply, stream, group);
        number(reply, "pel-count", group.pendingCount());
        reply.bulk("pending");
        pending(reply, group.pending(), most, true);
        reply.bulk("consumers");
        reply.array(group.consumers().size());
        for (StreamConsumer consumer : group.consumers()) {
            reply.map(5);
            reply.bulk("name");
            reply.bulk(consumer.name());
            number(reply, "seen-time", consumer.seenMillis());
            number(reply, "active-time", consumer.activeMillis());
            number(reply, "pel-count", consumer.pendingCount());
            reply.bulk("pending");
            pending(reply, consumer.pending(), most, false);
        }
    }

    private static void pending(ReplyWriter reply, Collection<PendingEntry> all, long most, boolean withConsumer) {
        reply.array((int) (most == 0 ? all.size() : Math.min(most, all.size())));
        long left = most == 0 ? all.size() : most;
        for (PendingEntry entry : all) {
            if (left-- == 0) {
                return;
            }
            reply.array(withConsumer ? 4 : 3);
            Streams.id(reply, entry.id());
            if (withConsumer) {
                reply.bulk(entry.consumer().name());
            }
            reply.integer(entry.deliveredMillis());
            reply.integer(entry.deliveries());
        }
    }

    /** {@code XINFO GROUPS key} */
    private static void groups(Call call) {
        StreamValue stream = find(call);
        ReplyWriter reply = call.reply();
        reply.array(stream.groups().size());
        for (ConsumerGroup group : stream.groups()) {
            reply.map(6);
            reply.bulk("name");
            reply.bulk(group.name());
            number(reply, "consumers", group.consumers().size());
            number(reply, "pending", group.pendingCount());
            progress(reply, stream, group);
        }
    }

    /** {@code XINFO CONSUMERS key group} */
    private static void consumers(Call call) {
        StreamValue stream = find(call);
        ConsumerGroup group = stream.group(call.arg(3));
        if (group == null) {
            throw Streams.noSuchGroup(call, 2, 3);
        }
        ReplyWriter reply = call.reply();
        long now = call.clockMillis();
        reply.array(group.consumers().size());
        for (StreamConsumer consumer : group.consumers()) {
            reply.map(4);
            reply.bulk("name");
            reply.bulk(consumer.name());
            number(reply, "pending", consumer.pendingCount());
            number(reply, "idle", Math.max(0, now - consumer.seenMillis()));
            boolean never = consumer.activeMillis() == StreamConsumer.NEVER;
            number(reply, "inactive", never ? StreamConsumer.NEVER : now - consumer.activeMillis());
        }
    }

    /** {@code XINFO HELP} */
    private static void help(Call call) {
        call.reply().array(HELP.size());
        HELP.forEach(call.reply()::simple);
    }
}
