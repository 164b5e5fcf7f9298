package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.STRING;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Strings as whole values. Stateless. */
public final class StringCommands {

    private static final byte[] PXAT = "PXAT".getBytes(StandardCharsets.US_ASCII);

    private StringCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.read("GET", exactly(1), StringCommands::get, FAST)
                .key(Access.RO)
                .docs(STRING, "1.0.0", "O(1)", "key", "Answers the value of a string.");
        t.write("SET", atLeast(2), StringCommands::set, DENYOOM)
                .key(Access.RW_VARIABLE)
                .access(StringCommands::accessOfSet)
                .docs(
                        STRING,
                        "1.0.0",
                        "O(1)",
                        "key value [NX | XX] [GET] [EX seconds | PX milliseconds | EXAT unix-time-seconds"
                                + " | PXAT unix-time-milliseconds | KEEPTTL]",
                        "Sets a key to a string, whatever it held before.");
        t.write("SETNX", exactly(2), StringCommands::setNx, DENYOOM, FAST)
                .key(Access.OW_INSERT)
                .deprecated("2.6.12", "`SET` with the `NX` argument")
                .docs(STRING, "1.0.0", "O(1)", "key value", "Sets a key to a string unless the key is there.");
        t.write("SETEX", exactly(3), StringCommands::setEx, DENYOOM)
                .key(Access.OW)
                .deprecated("2.6.12", "`SET` with the `EX` argument")
                .docs(STRING, "2.0.0", "O(1)", "key seconds value", "Sets a key to a string that lives some seconds.");
        t.write("PSETEX", exactly(3), StringCommands::pSetEx, DENYOOM)
                .key(Access.OW)
                .deprecated("2.6.12", "`SET` with the `PX` argument")
                .docs(
                        STRING,
                        "2.6.0",
                        "O(1)",
                        "key milliseconds value",
                        "Sets a key to a string that lives some milliseconds.");
        t.write("GETSET", exactly(2), StringCommands::getSet, DENYOOM, FAST)
                .key(Access.RW_ACCESS)
                .deprecated("6.2.0", "`SET` with the `!GET` argument")
                .docs(STRING, "1.0.0", "O(1)", "key value", "Sets a key to a string and answers what it held before.");
        t.write("GETDEL", exactly(1), StringCommands::getDel, FAST)
                .key(Access.RW_POP)
                .docs(STRING, "6.2.0", "O(1)", "key", "Answers the value of a string and deletes the key.");
        t.write("GETEX", atLeast(1), StringCommands::getEx, FAST)
                .key(Access.RW_ACCESS)
                .docs(
                        STRING,
                        "6.2.0",
                        "O(1)",
                        "key [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds"
                                + " | PERSIST]",
                        "Answers the value of a string and changes its time to live.");
        t.read("MGET", atLeast(1), StringCommands::mGet, FAST)
                .allKeys(Access.RO)
                .tips("request_policy:multi_shard")
                .docs(STRING, "1.0.0", "O(N) for N keys", "key [key ...]", "Answers the values of several strings.");
        t.write("MSET", atLeast(2), StringCommands::mSet, DENYOOM)
                .keys(1, -1, 2, Access.OW)
                .tips("request_policy:multi_shard", "response_policy:all_succeeded")
                .docs(
                        STRING,
                        "1.0.1",
                        "O(N) for N keys",
                        "key value [key value ...]",
                        "Sets several keys to strings, all at once.");
        t.write("MSETNX", atLeast(2), StringCommands::mSetNx, DENYOOM)
                .keys(1, -1, 2, Access.OW_INSERT)
                .docs(
                        STRING,
                        "1.0.1",
                        "O(N) for N keys",
                        "key value [key value ...]",
                        "Sets several keys to strings, all at once, unless one of them is there.");
    }

    /** What SET does to its key: with GET it answers what was there. */
    private static Access accessOfSet(Request request) {
        for (int i = 3; i < request.count(); i++) {
            if (request.is(i, "GET")) {
                return Access.RW_ACCESS;
            }
        }
        return Access.OW;
    }

    /** {@code GET key} */
    private static void get(Call call) {
        replyValue(call, StringValues.valueOf(call.find(1)));
    }

    /** {@code SET key value [NX | XX] [GET] [EX seconds | PX ms | EXAT seconds | PXAT ms | KEEPTTL]} */
    private static void set(Call call) {
        if (call.argc() > 3) {
            setWithOptions(call, SetOptions.ofSet(call));
            return;
        }
        call.set(1, StringValues.take(call, 2));
        call.changed(1, EventClass.STRING, "set");
        call.reply().ok();
    }

    private static void setWithOptions(Call call, SetOptions options) {
        long deadline = options.deadline(call);
        Object before = options.answersOld() ? StringValues.valueOf(call.find(1)) : null;
        Entry entry = call.findForWrite(1);
        if (options.answersOld()) {
            replyValue(call, before); // written now, before a string that is changed in place goes its own way
        }
        if (!options.allows(entry)) {
            if (!options.answersOld()) {
                call.reply().nil();
            }
            return;
        }
        long expireAt = options.keepsDeadline() && entry != null ? entry.expireAt() : deadline;
        put(call, entry, StringValues.take(call, 2), expireAt);
        if (deadline != Entry.NEVER) {
            call.event(1, EventClass.GENERIC, "expire");
            recordSet(call, 2, deadline);
        } else if (options.answersOld() && call.recorded()) {
            call.effect(options.withoutGet(call));
        }
        if (!options.answersOld()) {
            call.reply().ok();
        }
    }

    /** {@code SETNX key value} */
    private static void setNx(Call call) {
        Entry entry = call.findForWrite(1);
        if (entry == null) {
            put(call, null, StringValues.take(call, 2), Entry.NEVER);
        }
        call.reply().integer(entry == null ? 1 : 0);
    }

    /** {@code SETEX key seconds value} */
    private static void setEx(Call call) {
        setUntil(call, Deadline.EX.read(call, 2));
    }

    /** {@code PSETEX key milliseconds value} */
    private static void pSetEx(Call call) {
        setUntil(call, Deadline.PX.read(call, 2));
    }

    private static void setUntil(Call call, long deadline) {
        put(call, call.findForWrite(1), StringValues.take(call, 3), deadline);
        call.event(1, EventClass.GENERIC, "expire");
        recordSet(call, 3, deadline);
        call.reply().ok();
    }

    /** {@code GETSET key value} */
    private static void getSet(Call call) {
        replyValue(call, StringValues.valueOf(call.find(1)));
        put(call, call.findForWrite(1), StringValues.take(call, 2), Entry.NEVER);
        if (call.recorded()) {
            call.effect("SET", call.arg(1), call.arg(2));
        }
    }

    /** {@code GETDEL key} */
    private static void getDel(Call call) {
        Object value = StringValues.valueOf(call.find(1));
        replyValue(call, value);
        Entry entry = call.findForWrite(1);
        if (entry != null) {
            delete(call, entry);
        }
    }

    /** {@code GETEX key [EX seconds | PX ms | EXAT seconds | PXAT ms | PERSIST]} */
    private static void getEx(Call call) {
        SetOptions options = SetOptions.ofGetEx(call);
        Object value = StringValues.valueOf(call.find(1));
        Entry entry = call.findForWrite(1);
        if (entry == null || value == null) {
            call.reply().nil();
            return;
        }
        long deadline = options.deadline(call);
        StringValues.reply(call.reply(), value);
        if (deadline != Entry.NEVER && options.absolute() && deadline <= call.now()) {
            delete(call, entry);
        } else if (deadline != Entry.NEVER) {
            call.expireAt(1, entry, deadline);
            call.changed(1, EventClass.GENERIC, "expire");
            if (call.recorded()) {
                call.effect("PEXPIREAT", call.arg(1), Numbers.toBytes(deadline));
            }
        } else if (options.persists() && entry.expireAt() != Entry.NEVER) {
            call.expireAt(1, entry, Entry.NEVER);
            call.changed(1, EventClass.GENERIC, "persist");
            if (call.recorded()) {
                call.effect("PERSIST", call.arg(1));
            }
        }
    }

    /** {@code MGET key [key ...]} */
    private static void mGet(Call call) {
        call.reply().array(call.argc() - 1);
        for (int i = 1; i < call.argc(); i++) {
            Entry entry = call.find(i);
            Object value = entry == null ? null : entry.value();
            replyValue(call, value != null && StringValues.isString(value) ? value : null);
        }
    }

    /** {@code MSET key value [key value ...]} */
    private static void mSet(Call call) {
        checkPairs(call);
        setAll(call);
        call.reply().ok();
    }

    /** {@code MSETNX key value [key value ...]} */
    private static void mSetNx(Call call) {
        checkPairs(call);
        for (int i = 1; i < call.argc(); i += 2) {
            if (call.findForWrite(i) != null) {
                call.reply().integer(0);
                return;
            }
        }
        setAll(call);
        call.reply().integer(1);
    }

    private static void checkPairs(Call call) {
        if (call.argc() % 2 == 0) {
            throw CommandException.err(
                    "wrong number of arguments for '" + call.spec().fullName() + "' command");
        }
    }

    private static void setAll(Call call) {
        for (int i = 1; i < call.argc(); i += 2) {
            call.set(i, StringValues.take(call, i + 1));
            call.changed(i, EventClass.STRING, "set");
        }
    }

    private static void put(Call call, @Nullable Entry entry, Object value, long expireAt) {
        if (entry == null) {
            call.add(1, value, expireAt);
        } else {
            call.overwrite(1, entry, value, expireAt);
        }
        call.changed(1, EventClass.STRING, "set");
    }

    private static void delete(Call call, Entry entry) {
        call.remove(1, entry);
        call.changed(1, EventClass.GENERIC, "del");
        if (call.recorded()) {
            call.effect("DEL", call.arg(1));
        }
    }

    /** Records a SET with the moment at which its value ends, not the time it had left. */
    private static void recordSet(Call call, int value, long deadline) {
        if (call.recorded()) {
            call.effect("SET", call.arg(1), call.arg(value), PXAT, Numbers.toBytes(deadline));
        }
    }

    private static void replyValue(Call call, @Nullable Object value) {
        if (value == null) {
            call.reply().nil();
        } else {
            StringValues.reply(call.reply(), value);
        }
    }
}
