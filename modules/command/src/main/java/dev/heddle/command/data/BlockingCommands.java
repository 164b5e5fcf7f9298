package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.BLOCKING;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.LIST;
import static dev.heddle.command.Group.SORTED_SET;

import dev.heddle.command.Call;
import dev.heddle.command.CommandTable;
import dev.heddle.command.Handler;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.command.Wait;
import dev.heddle.command.WaitKind;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.ListEnd;

/**
 * The commands that wait for an element. Each says what it tries; when and by whom that is tried again is the business of
 * {@link Call#tryOrWait}. Stateless.
 */
public final class BlockingCommands {

    private BlockingCommands() {}

    public static void declare(CommandTable.Builder t) {
        declarePops(t);
        declareMoves(t);
        declareSortedSetPops(t);
    }

    private static void declarePops(CommandTable.Builder t) {
        String complexity = "O(N) where N is the number of provided keys.";
        String syntax = "key [key ...] timeout:double";
        t.write("BLPOP", atLeast(2), call -> pop(call, ListEnd.HEAD), BLOCKING)
                .keys(1, -2, 1, Access.RW_POP)
                .docs(LIST, "2.0.0", complexity, syntax, "Takes an element from the head of a list, or waits for one.");
        t.write("BRPOP", atLeast(2), call -> pop(call, ListEnd.TAIL), BLOCKING)
                .keys(1, -2, 1, Access.RW_POP)
                .docs(LIST, "2.0.0", complexity, syntax, "Takes an element from the tail of a list, or waits for one.");
        t.write("BLMPOP", atLeast(4), BlockingCommands::popSeveral, BLOCKING)
                .countedKeys(2, Access.RW_POP)
                .docs(
                        LIST,
                        "7.0.0",
                        "O(N+M) where N is the number of provided keys and M is the number of elements returned.",
                        "timeout:double numkeys key [key ...] <LEFT | RIGHT> [COUNT count]",
                        "Takes elements from the first of several lists that is not empty, or waits for some.");
    }

    private static void declareMoves(CommandTable.Builder t) {
        t.write("BLMOVE", exactly(5), BlockingCommands::move, DENYOOM, BLOCKING)
                .keys(1, 1, 1, Access.RW_POP)
                .keys(2, 2, 1, Access.RW_INSERT)
                .docs(
                        LIST,
                        "6.2.0",
                        "O(1)",
                        "source destination <LEFT | RIGHT> <LEFT | RIGHT> timeout:double",
                        "Moves an element from an end of one list to an end of another, or waits for one.");
        t.write("BRPOPLPUSH", exactly(3), BlockingCommands::popPush, DENYOOM, BLOCKING)
                .keys(1, 1, 1, Access.RW_POP)
                .keys(2, 2, 1, Access.RW_INSERT)
                .deprecated("6.2.0", "`BLMOVE` with the `RIGHT` and `LEFT` arguments")
                .docs(
                        LIST,
                        "2.2.0",
                        "O(1)",
                        "source destination timeout:double",
                        "Moves an element from the tail of one list to the head of another, or waits for one.");
    }

    private static void declareSortedSetPops(CommandTable.Builder t) {
        sortedSetPop(
                t,
                "BZPOPMIN",
                call -> popMember(call, false),
                "Takes the member with the lowest score, or waits for one.");
        sortedSetPop(
                t,
                "BZPOPMAX",
                call -> popMember(call, true),
                "Takes the member with the highest score, or waits for one.");
        t.write("BZMPOP", atLeast(4), BlockingCommands::popMembers, BLOCKING)
                .countedKeys(2, Access.RW_POP)
                .docs(
                        SORTED_SET,
                        "7.0.0",
                        "O(K) + O(M*log(N)) where K is the number of provided keys, N being the number of elements in the sorted set,"
                                + " and M being the number of elements popped.",
                        "timeout:double numkeys key [key ...] <MIN | MAX> [COUNT count]",
                        "Takes members from an end of the first of several sorted sets that is there, or waits for some.");
    }

    private static void sortedSetPop(CommandTable.Builder t, String name, Handler handler, String summary) {
        t.write(name, atLeast(2), handler, BLOCKING, FAST)
                .keys(1, -2, 1, Access.RW_POP)
                .docs(
                        SORTED_SET,
                        "5.0.0",
                        "O(log(N)) with N being the number of elements in the sorted set.",
                        "key [key ...] timeout:double",
                        summary);
    }

    /** {@code BLPOP | BRPOP key [key ...] timeout} */
    private static void pop(Call call, ListEnd end) {
        long timeout = WaitTime.millis(call, call.argc() - 1);
        int keys = call.argc() - 2;
        wait(call, WaitKind.LIST, 1, keys, timeout, attempt -> popOne(attempt, keys, end));
    }

    private static boolean popOne(Call call, int keys, ListEnd end) {
        int key = ListPops.firstList(call, 1, keys);
        Entry entry = key < 0 ? null : call.findForWrite(key);
        if (entry == null) {
            return false;
        }
        ReplyWriter reply = call.reply();
        Request request = call.request();
        reply.array(2);
        reply.bulk(request.array(key), request.offset(key), request.length(key));
        reply.bulkShared(ListPops.popFirst(call, key, entry, end));
        if (call.recorded()) {
            call.effect(end == ListEnd.HEAD ? "LPOP" : "RPOP", call.arg(key));
        }
        return true;
    }

    /** {@code BLMPOP timeout numkeys key [key ...] <LEFT | RIGHT> [COUNT count]} */
    private static void popSeveral(Call call) {
        ListPops.Several several = ListPops.Several.parse(call, 2);
        int keys = several.keys();
        wait(
                call,
                WaitKind.LIST,
                3,
                keys,
                WaitTime.millis(call, 1),
                attempt -> ListPops.mpop(attempt, 3, keys, several.end(), several.count()));
    }

    /** {@code BLMOVE source destination <LEFT | RIGHT> <LEFT | RIGHT> timeout} */
    private static void move(Call call) {
        ListEnd from = ListPops.end(call, 3);
        ListEnd to = ListPops.end(call, 4);
        waitToMove(call, WaitTime.millis(call, 5), attempt -> {
            boolean moved = attempt.isTurn(1) && ListPops.move(attempt, from, to);
            if (moved && attempt.recorded()) {
                attempt.effect("LMOVE", attempt.arg(1), attempt.arg(2), attempt.arg(3), attempt.arg(4));
            }
            return moved;
        });
    }

    /** {@code BRPOPLPUSH source destination timeout} */
    private static void popPush(Call call) {
        waitToMove(call, WaitTime.millis(call, 3), attempt -> {
            boolean moved = attempt.isTurn(1) && ListPops.move(attempt, ListEnd.TAIL, ListEnd.HEAD);
            if (moved && attempt.recorded()) {
                attempt.effect("RPOPLPUSH", attempt.arg(1), attempt.arg(2));
            }
            return moved;
        });
    }

    /** {@code BZPOPMIN | BZPOPMAX key [key ...] timeout} */
    private static void popMember(Call call, boolean highest) {
        long timeout = WaitTime.millis(call, call.argc() - 1);
        int keys = call.argc() - 2;
        wait(call, WaitKind.SORTED_SET, 1, keys, timeout, attempt -> {
            int key = SortedSetPops.firstSortedSet(attempt, 1, keys);
            if (key >= 0) {
                SortedSetPops.popOne(attempt, key, highest);
            }
            return key >= 0;
        });
    }

    /** {@code BZMPOP timeout numkeys key [key ...] <MIN | MAX> [COUNT count]} */
    private static void popMembers(Call call) {
        SortedSetPops.Several several = SortedSetPops.Several.parse(call, 2);
        int keys = several.keys();
        wait(call, WaitKind.SORTED_SET, 3, keys, WaitTime.millis(call, 1), attempt -> {
            int key = SortedSetPops.firstSortedSet(attempt, 3, keys);
            if (key >= 0) {
                SortedSetPops.popMany(attempt, key, several.highest(), several.count());
            }
            return key >= 0;
        });
    }

    private static void wait(Call call, WaitKind kind, int firstKey, int keys, long timeout, Wait.Attempt attempt) {
        call.tryOrWait(new Wait(kind, firstKey, keys, false, timeout, attempt, ReplyWriter::nilArray));
    }

    private static void waitToMove(Call call, long timeout, Wait.Attempt attempt) {
        call.tryOrWait(new Wait(WaitKind.LIST, 1, 1, true, timeout, attempt, ReplyWriter::nil));
    }
}
