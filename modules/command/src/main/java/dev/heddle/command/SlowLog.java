package dev.heddle.command;

import dev.heddle.command.config.LoggingSettings;
import dev.heddle.resp.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last commands that took long, newest first.
 *
 * <p>Thread-safe.
 */
public final class SlowLog {

    private static final int MAX_ARGUMENTS = 32;
    private static final int MAX_ARGUMENT_BYTES = 128;
    private static final byte[] REDACTED = "(redacted)".getBytes(StandardCharsets.US_ASCII);

    private final LoggingSettings settings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Entry> entries = new ArrayDeque<>(); // guarded by lock
    private long nextId; // guarded by lock

    /**
     * One slow command.
     *
     * @param id counts from 0, never used again
     * @param seconds when it ran, since the epoch
     * @param micros how long it took
     * @param arguments the first 32, each cut after 128 bytes
     * @param client the address of who sent it
     * @param clientName what CLIENT SETNAME gave it, empty for nothing
     */
    public record Entry(long id, long seconds, long micros, List<byte[]> arguments, String client, String clientName) {}

    SlowLog(LoggingSettings settings) {
        this.settings = settings;
        settings.slowLogMaxLen.onChange(this::trim);
    }

    /** From how many nanoseconds on a command is slow; {@link Long#MAX_VALUE} if none is. */
    long thresholdNanos() {
        long micros = settings.slowLogLogSlowerThan.value();
        if (micros < 0 || settings.slowLogMaxLen.value() == 0) {
            return Long.MAX_VALUE;
        }
        return micros > Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : micros * 1000;
    }

    void add(Call call, long nanos) {
        Session session = call.session();
        List<byte[]> arguments = arguments(call);
        byte[] name = session.name();
        lock.lock();
        try {
            entries.addFirst(new Entry(
                    nextId,
                    call.now() / 1000,
                    nanos / 1000,
                    arguments,
                    session.connection().remoteAddress(),
                    name == null ? "" : new String(name, StandardCharsets.ISO_8859_1)));
            nextId++;
            trimTo(settings.slowLogMaxLen.value());
        } finally {
            lock.unlock();
        }
    }

    public int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    /** At most this many entries, newest first. */
    public List<Entry> newest(long count) {
        lock.lock();
        try {
            return entries.stream().limit(count).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets all entries; ids go on counting. */
    public void reset() {
        lock.lock();
        try {
            entries.clear();
        } finally {
            lock.unlock();
        }
    }

    private void trim(long length) {
        lock.lock();
        try {
            trimTo(length);
        } finally {
            lock.unlock();
        }
    }

    private void trimTo(long length) {
        while (entries.size() > length) {
            entries.removeLast();
        }
    }

    private static List<byte[]> arguments(Call call) {
        Request request = call.request();
        int count = request.count();
        List<byte[]> arguments = new ArrayList<>(Math.min(count, MAX_ARGUMENTS));
        for (int i = 0; i < count; i++) {
            if (i == MAX_ARGUMENTS - 1 && count > MAX_ARGUMENTS) {
                arguments.add(bytes("... (" + (count - i) + " more arguments)"));
                break;
            }
            arguments.add(call.isRedacted(i) ? REDACTED : clipped(request, i));
        }
        return arguments;
    }

    private static byte[] clipped(Request request, int index) {
        int more = request.length(index) - MAX_ARGUMENT_BYTES;
        if (more <= 0) {
            return request.copy(index);
        }
        byte[] note = bytes("... (" + more + " more bytes)");
        int from = request.offset(index);
        byte[] text = Arrays.copyOfRange(request.array(index), from, from + MAX_ARGUMENT_BYTES + note.length);
        System.arraycopy(note, 0, text, MAX_ARGUMENT_BYTES, note.length);
        return text;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
