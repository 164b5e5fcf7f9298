package dev.heddle.server;

import dev.heddle.command.Engine;
import dev.heddle.command.catalog.Catalog;
import dev.heddle.command.config.Settings;
import dev.heddle.store.Store;
import java.io.IOException;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;

/** Makes engines for tests over real sockets. Stateless. */
final class TestEngine {

    private TestEngine() {}

    /** An engine with all commands, whose settings name a port of the loopback address that was free a moment ago. */
    static Engine onFreePort() throws IOException {
        Settings settings = new Settings();
        settings.network.bind.settle(List.of("127.0.0.1"));
        try (ServerSocket free = new ServerSocket(0)) {
            settings.network.port.settle(free.getLocalPort());
        }
        return new Engine(
                settings,
                Catalog.build(),
                InstantSource.system(),
                new SecureRandom(),
                () -> {},
                new Store(16, 2, new Random(7)));
    }
}
