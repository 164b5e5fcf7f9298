package dev.heddle.command.linearizability;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.Handler;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.store.Entry;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Commands on one and several keys, declared as real ones are, and the same with their locks spoilt. Their handlers let other threads run
 * between reading and writing, so that a missing lock shows at once. They go to the store without {@link Call}'s assertions, which would
 * notice a missing lock before the checker could.
 *
 * <p>Immutable.
 */
record TestCommands(Locking locking) {

    /** How the rows are declared. */
    enum Locking {
        /** As a real command would be. */
        CORRECT,
        /** Writers of one key hold their lock only as readers do. */
        WRITERS_SHARE,
        /** Commands on several keys lock one key after the other and let go of each. */
        KEY_BY_KEY
    }

    void declare(CommandTable.Builder t) {
        if (locking == Locking.WRITERS_SHARE) {
            t.read("T.INCR", exactly(1), TestCommands::incr).key(Access.RO);
        } else {
            t.write("T.INCR", exactly(1), TestCommands::incr).key(Access.RW);
        }
        t.write("T.GETSET", exactly(2), TestCommands::getSet).key(Access.RW);
        t.write("T.APPEND", exactly(2), TestCommands::append).key(Access.RW);
        t.write("T.MSETNX", atLeast(2), TestCommands::setIfNone).keys(1, -1, 2, Access.OW);
        t.write("T.RENAME", exactly(2), TestCommands::rename).allKeys(Access.RW);
        t.write("T.DEL", atLeast(1), TestCommands::delete).allKeys(Access.RM);
        t.read("T.SNAPSHOT", atLeast(1), spoilt(TestCommands::get)).exclusive();
        CommandTable.Row set = t.write("T.MSET", atLeast(2), spoilt(TestCommands::set));
        CommandTable.Row get = t.read("T.MGET", atLeast(1), spoilt(TestCommands::get));
        set.keys(1, -1, 2, Access.OW);
        get.allKeys(Access.RO);
        if (locking == Locking.KEY_BY_KEY) {
            set.locksItself();
            get.locksItself();
        }
    }

    /** Something done to one key. */
    private interface Step {
        void run(Call call, int index);
    }

    private interface Steps {
        void run(Call call, Locker locker);
    }

    /** Runs a step with what protects it. */
    private interface Locker {
        void with(Call call, int index, Step step);
    }

    private Handler spoilt(Steps steps) {
        return call -> steps.run(call, call.locks().isHeld() ? (c, i, step) -> step.run(c, i) : TestCommands::alone);
    }

    /** Locks one key alone: each step is safe, the whole is not atomic. */
    private static void alone(Call call, int index, Step step) {
        call.locks().lock(call.hash(index), true);
        try {
            step.run(call, index);
        } finally {
            call.locks().unlock();
        }
        Thread.yield();
    }

    private static void set(Call call, Locker locker) {
        for (int i = 1; i < call.argc(); i += 2) {
            locker.with(call, i, (c, at) -> put(c, at, c.arg(at + 1)));
        }
        call.reply().ok();
    }

    private static void get(Call call, Locker locker) {
        call.reply().array(call.argc() - 1);
        for (int i = 1; i < call.argc(); i++) {
            locker.with(call, i, (c, at) -> answer(c, bytes(entry(c, at))));
        }
    }

    private static void incr(Call call) {
        byte[] old = bytes(entry(call, 1));
        if (old != null && !Numbers.isLong(old, 0, old.length)) {
            throw CommandException.NOT_INTEGER;
        }
        long sum = (old == null ? 0 : Numbers.parseLong(old, 0, old.length)) + 1;
        Thread.yield();
        put(call, 1, Numbers.toBytes(sum));
        call.reply().integer(sum);
    }

    private static void getSet(Call call) {
        byte[] old = bytes(entry(call, 1));
        Thread.yield();
        put(call, 1, call.arg(2));
        answer(call, old);
    }

    private static void append(Call call) {
        byte[] old = bytes(entry(call, 1));
        byte[] more = call.arg(2);
        byte[] longer = old == null ? more : Arrays.copyOf(old, old.length + more.length);
        if (old != null) {
            System.arraycopy(more, 0, longer, old.length, more.length);
        }
        put(call, 1, longer);
        call.reply().integer(longer.length);
    }

    private static void setIfNone(Call call) {
        for (int i = 1; i < call.argc(); i += 2) {
            if (entry(call, i) != null) {
                call.reply().integer(0);
                return;
            }
            Thread.yield();
        }
        for (int i = 1; i < call.argc(); i += 2) {
            put(call, i, call.arg(i + 1));
        }
        call.reply().integer(1);
    }

    private static void rename(Call call) {
        byte[] value = bytes(entry(call, 1));
        if (value == null) {
            throw CommandException.NO_SUCH_KEY;
        }
        remove(call, 1);
        Thread.yield();
        put(call, 2, value);
        call.reply().ok();
    }

    private static void delete(Call call) {
        int deleted = 0;
        for (int i = 1; i < call.argc(); i++) {
            if (entry(call, i) != null) {
                remove(call, i);
                deleted++;
            }
        }
        call.reply().integer(deleted);
    }

    private static @Nullable Entry entry(Call call, int index) {
        byte[] key = call.arg(index);
        return call.engine().store().find(call.database(), key, 0, key.length, call.hash(index));
    }

    private static byte @Nullable [] bytes(@Nullable Entry entry) {
        if (entry == null) {
            return null;
        }
        return entry.value() instanceof Long number ? Numbers.toBytes(number) : (byte[]) entry.value();
    }

    private static void put(Call call, int index, byte[] bytes) {
        Object value = Numbers.isLong(bytes, 0, bytes.length) ? Numbers.parseLong(bytes, 0, bytes.length) : bytes;
        Entry entry = entry(call, index);
        if (entry == null) {
            call.engine().store().add(call.database(), call.arg(index), call.hash(index), value, Entry.NEVER);
        } else {
            call.value(index, entry, value);
        }
        call.changed(index, EventClass.STRING, "set");
    }

    private static void remove(Call call, int index) {
        Entry entry = entry(call, index);
        if (entry != null) {
            call.engine().store().remove(call.database(), entry, call.hash(index));
        }
    }

    private static void answer(Call call, byte @Nullable [] value) {
        if (value == null) {
            call.reply().nil();
        } else {
            call.reply().bulk(value);
        }
    }
}
