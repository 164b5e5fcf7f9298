package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk that fills up: a small file system in memory, which needs the right to mount one; otherwise skipped. */
class FullDiskIT {

    private static final int VALUE = 10_000;
    private static final String MISCONF = "-MISCONF Errors writing to the AOF file: No space left on device";

    private Path disk;

    @BeforeEach
    void mount() throws IOException, InterruptedException {
        disk = RunningServer.newFolder("small-disk");
        Programs.Outcome outcome =
                Programs.run(List.of("mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", disk.toString()));
        if (outcome.exitCode() != 0) {
            disk = null;
            throw Programs.skip(
                    "no file system can be mounted here: " + outcome.output().strip());
        }
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (disk != null) {
            Programs.run(List.of("umount", "-l", disk.toString()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"always", "everysec"})
    void writesAreRefusedUntilThereIsRoomAgainAndNothingIsLost(String policy) throws IOException {
        Path filler = Files.write(disk.resolve("filler"), new byte[1 << 20]);
        Path folder = RunningServer.newFolder("full-disk");
        int port = RunningServer.freePort();
        String[] directives = {"--appendonly", "yes", "--appendfsync", policy, "--dir", disk.toString()};
        Set<String> acknowledged = new TreeSet<>();
        try (RunningServer server = HeddleServer.restart(folder, port, directives);
                RawClient watcher = server.connect()) {
            fill(server, acknowledged);

            assertThat(watcher.call("SET", "new", "1").head()).isEqualTo(MISCONF);
            assertThat(watcher.call("PING").head()).isEqualTo(MISCONF);
            assertThat(watcher.call("GET", "key0").text()).hasSize(VALUE);
            assertThat(watcher.call("INFO", "persistence").text()).contains("aof_last_write_status:err\r\n");
            assertThat(server.isAlive()).isTrue();
            assertThat(server.log()).contains("No space left on device");

            Files.delete(filler);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> watcher.call("SET", "new", "1").head().equals("+OK"));
            acknowledged.add("new");
            assertThat(watcher.call("INFO", "persistence").text()).contains("aof_last_write_status:ok\r\n");
            assertThat(watcher.call("WAITAOF", "1", "0", "5000")
                            .elements()
                            .getFirst()
                            .integer())
                    .isEqualTo(1);
            server.kill();
        }
        try (RunningServer server = HeddleServer.restart(folder, port, directives);
                RawClient client = server.connect()) {
            assertThat(server.log()).doesNotContain("ends in the middle");
            for (String key : acknowledged) {
                assertThat(client.call("EXISTS", key).integer()).as(key).isEqualTo(1);
            }
        }
    }

    /** Writes until the server refuses. A write whose client was cut off is neither acknowledged nor refused. */
    private static void fill(RunningServer server, Set<String> acknowledged) {
        String value = "x".repeat(VALUE);
        boolean refused = false;
        boolean cutOff = false;
        for (int i = 0; !refused; i++) {
            assertThat(i).as("writes until the disk is full").isLessThan(10_000);
            try (RawClient client = server.connect()) {
                Reply reply = client.call("SET", "key" + i, value);
                refused = reply.head().equals(MISCONF);
                if (reply.head().equals("+OK")) {
                    assertThat(cutOff)
                            .as("nothing is acknowledged behind what could not be written")
                            .isFalse();
                    acknowledged.add("key" + i);
                } else {
                    cutOff = true;
                    assertThat(refused || reply.equals(Reply.CLOSED))
                            .as("%s", reply)
                            .isTrue();
                }
            }
        }
    }
}
