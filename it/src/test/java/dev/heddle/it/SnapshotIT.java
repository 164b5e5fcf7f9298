package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Snapshots of the packaged server, as a real redis-server reads them. */
class SnapshotIT {

    private static final int WRITERS = 4;
    private static final int PAIRS = 2_000;
    private static final int ACCOUNTS = 200;
    private static final int BALANCE = 1_000;
    private static final int LISTS = 20;
    private static final int ELEMENTS = 300;
    private static final int FILLERS = 60_000;

    private static String info(RawClient client, String field) {
        return client.call("INFO", "persistence")
                .text()
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .findFirst()
                .orElseThrow()
                .substring(field.length() + 1);
    }

    private static void awaitSaved(RawClient client) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> info(client, "rdb_bgsave_in_progress").equals("0"));
    }

    private static void fill(RawClient client) {
        int sent = 0;
        for (int i = 0; i < PAIRS; i++, sent++) {
            client.send("MSET", "pair:" + i + ":a", "0", "pair:" + i + ":b", "0");
        }
        for (int i = 0; i < ACCOUNTS; i++, sent++) {
            client.send("SET", "account:" + i, "" + BALANCE);
        }
        for (int i = 0; i < LISTS * ELEMENTS; i++, sent++) {
            client.send("RPUSH", "list:" + i % LISTS, "element:" + i);
        }
        for (int i = 0; i < FILLERS; i++, sent++) {
            client.send("SET", "filler:" + i, "value:" + i);
        }
        client.send("SELECT", "1");
        client.send("HSET", "elsewhere", "field", "value");
        client.send("SELECT", "0");
        for (int i = 0; i < sent + 3; i++) {
            assertThat(client.read().isError()).isFalse();
        }
    }

    /** Keeps what belongs together in step: two keys of one MSET, a sum over accounts, the number of elements in all lists. */
    private static void write(RawClient client, Random random) {
        switch (random.nextInt(3)) {
            case 0 -> {
                String value = Integer.toString(random.nextInt());
                int pair = random.nextInt(PAIRS);
                client.call("MSET", "pair:" + pair + ":a", value, "pair:" + pair + ":b", value);
            }
            case 1 -> {
                client.send("MULTI");
                client.send("DECRBY", "account:" + random.nextInt(ACCOUNTS), "7");
                client.send("INCRBY", "account:" + random.nextInt(ACCOUNTS), "7");
                client.send("EXEC");
                for (int i = 0; i < 4; i++) {
                    client.read();
                }
            }
            default ->
                client.call("LMOVE", "list:" + random.nextInt(LISTS), "list:" + random.nextInt(LISTS), "LEFT", "RIGHT");
        }
    }

    private static void checkCut(RawClient redis) {
        for (int i = 0; i < PAIRS; i++) {
            redis.send("MGET", "pair:" + i + ":a", "pair:" + i + ":b");
        }
        for (int i = 0; i < PAIRS; i++) {
            Reply pair = redis.read();
            assertThat(pair.elements().get(0)).isEqualTo(pair.elements().get(1));
        }
        long sum = 0;
        for (int i = 0; i < ACCOUNTS; i++) {
            sum += Long.parseLong(redis.call("GET", "account:" + i).text());
        }
        assertThat(sum).isEqualTo((long) ACCOUNTS * BALANCE);
        long elements = 0;
        for (int i = 0; i < LISTS; i++) {
            elements += redis.call("LLEN", "list:" + i).integer();
        }
        assertThat(elements).isEqualTo((long) LISTS * ELEMENTS);
        assertThat(redis.call("GET", "filler:7").text()).isEqualTo("value:7");
        redis.call("SELECT", "1");
        assertThat(redis.call("HGET", "elsewhere", "field").text()).isEqualTo("value");
        redis.call("SELECT", "0");
    }

    @Test
    void aReloadWaitsForTheSnapshotThatIsBeingWritten() {
        try (RunningServer heddle = HeddleServer.start("--save", "", "--enable-debug-command", "yes");
                RawClient client = heddle.connect()) {
            fill(client);
            for (int i = 0; i < 5; i++) {
                client.send("BGSAVE", "SCHEDULE");
                client.send("DEBUG", "RELOAD");
                assertThat(client.read().isError()).isFalse();
                assertThat(client.read().printable()).isEqualTo("+OK\\r\\n");
            }
            checkCut(client);
        }
    }

    @Test
    void isAConsistentCutUnderAWriteLoad() throws Exception {
        try (RunningServer heddle = HeddleServer.start("--save", "");
                RawClient client = heddle.connect();
                ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            fill(client);
            List<Future<Integer>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Random random = new Random(i);
                writers.add(threads.submit(() -> {
                    int count = 0;
                    try (RawClient writer = heddle.connect()) {
                        while (!Thread.currentThread().isInterrupted()) {
                            write(writer, random);
                            count++;
                        }
                    }
                    return count;
                }));
            }
            for (int i = 0; i < 3; i++) {
                assertThat(client.call("BGSAVE").text()).isEqualTo("Background saving started");
                awaitSaved(client);
                assertThat(info(client, "rdb_last_bgsave_status")).isEqualTo("ok");
                try (RunningServer redis =
                                RedisServer.start("--dir", heddle.folder().toString());
                        RawClient reader = redis.connect()) {
                    checkCut(reader);
                    reader.call("CONFIG", "SET", "save", "");
                }
            }
            threads.shutdownNow();
            for (Future<Integer> writer : writers) {
                assertThat(writer.get()).isPositive();
            }
        }
    }

    private static Path file(RunningServer server) {
        return server.folder().resolve("dump.rdb");
    }

    @Test
    void savesByItselfWhenASavePointIsReached() {
        try (RunningServer heddle = HeddleServer.start("--save", "1 2");
                RawClient client = heddle.connect()) {
            client.call("SET", "a", "1");
            client.call("SET", "b", "1");
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> Files.exists(file(heddle)));
            awaitSaved(client);
            assertThat(info(client, "rdb_changes_since_last_save")).isEqualTo("0");
        }
    }

    @Test
    void savePointsDecideWhetherItSavesWhenItEnds() {
        assertThat(endsWithAFile("", "SHUTDOWN")).isFalse();
        assertThat(endsWithAFile("3600 1", "SHUTDOWN")).isTrue();
        assertThat(endsWithAFile("", "SHUTDOWN", "SAVE")).isTrue();
        assertThat(endsWithAFile("3600 1", "SHUTDOWN", "NOSAVE", "NOW", "FORCE"))
                .isFalse();
    }

    private static boolean endsWithAFile(String savePoints, String... command) {
        try (RunningServer heddle = HeddleServer.start("--save", savePoints);
                RawClient client = heddle.connect()) {
            client.call("SET", "a", "1");
            assertThat(client.call(command)).isEqualTo(Reply.CLOSED);
            assertThat(heddle.exitCode()).isZero();
            return Files.exists(file(heddle));
        }
    }

    @Test
    void aSignalIsAShutdownToo() {
        for (String savePoints : new String[] {"", "3600 1"}) {
            try (RunningServer heddle = HeddleServer.start("--save", savePoints);
                    RawClient client = heddle.connect()) {
                client.call("SET", "a", "1");
                assertThat(heddle.stop()).isZero();
                assertThat(Files.exists(file(heddle))).isEqualTo(!savePoints.isEmpty());
            }
        }
    }

    @Test
    void aFolderThatIsGoneStopsWritesUntilItIsBack() throws IOException {
        try (RunningServer heddle = HeddleServer.start("--save", "3600 1");
                RawClient client = heddle.connect()) {
            client.call("SET", "a", "1");
            Path away = heddle.folder().resolveSibling(heddle.folder().getFileName() + "-away");
            Files.move(heddle.folder(), away);
            assertThat(client.call("BGSAVE").text()).isEqualTo("Background saving started");
            awaitSaved(client);
            assertThat(info(client, "rdb_last_bgsave_status")).isEqualTo("err");
            assertThat(client.call("SET", "a", "2").text()).startsWith("MISCONF");
            assertThat(client.call("GET", "a").text()).isEqualTo("1");
            assertThat(client.call("SHUTDOWN").text()).isEqualTo("ERR Errors trying to SHUTDOWN. Check logs.");
            Files.move(away, heddle.folder());
            assertThat(client.call("SAVE").text()).isEqualTo("OK");
            assertThat(client.call("SET", "a", "2").text()).isEqualTo("OK");
        }
    }

    @Test
    void aFileThatCannotGrowLeavesTheOldOne() throws IOException {
        try (RunningServer heddle = HeddleServer.startWithLargestFile(128, "--save", "");
                RawClient client = heddle.connect()) {
            client.call("SET", "small", "1");
            assertThat(client.call("SAVE").text()).isEqualTo("OK");
            byte[] old = Files.readAllBytes(file(heddle));
            Random random = new Random(1);
            for (int i = 0; i < 500; i++) {
                StringBuilder noise = new StringBuilder();
                random.ints(1000, 0, 256).forEach(c -> noise.append((char) c));
                client.call("SET", "large:" + i, noise.toString());
            }
            assertThat(client.call("SAVE").text()).isEqualTo("ERR");
            assertThat(info(client, "rdb_last_bgsave_status")).isEqualTo("err");
            assertThat(Files.readAllBytes(file(heddle))).isEqualTo(old);
            try (var left = Files.list(heddle.folder())) {
                assertThat(left.map(path -> path.getFileName().toString()))
                        .containsExactlyInAnyOrder("dump.rdb", "log");
            }
            client.call("FLUSHALL");
            assertThat(client.call("SAVE").text()).isEqualTo("OK");
            assertThat(info(client, "rdb_last_bgsave_status")).isEqualTo("ok");
        }
    }
}
