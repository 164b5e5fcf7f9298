package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Group.HASH;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.store.value.BytesTable;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.HashValue;
import dev.heddle.store.value.HashValue.Part;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Random fields of hashes. Stateless. */
public final class HashRandomCommands {

    private static final CommandException OUT_OF_RANGE = CommandException.err("value is out of range");

    private HashRandomCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.read("HRANDFIELD", atLeast(1), HashRandomCommands::hrandfield)
                .key(Access.RO)
                .tips("nondeterministic_output")
                .docs(
                        HASH,
                        "6.2.0",
                        "O(N) for N fields to answer",
                        "key [count [WITHVALUES]]",
                        "Answers random fields of a hash; with a negative count, fields may come more than once.");
    }

    /** {@code HRANDFIELD key [count [WITHVALUES]]} */
    private static void hrandfield(Call call) {
        RandomGenerator random = call.engine().random();
        if (call.argc() == 2) {
            HashValue hash = call.read(1, HashValue.class);
            if (hash == null) {
                call.reply().nil();
            } else {
                call.reply().bulkShared(hash.random(random, call.now()));
            }
            return;
        }
        long count = Counts.signed(call, 2);
        if (call.argc() > 4 || (call.argc() == 4 && !call.is(3, "WITHVALUES"))) {
            throw CommandException.SYNTAX;
        }
        boolean values = call.argc() == 4;
        if (values && count > Long.MAX_VALUE / 2) {
            throw OUT_OF_RANGE;
        }
        HashValue hash = call.read(1, HashValue.class);
        if (hash == null || count == 0) {
            call.reply().array(0);
            return;
        }
        Pairs pairs = new Pairs(call, hash, values);
        if (count < 0) {
            pairs.header((int) -count);
            for (long i = count; i < 0 && !call.replyTooLarge(); i++) {
                pairs.add(hash.random(random, call.now()));
            }
            return;
        }
        int size = hash.size(call.now());
        int different = (int) Math.min(count, size);
        pairs.header(different);
        if (hash.isTable() && different < size / 3) {
            draw(call, hash, different, pairs);
        } else {
            pairs.selection = new Selection(random, different, size);
            hash.forEach(values ? Part.BOTH : Part.FIELDS, call.now(), pairs);
        }
    }

    private static void draw(Call call, HashValue hash, int count, Pairs pairs) {
        BytesTable<Void> drawn = BytesTable.set();
        while (drawn.size() < count) {
            byte[] field = hash.random(call.engine().random(), call.now());
            if (drawn.add(field)) {
                pairs.add(field);
            }
        }
    }

    /** Writes fields, with their values or without: nested in RESP3, one behind the other in RESP2. Confined to one call. */
    private static final class Pairs implements ElementSink {

        private final Call call;
        private final HashValue hash;
        private final boolean values;
        private final boolean nested;
        private final BulkReplies replies;
        private @Nullable Selection selection;
        private boolean atValue;
        private boolean chosen;

        Pairs(Call call, HashValue hash, boolean values) {
            this.call = call;
            this.hash = hash;
            this.values = values;
            this.nested = values && call.reply().protocol() == 3;
            this.replies = new BulkReplies(call.reply());
        }

        void header(int fields) {
            call.reply().array(values && !nested ? Math.multiplyExact(fields, 2) : fields);
        }

        /** Writes a field that is there, and its value. */
        void add(byte[] field) {
            if (nested) {
                call.reply().array(2);
            }
            replies.whole(field);
            if (values) {
                hash.show(field, 0, field.length, call.now(), replies);
            }
        }

        /** Whether the element that passes by is to be written. */
        private boolean takes() {
            if (!atValue) {
                chosen = selection == null || selection.takes();
                if (chosen && nested) {
                    call.reply().array(2);
                }
            }
            atValue = values && !atValue;
            return chosen;
        }

        @Override
        public void slice(byte[] array, int offset, int length) {
            if (takes()) {
                replies.slice(array, offset, length);
            }
        }

        @Override
        public void number(long value) {
            if (takes()) {
                replies.number(value);
            }
        }

        @Override
        public void whole(byte[] array) {
            if (takes()) {
                replies.whole(array);
            }
        }
    }
}
