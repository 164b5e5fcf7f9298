package dev.heddle.persistence.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.Persistence.Ending;
import dev.heddle.command.config.RedisConfFile;
import dev.heddle.persistence.aof.AofLog;
import dev.heddle.persistence.rdb.RdbFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SnapshotServiceTest {

    @TempDir
    private Path folder;

    private TestEngine test;
    private SnapshotService service;

    @BeforeEach
    void open() {
        test = new TestEngine(folder);
        test.set("save", "");
        service = new SnapshotService(
                test.engine(),
                new AofLog(test.engine()),
                new NothingToRead(),
                base -> RdbFormat.create(test.engine(), base));
        test.engine().persistence(service);
    }

    private static final class NothingToRead implements SnapshotReader {
        @Override
        public boolean read(boolean flushes, boolean merges) {
            return false;
        }

        @Override
        public boolean readJournal() {
            return false;
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private String info(String field) {
        return test.run("INFO", "persistence")
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .findFirst()
                .orElseThrow()
                .substring(field.length() + 1);
    }

    private void awaitIdle() {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> info("rdb_bgsave_in_progress").equals("0")
                        && info("aof_rewrite_in_progress").equals("0"));
    }

    /** Makes every attempt to save fail: the data folder is gone. */
    private void breakFolder() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private void mendFolder() throws IOException {
        Files.createDirectory(folder);
    }

    @Test
    void savesIntoAFileForItsOwnerAlone() throws IOException {
        test.run("SET", "a", "1");
        assertThat(info("rdb_changes_since_last_save")).isEqualTo("1");
        test.advance(5000);
        assertThat(test.run("SAVE")).isEqualTo("+OK\r\n");
        assertThat(files()).containsExactly("dump.rdb");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("dump.rdb"))))
                .isEqualTo("rw-------");
        assertThat(info("rdb_changes_since_last_save")).isEqualTo("0");
        assertThat(info("rdb_saves")).isEqualTo("1");
        assertThat(test.run("LASTSAVE")).isEqualTo(":1700000005\r\n");
    }

    @Test
    void savesUnderTheNameOfTheSetting() throws IOException {
        new RedisConfFile(test.engine().settings()).readOptions("dbfilename other.rdb");
        test.run("SAVE");
        assertThat(files()).containsExactly("other.rdb");
    }

    @Test
    void savesInTheBackground() throws IOException {
        assertThat(test.run("BGSAVE")).isEqualTo("+Background saving started\r\n");
        awaitIdle();
        assertThat(files()).containsExactly("dump.rdb");
        assertThat(info("rdb_last_bgsave_status")).isEqualTo("ok");
        assertThat(info("rdb_last_bgsave_time_sec")).isEqualTo("0");
    }

    @Test
    void schedulesInsideOfATransaction() throws IOException {
        test.run("MULTI");
        test.run("SET", "a", "1");
        test.run("BGSAVE");
        assertThat(test.run("EXEC")).isEqualTo("*2\r\n+OK\r\n+Background saving scheduled\r\n");
        assertThat(files()).isEmpty();
        service.tick();
        awaitIdle();
        assertThat(files()).containsExactly("dump.rdb");
    }

    @Test
    void checksItsWords() {
        assertThat(test.run("BGSAVE", "NOW")).isEqualTo("-ERR syntax error\r\n");
        assertThat(test.run("BGSAVE", "SCHEDULE", "SCHEDULE")).isEqualTo("-ERR syntax error\r\n");
        assertThat(test.run("BGSAVE", "schedule")).isEqualTo("+Background saving started\r\n");
        awaitIdle();
    }

    @Test
    void followsSavePoints() throws IOException {
        test.set("save", "10 2");
        test.run("SET", "a", "1");
        test.advance(11_000);
        service.tick();
        assertThat(info("rdb_saves")).isEqualTo("0");
        test.run("SET", "b", "1");
        service.tick();
        awaitIdle();
        assertThat(info("rdb_saves")).isEqualTo("1");
        assertThat(files()).containsExactly("dump.rdb");
        service.tick();
        assertThat(info("rdb_saves")).isEqualTo("1");
    }

    @Test
    void refusesWritesWhileItCannotSave() throws IOException {
        test.set("save", "100 1");
        test.run("SAVE");
        breakFolder();
        assertThat(test.run("SAVE")).isEqualTo("-ERR\r\n");
        assertThat(info("rdb_last_bgsave_status")).isEqualTo("err");
        assertThat(test.run("SET", "a", "1")).startsWith("-MISCONF Redis is configured to save RDB snapshots, but");
        assertThat(test.run("PING")).startsWith("-MISCONF");
        assertThat(test.run("GET", "a")).isEqualTo("$-1\r\n");
        test.set("stop-writes-on-bgsave-error", "no");
        assertThat(test.run("SET", "a", "1")).isEqualTo("+OK\r\n");
        test.set("stop-writes-on-bgsave-error", "yes");
        test.set("save", "");
        assertThat(test.run("SET", "a", "1")).isEqualTo("+OK\r\n");
        test.set("save", "100 1");
        mendFolder();
        test.run("BGSAVE");
        awaitIdle();
        assertThat(test.run("SET", "a", "2")).isEqualTo("+OK\r\n");
        assertThat(files()).containsExactly("dump.rdb");
    }

    @Test
    void doesNotTryAgainAtOnceAfterAFailure() throws IOException {
        test.set("save", "1 1");
        test.run("SET", "a", "1");
        breakFolder();
        test.advance(2000);
        service.tick();
        awaitIdle();
        test.advance(4000);
        service.tick();
        assertThat(info("rdb_saves")).isEqualTo("1");
        test.advance(2000);
        mendFolder();
        service.tick();
        awaitIdle();
        assertThat(info("rdb_saves")).isEqualTo("2");
        assertThat(info("rdb_last_bgsave_status")).isEqualTo("ok");
    }

    @Test
    void keepsTheOldFileIfItCannotWriteANewOne() throws IOException {
        test.run("SET", "a", "1");
        test.run("SAVE");
        byte[] old = Files.readAllBytes(folder.resolve("dump.rdb"));
        test.run("SET", "b", "1");
        // What has the temporary file's name cannot be replaced.
        Path obstacle = folder.resolve("temp-" + ProcessHandle.current().pid() + ".rdb");
        Files.createDirectories(obstacle.resolve("full"));
        assertThat(test.run("SAVE")).isEqualTo("-ERR\r\n");
        assertThat(Files.readAllBytes(folder.resolve("dump.rdb"))).isEqualTo(old);
        Files.delete(obstacle.resolve("full"));
        Files.delete(obstacle);
        assertThat(test.run("SAVE")).isEqualTo("+OK\r\n");
        assertThat(Files.readAllBytes(folder.resolve("dump.rdb"))).isNotEqualTo(old);
    }

    @Test
    void flushAllSavesTheEmptinessIfThereAreSavePoints() {
        test.set("save", "100 1000");
        test.run("SET", "a", "1");
        test.run("FLUSHALL");
        service.tick();
        awaitIdle();
        assertThat(info("rdb_saves")).isEqualTo("1");
        test.set("save", "");
        test.run("FLUSHALL");
        service.tick();
        assertThat(info("rdb_saves")).isEqualTo("1");
    }

    @Test
    void rewritesTheJournalAsCommands() throws IOException {
        test.set("aof-use-rdb-preamble", "no");
        test.run("RPUSH", "list", "a", "b");
        assertThat(test.run("BGREWRITEAOF")).isEqualTo("+Background append only file rewriting started\r\n");
        awaitIdle();
        assertThat(info("aof_last_bgrewrite_status")).isEqualTo("ok");
        assertThat(info("aof_enabled")).isEqualTo("0");
        assertThat(Files.readString(folder.resolve("appendonlydir/appendonly.aof.1.base.aof")))
                .isEqualTo(
                        "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*4\r\n$5\r\nRPUSH\r\n$4\r\nlist\r\n$1\r\na\r\n$1\r\nb\r\n");
    }

    @Test
    void savesAtTheEndIfThereAreSavePoints() throws Exception {
        test.run("SET", "a", "1");
        assertThat(service.prepareEnd(Ending.BY_SAVE_POINTS, false)).isTrue();
        assertThat(service.end()).isTrue();
        assertThat(files()).isEmpty();
        test.set("save", "100 1000");
        assertThat(service.prepareEnd(Ending.NOSAVE, false)).isTrue();
        assertThat(service.end()).isTrue();
        assertThat(files()).isEmpty();
        assertThat(service.prepareEnd(Ending.BY_SAVE_POINTS, false)).isTrue();
        assertThat(files()).containsExactly("dump.rdb");
        assertThat(info("rdb_saves")).isEqualTo("1");
        assertThat(service.end()).isTrue();
        assertThat(info("rdb_saves")).isEqualTo("1");
    }

    @Test
    void neverSavesWhatIsOnlyHalfLoaded() throws Exception {
        test.run("SET", "a", "1");
        test.set("save", "100 1");
        test.engine().loading().begin(0, 100);
        for (Ending ending : Ending.values()) {
            assertThat(service.prepareEnd(ending, false)).isTrue();
            assertThat(service.end()).isTrue();
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void goesOnIfItCannotSaveAtTheEnd() throws Exception {
        breakFolder();
        assertThat(test.run("SHUTDOWN", "SAVE")).isEqualTo("-ERR Errors trying to SHUTDOWN. Check logs.\r\n");
        assertThat(test.run("SET", "a", "1")).isEqualTo("+OK\r\n");
        assertThat(service.prepareEnd(Ending.SAVE, true)).isTrue();
        mendFolder();
    }

    @Test
    void savesOnceMoreIfSomebodyHasWrittenSince() throws Exception {
        TestEngine.Client client = test.connect();
        assertThat(service.prepareEnd(Ending.SAVE, false)).isTrue();
        test.engine().pauses().thaw(); // as if the command had been on its way already
        client.run("SET", "late", "1");
        assertThat(service.end()).isTrue();
        assertThat(info("rdb_saves")).isEqualTo("2");
    }
}
