package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.EventClass;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.Ranks;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.Walk;
import org.jspecify.annotations.Nullable;

/** What the commands on sorted sets share. Stateless. */
final class SortedSets {

    private SortedSets() {}

    /** The value of an entry, null if there is none. @throws CommandException WRONGTYPE */
    static @Nullable SortedSetValue of(@Nullable Entry entry) {
        if (entry == null) {
            return null;
        }
        if (entry.value() instanceof SortedSetValue zset) {
            return zset;
        }
        throw CommandException.WRONG_TYPE;
    }

    /** Up to which size a sorted set is to be compact. */
    static CompactLimits limits(Call call) {
        var encoding = call.engine().settings().encoding;
        return new CompactLimits(0, encoding.zsetMaxListpackEntries.value(), encoding.zsetMaxListpackValue.value());
    }

    /** A new set in the form that suits what is about to be added. */
    static SortedSetValue create(Call call, long members, long memberBytes, CompactLimits limits) {
        SortedSetValue zset = new SortedSetValue(call.engine().random());
        if (members > limits.entries() || memberBytes > limits.bytes()) {
            zset.unpack();
        }
        return zset;
    }

    /** A number of at least {@code least}. @throws CommandException {@code refusal}, if the argument is anything else */
    static long count(Call call, int index, long least, CommandException refusal) {
        Request request = call.request();
        byte[] array = request.array(index);
        int offset = request.offset(index);
        int length = request.length(index);
        if (!Numbers.isLong(array, offset, length) || Numbers.parseLong(array, offset, length) < least) {
            throw refusal;
        }
        return Numbers.parseLong(array, offset, length);
    }

    /** Begins an array of members: in RESP2 the scores stand between them, in RESP3 each pair is an array of its own. */
    static void beginMembers(ReplyWriter reply, int count, boolean withScores) {
        reply.array(withScores && reply.protocol() == 2 ? 2 * count : count);
    }

    /** Writes one member of such an array. */
    static void member(ReplyWriter reply, byte[] array, int offset, int length, double score, boolean withScores) {
        if (withScores && reply.protocol() == 3) {
            reply.array(2);
        }
        member(reply, array, offset, length);
        if (withScores) {
            reply.real(score);
        }
    }

    /** Writes a member that a {@link SortedSetValue.Visitor} was given. */
    static void member(ReplyWriter reply, byte[] array, int offset, int length) {
        if (offset == 0 && length == array.length) {
            reply.bulkShared(array);
        } else {
            reply.bulk(array, offset, length);
        }
    }

    /** Writes the members with these ranks as an array. */
    static void members(ReplyWriter reply, SortedSetValue zset, Ranks ranks, Walk walk) {
        boolean withScores = walk.withScores();
        beginMembers(reply, ranks.size(), withScores);
        zset.forEach(
                ranks, walk, (array, offset, length, score) -> member(reply, array, offset, length, score, withScores));
    }

    /** Tells that members have been taken out of a set, and removes the key if none are left. */
    static void taken(Call call, int key, Entry entry, SortedSetValue zset, String event, int count) {
        call.changed(key, EventClass.ZSET, event);
        call.countChanges(count - 1L);
        if (zset.size() == 0) {
            call.removeEmptied(key, entry);
        }
    }

    /** Makes a result the value of the key at argument 1, or removes that key if the result is empty, and answers the size. */
    static void store(Call call, SortedSetValue result, String event) {
        store(call, 1, result, event);
    }

    /** As {@link #store(Call, SortedSetValue, String)}, with the key at another argument. */
    static void store(Call call, int key, SortedSetValue result, String event) {
        if (result.size() > 0) {
            call.set(key, result);
            call.changed(key, EventClass.ZSET, event);
        } else {
            Entry entry = call.findForWrite(key);
            if (entry != null) {
                call.remove(key, entry);
                call.changed(key, EventClass.GENERIC, "del");
            }
        }
        call.reply().integer(result.size());
    }
}
