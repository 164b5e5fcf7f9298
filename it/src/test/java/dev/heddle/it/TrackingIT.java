package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Client-side caching over sockets: a cache that obeys the invalidations never shows an old value for long. */
class TrackingIT {

    private static RunningServer heddle;

    @BeforeAll
    static void start() {
        heddle = HeddleServer.start();
    }

    @AfterAll
    static void stop() {
        heddle.close();
    }

    @Test
    void aCacheEndsWithTheLastValues() {
        int keys = 10;
        int writes = 3_000;
        try (RawClient cache = heddle.connect(3)) {
            cache.call("CLIENT", "TRACKING", "ON");
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
                try (RawClient writer = heddle.connect()) {
                    for (int i = 0; i < writes; i++) {
                        writer.call("SET", "key:" + i % keys, Integer.toString(i));
                    }
                }
            });
            Map<String, String> cached = new HashMap<>();
            for (int i = 0; i < writes; i++) {
                String key = "key:" + i % keys;
                if (!cached.containsKey(key)) {
                    String value = read(cache, cached, "GET", key);
                    cached.put(key, value);
                }
                if (i % 7 == 0) {
                    read(cache, cached, "PING"); // takes in what has been sent meanwhile
                }
            }
            writing.join();
            read(cache, cached, "PING");
            try (RawClient client = heddle.connect()) {
                cached.forEach((key, value) -> assertThat(value)
                        .as(key)
                        .isEqualTo(client.call("GET", key).text()));
            }
        }
    }

    /** Runs a command; invalidations that come before its reply take keys out of the cache. */
    private static String read(RawClient client, Map<String, String> cached, String... command) {
        Reply reply = client.call(command);
        while (reply.type() == '>') {
            reply.elements().get(1).texts().forEach(cached::remove);
            reply = client.read();
        }
        return reply.text();
    }

    @Test
    void invalidationsGoToAnotherConnection() {
        try (RawClient reader = heddle.connect();
                RawClient listener = heddle.connect();
                RawClient writer = heddle.connect()) {
            String id = Long.toString(listener.call("CLIENT", "ID").integer());
            listener.call("SUBSCRIBE", "__redis__:invalidate");
            assertThat(reader.call("CLIENT", "TRACKING", "ON", "REDIRECT", id).text())
                    .isEqualTo("OK");
            reader.call("GET", "redirected");
            writer.call("SET", "redirected", "x");
            Reply message = listener.read();
            assertThat(message.elements().get(1).text()).isEqualTo("__redis__:invalidate");
            assertThat(message.elements().get(2).texts()).containsExactly("redirected");
            writer.call("FLUSHALL");
            assertThat(listener.read().elements().get(2).bytes()).isEqualTo("$-1\r\n");
        }
    }

    @Test
    void broadcastsNeedNoReading() {
        try (RawClient listener = heddle.connect(3);
                RawClient writer = heddle.connect()) {
            listener.call("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "user:");
            writer.call("MSET", "user:1", "a", "item:1", "b", "user:2", "c");
            assertThat(listener.read().elements().get(1).texts()).isEqualTo(List.of("user:1", "user:2"));
            writer.call("SET", "user:3", "x", "PX", "50");
            assertThat(listener.read().elements().get(1).texts()).containsExactly("user:3");
            assertThat(listener.read().elements().get(1).texts())
                    .as("its expiry")
                    .containsExactly("user:3");
        }
    }
}
