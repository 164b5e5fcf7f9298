package dev.heddle.persistence.aof;

import dev.heddle.command.Connection;
import dev.heddle.command.Engine;
import dev.heddle.command.Session;
import dev.heddle.command.catalog.Catalog;
import dev.heddle.command.config.Settings;
import dev.heddle.resp.Request;
import dev.heddle.store.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.AbstractMap.SimpleEntry;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/** A server without sockets, with its append-only file in a folder. Confined to the test's thread. */
final class Node implements AutoCloseable {

    private final Engine engine;
    private final AofLog log;
    private final Session session;

    /** Loads what is there and goes on behind it. */
    static Node start(Path folder, String... settings) throws IOException {
        return start(folder, InstantSource.system(), settings);
    }

    static Node start(Path folder, InstantSource clock, String... settings) throws IOException {
        Node node = new Node(folder, clock, settings);
        node.log.load((file, progress) -> {
            throw new IOException("no snapshot was written: " + file);
        });
        node.log.open();
        node.engine.loading().end();
        node.engine.keyspace().journal(node.log);
        return node;
    }

    /** A server that records nothing yet. */
    static Node withoutLog(Path folder) {
        Node node = new Node(folder, InstantSource.system());
        node.engine.keyspace().journal(node.log);
        return node;
    }

    private Node(Path folder, InstantSource clock, String... words) {
        Settings settings = new Settings(folder);
        for (int i = 0; i < words.length; i += 2) {
            settings.set(
                    List.<Map.Entry<String, String>>of(new SimpleEntry<>(words[i], words[i + 1])),
                    new Settings.Origin(true, false));
        }
        engine = new Engine(
                settings,
                Catalog.build(),
                clock,
                () -> ThreadLocalRandom.current().nextLong(),
                () -> {},
                new Store(16, 1, new Random(7)));
        log = new AofLog(engine);
        session = engine.open(new Nobody());
    }

    Engine engine() {
        return engine;
    }

    AofLog log() {
        return log;
    }

    /** Runs a command; its words are separated by blanks. Answers the raw reply once it may go out. */
    String run(String line) {
        String[] words = line.split(" ");
        byte[][] arguments = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            arguments[i] = words[i].getBytes(StandardCharsets.ISO_8859_1);
        }
        return run(arguments);
    }

    String run(byte[]... arguments) {
        session.beginBatch();
        try {
            engine.dispatcher().execute(session, Request.of(arguments));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        boolean done = session.commit();
        String reply = new String(session.reply().toByteArray(), StandardCharsets.ISO_8859_1);
        session.reply().clear();
        return done ? reply : "(not done)";
    }

    @Override
    public void close() {
        log.close();
    }

    private static final class Nobody implements Connection {
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
