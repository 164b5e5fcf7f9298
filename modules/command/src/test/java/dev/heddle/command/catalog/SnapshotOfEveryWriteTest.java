package dev.heddle.command.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.heddle.command.CommandSpec;
import dev.heddle.command.admin.DataDigest;
import dev.heddle.store.Entry;
import dev.heddle.store.Snapshot;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import dev.heddle.store.value.HashValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs an example of every command that writes while a snapshot is held open: not begun to walk, halfway, or nearly done. Whatever the
 * command changes, the snapshot must be the state at its beginning.
 */
class SnapshotOfEveryWriteTest {

    private static final WriteExamples EXAMPLES = new WriteExamples();
    /** How many of the keys are walked before the command runs: the keys are about twenty. */
    private static final int[] WALKED = {0, 4, 8, 12, 16};

    private final DataDigest digest = new DataDigest();

    /** A server with the data of the examples, and a snapshot of it. */
    private final class Bed {
        final CommandTester tester = new CommandTester();
        final Store store = tester.engine().store();
        final StripeLocks locks = new StripeLocks(store);
        final TreeMap<String, String> saved = new TreeMap<>();
        final Map<String, String> before;
        final Snapshot snapshot;

        Bed(int walked) {
            EXAMPLES.data().forEach(command -> assertThat(tester.run(command)).doesNotStartWith("-"));
            tester.effects();
            before = contents();
            locks.wantAll();
            locks.lockWanted(true);
            snapshot = Snapshot.begin(store, locks, this::save);
            locks.unlock();
            while (snapshot.walked() < walked) {
                snapshot.step(locks, this::save, () -> true);
            }
        }

        private void save(int stripe, int database, Entry entry) {
            assertThat(saved.put(name(database, entry), describe(entry)))
                    .as("saved twice: %s", name(database, entry))
                    .isNull();
        }

        Map<String, String> contents() {
            TreeMap<String, String> contents = new TreeMap<>();
            locks.wantAll();
            locks.lockWanted(false);
            for (int d = 0; d < store.databases(); d++) {
                int database = d;
                for (int table = 0; table < store.tables(); table++) {
                    store.forEachInTable(d, table, entry -> contents.put(name(database, entry), describe(entry)));
                }
            }
            locks.unlock();
            return contents;
        }

        void finish() {
            while (snapshot.step(locks, this::save, () -> false)) {
                assertThat(locks.isHeld()).isFalse();
            }
            locks.wantAll();
            locks.lockWanted(true);
            snapshot.end(locks);
            locks.unlock();
        }
    }

    private static String name(int database, Entry entry) {
        return database + ":" + new String(entry.key(), StandardCharsets.ISO_8859_1);
    }

    private String describe(Entry entry) {
        String deadlines = "";
        if (entry.value() instanceof HashValue hash) {
            for (String field : new String[] {"f1", "f2", "f3"}) {
                deadlines += " " + hash.deadline(field.getBytes(StandardCharsets.US_ASCII), 0, 2);
            }
        }
        return digest.ofValue(entry) + " until " + entry.expireAt() + deadlines;
    }

    @Test
    void everyCommandThatWritesHasAnExample() {
        Set<String> examples =
                EXAMPLES.examples().stream().map(words -> words[0]).collect(Collectors.toCollection(TreeSet::new));
        CommandTester tester = new CommandTester();
        tester.engine().table().forEach(spec -> {
            if (spec.isWrite() && spec.parent() == null) { // those of FUNCTION write no keys
                assertThat(examples).contains(spec.name().toUpperCase(Locale.ROOT));
            }
        });
        for (String name : examples) {
            CommandSpec spec = tester.engine().table().find(name);
            assertThat(spec).as(name).isNotNull();
        }
    }

    @TestFactory
    Stream<DynamicTest> examples() {
        return EXAMPLES.examples().stream()
                .map(words -> dynamicTest(String.join(" ", words), () -> runsUnderASnapshot(List.of(words))));
    }

    private void runsUnderASnapshot(List<String> words) {
        for (int walked : WALKED) {
            Bed bed = new Bed(walked);
            String reply = bed.tester.run(words.toArray(new String[0]));
            assertThat(reply).doesNotStartWith("-");
            assertThat(bed.tester.effects()).as("effects").isNotEmpty();
            bed.finish();
            assertThat(bed.saved).isEqualTo(bed.before);
        }
    }

    @Test
    void transactionsToo() {
        for (int walked : WALKED) {
            Bed bed = new Bed(walked);
            bed.tester.run("MULTI");
            bed.tester.run("RPUSH", "list", "more");
            bed.tester.run("HSET", "hash", "f1", "new");
            bed.tester.run("RENAME", "set", "set2");
            assertThat(bed.tester.run("EXEC")).startsWith("*3\r\n:6\r\n");
            bed.finish();
            assertThat(bed.saved).isEqualTo(bed.before);
        }
    }

    @Test
    void waitersThatAreServedToo() {
        Bed bed = new Bed(0);
        CommandTester.Client blocked = bed.tester.connect();
        var reply = blocked.block("BLMOVE", "nolist", "list2", "LEFT", "LEFT", "0");
        bed.tester.run("RPUSH", "nolist", "x");
        assertThat(reply.join()).contains("x");
        bed.finish();
        assertThat(bed.saved).isEqualTo(bed.before);
        assertThat(bed.tester.run("LRANGE", "list2", "0", "0")).contains("x");
    }

    @Test
    void expiryToo() {
        for (int walked : WALKED) {
            Bed bed = new Bed(walked);
            bed.tester.advance(1000);
            bed.tester.expire();
            bed.tester.advance(1_000_000);
            bed.tester.run("GET", "short-lived");
            bed.tester.run("HGETALL", "dying");
            bed.tester.expire();
            bed.finish();
            assertThat(bed.saved).isEqualTo(bed.before);
            assertThat(bed.contents()).isNotEqualTo(bed.before);
        }
    }
}
