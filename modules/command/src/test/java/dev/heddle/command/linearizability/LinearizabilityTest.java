package dev.heddle.command.linearizability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.TestServer;
import dev.heddle.command.linearizability.TestCommands.Locking;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random commands on few keys from several threads, history by history, each checked for an order that explains it. */
@Timeout(120)
class LinearizabilityTest {

    private static final int CLIENTS = 4;
    private static final int OPERATIONS_PER_CLIENT = 8;
    private static final int HISTORIES = 3000;
    private static final List<String> KEYS = List.of("a", "b", "c");

    /** The words of a command; {@code ?} stands for a key, all different, and {@code !} for a value. */
    private static final List<String> ALL = List.of(
            "GET ?",
            "SET ? !",
            "INCR ?",
            "T.INCR ?",
            "T.GETSET ? !",
            "T.APPEND ? !",
            "T.DEL ? ?",
            "T.MSET ? ! ? !",
            "T.MSET ? ! ? ! ? !",
            "T.MGET ? ?",
            "T.MGET ? ? ?",
            "T.SNAPSHOT ? ? ?",
            "T.MSETNX ? ! ? !",
            "T.RENAME ? ?");

    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);

    @AfterEach
    void endThreads() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void everyHistoryIsExplainedBySomeOrder() throws Exception {
        assertThat(firstViolation(Locking.CORRECT, ALL)).isEmpty();
    }

    @Test
    void writersThatOnlyShareTheLockAreFound() throws Exception {
        assertThat(firstViolation(Locking.WRITERS_SHARE, List.of("T.INCR ?", "GET ?")))
                .isPresent();
    }

    @Test
    void commandsThatLockKeyByKeyAreFound() throws Exception {
        assertThat(firstViolation(Locking.KEY_BY_KEY, List.of("T.MSET ? ! ? !", "T.MGET ? ?", "T.MGET ? ? ?")))
                .isPresent();
    }

    /** Runs histories until one has no explanation, and describes that one. */
    private Optional<String> firstViolation(Locking locking, List<String> templates)
            throws InterruptedException, ExecutionException {
        TestServer server = new TestServer(new TestCommands(locking)::declare);
        List<TestServer.Client> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(server.connect());
        }
        Random random = new Random(42);
        for (int round = 0; round < HISTORIES; round++) {
            // Fresh keys each time: they start alike, and fall into other stripes, now and then into the same.
            List<String> keys = new ArrayList<>();
            Model start = Model.EMPTY;
            for (String key : KEYS) {
                keys.add(key + round);
                List<String> set = List.of("SET", key + round, "0");
                start = start.run(set).next();
                run(clients.getFirst(), set);
            }
            List<Operation> history = history(clients, keys, templates, random);
            if (!Checker.isLinearizable(history, start)) {
                return Optional.of(history.stream()
                        .sorted((a, b) -> Long.compare(a.invoked(), b.invoked()))
                        .map(Operation::toString)
                        .collect(Collectors.joining("\n", "history " + round + " has no explanation:\n", "")));
            }
        }
        return Optional.empty();
    }

    private List<Operation> history(
            List<TestServer.Client> clients, List<String> keys, List<String> templates, Random random)
            throws InterruptedException, ExecutionException {
        CyclicBarrier start = new CyclicBarrier(CLIENTS);
        List<Callable<List<Operation>>> scripts = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            List<List<String>> commands = commands(keys, templates, random);
            scripts.add(() -> play(clients.get(number), number, commands, start));
        }
        List<Operation> history = new ArrayList<>();
        for (Future<List<Operation>> part : threads.invokeAll(scripts)) {
            history.addAll(part.get());
        }
        return history;
    }

    private static List<Operation> play(
            TestServer.Client client, int number, List<List<String>> commands, CyclicBarrier start)
            throws InterruptedException, BrokenBarrierException {
        List<Operation> operations = new ArrayList<>();
        start.await();
        for (List<String> words : commands) {
            long invoked = System.nanoTime();
            String reply = run(client, words);
            operations.add(new Operation(number, words, reply, invoked, System.nanoTime()));
        }
        return operations;
    }

    private static String run(TestServer.Client client, List<String> words) {
        return client.run(words.toArray(String[]::new));
    }

    private static List<List<String>> commands(List<String> keys, List<String> templates, Random random) {
        List<List<String>> commands = new ArrayList<>();
        for (int i = 0; i < OPERATIONS_PER_CLIENT; i++) {
            List<String> shuffled = new ArrayList<>(keys);
            Collections.shuffle(shuffled, random);
            List<String> words = new ArrayList<>();
            for (String word : templates.get(random.nextInt(templates.size())).split(" ")) {
                words.add(
                        switch (word) {
                            case "?" -> shuffled.removeFirst();
                            case "!" -> Integer.toString(random.nextInt(1000));
                            default -> word;
                        });
            }
            commands.add(words);
        }
        return commands;
    }
}
