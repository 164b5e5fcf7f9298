package dev.heddle.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.catalog.CommandTester.Client;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Transactions of several threads at once are as if they had run one after the other.
 *
 * <p>Every transaction begins with INCR of one counter, whose value is its place in the order. Running the same commands in that order,
 * alone, must give the same replies, and what a session has read of watched keys before a successful EXEC must be what it would read at that place.
 */
class SerialOrderTest {

    private static final String[] KEYS = {"a", "b", "c", "d"};

    @Property(tries = 25)
    void interleavingsMatchASerialOrder(@ForAll long seed) throws Exception {
        CommandTester bed = new CommandTester();
        List<CompletableFuture<List<Done>>> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Random random = new Random(seed * 17 + t);
            Client client = bed.connect();
            CompletableFuture<List<Done>> result = new CompletableFuture<>();
            threads.add(result);
            Thread.ofVirtual().start(() -> {
                try {
                    result.complete(session(random, client));
                } catch (Throwable e) {
                    result.completeExceptionally(e);
                }
            });
        }
        List<Done> all = new ArrayList<>();
        for (CompletableFuture<List<Done>> thread : threads) {
            all.addAll(thread.get(30, TimeUnit.SECONDS));
        }
        all.sort(Comparator.comparingInt(Done::place));
        CommandTester alone = new CommandTester();
        for (int i = 0; i < all.size(); i++) {
            Done done = all.get(i);
            assertThat(done.place()).isEqualTo(i + 1);
            for (Read read : done.reads()) {
                assertThat(alone.run("GET", read.key())).isEqualTo(read.reply());
            }
            alone.run("MULTI");
            done.commands().forEach(alone::run);
            assertThat(alone.run("EXEC")).isEqualTo(done.reply());
        }
        for (String key : KEYS) {
            assertThat(bed.run("GET", key)).isEqualTo(alone.run("GET", key));
        }
    }

    /**
     * Two clients watch a key each, see that it is not there, and then set the other's. Both cannot succeed: whichever comes second would not
     * have seen that. This is what the locks of watched keys are for.
     */
    @Test
    void twoTransactionsDoNotSlipPastEachOther() throws Exception {
        CommandTester bed = new CommandTester();
        CyclicBarrier together = new CyclicBarrier(2);
        for (int i = 0; i < 3000; i++) {
            String one = "one" + i;
            String other = "other" + i;
            CompletableFuture<String> first = skewed(bed, together, one, other);
            CompletableFuture<String> second = skewed(bed, together, other, one);
            long succeeded = List.of(first.get(30, TimeUnit.SECONDS), second.get(30, TimeUnit.SECONDS)).stream()
                    .filter(reply -> reply.equals("*1\r\n+OK\r\n"))
                    .count();
            assertThat(succeeded).isEqualTo(1);
        }
    }

    private static CompletableFuture<String> skewed(
            CommandTester bed, CyclicBarrier together, String read, String written) {
        CompletableFuture<String> reply = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                Client client = bed.connect();
                client.run("WATCH", read);
                assertThat(client.run("GET", read)).isEqualTo("$-1\r\n");
                client.run("MULTI");
                client.run("SET", written, "1");
                together.await(30, TimeUnit.SECONDS);
                reply.complete(client.run("EXEC"));
                client.session().close();
            } catch (Throwable e) {
                reply.completeExceptionally(e);
            }
        });
        return reply;
    }

    /** Some transactions of one client; those that did not come about because a watched key had changed are left out. */
    private static List<Done> session(Random random, Client client) {
        List<Done> done = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            List<Read> reads = new ArrayList<>();
            for (int watches = random.nextInt(3); watches > 0; watches--) {
                String key = KEYS[random.nextInt(KEYS.length)];
                client.run("WATCH", key);
                reads.add(new Read(key, client.run("GET", key)));
                if (random.nextBoolean()) {
                    Thread.yield();
                }
            }
            List<String[]> commands = new ArrayList<>();
            commands.add(new String[] {"INCR", "place"});
            for (int n = random.nextInt(5); n > 0; n--) {
                commands.add(command(random));
            }
            client.run("MULTI");
            commands.forEach(client::run);
            String reply = client.run("EXEC");
            if (!reply.equals("*-1\r\n")) {
                done.add(new Done(place(reply), reads, commands, reply));
            }
        }
        return done;
    }

    private static String[] command(Random random) {
        String key = KEYS[random.nextInt(KEYS.length)];
        String other = KEYS[random.nextInt(KEYS.length)];
        return switch (random.nextInt(9)) {
            case 0 -> new String[] {"SET", key, "" + random.nextInt(100)};
            case 1 -> new String[] {"INCR", key};
            case 2 -> new String[] {"APPEND", key, "1"};
            case 3 -> new String[] {"MGET", key, other};
            case 4 -> new String[] {"RENAME", key, other};
            case 5 -> new String[] {"DEL", key};
            case 6 -> new String[] {"LPUSH", key, "x"}; // often of the wrong type
            case 7 -> new String[] {"DBSIZE"};
            default -> new String[] {"GET", key};
        };
    }

    /** The first element of the reply: the value of the counter. */
    private static int place(String reply) {
        return Integer.parseInt(reply.substring(reply.indexOf(':') + 1, reply.indexOf('\r', reply.indexOf(':'))));
    }

    private record Read(String key, String reply) {}

    private record Done(int place, List<Read> reads, List<String[]> commands, String reply) {}
}
