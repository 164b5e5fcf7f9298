package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A real redis-server reads our append-only files, and we read its. */
class AppendOnlyRoundTripIT {

    private static final String[] APPEND_ONLY = {"--appendonly", "yes", "--aof-use-rdb-preamble", "no"};
    /** Fields of hashes expire from redis-server 7.4 on, HGETDEL and HSETEX came with 8.0: an older one cannot have them in its file. */
    private static final String FIELD_EXPIRY = "h(p?expire(at)?|persist|getex|setex|getdel)";

    private final WriteExamples examples = new WriteExamples();

    @Test
    void redisReadsWhatHeddleHasWritten() {
        Path folder = RunningServer.newFolder("to-redis");
        Map<String, String> before;
        try (RunningServer heddle = HeddleServer.restart(folder, RunningServer.freePort(), APPEND_ONLY);
                RawClient client = heddle.connect()) {
            examples.run(client, withoutFieldExpiry(WriteExamples.writeCommandsOf(client)));
            before = DataDump.of(heddle);
        }
        try (RunningServer redis = RedisServer.startIn(folder, APPEND_ONLY)) {
            assertThat(DataDump.differences(before, DataDump.of(redis))).isEmpty();
        }
        assertThat(Programs.find("redis-check-aof")).hasValueSatisfying(tool -> {
            try {
                Programs.Outcome outcome = Programs.run(List.of(
                        tool.toString(),
                        folder.resolve("appendonlydir/appendonly.aof.manifest").toString()));
                assertThat(outcome.exitCode()).as(outcome.output()).isZero();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void heddleReadsWhatRedisHasWritten() {
        Path folder = RunningServer.newFolder("from-redis");
        Map<String, String> before;
        try (RunningServer redis = RedisServer.startIn(folder, APPEND_ONLY);
                RunningServer heddle = HeddleServer.start();
                RawClient client = redis.connect();
                RawClient other = heddle.connect()) {
            Set<String> known = withoutFieldExpiry(WriteExamples.writeCommandsOf(other));
            known.retainAll(WriteExamples.writeCommandsOf(client));
            examples.run(client, known);
            before = DataDump.of(redis);
        }
        int port = RunningServer.freePort();
        try (RunningServer heddle = HeddleServer.restart(folder, port, APPEND_ONLY);
                RawClient client = heddle.connect()) {
            assertThat(DataDump.differences(before, DataDump.of(heddle))).isEmpty();
            client.call("SET", "after", "1");
        }
        try (RunningServer redis = RedisServer.startIn(folder, APPEND_ONLY);
                RawClient client = redis.connect()) {
            assertThat(client.call("GET", "after").text()).isEqualTo("1");
        }
    }

    private static Set<String> withoutFieldExpiry(Set<String> names) {
        Set<String> rest = new TreeSet<>(names);
        rest.removeIf(name -> name.matches(FIELD_EXPIRY));
        return rest;
    }
}
