package dev.heddle.persistence.aof;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.Effect;
import dev.heddle.persistence.aof.RecordQueue.Item;
import dev.heddle.persistence.aof.RecordQueue.Stretch;
import dev.heddle.resp.Request;
import java.io.ByteArrayOutputStream;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordQueueTest {

    private final RecordQueue queue = new RecordQueue(InstantSource.system(), () -> false);
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @BeforeEach
    void open() {
        queue.open();
    }

    private void drain() {
        ArrayDeque<Item> items = new ArrayDeque<>();
        queue.drainTo(items);
        for (Item item : items) {
            Stretch stretch = (Stretch) item;
            written.write(stretch.array(), stretch.offset(), stretch.length());
            if (stretch.lastOfChunk()) {
                queue.recycle(stretch.array());
            }
        }
    }

    private static String record(byte[]... words) {
        StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (byte[] word : words) {
            text.append('$').append(word.length).append("\r\n");
            text.append(new String(word, ISO_8859_1)).append("\r\n");
        }
        return text.toString();
    }

    /** Sizes around those of chunks and of what is not copied; drained at any moment, in chunks that are used again. */
    @Test
    void recordsOfAllSizesComeOutAsTheyWentIn() {
        Random random = new Random(5);
        StringBuilder expected = new StringBuilder(record(bytes("SELECT"), bytes("0")));
        int[] sizes = {0, 1, 30, 1000, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 200_000};
        for (int i = 0; i < 500; i++) {
            byte[] value = new byte[sizes[random.nextInt(sizes.length)]];
            random.nextBytes(value);
            byte[][] command = {bytes("SET"), bytes("k" + i), value};
            long ticket = random.nextBoolean()
                    ? queue.append(0, Request.of(command))
                    : queue.append(List.of(new Effect(0, command)));
            expected.append(record(command));
            assertThat(ticket).isEqualTo(expected.length()).isEqualTo(queue.end());
            if (random.nextInt(5) == 0) {
                drain();
            }
        }
        drain();
        assertThat(written.toString(ISO_8859_1).equals(expected.toString())).isTrue();
        assertThat(queue.hasWork(expected.length())).isFalse();
    }

    @Test
    void databasesAreNamedWhenTheyChange() {
        queue.append(0, Request.of(bytes("INCR"), bytes("a")));
        queue.append(0, Request.of(bytes("INCR"), bytes("a")));
        queue.append(List.of(
                new Effect(3, new byte[][] {bytes("INCR"), bytes("b")}),
                new Effect(4, new byte[][] {bytes("INCR"), bytes("c")})));
        drain();
        assertThat(written.toString(ISO_8859_1))
                .isEqualTo(record(bytes("SELECT"), bytes("0"))
                        + record(bytes("INCR"), bytes("a"))
                        + record(bytes("INCR"), bytes("a"))
                        + record(bytes("SELECT"), bytes("3"))
                        + record(bytes("MULTI"))
                        + record(bytes("INCR"), bytes("b"))
                        + record(bytes("SELECT"), bytes("4"))
                        + record(bytes("INCR"), bytes("c"))
                        + record(bytes("EXEC")));
    }

    @Test
    void ticketsTellTheOrderOfRecords() throws InterruptedException {
        Map<Long, String> byTicket = new ConcurrentSkipListMap<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            String name = "t" + t;
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 2000; i++) {
                    byte[][] command = {bytes("SET"), bytes(name), bytes(Integer.toString(i))};
                    byTicket.put(queue.append(0, Request.of(command)), record(command));
                }
            }));
        }
        while (threads.stream().anyMatch(Thread::isAlive)) {
            drain();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        drain();
        StringBuilder expected = new StringBuilder(record(bytes("SELECT"), bytes("0")));
        new TreeMap<>(byTicket).values().forEach(expected::append);
        assertThat(written.toString(ISO_8859_1)).isEqualTo(expected.toString());
    }

    @Test
    void whenClosedItTakesNothing() {
        queue.close();
        assertThat(queue.append(0, Request.of(bytes("INCR"), bytes("a")))).isZero();
        drain();
        assertThat(written.size()).isZero();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
