package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.Numbers;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamTrim;
import dev.heddle.store.value.StreamValue;
import org.jspecify.annotations.Nullable;

/**
 * What XADD and XTRIM say of trimming. Immutable.
 *
 * @param rule null if nothing is to be trimmed
 * @param argument where the length or id stands to which the stream is trimmed
 * @param makesStream whether XADD makes a stream that is not there
 * @param next the first argument behind the options, where XADD's id stands
 * @param id what XADD says of the id of its entry, null if it leaves that to the server
 * @param sequenceGiven whether that id has a sequence number, too
 */
record StreamTrimOptions(
        @Nullable StreamTrim rule,
        int argument,
        boolean makesStream,
        int next,
        @Nullable StreamId id,
        boolean sequenceGiven) {

    private static final byte[] EXACTLY = Streams.ascii("=");
    private static final long MOST_BY_DEFAULT = 1_000_000;
    private static final long WITHOUT_NODE_LIMIT = 10_000;
    private static final int NODES = 100;

    static StreamTrimOptions parse(Call call, boolean add) {
        return new Parser(call, add).parse();
    }

    /** Replaces in a record what was trimmed about by what that has come to. */
    void makeExact(byte[][] command, StreamValue stream) {
        if (rule == null || !rule.wholeChunks()) {
            return;
        }
        command[argument - 1] = EXACTLY;
        command[argument] = switch (rule) {
            case StreamTrim.ToLength length -> Numbers.toBytes(stream.length());
            case StreamTrim.ToId id ->
                (stream.length() == 0 ? StreamId.MAX : stream.log().first()).toBytes();
        };
    }

    /** Reads the options from the second argument on. Confined to one call. */
    private static final class Parser {

        private final Call call;
        private final boolean add;
        private boolean makesStream = true;
        private int argument;
        private boolean about;
        private long length = -1;
        private @Nullable StreamId least;
        private long limit;
        private boolean limited;
        private int at = 2;
        private @Nullable StreamId id;
        private boolean sequenceGiven;

        Parser(Call call, boolean add) {
            this.call = call;
            this.add = add;
        }

        StreamTrimOptions parse() {
            while (at < call.argc() && option()) {
                at++;
            }
            if (limit != 0 && argument == 0) {
                throw CommandException.err("syntax error, LIMIT cannot be used without specifying a trimming strategy");
            }
            if (!add && argument == 0) {
                throw CommandException.err("syntax error, XTRIM must be called with a trimming strategy");
            }
            long most = limit();
            StreamId from = least;
            StreamTrim rule = null;
            if (from != null) {
                rule = new StreamTrim.ToId(from, about, most);
            } else if (argument > 0) {
                rule = new StreamTrim.ToLength(length, about, most);
            }
            return new StreamTrimOptions(rule, argument, makesStream, at, id, sequenceGiven);
        }

        /** Reads one option and stays at its last argument; false if this is none, but XADD's id. */
        private boolean option() {
            boolean more = at + 1 < call.argc();
            if (add && call.is(at, "*")) {
                return false;
            }
            if (more && call.is(at, "MAXLEN")) {
                strategy();
                length = call.longArg(at);
                if (length < 0) {
                    throw CommandException.err("The MAXLEN argument must be >= 0.");
                }
            } else if (more && call.is(at, "MINID")) {
                strategy();
                least = StreamIds.parse(call, at);
            } else if (more && call.is(at, "LIMIT")) {
                at++;
                limit = call.longArg(at);
                limited = true;
                if (limit < 0) {
                    throw CommandException.err("The LIMIT argument must be >= 0.");
                }
            } else if (add && call.is(at, "NOMKSTREAM")) {
                makesStream = false;
            } else if (add) {
                id = StreamIds.findPartial(call, at);
                sequenceGiven = id == null;
                if (id == null) {
                    id = StreamIds.parse(call, at);
                }
                return false;
            } else {
                throw CommandException.SYNTAX;
            }
            return true;
        }

        /** Goes on to the argument behind {@code MAXLEN ~}. */
        private void strategy() {
            if (argument > 0) {
                throw CommandException.err(
                        "syntax error, MAXLEN and MINID options at the same time are not compatible");
            }
            at++;
            if (at + 1 < call.argc() && (call.is(at, "~") || call.is(at, "="))) {
                about = call.is(at, "~");
                at++;
            }
            argument = at;
        }

        /** How many entries are trimmed at most, 0 for any number: a record says what was trimmed, and is repeated as it is. */
        private long limit() {
            if (call.session().repeats()) {
                return 0;
            }
            if (limited && !about) {
                throw CommandException.err("syntax error, LIMIT cannot be used without the special ~ option");
            }
            if (limited || !about) {
                return limit;
            }
            long entries =
                    call.engine().settings().encoding.streamNodeMaxEntries.value();
            if (entries > MOST_BY_DEFAULT / NODES) {
                return MOST_BY_DEFAULT;
            }
            return entries == 0 ? WITHOUT_NODE_LIMIT : NODES * entries;
        }
    }
}
