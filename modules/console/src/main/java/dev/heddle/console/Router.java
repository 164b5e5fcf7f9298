package dev.heddle.console;

import com.google.gson.stream.JsonReader;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.heddle.command.Engine;
import dev.heddle.command.ServerInfo;
import dev.heddle.console.Logins.Login;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what a request wants, lets {@link Guard} look at it, and has it done.
 *
 * <p>Thread-safe: each request runs in its own virtual thread.
 */
final class Router implements HttpHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    private final Engine engine;
    private final Guard guard;
    private final Logins logins;
    private final ConsoleSessions sessions;
    private final Streams streams;
    private final StaticFiles files = new StaticFiles();
    private final Metrics metrics;
    private final Health health;

    Router(Engine engine, Guard guard, Logins logins, ConsoleSessions sessions) {
        this.engine = engine;
        this.guard = guard;
        this.logins = logins;
        this.sessions = sessions;
        this.streams = new Streams(engine);
        this.metrics = new Metrics(engine);
        this.health = new Health(engine);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        Responses.secure(exchange);
        try {
            route(exchange);
        } catch (HttpFailure refusal) {
            fail(exchange, refusal.status(), refusal.text());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            LOG.error("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), bug);
            fail(exchange, 500, "internal error, see the server's log");
        } finally {
            exchange.close();
        }
    }

    private static void fail(HttpExchange exchange, int status, String text) throws IOException {
        if (exchange.getResponseCode() == -1) {
            Responses.json(
                    exchange,
                    status,
                    json -> json.beginObject().name("error").value(text).endObject());
        }
    }

    private void route(HttpExchange exchange) throws IOException, HttpFailure, InterruptedException {
        String path = exchange.getRequestURI().getPath();
        switch (path) {
            case "/healthz" -> health.alive(exchange);
            case "/readyz" -> health.ready(exchange);
            case "/metrics" -> {
                only(exchange, "GET");
                guard.checkOrigin(exchange);
                guard.checkReader(exchange);
                metrics.serve(exchange);
            }
            default -> {
                guard.checkOrigin(exchange);
                if (path.startsWith("/api/")) {
                    interfaceFor(exchange, path);
                } else {
                    only(exchange, "GET");
                    files.serve(exchange, path);
                }
            }
        }
    }

    private void interfaceFor(HttpExchange exchange, String path)
            throws IOException, HttpFailure, InterruptedException {
        Login login = guard.login(exchange);
        if (path.equals("/api/state")) {
            only(exchange, "GET");
            state(exchange, login);
            return;
        }
        guard.checkToken(exchange, login == null ? logins.openToken() : login.token());
        if (path.equals("/api/login")) {
            only(exchange, "POST");
            logIn(exchange);
            return;
        }
        if (login == null) {
            throw new HttpFailure(401, "log in first");
        }
        switch (path) {
            case "/api/catalog" -> {
                only(exchange, "GET");
                Responses.json(exchange, 200, json -> CommandHelp.write(engine.table(), json));
            }
            case "/api/open" -> {
                only(exchange, "POST");
                ConsoleSession session = sessions.open(login, Guard.peer(exchange));
                Responses.json(
                        exchange,
                        200,
                        json -> json.beginObject()
                                .name("session")
                                .value(session.id())
                                .name("client")
                                .value(session.client().id())
                                .endObject());
            }
            case "/api/run" -> {
                only(exchange, "POST");
                RunRequest request = RunRequest.parse(body(exchange, HttpLimits.BODY_BYTES));
                streams.run(exchange, sessions.find(request.session(), login), request.commands());
            }
            case "/api/messages" -> {
                only(exchange, "POST");
                RunRequest request = RunRequest.parse(body(exchange, HttpLimits.LOGIN_BYTES));
                streams.messages(exchange, sessions.find(request.session(), login));
            }
            case "/api/cancel" -> {
                only(exchange, "POST");
                RunRequest request = RunRequest.parse(body(exchange, HttpLimits.LOGIN_BYTES));
                boolean cancelled =
                        sessions.find(request.session(), login).client().cancel();
                Responses.json(
                        exchange,
                        200,
                        json -> json.beginObject()
                                .name("cancelled")
                                .value(cancelled)
                                .endObject());
            }
            case "/api/close" -> {
                only(exchange, "POST");
                RunRequest request = RunRequest.parse(body(exchange, HttpLimits.LOGIN_BYTES));
                sessions.end(sessions.find(request.session(), login));
                Responses.none(exchange);
            }
            case "/api/logout" -> {
                only(exchange, "POST");
                logins.end(login);
                sessions.endAll(login);
                guard.setCookie(exchange, "", false);
                Responses.none(exchange);
            }
            default -> throw new HttpFailure(404, "there is nothing here");
        }
    }

    private void state(HttpExchange exchange, @Nullable Login login) throws IOException {
        if (login == null) {
            Responses.json(
                    exchange,
                    200,
                    json -> json.beginObject()
                            .name("login")
                            .value("needed")
                            .name("token")
                            .value(logins.openToken())
                            .endObject());
            return;
        }
        Responses.json(
                exchange,
                200,
                json -> json.beginObject()
                        .name("login")
                        .value(login.cookie().isEmpty() ? "open" : "done")
                        .name("token")
                        .value(login.token())
                        .name("user")
                        .value(login.user())
                        .name("version")
                        .value(ServerInfo.version())
                        .name("port")
                        .value(engine.settings().network.port.value())
                        .name("loading")
                        .value(engine.loading().active())
                        .endObject());
    }

    private void logIn(HttpExchange exchange) throws IOException, HttpFailure, InterruptedException {
        String user = "";
        String password = "";
        String text = new String(body(exchange, HttpLimits.LOGIN_BYTES), StandardCharsets.UTF_8);
        try (JsonReader in = new JsonReader(new StringReader(text))) {
            in.beginObject();
            while (in.hasNext()) {
                switch (in.nextName()) {
                    case "user" -> user = in.nextString();
                    case "password" -> password = in.nextString();
                    default -> in.skipValue();
                }
            }
        } catch (IOException | IllegalStateException malformed) {
            throw new HttpFailure(400, "malformed request");
        }
        Login login = logins.login(user, password, Guard.peer(exchange));
        guard.setCookie(exchange, login.cookie(), "https".equals(Guard.header(exchange, "X-Forwarded-Proto")));
        state(exchange, login);
    }

    private static byte[] body(HttpExchange exchange, int most) throws IOException, HttpFailure {
        String type = Guard.header(exchange, "Content-Type");
        if (type == null || !type.startsWith("application/json")) {
            throw new HttpFailure(415, "the body must be application/json");
        }
        try (InputStream in = exchange.getRequestBody()) {
            byte[] body = in.readNBytes(most + 1);
            if (body.length > most) {
                throw new HttpFailure(413, "the request is larger than " + most + " bytes");
            }
            return body;
        }
    }

    private static void only(HttpExchange exchange, String method) throws HttpFailure {
        if (!exchange.getRequestMethod().equals(method)) {
            exchange.getResponseHeaders().set("Allow", method);
            throw new HttpFailure(405, "use " + method);
        }
    }
}
