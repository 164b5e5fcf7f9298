package dev.heddle.it;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Kills a server again and again at random moments, while many clients write to it, while it rewrites its files or saves a snapshot, and
 * while it loads, and compares what is there afterwards with what was acknowledged.
 *
 * <p>Confined to one thread, which starts those of the clients.
 */
final class KillCampaign {

    /** What may be lost with appendfsync everysec. */
    private static final long EVERYSEC_TOLERANCE = TimeUnit.SECONDS.toNanos(2);

    /** With this many bytes in the files the campaign goes on with empty ones, so that loading does not take all the time. */
    private static final int KILLS_PER_FOLDER = 40;

    private final String policy;
    private final int kills;
    private final int clients;
    private final Random random;
    private final List<String> directives;
    private final Map<String, Integer> moments = new TreeMap<>();
    private long steps;

    /**
     * @param policy for {@code appendfsync}
     * @param more further directives
     */
    KillCampaign(String policy, int kills, int clients, long seed, String... more) {
        this.policy = policy;
        this.kills = kills;
        this.clients = clients;
        this.random = new Random(seed);
        this.directives = new ArrayList<>(List.of("--appendonly", "yes", "--appendfsync", policy));
        directives.addAll(List.of(more));
    }

    /** Runs it to the end, or until something is wrong; returns what. */
    List<String> run() {
        long begin = System.nanoTime();
        List<String> wrong = new ArrayList<>();
        int done = 0;
        while (done < kills && wrong.isEmpty()) {
            done += inOneFolder(Math.min(KILLS_PER_FOLDER, kills - done), wrong);
        }
        System.out.printf(
                "KillCampaign: appendfsync %s, %d kills %s, %d acknowledged steps of %d clients, %d s: %s%n",
                policy,
                done,
                moments,
                steps,
                clients,
                Duration.ofNanos(System.nanoTime() - begin).toSeconds(),
                wrong.isEmpty() ? "nothing missing, nothing half there" : wrong.size() + " WRONG");
        return wrong;
    }

    private int inOneFolder(int most, List<String> wrong) {
        Path folder = RunningServer.newFolder("kill-" + policy);
        int port = RunningServer.freePort();
        AtomicBoolean stop = new AtomicBoolean();
        List<KillClient> writers = new ArrayList<>();
        long tolerance = policy.equals("always") ? 0 : EVERYSEC_TOLERANCE;
        for (int i = 0; i < clients; i++) {
            writers.add(new KillClient("c" + i, random.nextLong(), tolerance, stop));
        }
        @Nullable KillQueue queue = policy.equals("always") ? new KillQueue("q", stop) : null;
        RunningServer server = start(folder, port);
        int done = 0;
        while (done < most && wrong.isEmpty()) {
            long killed = work(server, writers, queue, wrong);
            done++;
            done += killWhileLoading(folder, port);
            server = start(folder, port);
            try (RawClient client = server.connect()) {
                for (KillClient writer : writers) {
                    note(writer.check(client, killed), wrong);
                }
                if (queue != null) {
                    note(queue.check(client), wrong);
                }
            }
        }
        for (KillClient writer : writers) {
            steps += writer.steps();
        }
        server.kill();
        return done;
    }

    private RunningServer start(Path folder, int port) {
        return HeddleServer.restart(folder, port, directives.toArray(new String[0]));
    }

    /** Lets the clients write for a while, then kills the server; returns when, in nanoseconds. */
    private long work(RunningServer server, List<KillClient> writers, @Nullable KillQueue queue, List<String> wrong) {
        List<Thread> threads = new ArrayList<>();
        for (KillClient writer : writers) {
            writer.port(server.port());
            threads.add(Thread.ofVirtual().start(writer));
        }
        if (queue != null) {
            queue.port(server.port());
            threads.add(Thread.ofVirtual().start(queue::push));
            threads.add(Thread.ofVirtual().start(queue::take));
        }
        threads.add(disturb(server.port(), random.nextLong()));
        pause(20 + random.nextInt(policy.equals("always") ? 400 : 3000));
        long killed = System.nanoTime();
        server.kill();
        count("while writing");
        for (Thread thread : threads) {
            join(thread);
        }
        writers.forEach(writer -> note(writer.failure(), wrong));
        if (queue != null) {
            note(queue.failure(), wrong);
        }
        return killed;
    }

    /** Has the server rewrite its files and save snapshots all the time, as far as it can. */
    private static Thread disturb(int port, long seed) {
        Random own = new Random(seed);
        return Thread.ofVirtual().start(() -> {
            try (RawClient client = RawClient.connect(port)) {
                Reply reply = client.call("PING");
                while (!reply.equals(Reply.CLOSED)) {
                    reply = client.call(own.nextInt(4) == 0 ? "BGSAVE" : "BGREWRITEAOF");
                    pause(1 + own.nextInt(50));
                }
            } catch (UncheckedIOException gone) {
                return;
            }
        });
    }

    /** Now and then kills the next process before it is ready; returns how many times. */
    private int killWhileLoading(Path folder, int port) {
        if (random.nextInt(3) != 0) {
            return 0;
        }
        RunningServer server = HeddleServer.spawn(folder, port, directives.toArray(new String[0]));
        pause(200 + random.nextInt(1200));
        boolean ready = server.log().contains("Ready to accept");
        server.kill();
        count(ready ? "while idle" : "while starting");
        return 1;
    }

    private void count(String moment) {
        moments.merge(moment, 1, Integer::sum);
    }

    private static void note(@Nullable String problem, List<String> wrong) {
        if (problem != null) {
            wrong.add(problem);
        }
    }

    private static void pause(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(Duration.ofSeconds(60));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        if (thread.isAlive()) {
            throw new AssertionError("a client did not notice that the server is gone");
        }
    }
}
