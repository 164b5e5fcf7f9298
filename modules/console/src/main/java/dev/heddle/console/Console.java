package dev.heddle.console;

import com.sun.net.httpserver.HttpServer;
import dev.heddle.command.Engine;
import dev.heddle.command.config.ConsoleSettings;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The web console with everything else that is served over HTTP.
 *
 * <p>Thread-safe. The HTTP server has one thread that accepts; each request runs in a virtual thread of its own.
 */
public final class Console implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Console.class);

    private final HttpServer http;
    private final ExecutorService requests;
    private final ConsoleSessions sessions;

    private Console(HttpServer http, ExecutorService requests, ConsoleSessions sessions) {
        this.http = http;
        this.requests = requests;
        this.sessions = sessions;
    }

    /**
     * Listens on what the settings name.
     *
     * @return null if the default port is taken by somebody else, which is no reason not to start
     * @throws IOException with the address in its message if it cannot be bound
     */
    public static @Nullable Console open(Engine engine) throws IOException {
        ConsoleSettings settings = engine.settings().console;
        HttpLimits.apply();
        HttpServer http;
        try {
            http = HttpServer.create(address(settings), 0);
        } catch (IOException e) {
            String text = "console: cannot listen on " + settings.bind.value() + ":" + settings.port.value() + ": "
                    + e.getMessage();
            if (settings.port.isInitial() && e instanceof BindException) {
                LOG.warn("{}; going on without it", text);
                return null;
            }
            throw new IOException(text, e);
        }
        ExecutorService requests = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("console-", 0).factory());
        ConsoleSessions sessions = new ConsoleSessions(engine);
        Logins logins = new Logins(engine);
        Guard guard = new Guard(engine, logins, http.getAddress().getPort());
        http.createContext("/", new Router(engine, guard, logins, sessions));
        http.setExecutor(requests);
        http.start();
        return new Console(http, requests, sessions);
    }

    private static InetSocketAddress address(ConsoleSettings settings) throws IOException {
        String bind = settings.bind.value();
        InetAddress address = bind.equals("*") ? InetAddress.getByAddress(new byte[4]) : InetAddress.getByName(bind);
        return new InetSocketAddress(address, settings.port.value());
    }

    /** Where browsers find it. */
    public String url() {
        InetSocketAddress address = http.getAddress();
        String host = address.getAddress().isAnyLocalAddress()
                ? "localhost"
                : address.getAddress().getHostAddress();
        return "http://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort() + "/";
    }

    /** The port that is listened on. */
    public int port() {
        return http.getAddress().getPort();
    }

    /** The housekeeper's round: ends sessions that nobody has used for long. */
    public void tick() {
        sessions.endIdle();
    }

    @Override
    public void close() {
        sessions.close();
        http.stop(0);
        requests.shutdownNow();
    }
}
