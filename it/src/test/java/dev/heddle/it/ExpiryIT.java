package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Many keys that expire at the same moment go in time, and nobody waits for it. */
class ExpiryIT {

    private static final int KEYS = 100_000;
    private static final long LIMIT_MILLIS = 2_000;
    /** Loose, for machines that do other things, too; the figure itself is printed. */
    private static final double LONGEST_WAIT_MILLIS = 250;

    @Test
    void manyKeysThatExpireAtOnceHoldUpNobody() {
        try (RunningServer heddle = HeddleServer.start();
                RawClient client = heddle.connect();
                RawClient observer = heddle.connect()) {
            long deadline = fill(client);
            observer.call("SET", "stays", "value");

            double longest = 0;
            long keys;
            do {
                long start = System.nanoTime();
                assertThat(observer.call("GET", "stays").text()).isEqualTo("value");
                longest = Math.max(longest, (System.nanoTime() - start) / 1e6);
                keys = client.call("DBSIZE").integer();
            } while (keys > 1 && System.currentTimeMillis() < deadline + 10 * LIMIT_MILLIS);

            long took = System.currentTimeMillis() - deadline;
            System.out.printf(
                    "ExpiryIT: %d keys expired at once and were gone after %d ms; the longest GET meanwhile took %.1f ms%n",
                    KEYS, took, longest);
            assertThat(keys).isEqualTo(1);
            assertThat(took).isLessThan(LIMIT_MILLIS);
            assertThat(longest).isLessThan(LONGEST_WAIT_MILLIS);
            assertThat(client.call("INFO", "stats").text()).contains("expired_keys:" + KEYS + "\r\n");
        }
    }

    /** Stores the keys and returns the moment at which all of them expire, in milliseconds since the epoch. */
    private static long fill(RawClient client) {
        long deadline = System.currentTimeMillis() + 5_000;
        int chunk = 1_000;
        for (int from = 0; from < KEYS; from += chunk) {
            for (int i = from; i < from + chunk; i++) {
                client.send("SET", "key:" + i, "value", "PXAT", Long.toString(deadline));
            }
            for (int i = 0; i < chunk; i++) {
                assertThat(client.read().text()).isEqualTo("OK");
            }
        }
        assertThat(client.call("DBSIZE").integer()).isEqualTo(KEYS);
        return deadline;
    }
}
