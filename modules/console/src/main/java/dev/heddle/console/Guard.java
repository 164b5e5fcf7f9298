package dev.heddle.console;

import com.sun.net.httpserver.HttpExchange;
import dev.heddle.command.Engine;
import dev.heddle.command.LocalClient;
import dev.heddle.console.Logins.Login;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request may be served.
 *
 * <p>Thread-safe.
 */
final class Guard {

    /*
     * A browser on this machine reaches the console for every web site that it shows. What keeps those sites out:
     *
     *   Host    A site may let its own name point to this machine (DNS rebinding) and is then "the same origin" to the browser. Its name
     *           is still in the Host header, so only localhost, plain addresses and the names in console-hosts are served.
     *   Origin  A page of another site may send requests, though not read the answers: browsers say which site it was.
     *   Token   Whatever is not sent by our own page lacks the token that the page has got with its first answer, which other
     *           sites cannot read.
     *   Cookie  Where there is a password, the login is in a cookie that scripts cannot read and other sites do not send.
     */

    private final Engine engine;
    private final Logins logins;
    private final String cookieName;

    Guard(Engine engine, Logins logins, int port) {
        this.engine = engine;
        this.logins = logins;
        this.cookieName = "heddle-" + port;
    }

    /** Refuses a request that another web site may have caused. */
    void checkOrigin(HttpExchange exchange) throws HttpFailure {
        String host = header(exchange, "Host");
        if (host == null || !isOurs(host)) {
            throw new HttpFailure(421, "this name is not in console-hosts");
        }
        String origin = header(exchange, "Origin");
        if (origin != null && !originIs(origin, host)) {
            throw new HttpFailure(403, "another web site sent this request");
        }
        String site = header(exchange, "Sec-Fetch-Site");
        boolean navigation = "navigate".equals(header(exchange, "Sec-Fetch-Mode"))
                && exchange.getRequestMethod().equals("GET")
                && !exchange.getRequestURI().getPath().startsWith("/api/");
        if (site != null && !site.equals("same-origin") && !site.equals("none") && !navigation) {
            throw new HttpFailure(403, "another web site sent this request");
        }
    }

    private static boolean originIs(String origin, String host) {
        return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
    }

    private boolean isOurs(String host) {
        String name = nameOf(host).toLowerCase(Locale.ROOT);
        return name.equals("localhost")
                || name.matches("\\[[0-9a-f:.]+]")
                || name.matches("\\d{1,3}(\\.\\d{1,3}){3}")
                || engine.settings().console.hostNames().stream().anyMatch(name::equalsIgnoreCase);
    }

    private static String nameOf(String host) {
        int colon = host.lastIndexOf(':');
        return colon < 0 || host.endsWith("]") ? host : host.substring(0, colon);
    }

    /** Who sends this; null if nobody has logged in where that is needed. */
    @Nullable
    Login login(HttpExchange exchange) {
        if (!needsLogin(exchange)) {
            return logins.open();
        }
        String cookies = header(exchange, "Cookie");
        for (String cookie : cookies == null ? new String[0] : cookies.split(";")) {
            String text = cookie.strip();
            if (text.startsWith(cookieName + "=")) {
                return logins.find(text.substring(cookieName.length() + 1));
            }
        }
        return null;
    }

    /** Only on this machine, and only while there is no password, is the console open to everybody. */
    private boolean needsLogin(HttpExchange exchange) {
        InetSocketAddress peer = exchange.getRemoteAddress();
        boolean forwarded = header(exchange, "X-Forwarded-For") != null || header(exchange, "Forwarded") != null;
        return forwarded || !peer.getAddress().isLoopbackAddress() || !LocalClient.needsNoLogin(engine);
    }

    /** Refuses a request that does not come from our own page. */
    void checkToken(HttpExchange exchange, String token) throws HttpFailure {
        String sent = header(exchange, "X-Heddle-Token");
        if (sent == null || !MessageDigest.isEqual(bytes(sent), bytes(token))) {
            throw new HttpFailure(403, "the token is missing or old: reload the page");
        }
    }

    /** Refuses a request for figures from somebody who neither is logged in nor sends a password (HTTP Basic). */
    void checkReader(HttpExchange exchange) throws HttpFailure, InterruptedException {
        if (login(exchange) != null) {
            return;
        }
        String authorization = header(exchange, "Authorization");
        if (authorization == null || !authorization.regionMatches(true, 0, "Basic ", 0, 6)) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"heddle\"");
            throw new HttpFailure(401, "user and password are needed");
        }
        String pair;
        try {
            byte[] decoded =
                    Base64.getDecoder().decode(authorization.substring(6).strip());
            pair = new String(decoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            throw new HttpFailure(400, "malformed Authorization");
        }
        int colon = pair.indexOf(':');
        if (colon < 0) {
            throw new HttpFailure(400, "malformed Authorization");
        }
        logins.check(Logins.authArguments(pair.substring(0, colon), pair.substring(colon + 1)), peer(exchange));
    }

    void setCookie(HttpExchange exchange, String value, boolean secure) {
        String attributes = "; Path=/; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : "");
        exchange.getResponseHeaders()
                .set("Set-Cookie", cookieName + "=" + value + attributes + (value.isEmpty() ? "; Max-Age=0" : ""));
    }

    /** The sender's address as CLIENT LIST shows addresses. */
    static String peer(HttpExchange exchange) {
        InetSocketAddress peer = exchange.getRemoteAddress();
        String host = peer.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + peer.getPort();
    }

    static @Nullable String header(HttpExchange exchange, String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
