package dev.heddle.command.linearizability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.TestServer;
import dev.heddle.command.linearizability.TestCommands.Locking;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One client writes the same number to four keys over and over, another reads the four: it must never see two numbers. */
@Timeout(120)
class AtomicityTest {

    private static final int READS = 5000;

    @Test
    void aReaderNeverSeesHalfOfAWrite() throws Exception {
        assertThat(mixedReads(Locking.CORRECT, "T.MGET", READS)).isZero();
    }

    @Test
    void anExclusiveReaderNeverSeesHalfOfAWrite() throws Exception {
        assertThat(mixedReads(Locking.CORRECT, "T.SNAPSHOT", READS)).isZero();
    }

    @Test
    void withoutCommonLocksItWould() throws Exception {
        assertThat(mixedReads(Locking.KEY_BY_KEY, "T.MGET", 100 * READS)).isPositive();
    }

    /** Reads until a mixture is met, or often enough. */
    private static int mixedReads(Locking locking, String read, int limit) throws Exception {
        TestServer server = new TestServer(new TestCommands(locking)::declare);
        TestServer.Client writer = server.connect();
        TestServer.Client reader = server.connect();
        writer.run("T.MSET", "a", "0", "b", "0", "c", "0", "d", "0");
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<?> writing = thread.submit(() -> {
                for (int n = 0; !Thread.currentThread().isInterrupted(); n++) {
                    String value = Integer.toString(n);
                    writer.run("T.MSET", "a", value, "d", value, "c", value, "b", value);
                }
            });
            int mixed = 0;
            for (int i = 0; i < limit && mixed == 0; i++) {
                String[] lines = reader.run(read, "d", "b", "a", "c").split("\r\n");
                boolean same =
                        Arrays.asList(lines[4], lines[6], lines[8]).stream().allMatch(lines[2]::equals);
                mixed += same ? 0 : 1;
            }
            assertThat(writing).isNotDone();
            writing.cancel(true);
            return mixed;
        }
    }
}
