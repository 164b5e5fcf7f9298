package dev.heddle.console;

import dev.heddle.command.Engine;
import dev.heddle.command.LocalClient;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who has logged in. A login is known by a random value, which the browser has in a cookie; it ends with the process, by logging out, or
 * after twelve hours.
 *
 * <p>Thread-safe.
 */
final class Logins {

    private static final long LIFE_MILLIS = 12 * 3600 * 1000L;
    private static final int MOST = 1000;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** What the page has to send with each request, so that no other site can make a browser send one. */
    private final String openToken = randomText();

    private final Engine engine;
    private final LoginLimiter limiter = new LoginLimiter();
    private final Map<String, Login> byCookie = new ConcurrentHashMap<>();

    /**
     * Somebody who may use the console.
     *
     * @param cookie what the browser shows, empty where nobody has to log in
     * @param token what the page sends with each request
     * @param user who it is
     * @param credentials the arguments of AUTH for further sessions, so that each is checked again; empty where no login is needed
     */
    record Login(String cookie, String token, String user, List<byte[]> credentials, long untilMillis) {}

    Logins(Engine engine) {
        this.engine = engine;
    }

    /** Everybody, where nobody has to log in. */
    Login open() {
        return new Login("", openToken, "default", List.of(), Long.MAX_VALUE);
    }

    /** The token of a page whose user has not logged in yet. */
    String openToken() {
        return openToken;
    }

    @Nullable
    Login find(String cookie) {
        Login login = byCookie.get(cookie);
        if (login != null && login.untilMillis < engine.clock().millis()) {
            byCookie.remove(cookie);
            return null;
        }
        return login;
    }

    void end(Login login) {
        byCookie.remove(login.cookie);
    }

    /**
     * Logs in with AUTH, as any client would.
     *
     * @throws HttpFailure 401 if the server refuses, 429 if this address has tried too often
     */
    Login login(String user, String password, String peer) throws HttpFailure, InterruptedException {
        List<byte[]> arguments = authArguments(user, password);
        check(arguments, peer);
        long now = engine.clock().millis();
        byCookie.values().removeIf(login -> login.untilMillis < now);
        if (byCookie.size() >= MOST) {
            throw new HttpFailure(503, "too many logins");
        }
        Login login =
                new Login(randomText(), randomText(), user.isEmpty() ? "default" : user, arguments, now + LIFE_MILLIS);
        byCookie.put(login.cookie, login);
        return login;
    }

    /** Checks a user and password without keeping anything. */
    void check(List<byte[]> authArguments, String peer) throws HttpFailure, InterruptedException {
        String address = addressOf(peer);
        long now = engine.clock().millis();
        long wait = limiter.wait(address, now);
        if (wait > 0) {
            throw new HttpFailure(429, "too many failed logins: try again in " + (wait + 999) / 1000 + " s");
        }
        try (LocalClient client = LocalClient.open(engine, peer, ConsoleSessions.LIBRARY, any -> {})) {
            StringBuilder answer = new StringBuilder();
            client.run(authArguments, bytes -> answer.append(new String(bytes, StandardCharsets.ISO_8859_1)));
            if (answer.indexOf("+OK") != 0) {
                limiter.failed(address, now);
                throw new HttpFailure(
                        401, answer.isEmpty() ? "refused" : answer.substring(1).strip());
            }
        }
        limiter.succeeded(address);
    }

    static List<byte[]> authArguments(String user, String password) {
        byte[] auth = "AUTH".getBytes(StandardCharsets.US_ASCII);
        byte[] secret = password.getBytes(StandardCharsets.UTF_8);
        return user.isEmpty() ? List.of(auth, secret) : List.of(auth, user.getBytes(StandardCharsets.UTF_8), secret);
    }

    private static String addressOf(String peer) {
        int colon = peer.lastIndexOf(':');
        return colon < 0 ? peer : peer.substring(0, colon);
    }

    static String randomText() {
        byte[] bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
