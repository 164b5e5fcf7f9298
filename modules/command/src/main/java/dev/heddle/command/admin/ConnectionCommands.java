package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ALLOW_BUSY;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.NO_AUTH;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.CONNECTION;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.ServerInfo;
import dev.heddle.command.Session;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;

/** Opening, choosing and closing: the commands by which a client sets up its connection. Stateless. */
public final class ConnectionCommands {

    private static final CommandException NOT_A_VERSION =
            CommandException.err("Protocol version is not an integer or out of range");
    private static final CommandException NO_SUCH_PROTOCOL =
            new CommandException("NOPROTO unsupported protocol version");
    private static final CommandException HELLO_FIRST = new CommandException(
            "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass> option"
                    + " can be used to authenticate the client and select the RESP protocol version at the same time");
    private static final CommandException NO_PASSWORD = CommandException.err(
            "AUTH <password> called without any password configured for the default user. Are you sure your"
                    + " configuration is correct?");

    private ConnectionCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.other("PING", atLeast(0), ConnectionCommands::ping, FAST)
                .tips("request_policy:all_shards", "response_policy:all_succeeded")
                .docs(CONNECTION, "1.0.0", "O(1)", "[message]", "Answers PONG, or the message.");
        t.other("ECHO", exactly(1), ConnectionCommands::echo, LOADING, STALE, FAST)
                .docs(CONNECTION, "1.0.0", "O(1)", "message", "Answers the message.");
        t.other("QUIT", atLeast(0), ConnectionCommands::quit, NOSCRIPT, LOADING, STALE, FAST, NO_AUTH, ALLOW_BUSY)
                .deprecated("7.2.0", "just closing the connection")
                .docs(CONNECTION, "1.0.0", "O(1)", "", "Closes the connection after the replies so far.");
        t.other("RESET", exactly(0), ConnectionCommands::reset, NOSCRIPT, LOADING, STALE, FAST, NO_AUTH, ALLOW_BUSY)
                .docs(CONNECTION, "6.2.0", "O(1)", "", "Makes the connection as good as new.");
        t.other("SELECT", exactly(1), ConnectionCommands::select, LOADING, STALE, FAST)
                .docs(CONNECTION, "1.0.0", "O(1)", "index", "Chooses the database for what follows.");
        t.other("AUTH", atLeast(1), ConnectionCommands::auth, NOSCRIPT, LOADING, STALE, FAST, NO_AUTH, ALLOW_BUSY)
                .docs(
                        CONNECTION,
                        "1.0.0",
                        "O(N) where N is the number of passwords of the user",
                        "[username] password",
                        "Proves who the client is.");
        t.other("HELLO", atLeast(0), ConnectionCommands::hello, NOSCRIPT, LOADING, STALE, FAST, NO_AUTH, ALLOW_BUSY)
                .docs(
                        CONNECTION,
                        "6.0.0",
                        "O(1)",
                        "[protover [AUTH username password] [SETNAME clientname]]",
                        "Tells about the server and chooses the protocol version.");
    }

    /** {@code PING [message]} */
    private static void ping(Call call) {
        if (call.argc() > 2) {
            throw CommandException.err("wrong number of arguments for 'ping' command");
        }
        if (call.session().interests().isSubscribed() && call.reply().protocol() == 2) {
            call.reply().array(2);
            call.reply().bulk("pong");
            call.reply().bulk(call.argc() == 1 ? new byte[0] : call.arg(1));
        } else if (call.argc() == 1) {
            call.reply().pong();
        } else {
            echo(call);
        }
    }

    /** {@code ECHO message} */
    private static void echo(Call call) {
        Request request = call.request();
        call.reply().bulk(request.array(1), request.offset(1), request.length(1));
    }

    private static void quit(Call call) {
        call.session().closeAfterReply();
        call.reply().ok();
    }

    private static void reset(Call call) {
        call.session().reset();
        call.reply().simple("RESET");
    }

    /** {@code SELECT index} */
    private static void select(Call call) {
        int index = call.intArg(1);
        if (index < 0 || index >= call.engine().store().databases()) {
            throw CommandException.DB_INDEX;
        }
        call.session().database(index);
        call.reply().ok();
    }

    /** {@code AUTH [username] password} */
    private static void auth(Call call) {
        if (call.argc() > 3) {
            throw CommandException.SYNTAX;
        }
        call.redact(1);
        call.redact(2);
        if (call.argc() == 3) {
            Login.as(call.session(), call.text(1), call.arg(2));
        } else if (call.session().passwordRequired()) {
            Login.asDefault(call.session(), call.arg(1));
        } else {
            throw NO_PASSWORD;
        }
        call.reply().ok();
    }

    /** {@code HELLO [protover [AUTH username password] [SETNAME clientname]]} */
    private static void hello(Call call) {
        int protocol = call.argc() > 1 ? protocolVersion(call) : call.reply().protocol();
        int userAt = 0;
        int nameAt = 0;
        for (int i = 2; i < call.argc(); i++) {
            int more = call.argc() - 1 - i;
            if (call.is(i, "AUTH") && more >= 2) {
                call.redact(i + 1);
                call.redact(i + 2);
                userAt = i + 1;
                i += 2;
            } else if (call.is(i, "SETNAME") && more >= 1) {
                nameAt = i + 1;
                ClientNames.check(call.request(), nameAt);
                i++;
            } else {
                throw CommandException.err("Syntax error in HELLO option '" + call.text(i) + "'");
            }
        }
        Session session = call.session();
        if (userAt > 0) {
            Login.as(session, call.text(userAt), call.arg(userAt + 1));
        }
        if (!session.authenticated()) {
            throw HELLO_FIRST;
        }
        if (nameAt > 0) {
            ClientNames.set(session, call.request(), nameAt);
        }
        welcome(session, call.reply(), protocol);
    }

    private static int protocolVersion(Call call) {
        long version;
        try {
            version = call.longArg(1);
        } catch (CommandException notANumber) {
            throw NOT_A_VERSION;
        }
        if (version < 2 || version > 3) {
            throw NO_SUCH_PROTOCOL;
        }
        return (int) version;
    }

    private static void welcome(Session session, ReplyWriter reply, int protocol) {
        session.protocol(protocol);
        reply.map(7);
        reply.bulk("server");
        reply.bulk("redis");
        reply.bulk("version");
        reply.bulk(ServerInfo.REDIS_VERSION);
        reply.bulk("proto");
        reply.integer(protocol);
        reply.bulk("id");
        reply.integer(session.id());
        reply.bulk("mode");
        reply.bulk("standalone");
        reply.bulk("role");
        reply.bulk("master");
        reply.bulk("modules");
        reply.array(0);
    }
}
