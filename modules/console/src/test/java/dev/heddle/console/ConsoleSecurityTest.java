package dev.heddle.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is let in. */
class ConsoleSecurityTest {

    private static final String PASSWORD = "weft and warp";

    private ConsoleTester http;

    @BeforeEach
    void open() throws Exception {
        http = new ConsoleTester(PASSWORD);
        http.fetchToken();
    }

    @AfterEach
    void close() {
        http.close();
    }

    private HttpResponse<String> login(String user, String password) throws Exception {
        return http.post("/api/login", "{\"user\":\"" + user + "\",\"password\":\"" + password + "\"}");
    }

    private void logIn() throws Exception {
        HttpResponse<String> answer = login("", PASSWORD);
        assertThat(answer.statusCode()).isEqualTo(200);
        String header = answer.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(header).contains("HttpOnly", "SameSite=Strict", "Path=/");
        http.cookie = header.substring(0, header.indexOf(';'));
        http.fetchToken();
    }

    @Test
    void withAPasswordNothingIsServedBeforeTheLogin() throws Exception {
        assertThat(http.get("/api/state").body()).contains("\"login\":\"needed\"");
        assertThat(http.post("/api/open", "{}").statusCode()).isEqualTo(401);
        assertThat(http.get("/api/catalog").statusCode()).isEqualTo(401);
        assertThat(http.get("/metrics").statusCode()).isEqualTo(401);
        assertThat(http.get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void afterTheLoginCommandsRunAndSessionsBelongToIt() throws Exception {
        logIn();
        String session = http.open();
        assertThat(http.run(session, "[[\"PING\"]]")).contains("PONG");

        String first = http.cookie;
        http.cookie = "";
        http.fetchToken();
        logIn();
        assertThat(http.cookie).isNotEqualTo(first);
        assertThat(http.post("/api/run", ConsoleTester.body(session, "[[\"PING\"]]"))
                        .statusCode())
                .isEqualTo(410);
    }

    @Test
    void loggingOutEndsEverything() throws Exception {
        logIn();
        http.open();
        assertThat(http.post("/api/logout", "{}").statusCode()).isEqualTo(204);

        assertThat(http.post("/api/open", "{}").statusCode()).isIn(401, 403);
        assertThat(http.engine.sessions().count()).isZero();
    }

    @Test
    void wrongPasswordsAreRefusedAndSlowedDown() throws Exception {
        assertThat(login("", "wrong").statusCode()).isEqualTo(401);
        assertThat(login("nobody", PASSWORD).body()).contains("WRONGPASS");
        for (int i = 0; i < 3; i++) {
            assertThat(login("", "wrong").statusCode()).isEqualTo(401);
        }
        assertThat(login("", PASSWORD).statusCode()).isEqualTo(429);
        assertThat(http.engine.sessions().count()).isZero();
    }

    @Test
    void aPasswordThatHasChangedOpensNoFurtherSession() throws Exception {
        logIn();
        http.settings.set(
                List.of(java.util.Map.entry("requirepass", "another")),
                new dev.heddle.command.config.Settings.Origin(true, false));
        assertThat(http.post("/api/open", "{}").statusCode()).isEqualTo(401);
    }

    @Test
    void metricsTakeAPasswordByHttpBasic() throws Exception {
        String right = Base64.getEncoder().encodeToString((":" + PASSWORD).getBytes(StandardCharsets.UTF_8));
        assertThat(http.get("/metrics", "Authorization", "Basic " + right).statusCode())
                .isEqualTo(200);
        String wrong = Base64.getEncoder().encodeToString(":x".getBytes(StandardCharsets.UTF_8));
        assertThat(http.get("/metrics", "Authorization", "Basic " + wrong).statusCode())
                .isEqualTo(401);
        assertThat(http.get("/metrics", "Authorization", "Basic ?").statusCode())
                .isEqualTo(400);
    }

    @Test
    void otherSitesAreRefused() throws Exception {
        int port = http.console.port();
        assertThat(http.get("/api/state", "Host", "evil.example:" + port).statusCode())
                .isEqualTo(421);
        assertThat(http.get("/", "Host", "evil.example").statusCode()).isEqualTo(421);
        assertThat(http.get("/metrics", "Host", "evil.example").statusCode()).isEqualTo(421);
        for (String origin : List.of("http://evil.example", "null", "http://127.0.0.1:1", "http://localhost")) {
            assertThat(http.post("/api/login", "{}", "Origin", origin).statusCode())
                    .as(origin)
                    .isEqualTo(403);
        }
        assertThat(http.get("/api/state", "Sec-Fetch-Site", "cross-site").statusCode())
                .isEqualTo(403);
        assertThat(http.get("/api/state", "Origin", "http://127.0.0.1:" + port).statusCode())
                .isEqualTo(200);
        assertThat(http.get("/api/state", "Host", "localhost:" + port).statusCode())
                .isEqualTo(200);
    }

    @Test
    void namesInConsoleHostsAreServed() throws Exception {
        http.settings.console.hosts.settle("heddle.internal other.internal");
        assertThat(http.get("/api/state", "Host", "heddle.internal").statusCode())
                .isEqualTo(200);
        assertThat(http.get("/api/state", "Host", "x.heddle.internal").statusCode())
                .isEqualTo(421);
    }

    @Test
    void aRequestWithoutTheTokenIsRefused() throws Exception {
        logIn();
        String right = http.token;
        http.token = "wrong";
        assertThat(http.post("/api/open", "{}").statusCode()).isEqualTo(403);
        http.token = right;
        assertThat(http.post("/api/open", "{}").statusCode()).isEqualTo(200);
    }

    @Test
    void whoComesThroughAProxyHasToLogInAlways() throws Exception {
        try (ConsoleTester open = new ConsoleTester()) {
            assertThat(open.get("/api/state").body()).contains("\"login\":\"open\"");
            assertThat(open.get("/api/state", "X-Forwarded-For", "10.0.0.9").body())
                    .contains("\"login\":\"needed\"");
        }
    }
}
