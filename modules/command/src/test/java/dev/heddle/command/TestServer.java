package dev.heddle.command;

import dev.heddle.command.config.Settings;
import dev.heddle.command.data.CounterCommands;
import dev.heddle.command.data.StringCommands;
import dev.heddle.resp.Request;
import dev.heddle.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * An engine without sockets whose table holds GET, SET, INCR and what the test declares. Time stands still until the test moves it.
 *
 * <p>Thread-safe, but each {@link Client} belongs to one thread.
 */
public final class TestServer {

    /** The clock: milliseconds since the epoch. */
    public final AtomicLong now = new AtomicLong(1_700_000_000_000L);

    /** How often somebody has looked at the clock. */
    final AtomicLong clockReads = new AtomicLong();

    /** The journal's records, arguments separated by blanks. */
    final List<String> records = Collections.synchronizedList(new ArrayList<>());

    /** The key events: {@code "set k"}. */
    final List<String> events = Collections.synchronizedList(new ArrayList<>());

    private final Engine engine;

    public TestServer(Consumer<CommandTable.Builder> declarations) {
        this(new Settings(), declarations);
    }

    TestServer(Settings settings, Consumer<CommandTable.Builder> declarations) {
        CommandTable.Builder table = new CommandTable.Builder();
        StringCommands.declare(table);
        CounterCommands.declare(table);
        declarations.accept(table);
        engine = new Engine(
                settings, table.build(), new TestClock(), new Random(42), () -> {}, new Store(16, 2, new Random(7)));
    }

    /** Has changes written down from now on. */
    void record() {
        engine.keyspace().journal(new Journal() {
            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public long append(List<Effect> effects) {
                for (Effect effect : effects) {
                    List<String> words = new ArrayList<>();
                    for (byte[] word : effect.command()) {
                        words.add(new String(word, StandardCharsets.ISO_8859_1));
                    }
                    records.add(String.join(" ", words));
                }
                return records.size();
            }
        });
        engine.keyspace().addObserver(new KeyObserver() {
            @Override
            public void keyChanged(int database, byte[] key, EventClass eventClass, String event) {
                events.add(event + " " + new String(key, StandardCharsets.ISO_8859_1));
            }

            @Override
            public void databaseChanged(int database) {
                events.add("database " + database);
            }
        });
    }

    public Engine engine() {
        return engine;
    }

    public Client connect() {
        return connect("127.0.0.1:50000");
    }

    Client connect(String address) {
        return new Client(engine.open(new NoConnection(address)));
    }

    /** One session; the raw replies have one char per byte. */
    public static final class Client {

        private final Session session;

        Client(Session session) {
            this.session = session;
        }

        public Session session() {
            return session;
        }

        public String run(String... words) {
            session.beginBatch();
            String reply = runInBatch(words);
            session.endBatch();
            return reply;
        }

        /** Runs a command as one further of a batch that the caller begins and ends. */
        String runInBatch(String... words) {
            byte[][] arguments = new byte[words.length][];
            for (int i = 0; i < words.length; i++) {
                arguments[i] = words[i].getBytes(StandardCharsets.ISO_8859_1);
            }
            try {
                session.engine().dispatcher().execute(session, Request.of(arguments));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
            byte[] reply = session.reply().toByteArray();
            session.reply().clear();
            return new String(reply, StandardCharsets.ISO_8859_1);
        }
    }

    private final class TestClock implements InstantSource {
        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis());
        }

        @Override
        public long millis() {
            clockReads.incrementAndGet();
            return now.get();
        }
    }
}
