package dev.heddle.command.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.heddle.command.CommandSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every command inside of a transaction, and inside of a script, where stripes are held already: a handler that takes them again would wait for
 * itself, and with it the whole server. Arguments are made up; what counts is that there is an answer, and none about a fault of ours.
 */
class NestedCommandsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    /** They end the server, the conversation or the transaction, or, as the clock stands still, hold everybody up for ever. */
    private static final Set<String> NOT_HERE =
            Set.of("shutdown", "multi", "exec", "discard", "quit", "reset", "debug", "client|pause");

    private static final List<String> DEBUG = List.of(
            "DEBUG OBJECT k",
            "DEBUG DIGEST",
            "DEBUG DIGEST-VALUE k k",
            "DEBUG POPULATE 3",
            "DEBUG RELOAD",
            "DEBUG LOADAOF");

    private static Stream<List<String>> commands() {
        List<List<String>> all = new ArrayList<>();
        new CommandTester().engine().table().forEach(spec -> {
            if (spec.subcommands().isEmpty() && !NOT_HERE.contains(spec.name())) {
                all.add(example(spec, "k", 0));
                all.add(example(spec, "1", 1));
            }
        });
        new CommandTester()
                .engine()
                .table()
                .forEach(spec -> spec.subcommands().values().forEach(sub -> {
                    if (!NOT_HERE.contains(spec.name()) && !NOT_HERE.contains(sub.fullName())) {
                        all.add(example(sub, "k", 0));
                        all.add(example(sub, "1", 1));
                    }
                }));
        DEBUG.forEach(line -> all.add(List.of(line.split(" "))));
        return all.stream();
    }

    /** The command with as few arguments as it takes, and some more. */
    private static List<String> example(CommandSpec spec, String argument, int more) {
        List<String> words = new ArrayList<>(Arrays.asList(spec.fullName().split("\\|")));
        int count = 1;
        while (count < 20 && !spec.accepts(count)) {
            count++;
        }
        while (words.size() < count + more) {
            words.add(argument);
        }
        return words;
    }

    @TestFactory
    Stream<DynamicTest> inTransactions() {
        return commands()
                .map(words -> DynamicTest.dynamicTest(String.join(" ", words), () -> {
                    CommandTester redis = new CommandTester();
                    redis.run("SET", "k", "1");
                    redis.run("MULTI");
                    redis.run("SET", "other", "2");
                    redis.run(words.toArray(String[]::new));
                    redis.run("SET", "k", "3");
                    assertThat(assertTimeoutPreemptively(LIMIT, () -> redis.run("EXEC")))
                            .doesNotContain("internal error");
                    assertThat(assertTimeoutPreemptively(
                                    LIMIT, () -> redis.connect().run("GET", "other")))
                            .isNotEmpty();
                }));
    }

    @TestFactory
    Stream<DynamicTest> inScripts() {
        return commands()
                .map(words -> DynamicTest.dynamicTest(String.join(" ", words), () -> {
                    CommandTester redis = new CommandTester();
                    redis.run("DEBUG", "SET-DISABLE-DENY-SCRIPTS", "1");
                    redis.run("SET", "k", "1");
                    List<String> command = new ArrayList<>(List.of(
                            "EVAL",
                            "local r = redis.pcall(unpack(ARGV)) return type(r) == 'table' and r['err'] or 1",
                            "0"));
                    command.addAll(words);
                    String reply = assertTimeoutPreemptively(LIMIT, () -> redis.run(command.toArray(String[]::new)));
                    assertThat(reply).doesNotContain("internal error");
                    assertThat(assertTimeoutPreemptively(
                                    LIMIT, () -> redis.connect().run("SET", "other", "2")))
                            .isNotEmpty();
                }));
    }
}
