package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ADMIN;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.CONNECTION;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.Session;
import dev.heddle.command.Session.ReplyMode;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** CLIENT: what clients say about themselves, and how they are listed, held back and ended. Stateless. */
public final class ClientCommands {

    private static final String ALL = "request_policy:all_nodes";
    private static final String ALL_SUCCEEDED = "response_policy:all_succeeded";

    private ClientCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.container("CLIENT")
                .docs(CONNECTION, "2.4.0", "Depends on subcommand.", "", "A container for commands about connections.")
                .subcommands(ClientCommands::declareOwn)
                .subcommands(TrackingCommands::declare)
                .subcommands(ClientCommands::declareAdmin);
    }

    private static void declareOwn(CommandTable.Builder t) {
        t.other("ID", exactly(0), call -> call.reply().integer(call.session().id()), NOSCRIPT, LOADING, STALE)
                .docs(CONNECTION, "5.0.0", "O(1)", "", "Answers the id of this connection.");
        t.other("INFO", exactly(0), ClientCommands::info, NOSCRIPT, LOADING, STALE)
                .tips("nondeterministic_output")
                .docs(CONNECTION, "6.2.0", "O(1)", "", "Describes this connection.");
        t.other("GETNAME", exactly(0), ClientCommands::getName, NOSCRIPT, LOADING, STALE)
                .docs(CONNECTION, "2.6.9", "O(1)", "", "Answers the name of this connection.");
        t.other("SETNAME", exactly(1), ClientCommands::setName, NOSCRIPT, LOADING, STALE)
                .tips(ALL, ALL_SUCCEEDED)
                .docs(
                        CONNECTION,
                        "2.6.9",
                        "O(1)",
                        "connection-name",
                        "Names this connection; an empty name takes it away.");
        t.other("SETINFO", exactly(2), ClientCommands::setInfo, NOSCRIPT, LOADING, STALE)
                .tips(ALL, ALL_SUCCEEDED)
                .docs(
                        CONNECTION,
                        "7.2.0",
                        "O(1)",
                        "<LIB-NAME libname | LIB-VER libver>",
                        "Notes which client library this connection uses.");
        t.other("REPLY", exactly(1), ClientCommands::reply, NOSCRIPT, LOADING, STALE)
                .docs(
                        CONNECTION,
                        "3.2.0",
                        "O(1)",
                        "<ON | OFF | SKIP>",
                        "Turns the replies of this connection on or off.");
        t.other("NO-TOUCH", exactly(1), ClientCommands::noTouch, NOSCRIPT, LOADING, STALE)
                .docs(
                        CONNECTION,
                        "7.2.0",
                        "O(1)",
                        "<ON | OFF>",
                        "Lets the commands of this connection leave no trace in the idle times of keys.");
        t.other("HELP", exactly(0), Subcommands::help, LOADING, STALE)
                .docs(CONNECTION, "5.0.0", "O(1)", "", "Lists the subcommands.");
    }

    private static void declareAdmin(CommandTable.Builder t) {
        t.other("LIST", atLeast(0), ClientCommands::list, ADMIN, NOSCRIPT, LOADING, STALE)
                .tips("nondeterministic_output")
                .docs(
                        CONNECTION,
                        "2.4.0",
                        "O(N) where N is the number of connections",
                        "[TYPE <NORMAL | MASTER | REPLICA | PUBSUB>] [ID client-id [client-id ...]]",
                        "Describes all connections, or those of a type, or those with certain ids.");
        t.other("KILL", atLeast(1), ClientKill::run, ADMIN, NOSCRIPT, LOADING, STALE)
                .docs(
                        CONNECTION,
                        "2.4.0",
                        "O(N) where N is the number of connections",
                        "<ip:port | [ID client-id] [TYPE <NORMAL | MASTER | SLAVE | REPLICA | PUBSUB>] [USER username]"
                                + " [ADDR ip:port] [LADDR ip:port] [SKIPME <YES | NO>] [MAXAGE maxage]>",
                        "Ends the connection from an address, or all that meet every condition.");
        t.other("PAUSE", atLeast(1), ClientCommands::pause, ADMIN, NOSCRIPT, LOADING, STALE)
                .docs(
                        CONNECTION,
                        "3.0.0",
                        "O(1)",
                        "timeout [WRITE | ALL]",
                        "Holds back commands, or just those that write, for some milliseconds.");
        t.other("UNPAUSE", exactly(0), ClientCommands::unpause, ADMIN, NOSCRIPT, LOADING, STALE)
                .docs(CONNECTION, "6.2.0", "O(N) Where N is the number of paused clients", "", "Ends a pause.");
        t.other("NO-EVICT", exactly(1), ClientCommands::noEvict, ADMIN, NOSCRIPT, LOADING, STALE)
                .docs(
                        CONNECTION,
                        "7.0.0",
                        "O(1)",
                        "<ON | OFF>",
                        "Protects this connection from being ended when clients take too much memory.");
        t.other("UNBLOCK", atLeast(1), ClientCommands::unblock, ADMIN, NOSCRIPT, LOADING, STALE)
                .docs(
                        CONNECTION,
                        "5.0.0",
                        "O(log N) where N is the number of connections",
                        "client-id [TIMEOUT | ERROR]",
                        "Lets a client that waits in a blocking command go on.");
    }

    private static void info(Call call) {
        verbatim(call, ClientInfo.line(call.session(), call) + "\n");
    }

    /** {@code CLIENT LIST [TYPE type] [ID client-id ...]} */
    private static void list(Call call) {
        StringBuilder lines = new StringBuilder();
        if (call.argc() > 3 && call.is(2, "ID")) {
            for (int i = 3; i < call.argc(); i++) {
                append(lines, call.engine().sessions().find(id(call, i)), call);
            }
        } else {
            Predicate<Session> filter = filter(call);
            for (Session session : call.engine().sessions().all()) {
                if (filter.test(session)) {
                    append(lines, session, call);
                }
            }
        }
        verbatim(call, lines.toString());
    }

    private static Predicate<Session> filter(Call call) {
        if (call.argc() == 2) {
            return session -> true;
        }
        if (call.argc() == 4 && call.is(2, "TYPE")) {
            return ClientType.parse(call, 3)::matches;
        }
        throw CommandException.SYNTAX;
    }

    /** Adds a session's line, unless it is being ended: its thread may not have noticed yet. */
    private static void append(StringBuilder lines, @Nullable Session session, Call call) {
        if (session != null
                && (!session.closing() || session.id() == call.session().id())) {
            lines.append(ClientInfo.line(session, call)).append('\n');
        }
    }

    private static long id(Call call, int index) {
        try {
            return call.longArg(index);
        } catch (CommandException notANumber) {
            throw CommandException.err("Invalid client ID");
        }
    }

    private static void verbatim(Call call, String text) {
        call.reply().verbatim("txt", text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void getName(Call call) {
        byte[] name = call.session().name();
        if (name == null) {
            call.reply().nil();
        } else {
            call.reply().bulk(name);
        }
    }

    /** {@code CLIENT SETNAME connection-name} */
    private static void setName(Call call) {
        ClientNames.check(call.request(), 2);
        ClientNames.set(call.session(), call.request(), 2);
        call.reply().ok();
    }

    /** {@code CLIENT SETINFO <LIB-NAME libname | LIB-VER libver>} */
    private static void setInfo(Call call) {
        boolean version = call.is(2, "LIB-VER");
        if (!version && !call.is(2, "LIB-NAME")) {
            throw CommandException.err("Unrecognized option '" + call.text(2) + "'");
        }
        if (!ClientNames.isPlain(call.request(), 3)) {
            throw CommandException.err(call.text(2) + " cannot contain spaces, newlines or special characters.");
        }
        if (version) {
            call.session().libraryVersion(call.text(3));
        } else {
            call.session().libraryName(call.text(3));
        }
        call.reply().ok();
    }

    /** {@code CLIENT REPLY <ON | OFF | SKIP>} */
    private static void reply(Call call) {
        Session session = call.session();
        if (call.is(2, "ON")) {
            session.replyMode(ReplyMode.ON);
            call.reply().ok();
        } else if (call.is(2, "OFF")) {
            session.replyMode(ReplyMode.OFF);
        } else if (!call.is(2, "SKIP")) {
            throw CommandException.SYNTAX;
        } else if (session.replyMode() != ReplyMode.OFF) {
            session.replyMode(ReplyMode.SKIP_NEXT);
        }
    }

    /** {@code CLIENT NO-TOUCH <ON | OFF>} */
    private static void noTouch(Call call) {
        call.session().noTouch(onOrOff(call));
        call.reply().ok();
    }

    /** {@code CLIENT NO-EVICT <ON | OFF>} */
    private static void noEvict(Call call) {
        call.session().noEvict(onOrOff(call));
        call.reply().ok();
    }

    private static boolean onOrOff(Call call) {
        if (call.is(2, "ON")) {
            return true;
        }
        if (call.is(2, "OFF")) {
            return false;
        }
        throw CommandException.SYNTAX;
    }

    /** {@code CLIENT PAUSE timeout [WRITE | ALL]} */
    private static void pause(Call call) {
        if (call.argc() > 4) {
            throw Subcommands.misused(call);
        }
        boolean writesOnly = call.argc() == 4 && call.is(3, "WRITE");
        if (call.argc() == 4 && !writesOnly && !call.is(3, "ALL")) {
            throw CommandException.err("CLIENT PAUSE mode must be WRITE or ALL");
        }
        call.engine().pauses().pause(Timeouts.end(call, 2), writesOnly);
        call.reply().ok();
    }

    private static void unpause(Call call) {
        call.engine().pauses().unpause();
        call.reply().ok();
    }

    /** {@code CLIENT UNBLOCK client-id [TIMEOUT | ERROR]} */
    private static void unblock(Call call) {
        if (call.argc() > 4) {
            throw Subcommands.misused(call);
        }
        if (call.argc() == 4 && !call.is(3, "TIMEOUT") && !call.is(3, "ERROR")) {
            throw CommandException.err("CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
        }
        Session waiting = call.engine().sessions().find(call.longArg(2));
        boolean withError = call.argc() == 4 && call.is(3, "ERROR");
        boolean ended = waiting != null && call.engine().waiters().unblock(waiting, withError);
        call.reply().integer(ended ? 1 : 0);
    }
}
