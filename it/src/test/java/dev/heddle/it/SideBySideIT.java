package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The same command scripts go to Heddle and to a real redis-server, in both protocols, and the replies have to be the same byte for
 * byte. What may differ stands in {@code accepted-differences.tsv}, with a reason a row.
 *
 * <p>{@code -Dredis.server=PROGRAM} compares with another server, {@code -Dside.by.side=NAME} runs one script only.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SideBySideIT {

    /** Commands that no script can send: they end the server or the conversation. */
    private static final Set<String> NOT_IN_SCRIPTS = Set.of("shutdown", "monitor");

    private static final String[] DIRECTIVES = {"--enable-debug-command", "yes", "--enable-module-command", "yes"};
    /** What INFO says when no snapshot is being written or waited for. */
    private static final List<String> IDLE =
            List.of("rdb_bgsave_in_progress:0", "aof_rewrite_in_progress:0", "aof_rewrite_scheduled:0");

    private static final int MOST_SHOWN = 60;

    private final Map<String, Form> forms = Resources.forms();
    private final List<Script> scripts = scripts();
    private AcceptedDifferences accepted;
    private RunningServer heddle;
    private RunningServer redis;

    private List<Script> scripts() {
        String only = System.getProperty("side.by.side", "");
        return Resources.lines("side-by-side/scripts").stream()
                .filter(name -> only.isEmpty() || name.equals(only))
                .map(name -> Script.read(name, forms))
                .toList();
    }

    @BeforeAll
    void start() {
        accepted = AcceptedDifferences.forVersion(RedisServer.version());
        redis = RedisServer.start(DIRECTIVES);
        heddle = HeddleServer.start(DIRECTIVES);
    }

    @AfterAll
    void stop() {
        if (redis != null) {
            redis.close();
        }
        if (heddle != null) {
            heddle.close();
        }
    }

    @TestFactory
    @Order(1)
    Stream<DynamicTest> repliesAreTheSame() {
        return scripts.stream()
                .flatMap(script -> Stream.of(2, 3)
                        .map(protocol -> DynamicTest.dynamicTest(
                                script.name() + " in RESP" + protocol, () -> compare(script, protocol))));
    }

    @TestFactory
    @Order(2)
    Stream<DynamicTest> nothingIsLeftOut() {
        if (!System.getProperty("side.by.side", "").isEmpty()) {
            return Stream.empty();
        }
        return Stream.of(
                DynamicTest.dynamicTest("every command is in a script", this::checkCommands),
                DynamicTest.dynamicTest("every option is in a script", this::checkOptions),
                DynamicTest.dynamicTest(
                        "every accepted difference is needed",
                        () -> assertThat(accepted.unused()).isEmpty()));
    }

    private void compare(Script script, int protocol) {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        try (Pair pair = new Pair(protocol)) {
            for (Script.Line line : script.lines()) {
                compared++;
                String difference = pair.difference(line, protocol);
                if (!difference.isEmpty()) {
                    differences.add(difference);
                }
            }
        }
        assertThat(compared).isPositive();
        if (!differences.isEmpty()) {
            throw new AssertionError(differences.size() + " of " + compared + " replies differ in " + script.name()
                    + ", RESP" + protocol + "\n"
                    + String.join("\n", differences.subList(0, Math.min(MOST_SHOWN, differences.size()))));
        }
    }

    /** A connection to either server, made anew when a command has closed it. */
    private final class Pair implements AutoCloseable {

        private final int protocol;
        private RawClient ours;
        private RawClient theirs;

        Pair(int protocol) {
            this.protocol = protocol;
            ours = heddle.connect(protocol);
            theirs = redis.connect(protocol);
            for (RawClient client : List.of(ours, theirs)) {
                client.call("FLUSHALL");
            }
        }

        String difference(Script.Line line, int protocol) {
            if (line.form() == Form.SETTLED) {
                awaitNoSnapshot(ours);
                awaitNoSnapshot(theirs);
            }
            ours.send(line.words());
            String expected = line.expected(protocol);
            if (line.form() == Form.NONE) {
                theirs.send(line.words());
                return "";
            }
            Reply our = ours.read();
            if (expected != null) {
                return our.printable().equals(expected) ? "" : report(line, our, expected);
            }
            Reply their = theirs.call(line.words());
            boolean same = line.form().same(our, their) || accepted.allow(line.text(), our, their);
            renewIfClosed(our, their);
            return same ? "" : report(line, our, their.printable());
        }

        private static void awaitNoSnapshot(RawClient client) {
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
                String info = client.call("INFO", "persistence").text();
                return IDLE.stream().allMatch(info::contains);
            });
        }

        private void renewIfClosed(Reply our, Reply their) {
            if (our.equals(Reply.CLOSED) || their.equals(Reply.CLOSED)) {
                close();
                ours = heddle.connect(protocol);
                theirs = redis.connect(protocol);
            }
        }

        private static String report(Script.Line line, Reply ours, String right) {
            return "line " + line.number() + ": " + line.text() + "\n    Heddle " + cut(ours.printable())
                    + "\n    right  " + cut(right);
        }

        private static String cut(String text) {
            return text.length() <= 400 ? text : text.substring(0, 400) + "...";
        }

        @Override
        public void close() {
            ours.close();
            theirs.close();
        }
    }

    private void checkCommands() {
        Set<String> sent = new HashSet<>();
        for (Script.Line line : lines()) {
            sent.add(line.command());
            if (line.words().size() > 1) {
                sent.add(line.command() + "|" + line.words().get(1).toLowerCase(Locale.ROOT));
            }
        }
        try (RawClient client = heddle.connect()) {
            List<String> missing = Documentation.of(client).commands().stream()
                    .filter(name -> !sent.contains(name) && !NOT_IN_SCRIPTS.contains(name))
                    .sorted()
                    .toList();
            assertThat(missing).as("commands in no script").isEmpty();
        }
    }

    private void checkOptions() {
        Map<String, Set<String>> sent = Documentation.wordsByCommand(lines());
        try (RawClient client = heddle.connect()) {
            List<String> missing = Documentation.of(client).options().entrySet().stream()
                    .filter(entry -> !NOT_IN_SCRIPTS.contains(entry.getKey()))
                    .flatMap(entry -> entry.getValue().stream()
                            .filter(option ->
                                    !sent.getOrDefault(entry.getKey(), Set.of()).contains(option))
                            .map(option -> entry.getKey() + " " + option))
                    .sorted()
                    .toList();
            assertThat(missing).as("options in no script").isEmpty();
        }
    }

    private List<Script.Line> lines() {
        return scripts.stream().flatMap(script -> script.lines().stream()).toList();
    }
}
