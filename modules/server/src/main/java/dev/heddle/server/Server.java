package dev.heddle.server;

import dev.heddle.command.Engine;
import dev.heddle.command.config.ConfigException;
import dev.heddle.command.config.NetworkSettings;
import dev.heddle.resp.ProtocolLimits;
import dev.heddle.server.SocketConnection.Peer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's doors: listeners, and the connections that came in through them.
 *
 * <p>Thread-safe.
 */
public final class Server implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private static final String PROTECTED =
            "-DENIED Heddle is running in protected mode because protected mode is enabled and no"
                    + " password is set for the default user. In this mode connections are only accepted from the loopback interface."
                    + " To connect from other machines: 1) set a password for the default user, or 2) turn protected mode off with"
                    + " 'CONFIG SET protected-mode no' from this machine, if no one else can reach the port, or 3) start the server with"
                    + " '--protected-mode no'.\r\n";
    private static final String FULL = "-ERR max number of clients reached\r\n";

    private final Engine engine;
    private final NetworkSettings settings;
    private final ProtocolLimits limits = new ProtocolLimits();
    private final Map<SocketConnection, Thread> connections = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private Server(Engine engine) {
        this.engine = engine;
        this.settings = engine.settings().network;
        followLimits();
    }

    /**
     * Binds all addresses that the settings name, and begins to accept.
     *
     * @throws IOException with the address in its message if one cannot be bound (an address marked as optional may fail)
     */
    public static Server open(Engine engine) throws IOException {
        Server server = new Server(engine);
        try {
            server.listenTcp();
            server.listenUnix();
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        engine.settings().onChange(server::rebind, server.settings.bind, server.settings.port);
        return server;
    }

    /** What is being listened on, for the log. */
    public List<String> addresses() {
        return listeners.stream().map(Listener::toString).toList();
    }

    /** The first TCP port in use, 0 if there is none. */
    public int port() throws IOException {
        for (Listener listener : listeners) {
            if (listener.port() != 0) {
                return listener.port();
            }
        }
        return 0;
    }

    /** How many connections there are. */
    public int connections() {
        return connections.size();
    }

    /**
     * The housekeeper's round: ends connections that have been silent for longer than {@code timeout}, and sees to those that are stuck
     * writing.
     */
    public void tick() {
        long now = engine.clock().millis();
        long idleLimit = settings.timeout.value() * 1000L;
        long readAheadLimit = limits.queryBufferLimit();
        for (SocketConnection connection : connections.keySet()) {
            connection.readAheadIfStuck(now, readAheadLimit);
            connection.checkOutput();
            if (idleLimit > 0 && connection.isIdle(now, idleLimit)) {
                LOG.debug("closing idle {}", connection.remoteAddress());
                connection.session().kill();
            }
        }
    }

    /** Stops accepting, ends all connections after what they are doing, and waits for them for at most {@code millis}. */
    public void shutdown(long millis) throws InterruptedException {
        closed = true;
        closeListeners();
        for (SocketConnection connection : connections.keySet()) {
            connection.closeWhenDone();
        }
        long end = System.nanoTime() + millis * 1_000_000;
        for (Thread thread : connections.values()) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                break;
            }
            thread.join(left);
        }
        close();
    }

    @Override
    public void close() {
        closed = true;
        closeListeners();
        connections.keySet().forEach(SocketConnection::close);
    }

    private void closeListeners() {
        listeners.forEach(Server::close);
    }

    private static void close(Listener listener) {
        try {
            listener.close();
        } catch (IOException e) {
            LOG.warn("closing {}: {}", listener, e.getMessage());
        }
    }

    /** CONFIG SET bind or port: listens on what is new, then stops listening on what is no longer named. */
    private void rebind() {
        List<Listener> old = List.copyOf(listeners);
        try {
            List<InetSocketAddress> wanted = listenTcp();
            for (Listener listener : old) {
                if (!listener.isUnix() && !listener.isOneOf(wanted)) {
                    close(listener);
                    listeners.remove(listener);
                }
            }
        } catch (IOException e) {
            List<Listener> fresh = new ArrayList<>(listeners);
            fresh.removeAll(old);
            fresh.forEach(Server::close);
            listeners.removeAll(fresh);
            LOG.warn("{}", e.getMessage());
            throw new ConfigException("Unable to listen on this port. Check server logs.");
        }
    }

    /** Listens on all TCP addresses that are wanted, except where it already does; returns them all. */
    private List<InetSocketAddress> listenTcp() throws IOException {
        int port = settings.port.value();
        List<InetSocketAddress> wanted = new ArrayList<>();
        for (String name : port == 0 ? List.<String>of() : settings.bind.value()) {
            boolean optional = name.startsWith("-");
            String host = optional ? name.substring(1) : name;
            try {
                InetSocketAddress address = new InetSocketAddress(resolve(host), port);
                wanted.add(address);
                if (listeners.stream().noneMatch(listener -> listener.isOneOf(List.of(address)))) {
                    start(Listener.tcp(address, settings.tcpBacklog.value(), this::accept));
                }
            } catch (IOException e) {
                if (!optional) {
                    throw new IOException("cannot listen on " + host + ":" + port + ": " + e.getMessage(), e);
                }
                LOG.debug("not listening on {}: {}", host, e.getMessage());
            }
        }
        return wanted;
    }

    private void listenUnix() throws IOException {
        String path = settings.unixSocket.value();
        if (path.isEmpty()) {
            return;
        }
        try {
            int permissions = settings.unixSocketPermissions.value().intValue();
            Path file = engine.settings().resolve(settings.unixSocket);
            start(Listener.unix(file, permissions, settings.tcpBacklog.value(), this::accept));
        } catch (IOException e) {
            throw new IOException("cannot listen on " + path + ": " + e.getMessage(), e);
        }
    }

    private void start(Listener listener) {
        listeners.add(listener);
        listener.start();
    }

    private static InetAddress resolve(String host) throws UnknownHostException {
        return switch (host) {
            case "*" -> InetAddress.getByAddress(new byte[4]);
            case "::*" -> InetAddress.getByAddress(new byte[16]);
            default -> InetAddress.getByName(host);
        };
    }

    private void accept(SocketChannel channel, Peer peer, boolean local) throws IOException {
        if (connections.size() >= settings.maxClients.value()) {
            turnAway(channel, FULL);
            return;
        }
        if (!local
                && settings.protectedMode.value()
                && settings.requirePass.value().isEmpty()) {
            LOG.warn("turned away {}: protected mode", peer.remote());
            turnAway(channel, PROTECTED);
            return;
        }
        int keepAlive = settings.tcpKeepAlive.value();
        if (keepAlive > 0 && channel.supportedOptions().contains(StandardSocketOptions.SO_KEEPALIVE)) {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, keepAlive);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, Math.max(1, keepAlive / 3));
            channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 3);
        }
        SocketConnection connection = new SocketConnection(channel, peer, engine, limits);
        Thread thread = Thread.ofVirtual()
                .name("client-" + connection.session().id())
                .unstarted(() -> {
                    try {
                        connection.run();
                    } finally {
                        connections.remove(connection);
                    }
                });
        connections.put(connection, thread);
        engine.stats().countConnection(connections.size());
        thread.start();
        if (closed) {
            connection.close();
        }
    }

    private void turnAway(SocketChannel channel, String text) throws IOException {
        engine.stats().countRejectedConnection();
        try (channel) {
            channel.configureBlocking(false); // a peer that does not read must not hold up the acceptor
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private void followLimits() {
        limits.maxBulk(settings.maxBulkLength.value());
        limits.queryBufferLimit(settings.queryBufferLimit.value());
        settings.maxBulkLength.onChange(limits::maxBulk);
        settings.queryBufferLimit.onChange(limits::queryBufferLimit);
    }
}
