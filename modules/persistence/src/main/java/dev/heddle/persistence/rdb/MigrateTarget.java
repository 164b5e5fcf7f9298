package dev.heddle.persistence.rdb;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The connection to the server that MIGRATE moves keys to. Nothing takes longer than the timeout: reading is bounded by the socket itself;
 * for writing, which Java cannot bound, a watchman closes the socket.
 *
 * <p>Confined to one thread, but for the watchman.
 */
final class MigrateTarget implements AutoCloseable {

    private static final int BUFFER = 64 << 10;
    private static final int LONGEST_LINE = 64 << 10;

    private final Socket socket;
    private final int timeout;
    private final OutputStream out;
    private final InputStream in;
    private final Thread watchman;

    /** Since when the current write has been going on, by {@link System#nanoTime}. */
    private volatile long since;

    private volatile boolean writing;
    private volatile boolean closed;

    private MigrateTarget(Socket socket, int timeout) throws IOException {
        this.socket = socket;
        this.timeout = timeout;
        this.out = new BufferedOutputStream(socket.getOutputStream(), BUFFER);
        this.in = new BufferedInputStream(socket.getInputStream());
        this.watchman = Thread.ofVirtual().name("migrate-watch").unstarted(this::watch);
    }

    /** @param timeout for this and for each reading and writing, in milliseconds */
    static MigrateTarget connect(String host, int port, int timeout) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), timeout);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(timeout);
            MigrateTarget target = new MigrateTarget(socket, timeout);
            target.watchman.start();
            return target;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Writes a command; {@link #flush} sends it. */
    void command(byte[]... words) throws IOException {
        line('*', words.length);
        for (byte[] word : words) {
            line('$', word.length);
            write(word);
            write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void line(char kind, int number) throws IOException {
        write((kind + Integer.toString(number) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private void write(byte[] bytes) throws IOException {
        // in pieces, so that a large value on a slow line is not taken for a line that is dead
        for (int at = 0; at < bytes.length; at += BUFFER) {
            beginWriting();
            out.write(bytes, at, Math.min(BUFFER, bytes.length - at));
            writing = false;
        }
    }

    void flush() throws IOException {
        beginWriting();
        out.flush();
        writing = false;
    }

    private void beginWriting() {
        since = System.nanoTime();
        writing = true;
    }

    /** The next reply, which must be a status or an error: its line, beginning with {@code +} or {@code -}. */
    String reply() throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        while (next != '\r' && next != '\n') {
            if (next < 0 || line.length() == LONGEST_LINE) {
                throw new IOException("no reply");
            }
            line.append((char) next);
            next = in.read();
        }
        if (next == '\r' && in.read() != '\n' || line.isEmpty() || line.charAt(0) != '+' && line.charAt(0) != '-') {
            throw new IOException("not a status");
        }
        return line.toString();
    }

    private void watch() {
        long limit = TimeUnit.MILLISECONDS.toNanos(timeout);
        while (!closed) {
            long left = writing ? limit - (System.nanoTime() - since) : limit;
            if (left <= 0) {
                closeSocket();
                return;
            }
            LockSupport.parkNanos(this, left);
        }
    }

    private void closeSocket() {
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone either way
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(watchman);
        closeSocket();
    }
}
