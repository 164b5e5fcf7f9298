package dev.heddle.command.admin;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.Session;
import java.util.Locale;

/** The kinds of clients that CLIENT LIST and CLIENT KILL tell apart. */
enum ClientType {
    NORMAL,
    MASTER,
    REPLICA,
    PUBSUB;

    /** @throws CommandException "Unknown client type '...'" */
    static ClientType parse(Call call, int index) {
        String word = call.text(index).toUpperCase(Locale.ROOT);
        return switch (word) {
            case "NORMAL" -> NORMAL;
            case "MASTER" -> MASTER;
            case "REPLICA", "SLAVE" -> REPLICA;
            case "PUBSUB" -> PUBSUB;
            default -> throw CommandException.err("Unknown client type '" + call.text(index) + "'");
        };
    }

    /** Whether a session is of this kind. */
    boolean matches(Session session) {
        return this == of(session);
    }

    /** Nobody replicates: a session that is no subscriber is a normal one. */
    static ClientType of(Session session) {
        return session.interests().isSubscribed() ? PUBSUB : NORMAL;
    }
}
