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
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.ListEnd;
import dev.heddle.store.value.ListValue;

/**
 * What takes elements from the ends of lists. {@link #popFirst}, {@link #popRange} and {@link #move} serve one call from one key, and are all that the
 * forms that wait for an element need besides waiting. Stateless.
 */
final class ListPops {

    private ListPops() {}

    static void declare(CommandTable.Builder t) {
        String complexity = "O(N) where N is the number of elements taken";
        t.write("LPOP", atLeast(1), call -> pop(call, ListEnd.HEAD), FAST)
                .key(Access.RW_POP)
                .docs(LIST, "1.0.0", complexity, "key [count]", "Takes elements from the head.");
        t.write("RPOP", atLeast(1), call -> pop(call, ListEnd.TAIL), FAST)
                .key(Access.RW_POP)
                .docs(LIST, "1.0.0", complexity, "key [count]", "Takes elements from the tail.");
        t.write("LMPOP", atLeast(3), ListPops::lmpop)
                .countedKeys(1, Access.RW_POP)
                .docs(
                        LIST,
                        "7.0.0",
                        "O(N+M) where N is the number of keys and M the number of elements taken",
                        "numkeys key [key ...] <LEFT | RIGHT> [COUNT count]",
                        "Takes elements from the first of several lists that is not empty.");
        t.write("LMOVE", exactly(4), ListPops::lmove, DENYOOM)
                .keys(1, 1, 1, Access.RW_POP)
                .keys(2, 2, 1, Access.RW_INSERT)
                .docs(
                        LIST,
                        "6.2.0",
                        "O(1)",
                        "source destination <LEFT | RIGHT> <LEFT | RIGHT>",
                        "Moves an element from an end of one list to an end of another.");
        t.write("RPOPLPUSH", exactly(2), ListPops::rpoplpush, DENYOOM)
                .keys(1, 1, 1, Access.RW_POP)
                .keys(2, 2, 1, Access.RW_INSERT)
                .deprecated("6.2.0", "`LMOVE` with the `RIGHT` and `LEFT` arguments")
                .docs(
                        LIST,
                        "1.2.0",
                        "O(1)",
                        "source destination",
                        "Moves an element from the tail of one list to the head of another.");
    }

    /** {@code LPOP | RPOP key [count]} */
    private static void pop(Call call, ListEnd end) {
        if (call.argc() > 3) {
            throw CommandException.err(
                    "wrong number of arguments for '" + call.spec().name() + "' command");
        }
        boolean counted = call.argc() == 3;
        long count =
                counted ? Counts.inRange(call, 2, 0, Long.MAX_VALUE, "value is out of range, must be positive") : 1;
        ReplyWriter reply = call.reply();
        Entry entry = call.findForWrite(1);
        if (entry == null) {
            if (counted) {
                reply.nilArray();
            } else {
                reply.nil();
            }
            return;
        }
        ListCommands.listOf(entry);
        if (!counted) {
            reply.bulkShared(popFirst(call, 1, entry, end));
        } else if (count == 0) {
            reply.array(0);
        } else {
            popRange(call, 1, entry, end, count);
        }
    }

    /** {@code LMPOP numkeys key [key ...] <LEFT | RIGHT> [COUNT count]} */
    private static void lmpop(Call call) {
        long keys = Counts.inRange(call, 1, 1, Long.MAX_VALUE, "numkeys should be greater than 0");
        if (keys > call.argc() - 3) {
            throw CommandException.SYNTAX;
        }
        int where = 2 + (int) keys;
        ListEnd end = end(call, where);
        long count = 1;
        if (call.argc() > where + 1) {
            if (!call.is(where + 1, "COUNT") || call.argc() == where + 2) {
                throw CommandException.SYNTAX;
            }
            count = Counts.inRange(call, where + 2, 1, Long.MAX_VALUE, "count should be greater than 0");
            if (call.argc() > where + 3) {
                throw CommandException.SYNTAX;
            }
        }
        if (!mpop(call, 2, (int) keys, end, count)) {
            call.reply().nilArray();
        }
    }

    /** {@code LMOVE source destination <LEFT | RIGHT> <LEFT | RIGHT>} */
    private static void lmove(Call call) {
        ListEnd from = end(call, 3);
        ListEnd to = end(call, 4);
        if (!move(call, from, to)) {
            call.reply().nil();
        }
    }

    /** {@code RPOPLPUSH source destination} */
    private static void rpoplpush(Call call) {
        if (!move(call, ListEnd.TAIL, ListEnd.HEAD)) {
            call.reply().nil();
        }
    }

    // ---- serving from one key

    /** The first of some keys that there is, or -1. @throws CommandException WRONGTYPE if that is no list */
    static int firstList(Call call, int firstKey, int keys) {
        for (int key = firstKey; key < firstKey + keys; key++) {
            Entry entry = call.findForWrite(key);
            if (entry != null) {
                ListCommands.listOf(entry);
                return key;
            }
        }
        return -1;
    }

    /** Takes one element from a list, with all consequences but reply and effect. */
    static byte[] popFirst(Call call, int key, Entry entry, ListEnd end) {
        ListValue list = ListCommands.listOf(entry);
        byte[] element = list.pop(end);
        popped(call, key, entry, end, 1);
        return element;
    }

    /** Takes up to {@code count} elements from a list and answers them as an array; returns how many. */
    static int popRange(Call call, int key, Entry entry, ListEnd end, long count) {
        ListValue list = ListCommands.listOf(entry);
        int size = list.size();
        int taken = (int) Math.min(count, size);
        ReplyWriter reply = call.reply();
        reply.array(taken);
        boolean atTail = end == ListEnd.TAIL;
        list.give(atTail ? size - 1 : 0, taken, atTail, new BulkReplies(reply));
        list.retain(atTail ? 0 : taken, size - taken);
        popped(call, key, entry, end, taken);
        return taken;
    }

    /**
     * Takes up to {@code count} elements from the first of some lists that there is, and answers key and elements, as LMPOP does; what is
     * recorded is the LPOP or RPOP that it comes to.
     *
     * @return false if there is none: then nothing is answered
     */
    static boolean mpop(Call call, int firstKey, int keys, ListEnd end, long count) {
        int key = firstList(call, firstKey, keys);
        Entry entry = key < 0 ? null : call.findForWrite(key);
        if (entry == null) {
            return false;
        }
        call.reply().array(2);
        Request request = call.request();
        call.reply().bulk(request.array(key), request.offset(key), request.length(key));
        int taken = popRange(call, key, entry, end, count);
        if (call.recorded()) {
            call.effect(end == ListEnd.HEAD ? "LPOP" : "RPOP", call.arg(key), Numbers.toBytes(taken));
        }
        return true;
    }

    /**
     * Moves an element from the list at argument 1 to the one at argument 2, and answers it.
     *
     * @return false if there is no source: then nothing is answered
     */
    static boolean move(Call call, ListEnd from, ListEnd to) {
        Entry source = call.findForWrite(1);
        if (source == null) {
            return false;
        }
        ListValue sourceList = ListCommands.listOf(source);
        Entry destination = call.findForWrite(2);
        ListValue destinationList = destination == null ? new ListValue() : ListCommands.listOf(destination);
        byte[] element = sourceList.pop(from);
        destinationList.growing(element.length, 1, ListCommands.limit(call));
        destinationList.push(to, element);
        if (destination == null) {
            call.add(2, destinationList);
        }
        call.event(2, EventClass.LIST, to == ListEnd.HEAD ? "lpush" : "rpush");
        popped(call, 1, source, from, 1);
        call.reply().bulkShared(element);
        return true;
    }

    private static void popped(Call call, int key, Entry entry, ListEnd end, int count) {
        call.changed(key, EventClass.LIST, end == ListEnd.HEAD ? "lpop" : "rpop");
        call.countChanges(count - 1L);
        ListCommands.settleShrunk(call, key, entry, ListCommands.listOf(entry));
    }

    // ---- arguments

    /** LEFT or RIGHT. @throws CommandException syntax error */
    static ListEnd end(Call call, int index) {
        if (call.is(index, "LEFT")) {
            return ListEnd.HEAD;
        }
        if (call.is(index, "RIGHT")) {
            return ListEnd.TAIL;
        }
        throw CommandException.SYNTAX;
    }
}
