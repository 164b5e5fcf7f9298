package dev.heddle.command.admin;

import dev.heddle.command.CommandException;
import dev.heddle.command.Session;
import dev.heddle.resp.Request;

/** What clients may call themselves: printable ASCII without blanks, so that CLIENT LIST can be taken apart. Stateless. */
final class ClientNames {

    private ClientNames() {}

    /** @throws CommandException "Client names cannot contain ..." */
    static void check(Request request, int index) {
        if (!isPlain(request, index)) {
            throw CommandException.err("Client names cannot contain spaces, newlines or special characters.");
        }
    }

    /** Gives a session a name that has been checked; an empty one takes it away. */
    static void set(Session session, Request request, int index) {
        session.name(request.length(index) == 0 ? null : request.copy(index));
    }

    static boolean isPlain(Request request, int index) {
        byte[] array = request.array(index);
        int from = request.offset(index);
        for (int i = from; i < from + request.length(index); i++) {
            if (array[i] < '!' || array[i] > '~') {
                return false;
            }
        }
        return true;
    }
}
