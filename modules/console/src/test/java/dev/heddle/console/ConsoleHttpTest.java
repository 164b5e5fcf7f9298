package dev.heddle.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.command.LocalClient;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands, messages and files over HTTP, on this machine and without a password. */
class ConsoleHttpTest {

    private ConsoleTester http;
    private String session;

    @BeforeEach
    void open() throws Exception {
        http = new ConsoleTester();
        session = http.open();
    }

    @AfterEach
    void close() {
        http.close();
    }

    private String run(String commands) throws Exception {
        return http.run(session, commands).replaceAll("\"ms\":[0-9.]+,", "").replaceAll("(?m)^\\n", "");
    }

    private static String reply(int index, String value) {
        return "{\"index\":" + index + ",\"value\":" + value + "}\n";
    }

    @Test
    void everyTypeOfReplyHasItsJson() throws Exception {
        String answer = run("""
                [["SET","k","grüße"],["GET","k"],["GET","none"],["INCR","n"],["HSET","h","f","v"],["HGETALL","h"],
                ["SADD","s","a"],["SMEMBERS","s"],["ZADD","z","1.5","m"],["ZSCORE","z","m"],["RPUSH","l","a","b"],
                ["LRANGE","l",0,-1],["NOSUCH"],["SET","big","9007199254740993"],["INCRBY","big","0"]]""");

        assertThat(answer)
                .contains(reply(0, "{\"simple\":\"OK\"}") + reply(1, "\"grüße\"") + reply(2, "null") + reply(3, "1"))
                .contains(reply(5, "{\"map\":[[\"f\",\"v\"]]}"))
                .contains(reply(7, "{\"set\":[\"a\"]}"))
                .contains(reply(9, "{\"double\":\"1.5\"}"))
                .contains(reply(11, "[\"a\",\"b\"]"))
                .contains("{\"error\":\"ERR unknown command")
                .contains(reply(14, "{\"integer\":\"9007199254740993\"}"))
                .endsWith("\"closed\":false}\n");
    }

    @Test
    void bytesThatAreNoTextSurviveBothWays() throws Exception {
        String answer = run("""
                [["SET",{"base64":"AP+A"},{"base64":"/wA="}],["GET",{"base64":"AP+A"}],["KEYS","*"]]""");

        assertThat(answer).contains(reply(1, "{\"base64\":\"/wA=\"}"), reply(2, "[{\"base64\":\"AP+A\"}]"));
    }

    @Test
    void aSessionKeepsItsTransactionAndDatabase() throws Exception {
        assertThat(run("[[\"SELECT\",\"3\"],[\"MULTI\"],[\"SET\",\"a\",\"1\"]]"))
                .contains("\"database\":3,\"queued\":1");
        assertThat(run("[[\"EXEC\"]]"))
                .contains(reply(0, "[{\"simple\":\"OK\"}]"))
                .contains("\"queued\":-1");
        assertThat(http.engine.keyspace().keys(3)).isEqualTo(1);
    }

    @Test
    void messagesAreStreamed() throws Exception {
        assertThat(run("[[\"SUBSCRIBE\",\"news\"]]")).contains("{\"push\":[\"subscribe\",\"news\",1]}");
        http.run(http.open(), "[[\"PUBLISH\",\"news\",\"hello\"]]");

        assertThat(firstMessage()).isEqualTo("{\"message\":{\"push\":[\"message\",\"news\",\"hello\"]}}");
    }

    private String firstMessage() throws Exception {
        HttpResponse<InputStream> messages = http.client.send(
                http.request("/api/messages")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(ConsoleTester.body(session, "[]")))
                        .build(),
                BodyHandlers.ofInputStream());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(messages.body(), StandardCharsets.UTF_8))) {
            return lines.lines().filter(line -> !line.isEmpty()).findFirst().orElseThrow();
        }
    }

    @Test
    void monitorShowsTheCommandsOfOthers() throws Exception {
        run("[[\"MONITOR\"]]");
        http.run(http.open(), "[[\"SET\",\"seen\",\"1\"]]");

        assertThat(firstMessage()).contains("{\"message\":{\"simple\":", "\\\"SET\\\" \\\"seen\\\" \\\"1\\\"");
    }

    @Test
    void aCommandThatWaitsCanBeCancelled() throws Exception {
        CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return run("[[\"BLPOP\",\"q\",\"0\"],[\"PING\"]]");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        await().until(() -> http.engine.waiters().count() == 1);

        assertThat(http.post("/api/cancel", ConsoleTester.body(session, "[]")).body())
                .isEqualTo("{\"cancelled\":true}");
        assertThat(waiting.get()).contains("UNBLOCKED").contains("PONG");
    }

    @Test
    void aPageThatHasGoneGetsNoElement() throws Exception {
        CompletableFuture<HttpResponse<Stream<String>>> waiting = http.client.sendAsync(
                http.request("/api/run")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(ConsoleTester.body(session, "[[\"BLPOP\",\"q\",\"0\"]]")))
                        .build(),
                BodyHandlers.ofLines());
        await().until(() -> http.engine.waiters().count() == 1);
        assertThat(waiting.cancel(true)).isTrue();
        http.client.shutdownNow();

        await().until(() -> http.engine.waiters().count() == 0);
        assertThat(http.engine.sessions().count()).isLessThanOrEqualTo(1);
    }

    @Test
    void aKilledSessionHasEnded() throws Exception {
        String killer = http.open();
        assertThat(http.run(killer, "[[\"CLIENT\",\"KILL\",\"TYPE\",\"normal\"]]"))
                .contains("\"value\":1");

        assertThat(http.post("/api/run", ConsoleTester.body(session, "[[\"PING\"]]"))
                        .statusCode())
                .isEqualTo(410);
        await().until(() -> http.engine.sessions().count() == 1);
    }

    @Test
    void quitEndsTheSession() throws Exception {
        assertThat(run("[[\"QUIT\"]]")).contains("\"closed\":true");
        await().until(() -> http.engine.sessions().count() == 0);
    }

    @Test
    void malformedRequestsAreRefused() throws Exception {
        for (String body : List.of("", "[", "{\"session\":1,\"commands\":[[]]}", "{\"commands\":[[{\"x\":1}]]}")) {
            assertThat(http.post("/api/run", body).statusCode()).as(body).isEqualTo(400);
        }
        assertThat(http.post("/api/run", "{}", "Content-Type", "text/plain").statusCode())
                .isEqualTo(415);
        assertThat(http.get("/api/run").statusCode()).isEqualTo(405);
        assertThat(http.get("/api/nothing").statusCode()).isEqualTo(404);
        assertThat(http.post("/api/login", " ".repeat(5000)).statusCode()).isEqualTo(413);
    }

    @Test
    void filesAreServedWithATagAndAStrictPolicy() throws Exception {
        HttpResponse<String> page = http.get("/");

        assertThat(page.body()).contains("<title>Heddle console</title>").doesNotContain("http://", "https://");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .contains("default-src 'none'", "script-src 'self';")
                        .doesNotContain("unsafe"));
        String tag = page.headers().firstValue("ETag").orElseThrow();
        assertThat(http.get("/", "If-None-Match", tag).statusCode()).isEqualTo(304);
        assertThat(http.get("/lib/uplot.js").body()).contains("uPlot");
        for (String path : List.of("/../module-info.class", "/js/%2e%2e/index.html", "/js", "/Console.class")) {
            assertThat(http.get(path).statusCode()).as(path).isEqualTo(404);
        }
    }

    @Test
    void theCatalogTellsEveryCommand() throws Exception {
        assertThat(http.get("/api/catalog").body())
                .contains("\"name\":\"config get\"", "\"name\":\"zadd\"", "\"complexity\":", "\"since\":");
    }

    @Test
    void aSessionShowsAsAClient() throws Exception {
        assertThat(run("[[\"CLIENT\",\"LIST\"]]")).contains("lib-name=heddle-console", "resp=3");
        try (LocalClient other = LocalClient.open(http.engine, "127.0.0.1:1", "x", any -> {})) {
            assertThat(other.authenticated()).isTrue();
        }
        assertThat(http.engine.sessions().count()).isEqualTo(1);
    }
}
