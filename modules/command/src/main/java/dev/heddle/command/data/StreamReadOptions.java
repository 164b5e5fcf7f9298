package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;
import org.jspecify.annotations.Nullable;

/**
 * What stands before the keys of XREAD and XREADGROUP. Immutable.
 *
 * @param group null for XREAD
 * @param consumer null for XREAD
 * @param count how many entries of each stream are answered, 0 for all
 * @param timeoutMillis 0 for ever; {@link #NO_WAIT}
 * @param firstKey the argument that is the first key; as many ids follow behind the keys
 */
record StreamReadOptions(
        byte @Nullable [] group,
        byte @Nullable [] consumer,
        long count,
        long timeoutMillis,
        boolean withoutAcknowledgement,
        int firstKey,
        int streams) {

    private static final long NO_WAIT = -1;

    /** Whether the client waits if there is nothing. */
    boolean blocks() {
        return timeoutMillis != NO_WAIT;
    }

    static StreamReadOptions parse(Call call) {
        return new Parser(call).parse();
    }

    /** Confined to one call. */
    private static final class Parser {

        private final Call call;
        private final boolean ofGroup;
        private byte @Nullable [] group;
        private byte @Nullable [] consumer;
        private long count;
        private long timeout = NO_WAIT;
        private boolean withoutAcknowledgement;
        private int firstKey;

        Parser(Call call) {
            this.call = call;
            this.ofGroup = call.spec().isWrite();
        }

        StreamReadOptions parse() {
            int at = 1;
            while (firstKey == 0) {
                if (at >= call.argc()) {
                    throw CommandException.SYNTAX;
                }
                at = option(at);
            }
            if (ofGroup && group == null) {
                throw CommandException.err("Missing GROUP option for XREADGROUP");
            }
            int streams = (call.argc() - firstKey) / 2;
            return new StreamReadOptions(group, consumer, count, timeout, withoutAcknowledgement, firstKey, streams);
        }

        /** Reads one option and answers where the next one begins. */
        private int option(int at) {
            int more = call.argc() - at - 1;
            if (more >= 1 && call.is(at, "BLOCK")) {
                if (call.session().runsScript() && call.isNested()) {
                    throw CommandException.err(call.text(0) + " command is not allowed with BLOCK option from scripts");
                }
                timeout = timeout(at + 1);
                return at + 2;
            }
            if (more >= 1 && call.is(at, "COUNT")) {
                count = Math.max(0, call.longArg(at + 1));
                return at + 2;
            }
            if (more >= 1 && call.is(at, "STREAMS")) {
                if (more % 2 != 0) {
                    throw CommandException.err("Unbalanced '" + call.spec().fullName()
                            + "' list of streams: for each stream key an ID or '" + (ofGroup ? '>' : '$')
                            + "' must be specified.");
                }
                firstKey = at + 1;
                return at;
            }
            if (more >= 2 && call.is(at, "GROUP")) {
                onlyOfGroup("GROUP");
                group = call.arg(at + 1);
                consumer = call.arg(at + 2);
                return at + 3;
            }
            if (call.is(at, "NOACK")) {
                onlyOfGroup("NOACK");
                withoutAcknowledgement = true;
                return at + 1;
            }
            throw CommandException.SYNTAX;
        }

        private void onlyOfGroup(String option) {
            if (!ofGroup) {
                throw CommandException.err(
                        "The " + option + " option is only supported by XREADGROUP. You called XREAD instead.");
            }
        }

        private long timeout(int at) {
            Request request = call.request();
            byte[] array = request.array(at);
            if (!Numbers.isLong(array, request.offset(at), request.length(at))) {
                throw CommandException.err("timeout is not an integer or out of range");
            }
            long millis = Numbers.parseLong(array, request.offset(at), request.length(at));
            if (millis < 0) {
                throw CommandException.err("timeout is negative");
            }
            if (millis > Long.MAX_VALUE - call.clockMillis()) {
                throw CommandException.err("timeout is out of range");
            }
            return millis;
        }
    }
}
