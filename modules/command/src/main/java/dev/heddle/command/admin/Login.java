package dev.heddle.command.admin;

import dev.heddle.command.CommandException;
import dev.heddle.command.Session;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Who may come in: the default user, with the password of {@code requirepass}, or with any if there is none. Stateless. */
final class Login {

    private static final String DEFAULT_USER = "default";
    private static final CommandException WRONG =
            new CommandException("WRONGPASS invalid username-password pair or user is disabled.");

    private Login() {}

    /** @throws CommandException WRONGPASS */
    static void asDefault(Session session, byte[] password) {
        as(session, DEFAULT_USER, password);
    }

    /** @throws CommandException WRONGPASS */
    static void as(Session session, String user, byte[] password) {
        boolean known = user.equals(DEFAULT_USER);
        String expected = session.engine().settings().network.requirePass.value();
        // Compared in constant time: how long a refusal takes must not tell how much of the password was right.
        boolean right = MessageDigest.isEqual(expected.getBytes(StandardCharsets.ISO_8859_1), password);
        if (!known || !(right || expected.isEmpty())) {
            throw WRONG;
        }
        session.authenticate(DEFAULT_USER);
    }
}
