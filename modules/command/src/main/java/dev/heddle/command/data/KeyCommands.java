package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.GENERIC;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.Value;
import dev.heddle.store.value.ValueType;
import java.util.Arrays;

/** Keys as such, whatever they hold. Stateless. */
public final class KeyCommands {

    private static final CommandException SAME_OBJECT =
            CommandException.err("source and destination objects are the same");

    private KeyCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.write("DEL", atLeast(1), KeyCommands::del)
                .allKeys(Access.RM)
                .tips("request_policy:multi_shard", "response_policy:agg_sum")
                .docs(GENERIC, "1.0.0", "O(N) for N keys", "key [key ...]", "Deletes keys.");
        t.write("UNLINK", atLeast(1), KeyCommands::del, FAST)
                .allKeys(Access.RM)
                .tips("request_policy:multi_shard", "response_policy:agg_sum")
                .docs(
                        GENERIC,
                        "4.0.0",
                        "O(N) for N keys",
                        "key [key ...]",
                        "Deletes keys; their memory is reclaimed later, as with DEL.");
        t.read("EXISTS", atLeast(1), KeyCommands::exists, FAST)
                .allKeys(Access.RO_META)
                .tips("request_policy:multi_shard", "response_policy:agg_sum")
                .docs(GENERIC, "1.0.0", "O(N) for N keys", "key [key ...]", "Counts how many of the keys are there.");
        t.read("TYPE", exactly(1), KeyCommands::type, FAST)
                .key(Access.RO_META)
                .docs(GENERIC, "1.0.0", "O(1)", "key", "Answers the type of what a key holds.");
        t.read("TOUCH", atLeast(1), KeyCommands::touch, FAST)
                .allKeys(Access.RO_META)
                .tips("request_policy:multi_shard", "response_policy:agg_sum")
                .docs(
                        GENERIC,
                        "3.2.1",
                        "O(N) for N keys",
                        "key [key ...]",
                        "Makes keys count as used just now; answers how many are there.");
        t.write("RENAME", exactly(2), KeyCommands::rename)
                .keys(1, 1, 1, Access.RW_POP)
                .keys(2, 2, 1, Access.OW)
                .docs(GENERIC, "1.0.0", "O(1)", "key newkey", "Gives a key another name, whatever held that before.");
        t.write("RENAMENX", exactly(2), KeyCommands::renameNx, FAST)
                .keys(1, 1, 1, Access.RW_POP)
                .keys(2, 2, 1, Access.OW_INSERT)
                .docs(GENERIC, "1.0.0", "O(1)", "key newkey", "Gives a key another name unless that is taken.");
        t.write("COPY", atLeast(2), KeyCommands::copy, DENYOOM)
                .keys(1, 1, 1, Access.RO)
                .keys(2, 2, 1, Access.OW)
                .docs(
                        GENERIC,
                        "6.2.0",
                        "O(N) for N elements, O(1) for strings",
                        "source destination [DB destination-db] [REPLACE]",
                        "Copies what a key holds to another key.");
        t.write("MOVE", exactly(2), KeyCommands::move, FAST)
                .key(Access.RW_ACCESS)
                .docs(GENERIC, "1.0.0", "O(1)", "key db", "Moves a key to another database.");
    }

    /** {@code DEL key [key ...]}, {@code UNLINK key [key ...]} */
    private static void del(Call call) {
        int deleted = 0;
        for (int i = 1; i < call.argc(); i++) {
            Entry entry = call.findForWrite(i);
            if (entry != null) {
                call.remove(i, entry);
                call.changed(i, EventClass.GENERIC, "del");
                deleted++;
            }
        }
        call.reply().integer(deleted);
    }

    /** {@code EXISTS key [key ...]} */
    private static void exists(Call call) {
        int there = 0;
        for (int i = 1; i < call.argc(); i++) {
            there += call.look(i) == null ? 0 : 1;
        }
        call.reply().integer(there);
    }

    /** {@code TYPE key} */
    private static void type(Call call) {
        Entry entry = call.look(1);
        call.reply().simple(entry == null ? "none" : ValueType.of(entry.value()).typeName());
    }

    /** {@code TOUCH key [key ...]} */
    private static void touch(Call call) {
        int there = 0;
        for (int i = 1; i < call.argc(); i++) {
            Entry entry = call.look(i);
            if (entry != null) {
                call.engine().uses().use(entry, call.clockMillis()); // a client's NO-TOUCH does not count here
                there++;
            }
        }
        call.reply().integer(there);
    }

    /** {@code RENAME key newkey} */
    private static void rename(Call call) {
        rename(call, true);
        call.reply().ok();
    }

    /** {@code RENAMENX key newkey} */
    private static void renameNx(Call call) {
        call.reply().integer(rename(call, false) ? 1 : 0);
    }

    private static boolean rename(Call call, boolean replace) {
        Entry source = call.findForWrite(1);
        if (source == null) {
            throw CommandException.NO_SUCH_KEY;
        }
        if (sameKey(call.request())) {
            return false;
        }
        Entry target = call.findForWrite(2);
        if (target != null) {
            if (!replace) {
                return false;
            }
            call.remove(2, target);
        }
        call.remove(1, source);
        call.add(2, source.value(), source.expireAt());
        call.changed(1, EventClass.GENERIC, "rename_from");
        call.event(2, EventClass.GENERIC, "rename_to");
        return true;
    }

    /** {@code COPY source destination [DB destination-db] [REPLACE]} */
    private static void copy(Call call) {
        int home = call.database();
        int database = home;
        boolean replace = false;
        for (int i = 3; i < call.argc(); i++) {
            if (call.is(i, "REPLACE")) {
                replace = true;
            } else if (call.is(i, "DB") && i + 1 < call.argc()) {
                database = DatabaseCommands.database(call, ++i);
            } else {
                throw CommandException.SYNTAX;
            }
        }
        if (database == home && sameKey(call.request())) {
            throw SAME_OBJECT;
        }
        Entry source = call.find(1);
        boolean copied = false;
        if (source != null) {
            call.database(database);
            copied = copyTo(call, source, replace);
            call.database(home);
        }
        call.reply().integer(copied ? 1 : 0);
    }

    /** Copies to key 2 of the call's database. A time to live goes with the value. */
    private static boolean copyTo(Call call, Entry source, boolean replace) {
        Entry target = call.findForWrite(2);
        if (target != null) {
            if (!replace) {
                return false;
            }
            call.remove(2, target);
        }
        Object value = source.value() instanceof Value changeable ? changeable.copy() : source.value();
        call.add(2, value, source.expireAt());
        call.changed(2, EventClass.GENERIC, "copy_to");
        return true;
    }

    /** {@code MOVE key db} */
    private static void move(Call call) {
        int home = call.database();
        int database = DatabaseCommands.database(call, 2);
        if (database == home) {
            throw SAME_OBJECT;
        }
        Entry source = call.findForWrite(1);
        if (source == null) {
            call.reply().integer(0);
            return;
        }
        call.database(database);
        boolean free = call.findForWrite(1) == null;
        call.database(home);
        if (free) {
            call.remove(1, source);
            call.database(database);
            call.add(1, source.value(), source.expireAt());
            call.database(home);
            call.changed(1, EventClass.GENERIC, "move_from");
            call.database(database);
            call.event(1, EventClass.GENERIC, "move_to");
            call.database(home);
        }
        call.reply().integer(free ? 1 : 0);
    }

    /** Whether the first two arguments are the same key. */
    private static boolean sameKey(Request request) {
        return Arrays.equals(
                request.array(1),
                request.offset(1),
                request.offset(1) + request.length(1),
                request.array(2),
                request.offset(2),
                request.offset(2) + request.length(2));
    }
}
