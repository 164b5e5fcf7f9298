package dev.heddle.it;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Two clients of a kill campaign: one pushes numbers, the other one waits for them in BLPOP. What the second one was given must not be
 * there again after a kill, although it was the first one's thread that took it from the list.
 *
 * <p>The two threads share nothing but the server; {@link #check} is called while neither runs.
 */
final class KillQueue {

    private static final int PIPELINE = 8;

    private final String key;
    private final AtomicBoolean stop;
    private int port;
    private volatile long sent;
    private volatile long acknowledged;
    private volatile long received;
    private volatile @Nullable String failure;

    KillQueue(String name, AtomicBoolean stop) {
        this.key = name + ":queue";
        this.stop = stop;
    }

    void port(int newPort) {
        port = newPort;
    }

    @Nullable
    String failure() {
        return failure;
    }

    /** Pushes until the server is gone. */
    void push() {
        try (RawClient client = RawClient.connect(port)) {
            while (!stop.get()) {
                long first = sent + 1;
                for (int i = 0; i < PIPELINE; i++) {
                    client.send("RPUSH", key, Long.toString(first + i));
                }
                sent = first + PIPELINE - 1;
                for (int i = 0; i < PIPELINE; i++) {
                    if (client.read().equals(Reply.CLOSED)) {
                        return;
                    }
                    acknowledged = first + i;
                }
            }
        } catch (UncheckedIOException gone) {
            return;
        }
    }

    /** Takes numbers until the server is gone. */
    void take() {
        try (RawClient client = RawClient.connect(port)) {
            while (!stop.get()) {
                Reply reply = client.call("BLPOP", key, "1");
                if (reply.equals(Reply.CLOSED)) {
                    return;
                }
                if (reply.elements().size() == 2) {
                    long number = Long.parseLong(reply.texts().get(1));
                    if (number != received + 1) {
                        failure = key + ": received " + number + " after " + received;
                        return;
                    }
                    received = number;
                }
            }
        } catch (UncheckedIOException gone) {
            return;
        }
    }

    /** Compares with what a restarted server has, and begins anew. */
    @Nullable
    String check(RawClient client) {
        List<Long> found = new ArrayList<>();
        client.call("LRANGE", key, "0", "-1").texts().forEach(text -> found.add(Long.valueOf(text)));
        // One more may have been taken, whose reply was lost with the connection.
        long first = found.isEmpty() ? Math.max(received + 1, acknowledged + 1) : found.getFirst();
        long last = found.isEmpty() ? first - 1 : found.getLast();
        boolean consecutive = found.isEmpty() || last - first + 1 == found.size();
        boolean takenOnce = first == received + 1 || first == received + 2;
        if (!consecutive || !takenOnce || last < acknowledged || last > sent) {
            return key + ": received 1 to " + received + ", pushed 1 to " + sent + ", acknowledged 1 to " + acknowledged
                    + ", but found " + found;
        }
        client.call("DEL", key);
        sent = 0;
        acknowledged = 0;
        received = 0;
        return null;
    }
}
