package dev.heddle.command.catalog;

import dev.heddle.command.Effect;
import dev.heddle.command.Engine;
import dev.heddle.command.Journal;
import dev.heddle.command.KeyObserver;
import dev.heddle.command.NoConnection;
import dev.heddle.command.Session;
import dev.heddle.command.config.Settings;
import dev.heddle.resp.Request;
import dev.heddle.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;

/**
 * A whole engine without sockets: runs commands through the table and shows their replies as they go over the wire. Time stands still until
 * {@link #advance} moves it; random choices follow a fixed seed.
 */
public final class CommandTester {

    private final TestClock clock = new TestClock();
    private final Settings settings = new Settings();
    private final AtomicInteger shutdowns = new AtomicInteger();
    private final Engine engine = new Engine(
            settings,
            Catalog.build(),
            clock,
            new Random(42),
            shutdowns::incrementAndGet,
            new Store(16, 1, new Random(7)));
    private final List<String> effects = Collections.synchronizedList(new ArrayList<>());
    private final List<List<String>> records = Collections.synchronizedList(new ArrayList<>());
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private final Client client = connect();
    private final KeyObserver observer = new KeyObserver() {
        @Override
        public void keyChanged(int database, byte[] key, dev.heddle.command.EventClass eventClass, String event) {
            events.add(event + " " + new String(key, StandardCharsets.ISO_8859_1));
        }

        @Override
        public void databaseChanged(int database) {
            events.add("database " + database);
        }
    };

    public CommandTester() {
        engine.keyspace().journal(new Journal() {
            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public long append(List<Effect> commands) {
                records.add(commands.stream().map(CommandTester::withDatabase).toList());
                for (Effect effect : commands) {
                    List<String> words = new ArrayList<>();
                    for (byte[] word : effect.command()) {
                        words.add(new String(word, StandardCharsets.ISO_8859_1));
                    }
                    effects.add(String.join(" ", words));
                }
                return records.size();
            }
        });
        engine.keyspace().addObserver(observer);
    }

    private static String withDatabase(Effect effect) {
        StringBuilder text = new StringBuilder().append(effect.database()).append(':');
        for (byte[] word : effect.command()) {
            text.append(' ').append(new String(word, StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    public Engine engine() {
        return engine;
    }

    /** How often a command has asked for the server's end. */
    public int shutdowns() {
        return shutdowns.get();
    }

    public Settings settings() {
        return settings;
    }

    /** Moves the clock; expired keys are removed only by {@link #expire} or when met. */
    public void advance(long millis) {
        clock.now.addAndGet(millis);
    }

    public long now() {
        return clock.now.get();
    }

    /** No longer notes key events, so that nobody observes the keyspace unless a test has somebody do so. */
    public void stopObserving() {
        engine.keyspace().removeObserver(observer);
    }

    /** One round of active expiry. */
    public void expire() {
        engine.expiryCycle().run(Long.MAX_VALUE / 2);
    }

    /** What the journal has been given since the last call: one command per element, arguments separated by blanks. */
    public List<String> effects() {
        List<String> copy = List.copyOf(effects);
        effects.clear();
        return copy;
    }

    /** What the journal has been given since the last call, record by record: {@code "0: SET key value"}. */
    public List<List<String>> records() {
        List<List<String>> copy = List.copyOf(records);
        records.clear();
        return copy;
    }

    /** The key events since the last call: {@code "lpush mylist"}. */
    public List<String> events() {
        List<String> copy = List.copyOf(events);
        events.clear();
        return copy;
    }

    /** Runs a command on the main client and answers the raw reply; one char per byte in both directions. */
    public String run(String... words) {
        return client.run(words);
    }

    /** Opens a further client. */
    public Client connect() {
        NoConnection connection = new NoConnection("127.0.0.1:50000");
        return new Client(engine.open(connection), connection);
    }

    /** The main client. */
    public Client client() {
        return client;
    }

    /** One session. */
    public static final class Client {

        private final Session session;
        private final NoConnection connection;

        Client(Session session, NoConnection connection) {
            this.session = session;
            this.connection = connection;
        }

        /** Runs a command on a thread of its own, for one that may wait. The client must not be used meanwhile. */
        public CompletableFuture<String> start(String... words) {
            CompletableFuture<String> reply = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try {
                    reply.complete(run(words));
                } catch (Throwable e) {
                    reply.completeExceptionally(e);
                }
            });
            return reply;
        }

        /** As {@link #start}, and comes back once the command waits. */
        public CompletableFuture<String> block(String... words) {
            CompletableFuture<String> reply = start(words);
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> connection.gone() != null || reply.isDone());
            return reply;
        }

        /** Lets the client vanish, as the connection sees it. */
        public void vanish() {
            Runnable action = connection.gone();
            if (action != null) {
                action.run();
            }
        }

        public Session session() {
            return session;
        }

        /** Runs a command and answers its raw reply. */
        public String run(String... words) {
            byte[][] arguments = new byte[words.length][];
            for (int i = 0; i < words.length; i++) {
                arguments[i] = words[i].getBytes(StandardCharsets.ISO_8859_1);
            }
            return run(arguments);
        }

        /** What others have sent to this client and it has not seen yet. */
        public String messages() {
            session.outbox().drainTo(session.reply());
            return take();
        }

        private String take() {
            byte[] bytes = session.reply().toByteArray();
            session.reply().clear();
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }

        /** Runs a command and answers its raw reply, with the messages before and after it. */
        public String run(byte[]... arguments) {
            session.beginBatch();
            try {
                session.engine().dispatcher().execute(session, Request.of(arguments));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
            session.endBatch();
            return take();
        }
    }

    private static final class TestClock implements InstantSource {

        private final AtomicLong now = new AtomicLong(1_700_000_000_000L);

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(now.get());
        }

        @Override
        public long millis() {
            return now.get();
        }
    }
}
