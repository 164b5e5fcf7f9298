package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.MAY_REPLICATE;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.PUBSUB;
import static dev.heddle.command.Flag.SENTINEL;
import static dev.heddle.command.Flag.STALE;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.Glob;
import dev.heddle.command.Group;
import dev.heddle.command.Interests;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.command.PubSub.Kind;
import java.util.Collection;
import java.util.List;

/** Publishing and subscribing; how a message travels is told in {@link dev.heddle.command.Outbox}. Stateless. */
public final class PubSubCommands {

    private static final String SUBSCRIBING = "O(N) where N is the number of channels to subscribe to.";
    private static final String UNSUBSCRIBING = "O(N) where N is the number of channels to unsubscribe.";

    private static final CommandException NO_SHARDS_HERE =
            CommandException.err("SSUBSCRIBE isn't allowed for a DENY BLOCKING client");

    private PubSubCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.other("PUBLISH", exactly(2), PubSubCommands::publish, PUBSUB, LOADING, STALE, FAST, MAY_REPLICATE, SENTINEL)
                .docs(
                        Group.PUBSUB,
                        "2.0.0",
                        "O(N+M) where N is the number of clients subscribed to the receiving channel and M is the total number of"
                                + " subscribed patterns (by any client).",
                        "channel message",
                        "Sends a message to all who listen to a channel.");
        t.other("SPUBLISH", exactly(2), PubSubCommands::publishToShard, PUBSUB, LOADING, STALE, FAST, MAY_REPLICATE)
                .key(Access.NOT_KEY)
                .locksItself()
                .docs(
                        Group.PUBSUB,
                        "7.0.0",
                        "O(N) where N is the number of clients subscribed to the receiving shard channel.",
                        "shardchannel message",
                        "Sends a message to all who listen to a shard channel.");
        t.container("PUBSUB")
                .docs(
                        Group.PUBSUB,
                        "2.8.0",
                        "Depends on subcommand.",
                        "",
                        "A container for commands about who listens.")
                .subcommands(PubSubCommands::declareInspection);
        declareChannels(t);
        declareShards(t);
    }

    private static void declareChannels(CommandTable.Builder t) {
        t.other(
                        "SUBSCRIBE",
                        atLeast(1),
                        call -> subscribe(call, Kind.CHANNEL),
                        PUBSUB,
                        NOSCRIPT,
                        LOADING,
                        STALE,
                        SENTINEL)
                .docs(Group.PUBSUB, "2.0.0", SUBSCRIBING, "channel [channel ...]", "Listens to channels.");
        t.other(
                        "UNSUBSCRIBE",
                        atLeast(0),
                        call -> unsubscribe(call, Kind.CHANNEL),
                        PUBSUB,
                        NOSCRIPT,
                        LOADING,
                        STALE,
                        SENTINEL)
                .docs(
                        Group.PUBSUB,
                        "2.0.0",
                        UNSUBSCRIBING,
                        "[channel [channel ...]]",
                        "Stops listening to channels, or to all of them.");
        t.other(
                        "PSUBSCRIBE",
                        atLeast(1),
                        call -> subscribe(call, Kind.PATTERN),
                        PUBSUB,
                        NOSCRIPT,
                        LOADING,
                        STALE,
                        SENTINEL)
                .docs(
                        Group.PUBSUB,
                        "2.0.0",
                        "O(N) where N is the number of patterns to subscribe to.",
                        "pattern [pattern ...]",
                        "Listens to all channels whose names match a pattern.");
        t.other(
                        "PUNSUBSCRIBE",
                        atLeast(0),
                        call -> unsubscribe(call, Kind.PATTERN),
                        PUBSUB,
                        NOSCRIPT,
                        LOADING,
                        STALE,
                        SENTINEL)
                .docs(
                        Group.PUBSUB,
                        "2.0.0",
                        "O(N) where N is the number of patterns to unsubscribe.",
                        "[pattern [pattern ...]]",
                        "Stops listening to patterns, or to all of them.");
    }

    private static void declareShards(CommandTable.Builder t) {
        t.other("SSUBSCRIBE", atLeast(1), call -> subscribe(call, Kind.SHARD), PUBSUB, NOSCRIPT, LOADING, STALE)
                .allKeys(Access.NOT_KEY)
                .locksItself()
                .docs(
                        Group.PUBSUB,
                        "7.0.0",
                        "O(N) where N is the number of shard channels to subscribe to.",
                        "shardchannel [shardchannel ...]",
                        "Listens to shard channels.");
        t.other("SUNSUBSCRIBE", atLeast(0), call -> unsubscribe(call, Kind.SHARD), PUBSUB, NOSCRIPT, LOADING, STALE)
                .allKeys(Access.NOT_KEY)
                .locksItself()
                .docs(
                        Group.PUBSUB,
                        "7.0.0",
                        "O(N) where N is the number of shard channels to unsubscribe.",
                        "[shardchannel [shardchannel ...]]",
                        "Stops listening to shard channels, or to all of them.");
    }

    private static void declareInspection(CommandTable.Builder t) {
        t.other("CHANNELS", atLeast(0), call -> channels(call, Kind.CHANNEL), PUBSUB, LOADING, STALE)
                .docs(
                        Group.PUBSUB,
                        "2.8.0",
                        "O(N) where N is the number of active channels, and assuming constant time pattern matching (relatively short"
                                + " channels and patterns)",
                        "[pattern]",
                        "Lists the channels that somebody listens to.");
        t.other("NUMSUB", atLeast(0), call -> subscribers(call, Kind.CHANNEL), PUBSUB, LOADING, STALE)
                .docs(
                        Group.PUBSUB,
                        "2.8.0",
                        "O(N) for the NUMSUB subcommand, where N is the number of requested channels",
                        "[channel [channel ...]]",
                        "Counts those who listen to channels, patterns aside.");
        t.other("NUMPAT", exactly(0), PubSubCommands::patterns, PUBSUB, LOADING, STALE)
                .docs(Group.PUBSUB, "2.8.0", "O(1)", "", "Counts the patterns that somebody listens to.");
        t.other("SHARDCHANNELS", atLeast(0), call -> channels(call, Kind.SHARD), PUBSUB, LOADING, STALE)
                .docs(
                        Group.PUBSUB,
                        "7.0.0",
                        "O(N) where N is the number of active shard channels, and assuming constant time pattern matching (relatively"
                                + " short shard channels).",
                        "[pattern]",
                        "Lists the shard channels that somebody listens to.");
        t.other("SHARDNUMSUB", atLeast(0), call -> subscribers(call, Kind.SHARD), PUBSUB, LOADING, STALE)
                .docs(
                        Group.PUBSUB,
                        "7.0.0",
                        "O(N) for the SHARDNUMSUB subcommand, where N is the number of requested shard channels",
                        "[shardchannel [shardchannel ...]]",
                        "Counts those who listen to shard channels.");
        t.other("HELP", exactly(0), Subcommands::help, LOADING, STALE)
                .categories()
                .docs(Group.PUBSUB, "6.2.0", "O(1)", "", "Lists the subcommands.");
    }

    /** {@code PUBLISH channel message} */
    private static void publish(Call call) {
        call.reply().integer(call.engine().pubSub().publish(call.arg(1), call.arg(2)));
    }

    /** {@code SPUBLISH shardchannel message} */
    private static void publishToShard(Call call) {
        call.reply().integer(call.engine().pubSub().publishToShard(call.arg(1), call.arg(2)));
    }

    /** {@code SUBSCRIBE channel [channel ...]}, {@code PSUBSCRIBE} and {@code SSUBSCRIBE} likewise */
    private static void subscribe(Call call, Kind kind) {
        if (kind == Kind.SHARD && call.isNested()) {
            throw NO_SHARDS_HERE;
        }
        for (int i = 1; i < call.argc(); i++) {
            call.session().interests().subscribe(call, kind, call.arg(i));
        }
    }

    /** {@code UNSUBSCRIBE [channel ...]}, {@code PUNSUBSCRIBE} and {@code SUNSUBSCRIBE} likewise */
    private static void unsubscribe(Call call, Kind kind) {
        Interests interests = call.session().interests();
        for (int i = 1; i < call.argc(); i++) {
            interests.unsubscribe(call, kind, call.arg(i));
        }
        if (call.argc() == 1) {
            Collection<byte[]> all = interests.names(kind);
            all.forEach(name -> interests.unsubscribe(call, kind, name));
            if (all.isEmpty()) {
                interests.acknowledgeNothing(call, kind);
            }
        }
    }

    /** {@code PUBSUB CHANNELS [pattern]}, {@code PUBSUB SHARDCHANNELS [pattern]} */
    private static void channels(Call call, Kind kind) {
        if (call.argc() > 3) {
            throw Subcommands.misused(call);
        }
        Glob filter = call.argc() == 3 ? new Glob(call.arg(2), false) : null;
        List<byte[]> names = call.engine().pubSub().names(kind, filter);
        call.reply().array(names.size());
        names.forEach(call.reply()::bulk);
    }

    /** {@code PUBSUB NUMSUB [channel ...]}, {@code PUBSUB SHARDNUMSUB [shardchannel ...]} */
    private static void subscribers(Call call, Kind kind) {
        call.reply().array(2 * (call.argc() - 2));
        for (int i = 2; i < call.argc(); i++) {
            byte[] channel = call.arg(i);
            call.reply().bulk(channel);
            call.reply().integer(call.engine().pubSub().subscribers(kind, channel));
        }
    }

    private static void patterns(Call call) {
        call.reply().integer(call.engine().pubSub().count(Kind.PATTERN));
    }
}
