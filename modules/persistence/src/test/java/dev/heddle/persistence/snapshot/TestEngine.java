package dev.heddle.persistence.snapshot;

import dev.heddle.command.Connection;
import dev.heddle.command.Engine;
import dev.heddle.command.Session;
import dev.heddle.command.catalog.Catalog;
import dev.heddle.command.config.Settings;
import dev.heddle.persistence.rdb.DumpCommands;
import dev.heddle.persistence.rdb.MigrateCommand;
import dev.heddle.resp.Request;
import dev.heddle.store.Store;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A whole engine without sockets, whose data folder is the test's. Time stands still until the test moves it.
 *
 * <p>Thread-safe, but each {@link Client} belongs to one thread.
 */
public final class TestEngine {

    private final AtomicLong now = new AtomicLong(1_700_000_000_000L);
    private final Settings settings;
    private final Engine engine;
    private final Client client;

    public TestEngine(Path folder) {
        settings = new Settings(folder);
        InstantSource clock = new InstantSource() {
            @Override
            public Instant instant() {
                return Instant.ofEpochMilli(now.get());
            }

            @Override
            public long millis() {
                return now.get();
            }
        };
        engine = new Engine(
                settings,
                Catalog.build(DumpCommands::declare, MigrateCommand::declare),
                clock,
                () -> ThreadLocalRandom.current().nextLong(),
                () -> {},
                new Store(4, 2, new Random(7)));
        client = connect();
    }

    public Engine engine() {
        return engine;
    }

    public void set(String directive, String value) {
        settings.set(List.of(Map.entry(directive, value)), new Settings.Origin(true, false));
    }

    public void advance(long millis) {
        now.addAndGet(millis);
    }

    /** Runs a command and answers its raw reply; one char per byte in both directions. */
    public String run(String... words) {
        return client.run(words);
    }

    public Client connect() {
        return new Client(engine.open(new NoConnection()));
    }

    /** One session. */
    public static final class Client {

        private final Session session;

        Client(Session session) {
            this.session = session;
        }

        public String run(String... words) {
            byte[][] arguments = new byte[words.length][];
            for (int i = 0; i < words.length; i++) {
                arguments[i] = words[i].getBytes(StandardCharsets.ISO_8859_1);
            }
            session.beginBatch();
            try {
                session.engine().dispatcher().execute(session, Request.of(arguments));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
            session.endBatch();
            String reply = new String(session.reply().toByteArray(), StandardCharsets.ISO_8859_1);
            session.reply().clear();
            return reply;
        }
    }

    private static final class NoConnection implements Connection {

        @Override
        public void waitBegins(Runnable gone) {
            // nobody can go
        }

        @Override
        public void waitEnds() {
            // nobody can go
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
