package dev.heddle.it;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/**
 * A Chromium without a window, driven through chromedriver by the WebDriver protocol, which is JSON over HTTP: with the few calls that are needed
 * here that is less than what a library would bring along.
 *
 * <p>Confined to the test's thread.
 */
final class Browser implements AutoCloseable {

    /** The keys of WebDriver that have no character of their own. */
    static final String ENTER = "\uE007";

    static final String CONTROL = "\uE009";
    static final String TAB = "\uE004";
    static final String NO_MODIFIER = "\uE000";

    private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
    private static final Path SHOTS = Path.of("target", "screenshots").toAbsolutePath();
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Process driver;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Gson gson = new Gson();
    private final String base;
    private final String session;

    private Browser(Process driver, String base, Path profile, String chromium) {
        this.driver = driver;
        this.base = base;
        Awaitility.await().atMost(LIMIT).ignoreExceptions().until(() -> isReady(base));
        List<String> arguments = List.of(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--window-size=1200,800",
                "--user-data-dir=" + profile);
        Map<String, Object> capabilities = Map.of(
                "browserName",
                "chrome",
                "goog:chromeOptions",
                Map.of("binary", chromium, "args", arguments),
                "goog:loggingPrefs",
                Map.of("browser", "ALL"));
        JsonObject answer = send("POST", "/session", Map.of("capabilities", Map.of("alwaysMatch", capabilities)))
                .getAsJsonObject();
        this.session = "/session/" + answer.get("sessionId").getAsString();
    }

    /** Starts one; without the programs the test is skipped. */
    static Browser start() throws IOException {
        String chromium = Programs.require("chromium", "chromium").toString();
        String program = Programs.require("chromedriver", "chromium-driver").toString();
        int port = RunningServer.freePort();
        Path folder = RunningServer.newFolder("browser");
        Process driver = new ProcessBuilder(program, "--port=" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("driver.log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(driver::destroyForcibly));
        try {
            return new Browser(driver, "http://127.0.0.1:" + port, folder.resolve("profile"), chromium);
        } catch (RuntimeException | AssertionError e) {
            driver.destroy();
            throw e;
        }
    }

    private boolean isReady(String at) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(at + "/status")).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
    }

    private JsonElement send(String method, String path, Map<String, ?> body) {
        HttpRequest.BodyPublisher content = method.equals("GET") || method.equals("DELETE")
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(gson.toJson(body));
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + path))
                .method(method, content)
                .timeout(Duration.ofSeconds(60))
                .build();
        try {
            String text =
                    http.send(request, HttpResponse.BodyHandlers.ofString()).body();
            JsonElement value = JsonParser.parseString(text).getAsJsonObject().get("value");
            if (value.isJsonObject() && value.getAsJsonObject().has("error")) {
                throw new AssertionError(
                        path + ": " + value.getAsJsonObject().get("message").getAsString());
            }
            return value;
        } catch (IOException e) {
            throw new AssertionError(path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(path, e);
        }
    }

    private JsonElement call(String path, Map<String, ?> body) {
        return send("POST", session + path, body);
    }

    void go(String url) {
        call("/url", Map.of("url", url));
    }

    /** The size of the page's window, not of a screen around it. */
    void size(int width, int height, boolean dark) {
        devtools(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        devtools(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    private void devtools(String command, Map<String, ?> parameters) {
        call("/goog/cdp/execute", Map.of("cmd", command, "params", parameters));
    }

    /** The value of an expression of the page's script. */
    JsonElement eval(String expression) {
        return call("/execute/sync", Map.of("script", "return (" + expression + ")", "args", List.of()));
    }

    String text(String expression) {
        JsonElement value = eval(expression);
        return value.isJsonNull() ? "" : value.getAsString();
    }

    /** Waits until an expression is true. */
    void await(String expression) {
        Awaitility.await(expression)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    JsonElement value = eval(expression);
                    return value.isJsonPrimitive() && value.getAsJsonPrimitive().isBoolean() && value.getAsBoolean();
                });
    }

    /** Waits until there is an element in view that a selector finds, and clicks it as a mouse would. */
    void click(String selector) {
        await("!!document.querySelector(" + gson.toJson(selector) + ")?.checkVisibility()");
        call("/element/" + find(selector) + "/click", Map.of());
    }

    /** Clicks the button of this text, the last one if there are several: it is the one in front. */
    void clickButton(String text) {
        String buttons =
                "[...document.querySelectorAll('button')].filter(b => b.checkVisibility() && b.textContent.trim() === "
                        + gson.toJson(text) + ")";
        await(buttons + ".length > 0");
        eval("(document.querySelectorAll('[data-test]').forEach(e => e.removeAttribute('data-test')), " + buttons
                + ".at(-1).setAttribute('data-test', ''))");
        click("[data-test]");
    }

    private String find(String selector) {
        return call("/element", Map.of("using", "css selector", "value", selector))
                .getAsJsonObject()
                .get(ELEMENT)
                .getAsString();
    }

    /** Types into an element. */
    void type(String selector, String text) {
        await("!!document.querySelector(" + gson.toJson(selector) + ")?.checkVisibility()");
        call("/element/" + find(selector) + "/value", Map.of("text", text));
    }

    /** Replaces what is in a field. */
    void fill(String selector, String text) {
        await("!!document.querySelector(" + gson.toJson(selector) + ")?.checkVisibility()");
        call("/element/" + find(selector) + "/clear", Map.of());
        type(selector, text);
    }

    /** A picture of the page, kept below {@code target/screenshots}. */
    void shot(String name) throws IOException {
        String picture = send("GET", session + "/screenshot", Map.of()).getAsString();
        Files.createDirectories(SHOTS);
        Files.write(SHOTS.resolve(name + ".png"), Base64.getDecoder().decode(picture));
    }

    /** What the browser complained about since the last call: errors of scripts, violations of the content security policy. */
    List<String> complaints() {
        JsonArray log = call("/se/log", Map.of("type", "browser")).getAsJsonArray();
        return log.asList().stream()
                .map(JsonElement::getAsJsonObject)
                .filter(entry -> entry.get("level").getAsString().equals("SEVERE"))
                .map(entry -> entry.get("message").getAsString())
                .toList();
    }

    @Override
    public void close() {
        try {
            send("DELETE", session, Map.of());
        } finally {
            driver.destroy();
            http.close();
        }
    }
}
