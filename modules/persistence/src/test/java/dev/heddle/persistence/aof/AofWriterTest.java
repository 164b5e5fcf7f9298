package dev.heddle.persistence.aof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.heddle.command.Effect;
import dev.heddle.command.config.AppendFsync;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AofWriterTest {

    private static final String SELECT = "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n";

    private final RecordQueue queue = new RecordQueue(InstantSource.system(), () -> false);
    private final MemoryFile file = new MemoryFile();
    private volatile AppendFsync policy = AppendFsync.ALWAYS;
    private volatile boolean suspended;
    private AofWriter writer;

    @BeforeEach
    void start() {
        queue.open();
        writer = new AofWriter(queue, file, 0, () -> policy, () -> suspended);
        writer.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        file.room(Long.MAX_VALUE);
        file.forceFails(false);
        queue.close();
        writer.close();
        assertThat(file.isClosed()).isTrue();
    }

    private long append(String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = words[i].getBytes(StandardCharsets.ISO_8859_1);
        }
        return queue.append(List.of(new Effect(0, command)));
    }

    private static String record(String... words) {
        StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return text.toString();
    }

    @Test
    void aCommittedRecordIsOnTheDisk() throws InterruptedException {
        assertThat(writer.commit(append("SET", "a", "1"))).isTrue();

        assertThat(file.textOnDisk()).isEqualTo(SELECT + record("SET", "a", "1"));
        assertThat(writer.fileSize()).isEqualTo(file.text().length());
        assertThat(writer.buffered()).isZero();
    }

    @Test
    void whoeverComesWhileTheDiskIsBusySharesTheNextForce() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        file.beforeForce(() -> {
            busy.countDown();
            awaitLatch(goOn);
        });
        CompletableFuture<Boolean> first = commitLater(append("SET", "a", "1"));
        busy.await();
        file.beforeForce(() -> {});
        List<CompletableFuture<Boolean>> others = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            others.add(commitLater(append("SET", "b" + i, "1")));
        }
        assertThat(others).noneMatch(CompletableFuture::isDone);
        goOn.countDown();

        assertThat(first.get()).isTrue();
        for (CompletableFuture<Boolean> other : others) {
            assertThat(other.get()).isTrue();
        }
        assertThat(file.forces()).isEqualTo(2);
    }

    /** Clients that come back as soon as they are let go are served by one force for all of them, not by one for each half. */
    @Test
    void whoComesBackSoonIsWaitedFor() throws Exception {
        int clients = 20;
        int rounds = 30;
        file.beforeForce(() -> LockSupport.parkNanos(5_000_000));
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            CompletableFuture<Boolean> result = new CompletableFuture<>();
            all.add(result);
            Thread.ofVirtual().start(() -> {
                try {
                    boolean good = true;
                    for (int round = 0; round < rounds; round++) {
                        good &= writer.commit(append("INCR", "a"));
                    }
                    result.complete(good);
                } catch (Throwable e) {
                    result.completeExceptionally(e);
                }
            });
        }
        for (CompletableFuture<Boolean> one : all) {
            assertThat(one.get()).isTrue();
        }
        assertThat(file.forces()).isBetween(rounds, rounds + rounds / 2);
    }

    @Test
    void afterAFullDiskTheFileHasWholeRecordsOnlyAndNothingIsLost() throws Exception {
        writer.commit(append("SET", "a", "1"));
        String before = file.text();
        file.room(before.length() + 10);

        assertThat(writer.commit(append("SET", "b", "2"))).isFalse();

        assertThat(writer.refusal()).isEqualTo("MISCONF Errors writing to the AOF file: No space left on device");
        assertThat(file.text()).isEqualTo(before);
        assertThat(writer.commit(append("SET", "c", "3")))
                .as("while it fails nobody waits")
                .isFalse();

        file.room(Long.MAX_VALUE);
        await().atMost(Duration.ofSeconds(10)).until(() -> writer.refusal() == null);
        assertThat(writer.commit(append("SET", "d", "4"))).isTrue();
        assertThat(file.textOnDisk())
                .isEqualTo(before + record("SET", "b", "2") + record("SET", "c", "3") + record("SET", "d", "4"));
    }

    @Test
    void afterAFailedForceTheBatchIsWrittenAgain() throws Exception {
        writer.commit(append("SET", "a", "1"));
        String before = file.text();
        file.forceFails(true);

        assertThat(writer.commit(append("SET", "b", "2"))).isFalse();
        assertThat(writer.refusal()).contains("Input/output error");

        file.forceFails(false);
        await().atMost(Duration.ofSeconds(10)).until(() -> writer.refusal() == null);
        assertThat(file.textOnDisk()).isEqualTo(before + record("SET", "b", "2"));
    }

    @Test
    void everySecondNobodyWaitsAndTheDiskHasItSoon() throws Exception {
        policy = AppendFsync.EVERYSEC;
        long ticket = append("SET", "a", "1");
        assertThat(writer.commit(ticket)).isTrue();

        await().atMost(Duration.ofSeconds(3)).until(() -> file.textOnDisk().contains("SET"));
        assertThat(writer.awaitForced(ticket, 0)).isTrue();
    }

    @Test
    void withoutForcingTheFileIsWrittenAllTheSame() throws Exception {
        policy = AppendFsync.NO;
        long ticket = append("SET", "a", "1");
        assertThat(writer.commit(ticket)).isTrue();

        await().atMost(Duration.ofSeconds(3)).until(() -> file.text().contains("SET"));
        assertThat(file.forces()).isZero();
        assertThat(writer.awaitForced(ticket, -1)).isFalse();
        assertThat(writer.awaitForced(ticket, 20)).isFalse();
    }

    @Test
    void whoWaitsIsLetGoWhenThePolicyNoLongerAsksForIt() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        file.beforeForce(() -> awaitLatch(goOn));
        CompletableFuture<Boolean> waiting = commitLater(append("SET", "a", "1"));
        policy = AppendFsync.NO;
        goOn.countDown();

        assertThat(waiting.get()).isTrue();
    }

    @Test
    void whileForcingIsSuspendedAnswersGoOutOnceTheRecordIsWritten() throws Exception {
        suspended = true;
        assertThat(writer.commit(append("SET", "a", "1"))).isTrue();

        assertThat(file.text()).contains("SET");
        assertThat(file.forces()).isZero();
    }

    @Test
    void moreThanTheBacklogMakesProducersWait() throws Exception {
        policy = AppendFsync.EVERYSEC;
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        file.beforeForce(() -> {
            begun.incrementAndGet();
            awaitLatch(goOn);
        });
        writer.commit(append("SET", "a", "1"));
        await().until(() -> begun.get() > 0);
        String value = "x".repeat(1 << 20);
        long ticket = 0;
        for (long bytes = 0; bytes <= AofWriter.BACKLOG; bytes += value.length()) {
            ticket = append("SET", "b", value);
        }
        CompletableFuture<Boolean> producer = commitLater(ticket);
        await().during(Duration.ofMillis(100)).until(() -> !producer.isDone());
        goOn.countDown();

        assertThat(producer.get()).isTrue();
    }

    @Test
    void closingWritesAndForcesWhatIsQueued() throws Exception {
        policy = AppendFsync.NO;
        for (int i = 0; i < 10_000; i++) {
            append("SET", "key" + i, "value");
        }
        queue.close();
        assertThat(writer.close()).isTrue();

        assertThat(file.textOnDisk()).endsWith(record("SET", "key9999", "value"));
    }

    @Test
    void closingTellsThatNotEverythingCouldBeWritten() throws Exception {
        file.room(3);
        append("SET", "a", "1");
        queue.close();

        assertThat(writer.close()).isFalse();
        assertThat(file.text()).isEmpty();
    }

    @Test
    void itGoesOnInAnotherFile() throws Exception {
        MemoryFile next = new MemoryFile();
        append("SET", "a", "1");
        FileSwitch turn = new FileSwitch(() -> next);
        queue.turn(turn);
        long ticket = append("SET", "b", "2");

        assertThat(writer.commit(ticket)).isTrue();
        assertThat(turn.isTaken(10, TimeUnit.SECONDS)).isTrue();
        assertThat(file.textOnDisk()).isEqualTo(SELECT + record("SET", "a", "1"));
        assertThat(file.isClosed()).isTrue();
        assertThat(next.textOnDisk()).isEqualTo(SELECT + record("SET", "b", "2"));
        file.close();
    }

    @Test
    void itGoesOnInTheOldFileIfThereCanBeNoOther() throws Exception {
        FileSwitch turn = new FileSwitch(() -> {
            throw new IOException("no room");
        });
        queue.turn(turn);

        assertThat(writer.commit(append("SET", "b", "2"))).isTrue();
        assertThatThrownBy(() -> turn.isTaken(10, TimeUnit.SECONDS)).hasMessage("no room");
        assertThat(file.textOnDisk()).isEqualTo(SELECT + record("SET", "b", "2"));
    }

    private CompletableFuture<Boolean> commitLater(long ticket) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(writer.commit(ticket));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
