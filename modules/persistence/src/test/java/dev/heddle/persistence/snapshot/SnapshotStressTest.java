package dev.heddle.persistence.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.persistence.snapshot.SnapshotFormat.Item;
import dev.heddle.persistence.snapshot.SnapshotTask.Manner;
import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several threads write whatever they can while one snapshot follows the other: each must be exactly the state at its moment. */
@Timeout(120)
class SnapshotStressTest {

    private static final int WRITERS = 4;
    private static final int SNAPSHOTS = 60;
    private static final int KEYS = 400;

    /** Writes commands, and notes for each key what it has been written as. */
    private static final class Recording implements SnapshotFormat {
        final Map<String, String> written = new ConcurrentHashMap<>();
        final List<String> twice = java.util.Collections.synchronizedList(new ArrayList<>());
        private final SnapshotFormat commands = new CommandFormat(List::of);

        @Override
        public void header(Chunk to) {
            commands.header(to);
        }

        @Override
        public void database(int index, long keys, long expiring, Chunk to) {
            commands.database(index, keys, expiring, to);
        }

        @Override
        public void entry(Item item, boolean thoroughly, Chunk to) {
            String name = to.database() + ":" + new String(item.key(), StandardCharsets.ISO_8859_1);
            if (written.put(name, text(item)) != null) {
                twice.add(name);
            }
            commands.entry(item, thoroughly, to);
        }

        @Override
        public void end(Chunk to, long checksum) {
            commands.end(to, checksum);
        }

        @Override
        public long checksum(long soFar, byte[] bytes, int offset, int length) {
            return 0;
        }
    }

    private static String text(Item item) {
        Chunk chunk = new Chunk(0, 64);
        new CommandFormat(List::of).entry(item, true, chunk);
        return new String(chunk.array(), 0, chunk.size(), StandardCharsets.ISO_8859_1);
    }

    private static void write(TestEngine.Client client, Random random) {
        String key = "k" + random.nextInt(KEYS);
        String other = "k" + random.nextInt(KEYS);
        String value = "v" + random.nextInt(1000);
        switch (random.nextInt(24)) {
            case 0, 1 -> client.run("SET", key, value);
            case 2 -> client.run("SET", key, value.repeat(200));
            case 3 -> client.run("APPEND", key, value);
            case 4 -> client.run("SETRANGE", key, "3", value);
            case 5 -> client.run("DEL", key);
            case 6, 7 -> client.run("RPUSH", key, value, value, other);
            case 8 -> client.run("LPOP", key);
            case 9 -> client.run("LMOVE", key, other, "LEFT", "RIGHT");
            case 10, 11 -> client.run("SADD", key, value, other);
            case 12 -> client.run("SPOP", key);
            case 13, 14 -> client.run("HSET", key, value, other, "f", value);
            case 15 -> client.run("HPEXPIRE", key, "100000", "FIELDS", "1", "f");
            case 16, 17 -> client.run("ZADD", key, "" + random.nextInt(100), value);
            case 18 -> client.run("ZINCRBY", key, "1.5", value);
            case 19 -> client.run("RENAME", key, other);
            case 20 -> client.run("PEXPIRE", key, "100000");
            case 21 -> client.run("COPY", key, other, "REPLACE");
            case 22 -> client.run("MOVE", key, "1");
            default -> rarely(client, random, key, other, value);
        }
    }

    private static void rarely(TestEngine.Client client, Random random, String key, String other, String value) {
        switch (random.nextInt(40)) {
            case 0 -> client.run("FLUSHDB");
            case 1 -> client.run("SWAPDB", "0", "1");
            case 2 -> client.run("FLUSHALL");
            case 3 -> client.run("SELECT", "" + random.nextInt(3));
            default -> {
                client.run("MULTI");
                client.run("SET", key, value);
                client.run("RPUSH", other, value);
                client.run("EXEC");
            }
        }
    }

    private static Map<String, String> contents(Store store) {
        Map<String, String> contents = new HashMap<>();
        for (int d = 0; d < store.databases(); d++) {
            int database = d;
            for (int table = 0; table < store.tables(); table++) {
                store.forEachInTable(
                        d, table, entry -> contents.put(name(database, entry), text(HandedOver.item(entry))));
            }
        }
        return contents;
    }

    private static String name(int database, Entry entry) {
        return database + ":" + new String(entry.key(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void everySnapshotIsTheStateAtItsMoment(@TempDir Path folder) throws Exception {
        TestEngine test = new TestEngine(folder);
        Store store = test.engine().store();
        try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Random random = new Random(i);
                TestEngine.Client client = test.connect();
                writers.add(threads.submit(() -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        write(client, random);
                    }
                }));
            }
            int compared = 0;
            for (int i = 0; i < SNAPSHOTS; i++) {
                compared += takeOne(store, folder, new Random(i), i % 10 == 9);
            }
            writers.forEach(writer -> assertThat(writer).isNotDone());
            threads.shutdownNow();
            assertThat(compared).as("keys compared").isPositive();
        }
    }

    /** @return how many keys the snapshot has */
    private static int takeOne(Store store, Path folder, Random random, boolean givenUp) throws IOException {
        Recording format = new Recording();
        List<Map<String, String>> before = new ArrayList<>();
        SnapshotTask task = SnapshotTask.begin(
                store,
                format,
                new Manner(random.nextBoolean(), 1 << 20, System::nanoTime),
                () -> before.add(contents(store)));
        try (SnapshotFile file = SnapshotFile.create(folder.resolve("stress.aof"))) {
            if (givenUp) {
                task.cancel();
            }
            task.write(file, false);
            file.publish(folder.resolve("published.aof"));
        } catch (IOException cancelled) {
            assertThat(givenUp).isTrue();
            return 0;
        }
        assertThat(format.twice).isEmpty();
        if (!format.written.equals(before.getFirst())) {
            assertThat(format.written).isEqualTo(before.getFirst());
        }
        return before.getFirst().size();
    }
}
