package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.HashValue;
import org.jspecify.annotations.Nullable;

/** What the commands on hashes have in common. Stateless. */
final class HashFields {

    private HashFields() {}

    /**
     * The hash at key 1 for a command that changes some of its fields: of those, none has expired and is still there.
     *
     * @param from the first argument that is a field
     * @param to behind the last argument
     * @param step from one field to the next
     */
    static @Nullable HashValue forWrite(Call call, int from, int to, int step) {
        HashValue hash = call.write(1, HashValue.class);
        if (hash != null && hash.anyDue(call.now())) {
            for (int i = from; i < to; i += step) {
                if (isDue(call, hash, i)) {
                    call.removeExpiredField(1, hash, i);
                }
            }
        }
        return hash;
    }

    private static boolean isDue(Call call, HashValue hash, int index) {
        Request request = call.request();
        return hash.isDue(request.array(index), request.offset(index), request.length(index), call.now());
    }

    static boolean contains(Call call, HashValue hash, int index) {
        Request request = call.request();
        return hash.contains(request.array(index), request.offset(index), request.length(index), call.now());
    }

    static byte @Nullable [] get(Call call, HashValue hash, int index) {
        Request request = call.request();
        return hash.get(request.array(index), request.offset(index), request.length(index), call.now());
    }

    static boolean put(Call call, HashValue hash, int index, byte[] value, CompactLimits limits) {
        Request request = call.request();
        return hash.put(request.array(index), request.offset(index), request.length(index), value, limits);
    }

    static boolean remove(Call call, HashValue hash, int index) {
        Request request = call.request();
        return hash.remove(request.array(index), request.offset(index), request.length(index));
    }

    static long deadline(Call call, HashValue hash, int index) {
        Request request = call.request();
        return hash.deadline(request.array(index), request.offset(index), request.length(index));
    }

    static void expireAt(Call call, HashValue hash, int index, long at) {
        Request request = call.request();
        hash.expireAt(request.array(index), request.offset(index), request.length(index), at);
    }

    static boolean persist(Call call, HashValue hash, int index) {
        Request request = call.request();
        return hash.persist(request.array(index), request.offset(index), request.length(index));
    }

    /** Writes the value of a field, or the null. */
    static void reply(Call call, @Nullable HashValue hash, int index, BulkReplies replies) {
        Request request = call.request();
        if (hash == null
                || !hash.show(
                        request.array(index), request.offset(index), request.length(index), call.now(), replies)) {
            call.reply().nil();
        }
    }

    /** Puts a hash that was changed in order: one that is new gets its key, one that is empty loses it, deadlines are noted. */
    static void settle(Call call, HashValue hash, boolean isNew) {
        if (isNew) {
            if (hash.size() > 0) {
                call.add(1, hash);
            }
            return;
        }
        if (hash.size(call.now()) == 0) {
            Entry entry = call.findForWrite(1);
            if (entry != null) {
                call.removeEmptied(1, entry);
            }
        } else if (hash.deadlines() != null) {
            call.deadlinesChanged(1, hash);
        }
    }
}
