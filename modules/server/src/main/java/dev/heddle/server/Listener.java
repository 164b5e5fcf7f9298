package dev.heddle.server;

import dev.heddle.server.SocketConnection.Peer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One address on which the server takes connections, with the thread that accepts them.
 *
 * <p>Thread-safe.
 */
final class Listener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    /** After a failed accept (no file descriptors left): long enough not to spin, short enough not to be noticed. */
    private static final long RETRY_MILLIS = 20;

    private static final long END_MILLIS = 1_000;

    private static final AtomicInteger NUMBERS = new AtomicInteger(3);

    private final ServerSocketChannel channel;
    private final SocketAddress asked;
    private final @Nullable Path socketFile;
    private final Acceptor acceptor;
    private final Thread thread;

    /** What is done with a connection that has been accepted; called by the listener's thread. */
    interface Acceptor {
        void accept(SocketChannel channel, Peer peer, boolean local) throws IOException;
    }

    private Listener(ServerSocketChannel channel, SocketAddress asked, @Nullable Path socketFile, Acceptor acceptor)
            throws IOException {
        this.channel = channel;
        this.asked = asked;
        this.socketFile = socketFile;
        this.acceptor = acceptor;
        // A virtual thread, so that the threads it starts get into its carrier's own queue: from the common one they
        // would
        // come late when the carrier has much to do (see Turns).
        this.thread = Thread.ofVirtual()
                .name("accept-" + name(channel.getLocalAddress()))
                .unstarted(this::accept);
    }

    /** Binds a TCP address; port 0 takes any free one. */
    static Listener tcp(InetSocketAddress address, int backlog, Acceptor acceptor) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(
                address.getAddress() instanceof java.net.Inet6Address
                        ? StandardProtocolFamily.INET6
                        : StandardProtocolFamily.INET);
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, backlog);
            return new Listener(channel, address, null, acceptor);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Binds a Unix domain socket; a socket file left behind by an earlier process is replaced. */
    static Listener unix(Path path, int permissions, int backlog, Acceptor acceptor) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            Files.deleteIfExists(path);
            channel.bind(UnixDomainSocketAddress.of(path), backlog);
            if (permissions != 0) {
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(symbolic(permissions)));
            }
            return new Listener(channel, UnixDomainSocketAddress.of(path), path, acceptor);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    void start() {
        thread.start();
    }

    boolean isUnix() {
        return socketFile != null;
    }

    /** Whether this listens on one of these addresses, as they were asked for. */
    boolean isOneOf(List<InetSocketAddress> addresses) {
        return addresses.contains(asked);
    }

    /** The port in use, or 0 for a Unix domain socket. */
    int port() throws IOException {
        return channel.getLocalAddress() instanceof InetSocketAddress address ? address.getPort() : 0;
    }

    @Override
    public String toString() {
        try {
            return name(channel.getLocalAddress());
        } catch (IOException closed) {
            return "closed";
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        awaitEnd();
        if (socketFile != null) {
            Files.deleteIfExists(socketFile);
        }
    }

    /** The address is free once the thread that accepts has noticed. */
    private void awaitEnd() {
        try {
            if (thread.isAlive() && thread != Thread.currentThread()) {
                thread.join(END_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() {
        while (channel.isOpen()) {
            try {
                SocketChannel accepted = channel.accept();
                welcome(accepted);
            } catch (ClosedChannelException end) {
                return;
            } catch (IOException e) {
                LOG.warn("accepting a connection on {} failed: {}", this, e.getMessage());
                pause();
            }
        }
    }

    private void welcome(SocketChannel accepted) throws IOException {
        try {
            boolean unix = socketFile != null;
            if (!unix) {
                accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            String remote = unix ? socketFile + ":0" : name(accepted.getRemoteAddress());
            String local = unix ? socketFile + ":0" : name(accepted.getLocalAddress());
            boolean here = unix
                    || ((InetSocketAddress) accepted.getRemoteAddress())
                            .getAddress()
                            .isLoopbackAddress();
            acceptor.accept(accepted, new Peer(remote, local, NUMBERS.incrementAndGet()), here);
        } catch (IOException | RuntimeException e) {
            accepted.close();
            throw e;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String name(SocketAddress address) {
        if (address instanceof InetSocketAddress inet) {
            InetAddress host = inet.getAddress();
            String text = host.getHostAddress();
            return (text.indexOf(':') >= 0 ? "[" + text + "]" : text) + ":" + inet.getPort();
        }
        return address.toString();
    }

    private static String symbolic(int permissions) {
        StringBuilder text = new StringBuilder(9);
        for (int bit = 8; bit >= 0; bit--) {
            text.append((permissions & (1 << bit)) == 0 ? '-' : "xwr".charAt(bit % 3));
        }
        return text.toString();
    }
}
