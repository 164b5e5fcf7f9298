package dev.heddle.console;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonWriter;
import com.sun.net.httpserver.HttpExchange;
import dev.heddle.command.Engine;
import dev.heddle.command.LocalClient;
import dev.heddle.console.ConsoleSession.Batch;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Answers that come line by line, each line a JSON object, while commands run or messages arrive. An empty line only shows that the
 * connection still lives.
 *
 * <p>Thread-safe.
 */
final class Streams {

    /** How often a page that waits is sent an empty line, so that we notice when it has gone. */
    private static final long PULSE_MILLIS = 1000;

    private static final long PULSES_OF_MESSAGES_MILLIS = 10_000;

    /** Messages that arrive within this time go out together, so that a flood of them does not become a flood of small writes. */
    private static final long GATHER_MILLIS = 40;

    private static final long MOST_REPLY_BYTES = 8 * 1024 * 1024;

    private final Engine engine;

    Streams(Engine engine) {
        this.engine = engine;
    }

    /** Runs commands one after the other; every reply is sent when it is there, and at last the state of the session. */
    void run(HttpExchange exchange, ConsoleSession session, List<List<byte[]>> commands)
            throws IOException, InterruptedException {
        LocalClient client = session.client();
        session.enter(engine.clock().millis());
        try (Lines lines = new Lines(exchange);
                Pulse pulse = new Pulse()) {
            pulse.start(lines, session);
            for (int i = 0; i < commands.size() && !client.isClosed(); i++) {
                List<byte[]> values = new ArrayList<>();
                long nanos = client.run(commands.get(i), values::add);
                if (nanos >= 0) {
                    answer(lines, i, nanos, values);
                }
            }
            lines.write(json -> end(json, client));
        } finally {
            session.leave(engine.clock().millis());
        }
    }

    private static void answer(Lines lines, int index, long nanos, List<byte[]> values) throws IOException {
        for (byte[] encoded : values) {
            lines.write(json -> {
                ReplyJson reply = new ReplyJson(encoded, json, MOST_REPLY_BYTES);
                while (reply.hasNext()) {
                    json.beginObject();
                    if (reply.isPush() || reply.isMonitorLine()) {
                        json.name("message");
                    } else {
                        json.name("index").value(index);
                        json.name("ms").value(nanos / 1000 / 1000.0);
                        json.name("value");
                    }
                    reply.write();
                    json.endObject();
                    lines.endLine();
                }
            });
        }
        lines.flush();
    }

    private static void end(JsonWriter json, LocalClient client) throws IOException {
        json.beginObject().name("end").value(true);
        json.name("database").value(client.database());
        json.name("queued").value(client.queuedCommands());
        json.name("listens").value(client.listens());
        json.name("monitors").value(client.monitors());
        json.name("user").value(client.user());
        json.name("closed").value(client.isClosed());
        json.endObject();
    }

    /** Sends messages as they come, until the page goes away, the session ends, or nothing can come any more. */
    void messages(HttpExchange exchange, ConsoleSession session) throws IOException, InterruptedException {
        session.enter(engine.clock().millis());
        try (Lines lines = new Lines(exchange)) {
            lines.pulse();
            boolean goesOn = true;
            while (goesOn) {
                Batch batch = session.take(PULSES_OF_MESSAGES_MILLIS);
                if (batch.dropped() > 0) {
                    lines.write(json -> json.beginObject()
                            .name("dropped")
                            .value(batch.dropped())
                            .endObject());
                }
                for (byte[] encoded : batch.messages()) {
                    message(lines, encoded);
                }
                if (batch.messages().isEmpty()) {
                    lines.pulse();
                }
                lines.flush();
                goesOn = !session.client().isClosed()
                        && (session.client().listens() || !batch.messages().isEmpty());
                Thread.sleep(GATHER_MILLIS);
            }
            lines.write(json -> end(json, session.client()));
        } finally {
            session.leave(engine.clock().millis());
        }
    }

    private static void message(Lines lines, byte[] encoded) throws IOException {
        lines.write(json -> {
            ReplyJson reply = new ReplyJson(encoded, json, MOST_REPLY_BYTES);
            while (reply.hasNext()) {
                json.beginObject().name("message");
                reply.write();
                json.endObject();
                lines.endLine();
            }
        });
    }

    /** The lines of one answer. Thread-safe: a pulse may come between two of them. */
    private static final class Lines implements AutoCloseable {

        private final ReentrantLock lock = new ReentrantLock();
        private final Writer writer;
        /** Whether the line that is being written has not been ended by {@link #endLine}. Guarded by the lock. */
        private boolean open;

        Lines(HttpExchange exchange) throws IOException {
            exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson");
            exchange.sendResponseHeaders(200, 0);
            writer = new BufferedWriter(
                    new OutputStreamWriter(exchange.getResponseBody(), StandardCharsets.UTF_8), 16 * 1024);
        }

        void write(Responses.Content content) throws IOException {
            lock.lock();
            try {
                JsonWriter json = new JsonWriter(writer);
                json.setStrictness(Strictness.LENIENT);
                open = true;
                content.write(json);
                if (open) {
                    writer.write('\n');
                }
            } finally {
                lock.unlock();
            }
        }

        /** Ends a line within {@link #write}, which may write several. */
        void endLine() throws IOException {
            writer.write('\n');
            open = false;
        }

        void flush() throws IOException {
            lock.lock();
            try {
                writer.flush();
            } finally {
                lock.unlock();
            }
        }

        void pulse() throws IOException {
            lock.lock();
            try {
                writer.write('\n');
                writer.flush();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() throws IOException {
            lock.lock();
            try {
                writer.close();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Ends the session when its page has gone while a command waits: an element must not be handed to nobody. It is a virtual thread that
     * ends with the request.
     */
    private static final class Pulse implements AutoCloseable {

        private final CountDownLatch done = new CountDownLatch(1);

        void start(Lines lines, ConsoleSession session) {
            Thread.ofVirtual().name("console-pulse").start(() -> beat(lines, session));
        }

        private void beat(Lines lines, ConsoleSession session) {
            try {
                while (!done.await(PULSE_MILLIS, TimeUnit.MILLISECONDS)) {
                    lines.pulse();
                }
            } catch (IOException gone) {
                session.close();
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            done.countDown();
        }
    }
}
