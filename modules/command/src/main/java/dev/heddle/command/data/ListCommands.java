package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.LIST;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.Handler;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.ListEnd;
import dev.heddle.store.value.ListValue;

/** Lists: what adds to them, reads and changes them. What takes from their ends is in {@link ListPops}. Stateless. */
public final class ListCommands {

    private ListCommands() {}

    public static void declare(CommandTable.Builder t) {
        declarePushes(t);
        declareReads(t);
        t.write("LSET", exactly(3), ListCommands::lset, DENYOOM)
                .key(Access.RW)
                .docs(
                        LIST,
                        "1.0.0",
                        "O(N), O(1) in a long list",
                        "key index element",
                        "Replaces the element at an index.");
        t.write("LINSERT", exactly(4), ListCommands::linsert, DENYOOM)
                .key(Access.RW_INSERT)
                .docs(
                        LIST,
                        "2.2.0",
                        "O(N) where N is the number of elements before the pivot",
                        "key <BEFORE | AFTER> pivot element",
                        "Inserts an element next to the first one that equals the pivot.");
        t.write("LREM", exactly(3), ListCommands::lrem)
                .key(Access.RW_DELETE)
                .docs(
                        LIST,
                        "1.0.0",
                        "O(N) where N is the number of elements looked at",
                        "key count element",
                        "Removes elements that equal the given one, counted from the head or, with a negative count, the tail.");
        t.write("LTRIM", exactly(3), ListCommands::ltrim)
                .key(Access.RW_DELETE)
                .docs(
                        LIST,
                        "1.0.0",
                        "O(N) where N is the smaller one of the numbers of elements removed and kept",
                        "key start stop",
                        "Removes all elements outside of a range.");
        ListPops.declare(t);
    }

    private static void declarePushes(CommandTable.Builder t) {
        push(
                t,
                "LPUSH",
                "1.0.0",
                call -> push(call, ListEnd.HEAD, false),
                "Adds elements at the head, one after the other.");
        push(t, "RPUSH", "1.0.0", call -> push(call, ListEnd.TAIL, false), "Adds elements at the tail.");
        push(
                t,
                "LPUSHX",
                "2.2.0",
                call -> push(call, ListEnd.HEAD, true),
                "Adds elements at the head of a list that exists.");
        push(
                t,
                "RPUSHX",
                "2.2.0",
                call -> push(call, ListEnd.TAIL, true),
                "Adds elements at the tail of a list that exists.");
    }

    private static void push(CommandTable.Builder t, String name, String since, Handler handler, String summary) {
        t.write(name, atLeast(2), handler, DENYOOM, FAST)
                .key(Access.RW_INSERT)
                .docs(LIST, since, "O(1) for each element", "key element [element ...]", summary);
    }

    private static void declareReads(CommandTable.Builder t) {
        t.read("LLEN", exactly(1), ListCommands::llen, FAST)
                .key(Access.RO_META)
                .docs(LIST, "1.0.0", "O(1)", "key", "Answers the number of elements.");
        t.read("LINDEX", exactly(2), ListCommands::lindex)
                .key(Access.RO)
                .docs(LIST, "1.0.0", "O(N), O(1) in a long list", "key index", "Answers the element at an index.");
        t.read("LRANGE", exactly(3), ListCommands::lrange)
                .key(Access.RO)
                .docs(
                        LIST,
                        "1.0.0",
                        "O(N) where N is the number of elements in the range",
                        "key start stop",
                        "Answers the elements of a range.");
        t.read("LPOS", atLeast(2), ListSearch::lpos)
                .key(Access.RO)
                .docs(
                        LIST,
                        "6.0.6",
                        "O(N) where N is the number of elements looked at",
                        "key element [RANK rank] [COUNT num-matches] [MAXLEN len]",
                        "Answers the indexes of elements that equal the given one.");
    }

    // ---- what the list commands share

    /** The list of an entry. @throws CommandException WRONGTYPE */
    static ListValue listOf(Entry entry) {
        if (entry.value() instanceof ListValue list) {
            return list;
        }
        throw CommandException.WRONG_TYPE;
    }

    /** The setting list-max-listpack-size. */
    static int limit(Call call) {
        return call.engine().settings().encoding.listMaxListpackSize.value();
    }

    /** Removes the key of a list that has lost its last element; otherwise lets the list choose its form anew. */
    static void settleShrunk(Call call, int key, Entry entry, ListValue list) {
        if (list.size() == 0) {
            call.removeEmptied(key, entry);
        } else {
            list.shrunk(limit(call));
        }
    }

    // ---- commands

    /** {@code LPUSH | RPUSH | LPUSHX | RPUSHX key element [element ...]} */
    private static void push(Call call, ListEnd end, boolean onlyExisting) {
        Entry entry = call.findForWrite(1);
        ListValue list = entry == null ? new ListValue() : listOf(entry);
        if (entry == null && onlyExisting) {
            call.reply().integer(0);
            return;
        }
        Request request = call.request();
        int argc = call.argc();
        long bytes = 0;
        for (int i = 2; i < argc; i++) {
            bytes += request.length(i);
        }
        list.growing(bytes, argc - 2, limit(call));
        for (int i = 2; i < argc; i++) {
            if (list.isPacked()) {
                list.push(end, request.array(i), request.offset(i), request.length(i));
            } else {
                list.push(end, call.take(i));
            }
        }
        if (entry == null) {
            call.add(1, list);
        }
        call.changed(1, EventClass.LIST, end == ListEnd.HEAD ? "lpush" : "rpush");
        call.countChanges(argc - 3);
        call.reply().integer(list.size());
    }

    /** {@code LLEN key} */
    private static void llen(Call call) {
        ListValue list = call.read(1, ListValue.class);
        call.reply().integer(list == null ? 0 : list.size());
    }

    /** {@code LINDEX key index} */
    private static void lindex(Call call) {
        ListValue list = call.read(1, ListValue.class);
        if (list == null) {
            call.reply().nil();
            return;
        }
        long index = fromHead(call.longArg(2), list.size());
        if (index < 0 || index >= list.size()) {
            call.reply().nil();
        } else {
            list.give((int) index, new BulkReplies(call.reply()));
        }
    }

    /** {@code LRANGE key start stop} */
    private static void lrange(Call call) {
        long start = call.longArg(2);
        long stop = call.longArg(3);
        ListValue list = call.read(1, ListValue.class);
        ReplyWriter reply = call.reply();
        if (list == null) {
            reply.array(0);
            return;
        }
        int size = list.size();
        long from = Math.max(0, fromHead(start, size));
        long count = Math.min(fromHead(stop, size), size - 1L) - from + 1;
        if (count <= 0) {
            reply.array(0);
            return;
        }
        reply.array((int) count);
        byte[][] copy = Snapshots.of(call, list, (int) from, (int) count);
        if (copy == null) {
            list.give((int) from, (int) count, false, new BulkReplies(reply));
            return;
        }
        ElementSink elements = Patience.before(call, new BulkReplies(reply));
        for (byte[] element : copy) {
            elements.whole(element);
        }
    }

    /** {@code LSET key index element} */
    private static void lset(Call call) {
        ListValue list = call.write(1, ListValue.class);
        if (list == null) {
            throw CommandException.NO_SUCH_KEY;
        }
        long index = fromHead(call.longArg(2), list.size());
        list.growing(call.request().length(3), 1, limit(call));
        if (index < 0 || index >= list.size()) {
            throw CommandException.INDEX_OUT_OF_RANGE;
        }
        list.set((int) index, call.take(3));
        list.shrunk(limit(call));
        call.changed(1, EventClass.LIST, "lset");
        call.reply().ok();
    }

    /** {@code LINSERT key <BEFORE | AFTER> pivot element} */
    private static void linsert(Call call) {
        boolean after = call.is(2, "AFTER");
        if (!after && !call.is(2, "BEFORE")) {
            throw CommandException.SYNTAX;
        }
        ListValue list = call.write(1, ListValue.class);
        if (list == null) {
            call.reply().integer(0);
            return;
        }
        list.growing(call.request().length(4), 1, limit(call));
        int pivot = ListSearch.first(call, 3, list);
        if (pivot < 0) {
            call.reply().integer(-1);
            return;
        }
        list.insert(after ? pivot + 1 : pivot, call.take(4));
        call.changed(1, EventClass.LIST, "linsert");
        call.reply().integer(list.size());
    }

    /** {@code LREM key count element} */
    private static void lrem(Call call) {
        long count = call.longArg(2);
        Entry entry = call.findForWrite(1);
        if (entry == null) {
            call.reply().integer(0);
            return;
        }
        ListValue list = listOf(entry);
        Request request = call.request();
        int most = count == 0 ? list.size() : (int) Math.min(list.size(), Math.abs(Math.max(count, -Long.MAX_VALUE)));
        ListEnd start = count < 0 ? ListEnd.TAIL : ListEnd.HEAD;
        int removed = list.removeEqual(request.array(3), request.offset(3), request.length(3), most, start);
        if (removed > 0) {
            call.changed(1, EventClass.LIST, "lrem");
            call.countChanges(removed - 1L);
            settleShrunk(call, 1, entry, list);
        }
        call.reply().integer(removed);
    }

    /** {@code LTRIM key start stop} */
    private static void ltrim(Call call) {
        long start = call.longArg(2);
        long stop = call.longArg(3);
        Entry entry = call.findForWrite(1);
        if (entry == null) {
            call.reply().ok();
            return;
        }
        ListValue list = listOf(entry);
        int size = list.size();
        long from = Math.max(0, fromHead(start, size));
        int kept = (int) Math.max(0, Math.min(fromHead(stop, size), size - 1L) - from + 1);
        if (kept == size) {
            // Redis tells of this trim too, though nothing has changed.
            call.event(1, EventClass.LIST, "ltrim");
            list.shrunk(limit(call));
        } else {
            list.retain(kept == 0 ? 0 : (int) from, kept);
            call.changed(1, EventClass.LIST, "ltrim");
            call.countChanges(size - kept - 1L);
            settleShrunk(call, 1, entry, list);
        }
        call.reply().ok();
    }

    /** An index counted from the head; it may still be outside of the list. */
    private static long fromHead(long index, int size) {
        return index < 0 ? size + index : index;
    }
}
