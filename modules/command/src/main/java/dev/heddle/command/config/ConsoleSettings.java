package dev.heddle.command.config;

import static dev.heddle.command.config.Row.active;

import dev.heddle.command.config.Row.Trait;
import java.util.List;

/**
 * Where the web console, the metrics and the health checks are served. Redis has nothing like it, so {@code CONFIG GET *} does not show these.
 *
 * <p>Thread-safe, as its settings are.
 */
public final class ConsoleSettings {

    /** TCP port of the console, 0 for none. */
    public final Setting<Integer> port;

    /** The one address that the console listens on; {@code *} is every IPv4 one. */
    public final Setting<String> bind;

    /** Names, separated by blanks, under which browsers may reach the console, besides localhost and plain addresses. */
    public final Setting<String> hosts;

    ConsoleSettings(Catalogue rows) {
        port = rows.integer(active("console-port").with(Trait.IMMUTABLE, Trait.HIDDEN), 8379, 0, 65535);
        bind = rows.text(
                active("console-bind").with(Trait.IMMUTABLE, Trait.HIDDEN),
                "127.0.0.1",
                ConsoleSettings::checkNotEmpty);
        hosts = rows.optional(active("console-hosts").with(Trait.HIDDEN));
    }

    /** {@link #hosts}, one by one. */
    public List<String> hostNames() {
        String names = hosts.value().strip();
        return names.isEmpty() ? List.of() : List.of(names.split(" +"));
    }

    private static void checkNotEmpty(String address) {
        if (address.isBlank()) {
            throw new ConfigException("argument must be an address");
        }
    }
}
