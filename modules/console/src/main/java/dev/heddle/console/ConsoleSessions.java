package dev.heddle.console;

import dev.heddle.command.Engine;
import dev.heddle.console.Logins.Login;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The sessions of all pages that are open. Thread-safe. */
final class ConsoleSessions implements AutoCloseable {

    /** What CLIENT LIST shows as the library of these clients. */
    static final String LIBRARY = "heddle-console";

    private static final int MOST = 64;
    private static final long IDLE_MILLIS = 5 * 60_000L;

    private final Engine engine;
    private final Map<String, ConsoleSession> byId = new ConcurrentHashMap<>();

    ConsoleSessions(Engine engine) {
        this.engine = engine;
    }

    ConsoleSession open(Login login, String peer) throws HttpFailure, InterruptedException {
        if (byId.size() >= MOST) {
            throw new HttpFailure(503, "too many console sessions are open");
        }
        ConsoleSession session = new ConsoleSession(engine, login.cookie(), peer);
        if (!login.credentials().isEmpty()) {
            StringBuilder answer = new StringBuilder();
            session.client()
                    .run(login.credentials(), bytes -> answer.append(new String(bytes, StandardCharsets.ISO_8859_1)));
            if (answer.indexOf("+OK") != 0) {
                session.close();
                throw new HttpFailure(401, "the password is no longer valid");
            }
        }
        byId.put(session.id(), session);
        return session;
    }

    /** @throws HttpFailure 410 if it has ended, or is somebody else's */
    ConsoleSession find(String id, Login login) throws HttpFailure {
        ConsoleSession session = byId.get(id);
        if (session == null
                || !session.owner().equals(login.cookie())
                || session.client().isClosed()) {
            throw new HttpFailure(410, "the session has ended");
        }
        return session;
    }

    void end(ConsoleSession session) {
        byId.remove(session.id());
        session.close();
    }

    /** Ends all sessions of a login. */
    void endAll(Login login) {
        for (ConsoleSession session : byId.values()) {
            if (session.owner().equals(login.cookie())) {
                end(session);
            }
        }
    }

    /** Called by the housekeeper: ends sessions that nobody uses, or that somebody has killed. */
    void endIdle() {
        long now = engine.clock().millis();
        for (ConsoleSession session : byId.values()) {
            if (session.client().isClosed() || session.isIdle(now, IDLE_MILLIS)) {
                end(session);
            }
        }
    }

    @Override
    public void close() {
        byId.values().forEach(this::end);
    }
}
