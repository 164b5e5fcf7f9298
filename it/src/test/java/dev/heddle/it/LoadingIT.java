package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What clients meet while the data set is read back. */
class LoadingIT {

    private static final int KEYS = 1_000_000;

    @Test
    void whileLoadingMostCommandsAreRefused() throws IOException {
        Path folder = RunningServer.newFolder("loading");
        write(folder.resolve("appendonlydir"));
        int port = RunningServer.freePort();
        try (RunningServer server = HeddleServer.spawn(folder, port, "--appendonly", "yes", "--requirepass", "secret");
                RawClient client = connect(server)) {
            assertThat(client.call("AUTH", "secret").head()).isEqualTo("+OK");
            String loading = "-LOADING Redis is loading the dataset in memory";
            assertThat(client.call("GET", "key:1").head()).isEqualTo(loading);
            assertThat(client.call("PING").head()).isEqualTo(loading);
            assertThat(client.call("SET", "key:1", "x").head()).isEqualTo(loading);
            assertThat(client.call("CONFIG", "SET", "appendonly", "no").head()).isEqualTo(loading);
            assertThat(client.call("MULTI").head()).isEqualTo("+OK");
            assertThat(client.call("GET", "key:1").head()).isEqualTo(loading);
            assertThat(client.call("EXEC").head()).startsWith("-EXECABORT");
            String info = client.call("INFO", "persistence").text();
            assertThat(info)
                    .contains("loading:1\r\n", "loading_total_bytes:", "loading_loaded_perc:", "loading_eta_seconds:");

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(10, TimeUnit.MILLISECONDS)
                    .until(() -> client.call("PING").head().equals("+PONG"));
            assertThat(client.call("DBSIZE").integer()).isEqualTo(KEYS);
            assertThat(client.call("GET", "key:7").text()).isEqualTo("value:7");
            assertThat(client.call("INFO", "persistence").text())
                    .contains("loading:0\r\n")
                    .doesNotContain("loading_total");
        }
    }

    /** A client of a server that is starting. */
    private static RawClient connect(RunningServer server) {
        RawClient[] client = new RawClient[1];
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> {
                    try {
                        client[0] = server.connect();
                        return true;
                    } catch (UncheckedIOException notYet) {
                        assertThat(server.isAlive()).as(server.log()).isTrue();
                        return false;
                    }
                });
        return client[0];
    }

    private static void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("appendonly.aof.manifest"), "file appendonly.aof.1.incr.aof seq 1 type i\n");
        try (BufferedWriter out =
                Files.newBufferedWriter(folder.resolve("appendonly.aof.1.incr.aof"), StandardCharsets.US_ASCII)) {
            out.write("*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n");
            for (int i = 0; i < KEYS; i++) {
                String key = "key:" + i;
                String value = "value:" + i;
                out.write("*3\r\n$3\r\nSET\r\n$" + key.length() + "\r\n" + key + "\r\n$" + value.length() + "\r\n"
                        + value + "\r\n");
            }
        }
    }
}
