package dev.heddle.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection that shows every byte of a reply, and sends whatever a test wants. What is sent is kept until the next
 * read or {@link #flush}. Sending and reading may happen on two threads; apart from that it is confined to one.
 */
final class RawClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 30_000;

    private final AutoCloseable connection;
    private final InputStream in;
    private final OutputStream out;

    private RawClient(AutoCloseable connection, InputStream in, OutputStream out) {
        this(connection, in, out, 1 << 16);
    }

    private RawClient(AutoCloseable connection, InputStream in, OutputStream out, int buffer) {
        this.connection = connection;
        this.in = new BufferedInputStream(in, buffer);
        this.out = new BufferedOutputStream(out, buffer);
    }

    static RawClient connect(int port) {
        return connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    }

    /**
     * Connects to an address.
     *
     * @param receiveBuffer in bytes, or 0 for the system's default
     */
    static RawClient connect(InetSocketAddress address, int receiveBuffer) {
        try {
            Socket socket = new Socket();
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(address, TIMEOUT_MILLIS);
            return new RawClient(socket, socket.getInputStream(), socket.getOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects without buffers to speak of, for a test that has thousands of clients. */
    static RawClient small(int port) {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            return new RawClient(socket, socket.getInputStream(), socket.getOutputStream(), 64);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects to a Unix socket. Reads on it wait without limit. */
    static RawClient connect(Path socket) {
        try {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(socket));
            return new RawClient(channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends one command as an array of bulk strings. */
    void send(List<String> words) {
        StringBuilder text =
                new StringBuilder().append('*').append(words.size()).append("\r\n");
        for (String word : words) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        sendRaw(text.toString());
    }

    void send(String... words) {
        send(List.of(words));
    }

    /** Sends bytes as they are. */
    void sendRaw(String bytes) {
        try {
            out.write(bytes.getBytes(ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link #sendRaw}, and flushes. @return false if the server has closed the connection, which is no error then */
    boolean sendOrGone(byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends one command and reads one reply. */
    Reply call(String... words) {
        return call(List.of(words));
    }

    Reply call(List<String> words) {
        send(words);
        return read();
    }

    /** Sends a line as redis-cli would and reads one reply. */
    Reply line(String line) {
        return call(Quoting.split(line));
    }

    /** Reads one reply; {@link Reply#CLOSED} if the server has closed the connection. */
    Reply read() {
        try {
            out.flush();
        } catch (SocketException e) {
            // The server has closed: what it said before may still be there to read.
            return readReceived();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return readReceived();
    }

    private Reply readReceived() {
        try {
            return readReply();
        } catch (EOFException | SocketException e) {
            return Reply.CLOSED;
        } catch (SocketTimeoutException e) {
            throw new AssertionError("no reply within " + TIMEOUT_MILLIS + " ms", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the server closes the connection without another word. */
    boolean isClosedByServer() {
        return read().equals(Reply.CLOSED);
    }

    /** Everything up to the end of the connection. */
    String readToEnd() {
        flush();
        StringBuilder text = new StringBuilder();
        try {
            for (int c = in.read(); c >= 0; c = in.read()) {
                text.append((char) c);
            }
        } catch (SocketException e) {
            // A reset is an end, too.
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private Reply readReply() throws IOException {
        String head = readLine();
        if (head.isEmpty()) {
            throw new IOException("an empty line where a reply should start");
        }
        return switch (head.charAt(0)) {
            case '$', '=', '!' -> new Reply(head, readBody(head), List.of());
            case '*', '~', '>' -> new Reply(head, null, readElements(count(head)));
            case '%' -> new Reply(head, null, readElements(2 * count(head)));
            // Attributes stand before the reply that they are about.
            case '|' -> new Reply(head, null, readElements(2 * count(head) + 1));
            case '+', '-', ':', '_', '#', ',', '(' -> new Reply(head, null, List.of());
            default -> throw new IOException("no reply starts like this: " + Quoting.escape(head));
        };
    }

    private static int count(String head) {
        return Integer.parseInt(head.substring(1));
    }

    private List<Reply> readElements(int count) throws IOException {
        List<Reply> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            elements.add(readReply());
        }
        return elements;
    }

    private @Nullable String readBody(String head) throws IOException {
        int length = count(head);
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length + 2);
        if (bytes.length < length + 2) {
            throw new EOFException();
        }
        if (bytes[length] != '\r' || bytes[length + 1] != '\n') {
            throw new IOException("a bulk reply does not end with CRLF: " + head);
        }
        return new String(bytes, 0, length, ISO_8859_1);
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int c = in.read();
            if (c < 0) {
                throw new EOFException();
            }
            if (c == '\r') {
                if (in.read() != '\n') {
                    throw new IOException("CR without LF after: " + line);
                }
                return line.toString();
            }
            line.append((char) c);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (Exception e) {
            throw new AssertionError("closing a socket failed", e);
        }
    }
}
