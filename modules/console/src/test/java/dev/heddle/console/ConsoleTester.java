package dev.heddle.console;

import dev.heddle.command.Engine;
import dev.heddle.command.catalog.Catalog;
import dev.heddle.command.config.Settings;
import dev.heddle.store.Store;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A console on a free port, and a client that speaks HTTP with it. Confined to one test. */
final class ConsoleTester implements AutoCloseable {

    static {
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    }

    final Settings settings = new Settings();
    final Engine engine;
    final Console console;
    final HttpClient client = HttpClient.newHttpClient();
    String token = "";
    String cookie = "";

    ConsoleTester(String... password) throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            settings.console.port.settle(free.getLocalPort());
        }
        if (password.length > 0) {
            settings.network.requirePass.settle(password[0]);
        }
        engine = new Engine(
                settings,
                Catalog.build(),
                InstantSource.system(),
                new SecureRandom(),
                () -> {},
                new Store(16, 2, new Random(7)));
        console = Objects.requireNonNull(Console.open(engine));
    }

    /** A request that still lacks its method. */
    HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(console.url() + path.substring(1)));
        request.header("X-Heddle-Token", token);
        return cookie.isEmpty() ? request : request.header("Cookie", cookie);
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = request(path);
        return client.send(with(request, headers).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = request(path).header("Content-Type", "application/json");
        request.POST(HttpRequest.BodyPublishers.ofString(body));
        return client.send(with(request, headers).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder with(HttpRequest.Builder request, String... headers) {
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return request;
    }

    /** Learns the token that requests need. */
    void fetchToken() throws Exception {
        token = field("token", get("/api/state").body());
    }

    /** Opens a session. */
    String open() throws Exception {
        fetchToken();
        return field("session", post("/api/open", "{}").body());
    }

    /** Runs commands, given as a JSON array, and returns the lines of the answer. */
    String run(String session, String commands) throws Exception {
        return post("/api/run", body(session, commands)).body();
    }

    static String body(String session, String commands) {
        return "{\"session\":\"" + session + "\",\"commands\":" + commands + "}";
    }

    static String field(String name, String json) {
        Matcher matcher = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        if (!matcher.find()) {
            throw new AssertionError("no " + name + " in " + json);
        }
        return matcher.group(1);
    }

    @Override
    public void close() {
        console.close();
        client.close();
    }
}
