package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The console of the packaged server: where it listens, and what it costs when it does not. */
class ConsoleIT {

    private static List<String> arguments(int port, Path folder, String... more) {
        return Stream.concat(
                        Stream.of("--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", folder.toString()),
                        Stream.of(more))
                .toList();
    }

    @Test
    void aBusyDefaultPortIsNoReasonNotToStart() throws IOException {
        Path folder = RunningServer.newFolder("heddle");
        int port = RunningServer.freePort();
        ServerSocket holder = null;
        try {
            holder = new ServerSocket(8379, 1, InetAddress.getLoopbackAddress());
        } catch (IOException takenAlready) {
            // somebody else holds it, which is as good
        }
        try (RunningServer server = HeddleServer.startWith(port, folder, arguments(port, folder));
                RawClient client = server.connect()) {
            assertThat(client.call("PING").text()).isEqualTo("PONG");
            assertThat(server.log()).contains("console: cannot listen on 127.0.0.1:8379", "going on without it");
        } finally {
            if (holder != null) {
                holder.close();
            }
        }
    }

    @Test
    void aBusyPortThatWasAskedForIsAnError() throws IOException {
        Path folder = RunningServer.newFolder("heddle");
        try (ServerSocket holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String taken = Integer.toString(holder.getLocalPort());
            int port = RunningServer.freePort();
            try (RunningServer server = HeddleServer.spawn(folder, arguments(port, folder, "--console-port", taken))) {
                assertThat(server.exitCode()).isEqualTo(1);
                assertThat(server.log()).contains("console: cannot listen on 127.0.0.1:" + taken);
            }
        }
    }

    @Test
    void theConsoleOfThePackagedServerAnswers() throws Exception {
        int console = RunningServer.freePort();
        try (RunningServer server = HeddleServer.start("--console-port", Integer.toString(console));
                HttpClient http = HttpClient.newHttpClient()) {
            String base = "http://127.0.0.1:" + console;
            assertThat(server.log()).contains("console at " + base + "/");
            for (String path : List.of("/", "/js/app.js", "/lib/uplot.js", "/metrics", "/healthz", "/readyz")) {
                HttpRequest request =
                        HttpRequest.newBuilder(URI.create(base + path)).build();
                assertThat(http.send(request, BodyHandlers.ofString()).statusCode())
                        .as(path)
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void switchedOffItLoadsNoClass() throws IOException {
        Path folder = RunningServer.newFolder("heddle");
        Path classes = folder.resolve("classes.log");
        int port = RunningServer.freePort();
        List<String> command = new ArrayList<>(List.of(
                "env",
                "HEDDLE_JAVA_OPTS=-Xlog:class+load:file=" + classes,
                Distribution.ofThisBuild().program().toString()));
        command.addAll(arguments(port, folder, "--console-port", "0"));
        try (RunningServer server = RunningServer.launch(command, port, folder);
                RawClient client = server.connect()) {
            assertThat(client.call("PING").text()).isEqualTo("PONG");
            String loaded = Files.readString(classes, StandardCharsets.UTF_8);
            assertThat(loaded).contains("dev.heddle.server.Server ");
            assertThat(loaded).doesNotContain("dev.heddle.console", "httpserver", "prometheus", "gson");
        }
    }
}
