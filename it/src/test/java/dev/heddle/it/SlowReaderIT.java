package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A client that sends and does not read slows down itself only, takes bounded memory, and loses nothing. */
class SlowReaderIT {

    private static final int COMMANDS = 100_000;
    private static final String VALUE = "v".repeat(10_000);
    /** Loose, for machines that do other things, too; the figures are printed. */
    private static final double LONGEST_WAIT_MILLIS = 500;

    private static final double USUAL_WAIT_MILLIS = 50;
    private static final long GROWTH_LIMIT_KIB = 128 * 1024;

    @Test
    void aClientThatNeverReadsHoldsUpNobody() throws IOException, InterruptedException {
        try (RunningServer heddle = HeddleServer.start();
                RawClient other = heddle.connect();
                RawClient deaf = RawClient.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), heddle.port()), 4096)) {
            other.call("SET", "big", VALUE);
            warmUp(other);
            long before = heddle.residentKib();
            Thread sender = Thread.ofVirtual().start(() -> sendAll(deaf));

            double[] waits = waits(other, 3_000);
            sender.join();
            long grown = heddle.residentKib() - before;

            System.out.printf(
                    "SlowReaderIT: %d commands with replies of 10 KB unread: %d KiB more; of %d PINGs meanwhile the slowest took"
                            + " %.1f ms, 99.9 %% less than %.1f ms%n",
                    COMMANDS, grown, waits.length, waits[waits.length - 1], usual(waits));
            assertThat(usual(waits)).isLessThan(USUAL_WAIT_MILLIS);
            assertThat(waits[waits.length - 1]).isLessThan(LONGEST_WAIT_MILLIS);
            assertThat(grown).isLessThan(GROWTH_LIMIT_KIB);

            for (int i = 0; i < COMMANDS; i++) {
                Reply reply = deaf.read();
                if (!VALUE.equals(reply.body())) {
                    throw new AssertionError("reply " + i + " is wrong: " + reply.head());
                }
            }
            assertThat(deaf.call("ECHO", "end").text()).isEqualTo("end");
        }
    }

    private static void sendAll(RawClient client) {
        for (int i = 0; i < COMMANDS; i++) {
            client.send("GET", "big");
        }
        client.flush();
    }

    private static void warmUp(RawClient client) {
        for (int i = 0; i < 2_000; i++) {
            client.call("GET", "big");
        }
    }

    /** How long PINGs take, in milliseconds, in ascending order. */
    private static double[] waits(RawClient client, long millis) {
        double[] waits = new double[1 << 16];
        int count = 0;
        long end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end && count < waits.length) {
            long begin = System.nanoTime();
            assertThat(client.call("PING").text()).isEqualTo("PONG");
            waits[count++] = (System.nanoTime() - begin) / 1e6;
        }
        double[] sorted = Arrays.copyOf(waits, count);
        Arrays.sort(sorted);
        return sorted;
    }

    private static double usual(double[] sorted) {
        return sorted[(int) (sorted.length * 0.999)];
    }
}
