package dev.heddle.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.resp.ReplyWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxTest {

    private final TestServer server = new TestServer(table -> {});

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(List<byte[]> messages) {
        StringBuilder text = new StringBuilder();
        messages.forEach(message -> text.append(new String(message, StandardCharsets.ISO_8859_1)));
        return text.toString();
    }

    @Test
    void oneWriterIsStartedWhileTheOwnThreadIsAway() {
        TestConnection connection = new TestConnection();
        Outbox outbox = server.engine().open(connection).outbox();

        outbox.add(bytes("a"));
        outbox.add(bytes("b"));
        assertThat(connection.starts).hasValue(1);
        assertThat(text(outbox.take())).isEqualTo("ab");
        outbox.add(bytes("c"));
        assertThat(connection.starts).as("the writer is still at it").hasValue(1);
        assertThat(text(outbox.take())).isEqualTo("c");
        assertThat(outbox.take()).isNull();
        outbox.add(bytes("d"));
        assertThat(connection.starts).hasValue(2);
    }

    @Test
    void theOwnThreadKeepsWritersAway() {
        TestConnection connection = new TestConnection();
        Outbox outbox = server.engine().open(connection).outbox();
        ReplyWriter reply = new ReplyWriter();

        outbox.add(bytes("before"));
        outbox.enter();
        assertThat(outbox.take()).as("the writer comes too late").isNull();
        outbox.add(bytes("during"));
        assertThat(connection.starts).hasValue(1);
        outbox.drainTo(reply);
        assertThat(new String(reply.toByteArray(), StandardCharsets.ISO_8859_1)).isEqualTo("beforeduring");
        outbox.leave();
        assertThat(connection.starts).as("there is nothing").hasValue(1);

        outbox.enter();
        outbox.add(bytes("late"));
        outbox.leave();
        assertThat(connection.starts).hasValue(2);
    }

    @Test
    void whoIsBeingServedStaysBusy() {
        TestConnection connection = new TestConnection();
        Outbox outbox = server.engine().open(connection).outbox();

        outbox.enterFor();
        outbox.leaveUnless(() -> true);
        outbox.add(bytes("a"));
        assertThat(connection.starts).hasValue(0);
        outbox.leaveUnless(() -> false);
        assertThat(connection.starts).hasValue(1);
    }

    @Test
    void bytesAreCountedUntilTheyAreSent() {
        Outbox outbox = server.engine().open(new TestConnection()).outbox();

        outbox.add(new byte[100]);
        outbox.add(new byte[200]);
        long all = outbox.bytes();
        assertThat(all).isGreaterThanOrEqualTo(300);
        assertThat(outbox.count()).isEqualTo(2);
        List<byte[]> taken = outbox.take();
        assertThat(outbox.bytes()).isEqualTo(all);
        assertThat(outbox.count()).isZero();
        outbox.written(taken);
        assertThat(outbox.bytes()).isZero();
    }

    @Test
    void nothingIsKeptForWhoIsGone() {
        TestConnection connection = new TestConnection();
        Session session = server.engine().open(connection);
        session.close();
        session.outbox().add(bytes("a"));
        assertThat(session.outbox().count()).isZero();
        assertThat(connection.starts).hasValue(0);
    }

    /** Publishers, the connection's own thread and writers at once: nothing is lost or doubled, and every publisher's messages keep their order. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void everyPublishersOrderIsKept(int round) throws InterruptedException {
        int publishers = 1 + round % 4;
        int each = 20_000;
        SharedStream stream = new SharedStream();
        Session session = server.engine().open(stream);
        stream.outbox = session.outbox();
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < publishers; p++) {
            int publisher = p;
            threads.add(Thread.ofVirtual().start(() -> {
                for (int i = 0; i < each; i++) {
                    session.outbox().add(bytes(publisher + ":" + i + "\n"));
                    if (i % 100 == round) {
                        Thread.yield();
                    }
                }
            }));
        }
        Thread owner = Thread.ofPlatform().start(() -> stream.work(session, round));
        for (Thread thread : threads) {
            thread.join();
        }
        stream.done = true;
        owner.join();
        await().until(() -> session.outbox().bytes() == 0);
        Map<Integer, Integer> next = new HashMap<>();
        String[] messages = stream.text().split("\n");
        for (String message : messages) {
            int colon = message.indexOf(':');
            int publisher = Integer.parseInt(message.substring(0, colon));
            int number = Integer.parseInt(message.substring(colon + 1));
            assertThat(number).isEqualTo(next.getOrDefault(publisher, 0));
            next.put(publisher, number + 1);
        }
        assertThat(messages).hasSize(publishers * each);
    }

    /** What a socket would be: written by the own thread and by writers, one at a time. */
    private static final class SharedStream extends TestConnection {

        private final ReentrantLock writeLock = new ReentrantLock();
        private final StringBuilder sent = new StringBuilder(); // guarded by writeLock
        private volatile boolean done;
        private volatile Outbox outbox;

        @Override
        public void sendMessages() {
            Thread.ofVirtual().start(() -> {
                writeLock.lock();
                try {
                    for (List<byte[]> batch = outbox.take(); batch != null; batch = outbox.take()) {
                        sent.append(OutboxTest.text(batch));
                        outbox.written(batch);
                    }
                } finally {
                    writeLock.unlock();
                }
            });
        }

        void work(Session session, int pace) {
            ReplyWriter reply = new ReplyWriter();
            while (!done) {
                session.outbox().enter();
                for (int i = 0; i < pace; i++) {
                    session.outbox().drainTo(reply);
                    Thread.onSpinWait();
                }
                flush(reply);
                session.outbox().leave();
                LockSupport.parkNanos(1000L * pace);
            }
        }

        private void flush(ReplyWriter reply) {
            writeLock.lock();
            try {
                sent.append(new String(reply.toByteArray(), StandardCharsets.ISO_8859_1));
                reply.clear();
            } finally {
                writeLock.unlock();
            }
        }

        String text() {
            writeLock.lock();
            try {
                return sent.toString();
            } finally {
                writeLock.unlock();
            }
        }
    }

    private static class TestConnection implements Connection {

        final AtomicInteger starts = new AtomicInteger();

        @Override
        public void sendMessages() {
            starts.incrementAndGet();
        }

        @Override
        public String remoteAddress() {
            return "127.0.0.1:50000";
        }

        @Override
        public String localAddress() {
            return "127.0.0.1:6379";
        }

        @Override
        public int descriptor() {
            return 8;
        }

        @Override
        public void close() {
            // there is nothing to close
        }

        @Override
        public int inputUsed() {
            return 0;
        }

        @Override
        public int inputFree() {
            return 0;
        }

        @Override
        public long bufferBytes() {
            return 0;
        }
    }
}
