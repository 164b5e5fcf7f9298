package dev.heddle.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;

/** Writes messages to a socket, many small ones with one system call. Stateless; waits while the client does not read. */
final class MessageWriter {

    private static final int BUFFER = 64 * 1024;
    /** A message of this size or more is not worth copying. */
    private static final int LARGE = 16 * 1024;

    private MessageWriter() {}

    /** @return how many bytes it has written */
    static long write(List<byte[]> messages, SocketChannel channel) throws IOException {
        if (messages.size() == 1) {
            return drain(ByteBuffer.wrap(messages.getFirst()), channel);
        }
        long written = 0;
        ByteBuffer buffer = ByteBuffer.allocate(bufferSize(messages));
        for (byte[] message : messages) {
            if (message.length > buffer.remaining() || message.length >= LARGE) {
                written += drain(buffer.flip(), channel);
                buffer.clear();
            }
            if (message.length >= LARGE) {
                written += drain(ByteBuffer.wrap(message), channel);
            } else {
                buffer.put(message);
            }
        }
        return written + drain(buffer.flip(), channel);
    }

    private static int bufferSize(List<byte[]> messages) {
        int sum = 0;
        for (byte[] message : messages) {
            sum += message.length;
            if (sum >= BUFFER) {
                return BUFFER;
            }
        }
        return sum;
    }

    private static long drain(ByteBuffer buffer, SocketChannel channel) throws IOException {
        long count = buffer.remaining();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        return count;
    }
}
