package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Group.STRING;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.store.Entry;
import org.jspecify.annotations.Nullable;

/** LCS: what two strings have in common. Stateless. */
public final class LcsCommand {

    private static final byte[] EMPTY = {};

    private LcsCommand() {}

    public static void declare(CommandTable.Builder t) {
        t.read("LCS", atLeast(2), LcsCommand::lcs)
                .keys(1, 2, 1, Access.RO)
                .locksItself() // only to fetch the strings: comparing them takes too long to hold anybody up
                .docs(
                        STRING,
                        "7.0.0",
                        "O(N*M) for strings of N and M bytes",
                        "key1 key2 [LEN] [IDX] [MINMATCHLEN min-match-len] [WITHMATCHLEN]",
                        "Answers the longest sequence of bytes that two strings have in common.");
    }

    /** {@code LCS key1 key2 [LEN] [IDX] [MINMATCHLEN min-match-len] [WITHMATCHLEN]} */
    private static void lcs(Call call) {
        byte[][] strings = fetch(call);
        Options options = Options.of(call);
        byte[] a = strings[0];
        byte[] b = strings[1];
        // Redis's table has a count of four bytes per pair of prefixes; ours is smaller, its limit is part of the
        // interface.
        if ((a.length + 1L) * (b.length + 1L) > StringValues.maxLength(call) / 4) {
            throw CommandException.err("Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
        }
        LongestCommonSubsequence common = new LongestCommonSubsequence(a, b);
        if (options.indexes) {
            replyIndexes(call.reply(), common, options);
        } else if (options.lengthOnly) {
            call.reply().integer(common.length());
        } else {
            call.reply().bulk(common.bytes());
        }
    }

    private static byte[][] fetch(Call call) {
        boolean lockHere = !call.locks().isHeld();
        if (lockHere) {
            call.locks().want(call.hash(1));
            call.locks().want(call.hash(2));
            call.locks().lockWanted(false);
        }
        try {
            Entry first = call.find(1);
            Entry second = call.find(2);
            if (!isStringOrAbsent(first) || !isStringOrAbsent(second)) {
                throw CommandException.err("The specified keys must contain string values");
            }
            return new byte[][] {
                first == null ? EMPTY : StringValues.bytes(first.value()),
                second == null ? EMPTY : StringValues.bytes(second.value())
            };
        } finally {
            if (lockHere) {
                call.locks().unlock();
            }
        }
    }

    private static boolean isStringOrAbsent(@Nullable Entry entry) {
        return entry == null || StringValues.isString(entry.value());
    }

    private static void replyIndexes(ReplyWriter reply, LongestCommonSubsequence common, Options options) {
        reply.map(2);
        reply.bulk("matches");
        int mark = reply.deferred();
        int[] count = {0};
        common.forEachMatch((a, b, length) -> {
            if (length < options.minimum) {
                return;
            }
            reply.array(options.withLength ? 3 : 2);
            reply.array(2);
            reply.integer(a);
            reply.integer(a + length - 1L);
            reply.array(2);
            reply.integer(b);
            reply.integer(b + length - 1L);
            if (options.withLength) {
                reply.integer(length);
            }
            count[0]++;
        });
        reply.closeArray(mark, count[0]);
        reply.bulk("len");
        reply.integer(common.length());
    }

    private record Options(boolean lengthOnly, boolean indexes, long minimum, boolean withLength) {

        static Options of(Call call) {
            boolean lengthOnly = false;
            boolean indexes = false;
            boolean withLength = false;
            long minimum = 0;
            for (int i = 3; i < call.argc(); i++) {
                if (call.is(i, "IDX")) {
                    indexes = true;
                } else if (call.is(i, "LEN")) {
                    lengthOnly = true;
                } else if (call.is(i, "WITHMATCHLEN")) {
                    withLength = true;
                } else if (call.is(i, "MINMATCHLEN") && i + 1 < call.argc()) {
                    minimum = call.longArg(++i);
                } else {
                    throw CommandException.SYNTAX;
                }
            }
            if (lengthOnly && indexes) {
                throw CommandException.err("If you want both the length and indexes, please just use IDX.");
            }
            return new Options(lengthOnly, indexes, minimum, withLength);
        }
    }
}
