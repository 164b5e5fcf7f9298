package dev.heddle.console;

import com.sun.net.httpserver.HttpExchange;
import dev.heddle.command.Engine;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Tells those who watch over the server how it is; open to everybody, for it tells nothing else. Stateless. */
final class Health {

    private final Engine engine;

    Health(Engine engine) {
        this.engine = engine;
    }

    /** The process answers. */
    void alive(HttpExchange exchange) throws IOException {
        Responses.text(exchange, 200, "alive\n");
    }

    /** It has its data, and takes writes. */
    void ready(HttpExchange exchange) throws IOException {
        String reason = reason();
        Responses.text(exchange, reason == null ? 200 : 503, (reason == null ? "ready" : reason) + "\n");
    }

    private @Nullable String reason() {
        if (engine.loading().active()) {
            return "loading the data set";
        }
        String snapshots = engine.persistence().refusal();
        String refusal = snapshots == null ? engine.keyspace().journal().refusal() : snapshots;
        return refusal == null ? null : "not writable: " + refusal;
    }
}
