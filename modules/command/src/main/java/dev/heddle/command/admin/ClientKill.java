package dev.heddle.command.admin;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.Session;
import java.util.function.Predicate;

/** CLIENT KILL in its two forms. Stateless. */
final class ClientKill {

    private ClientKill() {}

    /** {@code CLIENT KILL <ip:port | [ID client-id] [TYPE type] [USER username] [ADDR a] [LADDR a] [SKIPME yes | no] [MAXAGE s]>} */
    static void run(Call call) {
        if (call.argc() == 3) {
            String address = call.text(2);
            if (kill(call, session -> session.connection().remoteAddress().equals(address)) == 0) {
                throw CommandException.err("No such client");
            }
            call.reply().ok();
            return;
        }
        call.reply().integer(kill(call, filter(call)));
    }

    private static Predicate<Session> filter(Call call) {
        Predicate<Session> filter = session -> true;
        boolean skipSelf = true;
        for (int i = 2; i < call.argc(); i += 2) {
            if (i + 1 == call.argc()) {
                throw CommandException.SYNTAX;
            }
            if (call.is(i, "SKIPME")) {
                skipSelf = yesOrNo(call, i + 1);
            } else {
                filter = filter.and(condition(call, i));
            }
        }
        long self = call.session().id();
        return skipSelf ? filter.and(session -> session.id() != self) : filter;
    }

    /** One condition: its name stands at {@code i}, its value behind. */
    private static Predicate<Session> condition(Call call, int i) {
        String value = call.text(i + 1);
        if (call.is(i, "ID")) {
            long id = id(call, i + 1);
            return session -> session.id() == id;
        }
        if (call.is(i, "TYPE")) {
            return ClientType.parse(call, i + 1)::matches;
        }
        if (call.is(i, "ADDR")) {
            return session -> session.connection().remoteAddress().equals(value);
        }
        if (call.is(i, "LADDR")) {
            return session -> session.connection().localAddress().equals(value);
        }
        if (call.is(i, "USER")) {
            if (!value.equals("default")) {
                throw CommandException.err("No such user '" + value + "'");
            }
            return session -> session.user().equals(value);
        }
        if (call.is(i, "MAXAGE")) {
            long millis = age(call, i + 1) * 1000;
            return session -> call.now() - session.createdMillis() >= millis;
        }
        throw CommandException.SYNTAX;
    }

    private static long id(Call call, int index) {
        CommandException refusal = CommandException.err("client-id should be greater than 0");
        try {
            long id = call.longArg(index);
            if (id >= 1) {
                return id;
            }
        } catch (CommandException notANumber) {
            throw refusal;
        }
        throw refusal;
    }

    private static long age(Call call, int index) {
        try {
            return call.longArg(index, 0, Long.MAX_VALUE / 1000);
        } catch (CommandException outOfRange) {
            throw CommandException.err("maxage is not an integer or out of range");
        }
    }

    private static boolean yesOrNo(Call call, int index) {
        if (call.is(index, "YES")) {
            return true;
        }
        if (call.is(index, "NO")) {
            return false;
        }
        throw CommandException.SYNTAX;
    }

    /** Ends the sessions that match; one's own only after the reply. */
    private static int kill(Call call, Predicate<Session> filter) {
        int killed = 0;
        for (Session session : call.engine().sessions().all()) {
            if (session.closing() || !filter.test(session)) {
                continue;
            }
            if (session.id() == call.session().id()) {
                session.closeAfterReply();
            } else {
                session.kill();
            }
            killed++;
        }
        return killed;
    }
}
