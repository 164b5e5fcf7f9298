package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.value.ListEnd;
import dev.heddle.store.value.ListValue;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Looking for elements in a list. Stateless. */
final class ListSearch {

    private ListSearch() {}

    /** The index of the first element that equals an argument, or -1. */
    static int first(Call call, int argument, ListValue list) {
        Matches matches = new Matches(null, 1, 1);
        Request request = call.request();
        list.search(
                request.array(argument),
                request.offset(argument),
                request.length(argument),
                ListEnd.HEAD,
                list.size(),
                matches);
        return matches.last;
    }

    /** {@code LPOS key element [RANK rank] [COUNT num-matches] [MAXLEN len]} */
    static void lpos(Call call) {
        Options options = Options.parse(call);
        ListValue list = call.read(1, ListValue.class);
        ReplyWriter reply = call.reply();
        boolean array = options.count() >= 0;
        if (list == null) {
            if (array) {
                reply.array(0);
            } else {
                reply.nil();
            }
            return;
        }
        int mark = array ? reply.deferred() : 0;
        Matches matches = new Matches(array ? reply : null, Math.abs(options.rank()), Math.abs(options.count()));
        Request request = call.request();
        list.search(
                request.array(2),
                request.offset(2),
                request.length(2),
                options.rank() < 0 ? ListEnd.TAIL : ListEnd.HEAD,
                options.maxLen() == 0 ? list.size() : (int) Math.min(list.size(), options.maxLen()),
                matches);
        if (array) {
            reply.closeArray(mark, matches.answered);
        } else if (matches.last >= 0) {
            reply.integer(matches.last);
        } else {
            reply.nil();
        }
    }

    /**
     * The options of LPOS.
     *
     * @param rank not 0; negative from the tail
     * @param count 0 for all matches, -1 if not given
     * @param maxLen 0 for the whole list
     */
    private record Options(long rank, long count, long maxLen) {

        static Options parse(Call call) {
            long rank = 1;
            long count = -1;
            long maxLen = 0;
            for (int i = 3; i < call.argc(); i += 2) {
                if (i + 1 == call.argc()) {
                    throw CommandException.SYNTAX;
                } else if (call.is(i, "RANK")) {
                    rank = rank(call.longArg(i + 1));
                } else if (call.is(i, "COUNT")) {
                    count = Counts.inRange(call, i + 1, 0, Long.MAX_VALUE, "COUNT can't be negative");
                } else if (call.is(i, "MAXLEN")) {
                    maxLen = Counts.inRange(call, i + 1, 0, Long.MAX_VALUE, "MAXLEN can't be negative");
                } else {
                    throw CommandException.SYNTAX;
                }
            }
            return new Options(rank, count, maxLen);
        }

        private static long rank(long rank) {
            if (rank == Long.MIN_VALUE) {
                throw CommandException.err(
                        "value is out of range, value must between -9223372036854775807 and " + "9223372036854775807");
            }
            if (rank == 0) {
                throw CommandException.err(
                        "RANK can't be zero: use 1 to start from the first match, 2 from the second ... "
                                + "or use negative to start from the end of the list");
            }
            return rank;
        }
    }

    /** Passes over matches until the rank is reached, then answers or keeps them. Confined to one call. */
    private static final class Matches implements IntPredicate {

        private final @Nullable ReplyWriter reply;
        private final long rank;
        private final long wanted;
        private long seen;
        private int answered;
        private int last = -1;

        /** @param wanted 0 for all */
        Matches(@Nullable ReplyWriter reply, long rank, long wanted) {
            this.reply = reply;
            this.rank = rank;
            this.wanted = wanted;
        }

        @Override
        public boolean test(int index) {
            if (++seen < rank) {
                return true;
            }
            last = index;
            answered++;
            if (reply != null) {
                reply.integer(index);
            }
            return answered != wanted;
        }
    }
}
