package dev.heddle.persistence.aof;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.command.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class AofLogTest {

    private static final String FIRST = "appendonlydir/appendonly.aof.1.incr.aof";
    private static final String MANIFEST = "appendonlydir/appendonly.aof.manifest";

    @TempDir
    Path folder;

    private String text(String file) throws IOException {
        return Files.readString(folder.resolve(file), ISO_8859_1);
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(folder.resolve(file).getParent());
        Files.writeString(folder.resolve(file), text, ISO_8859_1);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> list = Files.list(folder.resolve("appendonlydir"))) {
            return list.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String command(String line) {
        String[] words = line.split(" ");
        StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return text.toString();
    }

    @Test
    void everythingIsThereAfterARestart() throws IOException {
        try (Node node = Node.start(folder, "appendfsync", "always")) {
            node.run("SET a 1");
            node.run("SELECT 5");
            node.run("RPUSH l x y z");
            node.run("SELECT 0");
            node.run("INCR a");
        }
        assertThat(text(MANIFEST)).isEqualTo("file appendonly.aof.1.incr.aof seq 1 type i\n");
        assertThat(text(FIRST))
                .isEqualTo(command("SELECT 0")
                        + command("SET a 1")
                        + command("SELECT 5")
                        + command("RPUSH l x y z")
                        + command("SELECT 0")
                        + command("INCR a"));

        try (Node node = Node.start(folder)) {
            assertThat(node.run("GET a")).isEqualTo("$1\r\n2\r\n");
            node.run("SET b 1");
            node.run("SELECT 5");
            assertThat(node.run("LRANGE l 0 -1")).isEqualTo("*3\r\n$1\r\nx\r\n$1\r\ny\r\n$1\r\nz\r\n");
        }
        assertThat(text(FIRST)).endsWith(command("INCR a") + command("SELECT 0") + command("SET b 1"));
    }

    @Test
    void aTransactionOverSeveralDatabasesIsOneRecord() throws IOException {
        try (Node node = Node.start(folder)) {
            node.run("MULTI");
            node.run("SET a 1");
            node.run("GET a");
            node.run("SELECT 2");
            node.run("SET b 2");
            node.run("EXEC");
        }
        assertThat(text(FIRST))
                .isEqualTo(command("SELECT 0")
                        + command("MULTI")
                        + command("SET a 1")
                        + command("SELECT 2")
                        + command("SET b 2")
                        + command("EXEC"));
        try (Node node = Node.start(folder)) {
            assertThat(node.run("GET a")).isEqualTo("$1\r\n1\r\n");
            node.run("SELECT 2");
            assertThat(node.run("GET b")).isEqualTo("$1\r\n2\r\n");
        }
    }

    @Test
    void bigAndBinaryArgumentsSurvive() throws IOException {
        byte[] big = new byte[3_000_000];
        new Random(1).nextBytes(big);
        byte[] key = {0, '\r', '\n', (byte) 0xff};
        try (Node node = Node.start(folder, "appendfsync", "always")) {
            node.run("SET".getBytes(ISO_8859_1), key, big);
            node.run("APPEND".getBytes(ISO_8859_1), key, "end".getBytes(ISO_8859_1));
        }
        try (Node node = Node.start(folder)) {
            assertThat(node.run("GET".getBytes(ISO_8859_1), key))
                    .isEqualTo("$3000003\r\n" + new String(big, ISO_8859_1) + "end\r\n");
        }
    }

    /** Whatever the place where a file is cut: records are there or not, transactions whole or absent, and writing goes on. */
    @Test
    void aFileThatIsCutAnywhereLoads() throws IOException {
        List<String> lines = List.of(
                "SELECT 0",
                "SET n 1",
                "INCR n",
                "MULTI",
                "INCR n",
                "INCR m",
                "EXEC",
                "RPUSH list some values",
                "INCR n");
        StringBuilder whole = new StringBuilder();
        List<Integer> ends = new ArrayList<>(); // of units that are there or not
        boolean open = false;
        for (String line : lines) {
            whole.append(command(line));
            open = line.equals("MULTI") || (open && !line.equals("EXEC"));
            if (!open) {
                ends.add(whole.length());
            }
        }
        String text = whole.toString();
        for (int cut = 0; cut <= text.length(); cut++) {
            int size = cut;
            int kept = (int) ends.stream().filter(end -> end <= size).count();
            int good = kept == 0 ? 0 : ends.get(kept - 1);
            for (String tail : new String[] {"", "\0".repeat(100)}) {
                checkCut(text.substring(0, cut) + tail, good, kept);
            }
        }
    }

    private void checkCut(String text, int good, int units) throws IOException {
        Path part = Files.createTempDirectory(folder, "cut");
        Path file = part.resolve(FIRST);
        Files.createDirectories(file.getParent());
        Files.writeString(part.resolve(MANIFEST), "file appendonly.aof.1.incr.aof seq 1 type i\n");
        Files.writeString(file, text, ISO_8859_1);
        String[] n = {"$-1\r\n", "$-1\r\n", "$1\r\n1\r\n", "$1\r\n2\r\n", "$1\r\n3\r\n", "$1\r\n3\r\n", "$1\r\n4\r\n"};
        try (Node node = Node.start(part)) {
            assertThat(node.run("GET n")).as("%d units", units).isEqualTo(n[units]);
            assertThat(node.run("GET m")).isEqualTo(units >= 4 ? "$1\r\n1\r\n" : "$-1\r\n");
            assertThat(Files.size(file)).isEqualTo(good);
            node.run("SET after 1");
        }
        if (good < text.length()) {
            assertThat(Files.readString(part.resolve(FIRST + ".cut-at-" + good), ISO_8859_1))
                    .isEqualTo(text.substring(good));
        }
        try (Node node = Node.start(part)) {
            assertThat(node.run("GET after")).isEqualTo("$1\r\n1\r\n");
            assertThat(node.run("GET n")).isEqualTo(n[units]);
        }
    }

    @Test
    void withoutLeaveATornFileIsRefused() throws IOException {
        write(MANIFEST, "file appendonly.aof.1.incr.aof seq 1 type i\n");
        write(FIRST, command("SET a 1") + "*3\r\n$3\r\nSE");

        assertThatThrownBy(() -> Node.start(folder, "aof-load-truncated", "no"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in the middle of a record at offset 27")
                .hasMessageContaining("aof-load-truncated is off")
                .hasMessageContaining("check-aof --fix");
        assertThat(text(FIRST)).endsWith("SE");
    }

    @Test
    void aTornFileThatIsNotTheLastIsRefused() throws IOException {
        write(MANIFEST, "file appendonly.aof.1.incr.aof seq 1 type i\nfile b seq 2 type i\n");
        write(FIRST, command("SET a 1") + "*3\r\n$3\r\nSE");
        write("appendonlydir/b", command("SET a 2"));

        assertThatThrownBy(() -> Node.start(folder))
                .hasMessageContaining("offset 27")
                .hasMessageContaining("not the last one");
    }

    @Test
    void damageInTheMiddleIsRefused() throws IOException {
        String good = command("SET a 1");
        for (String damage : List.of(
                "SET b 2\r\n",
                "\r\n",
                "*0\r\n",
                "*03\r\n$3\r\nSET\r\n$1\r\nb\r\n$1\r\n2\r\n",
                "*3\r\n$3\r\nSET\r\n$1\r\nb\r\n$2\r\n2\r\n",
                "*3\r\n$3\r\nSET\r\n$1\r\nbb\r\n$1\r\n2\r\n",
                "*3\r\n$3\r\nSET\r\n:1\r\nb\r\n$1\r\n2\r\n",
                "*3\r\n$3\r\nSET\r\n\0\0\0\0\0",
                "*999999999999\r\n",
                "$3\r\nfoo\r\n",
                "*-1\r\n",
                "garbage")) {
            write(MANIFEST, "file appendonly.aof.1.incr.aof seq 1 type i\n");
            write(FIRST, good + damage + good);
            assertThatThrownBy(() -> Node.start(folder))
                    .as(damage)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(FIRST)
                    .hasMessageContaining("(record at 27)")
                    .hasMessageContaining("bin/heddle check-aof --fix");
            assertThat(text(FIRST)).as("left as it was").isEqualTo(good + damage + good);
        }
    }

    @Test
    void aCommandThatDoesNotExistIsRefused() throws IOException {
        write(MANIFEST, "file appendonly.aof.1.incr.aof seq 1 type i\n");
        write(FIRST, command("SET a 1") + command("NOSUCH x y"));

        assertThatThrownBy(() -> Node.start(folder))
                .hasMessageContaining("at offset 27")
                .hasMessageContaining("unknown command 'NOSUCH'");
    }

    @Test
    void aMissingFileIsRefused() throws IOException {
        write(MANIFEST, "file appendonly.aof.1.base.aof seq 1 type b\nfile appendonly.aof.1.incr.aof seq 1 type i\n");
        write(FIRST, command("SET a 1"));

        assertThatThrownBy(() -> Node.start(folder))
                .hasMessageContaining("appendonly.aof.1.base.aof is missing")
                .hasMessageContaining(MANIFEST);
    }

    @Test
    void aSnapshotAsBaseIsLeftToTheReaderOfSnapshots() throws IOException {
        write(MANIFEST, "file appendonly.aof.1.base.rdb seq 1 type b\n");
        write("appendonlydir/appendonly.aof.1.base.rdb", "REDIS0011...");

        assertThatThrownBy(() -> Node.start(folder)).hasMessageContaining("no snapshot was written: ");
    }

    @Test
    void theSingleFileOfAnOlderServerBecomesTheBase() throws IOException {
        write("appendonly.aof", command("SELECT 0") + command("SET a 1"));
        try (Node node = Node.start(folder)) {
            assertThat(node.run("INCR a")).isEqualTo(":2\r\n");
        }
        assertThat(folder.resolve("appendonly.aof")).doesNotExist();
        assertThat(text(MANIFEST))
                .isEqualTo("file appendonly.aof seq 1 type b\nfile appendonly.aof.1.incr.aof seq 1 type i\n");
        try (Node node = Node.start(folder)) {
            assertThat(node.run("GET a")).isEqualTo("$1\r\n2\r\n");
        }
    }

    @Test
    void anAdoptionThatWasInterruptedIsFinished() throws IOException {
        write("appendonly.aof", command("SET a 1"));
        write(MANIFEST, "file appendonly.aof seq 1 type b\n");
        try (Node node = Node.start(folder)) {
            assertThat(node.run("GET a")).isEqualTo("$1\r\n1\r\n");
        }
    }

    @Test
    void keysThatExpireWhileTheServerIsDownAreKeptUntilTheyAreRecordedAsGone() throws IOException {
        long[] now = {1_700_000_000_000L};
        InstantSource clock = () -> Instant.ofEpochMilli(now[0]);
        try (Node node = Node.start(folder, clock)) {
            node.run("SET k v PX 1000");
            node.run("APPEND k x");
            node.run("PERSIST k");
            node.run("SET gone v PX 1000");
            node.run("SADD src a");
            node.run("PEXPIRE src 1000");
            now[0] += 5000;
            node.run("SADD other b");
            node.run("SUNIONSTORE both src other");
        }
        try (Node node = Node.start(folder, clock)) {
            assertThat(node.run("GET k")).isEqualTo("$2\r\nvx\r\n");
            assertThat(node.run("GET gone")).isEqualTo("$-1\r\n");
            assertThat(node.run("SMEMBERS both")).isEqualTo("*1\r\n$1\r\nb\r\n");
        }
    }

    @Test
    void timesAreNotedAndSkipped() throws IOException {
        long[] now = {1_700_000_000_000L};
        try (Node node = Node.start(folder, () -> Instant.ofEpochMilli(now[0]), "aof-timestamp-enabled", "yes")) {
            node.run("SET a 1");
            node.run("SET b 1");
            now[0] += 1000;
            node.run("SET c 1");
        }
        assertThat(text(FIRST))
                .isEqualTo("#TS:1700000000\r\n" + command("SELECT 0") + command("SET a 1") + command("SET b 1")
                        + "#TS:1700000001\r\n" + command("SET c 1"));
        try (Node node = Node.start(folder)) {
            assertThat(node.run("GET c")).isEqualTo("$1\r\n1\r\n");
        }
    }

    @Test
    void aRewriteReplacesWhatWasBeforeIt() throws Exception {
        try (Node node = Node.start(folder)) {
            node.run("SET a 1");
            node.run("SET a 2");
            node.log().prepareRewrite();
            node.log().beginRewrite();
            node.run("SET b 1");
            node.log().awaitSwitch();
            assertThat(text(MANIFEST))
                    .isEqualTo(
                            "file appendonly.aof.1.incr.aof seq 1 type i\nfile appendonly.aof.2.incr.aof seq 2 type i\n");
            Path base = node.log().folder().resolve("temp-rewrite");
            Files.writeString(base, command("SELECT 0") + command("SET a 2"));
            node.log().finishRewrite(base, false);
            node.run("SET c 1");

            assertThat(text(MANIFEST))
                    .isEqualTo(
                            "file appendonly.aof.1.base.aof seq 1 type b\nfile appendonly.aof.2.incr.aof seq 2 type i\n");
            assertThat(files())
                    .containsExactly(
                            "appendonly.aof.1.base.aof", "appendonly.aof.2.incr.aof", "appendonly.aof.manifest");
        }
        try (Node node = Node.start(folder)) {
            assertThat(node.run("MGET a b c")).isEqualTo("*3\r\n$1\r\n2\r\n$1\r\n1\r\n$1\r\n1\r\n");
        }
    }

    @Test
    void aRewriteThatIsGivenUpLosesNothing() throws Exception {
        try (Node node = Node.start(folder)) {
            node.run("SET a 1");
            node.log().prepareRewrite();
            node.log().beginRewrite();
            node.run("SET b 1");
            node.log().awaitSwitch();
            node.log().abandonRewrite();
            node.run("SET c 1");
            assertThat(node.log().rewriting()).isFalse();
        }
        try (Node node = Node.start(folder)) {
            assertThat(node.run("MGET a b c")).isEqualTo("*3\r\n$1\r\n1\r\n$1\r\n1\r\n$1\r\n1\r\n");
        }
    }

    @Test
    void recordingBeginsWithARewrite() throws Exception {
        try (Node node = Node.withoutLog(folder)) {
            node.run("SET a 1");
            node.log().prepareRewrite();
            node.log().beginRewrite();
            assertThat(node.log().isOpen()).isTrue();
            node.run("SET b 1");
            node.log().awaitSwitch();
            Path base = node.log().folder().resolve("temp-rewrite");
            Files.writeString(base, command("SELECT 0") + command("SET a 1"));
            node.log().finishRewrite(base, false);
            node.run("SET c 1");
        }
        assertThat(text(MANIFEST))
                .isEqualTo(
                        "file appendonly.aof.1.base.aof seq 1 type b\nfile appendonly.aof.1.incr.aof seq 1 type i\n");
        try (Node node = Node.start(folder)) {
            assertThat(node.run("MGET a b c")).isEqualTo("*3\r\n$1\r\n1\r\n$1\r\n1\r\n$1\r\n1\r\n");
        }
    }

    @Test
    void recordingThatCouldNotBeginIsDueAgain() throws Exception {
        try (Node node = Node.withoutLog(folder)) {
            node.engine().settings().set(List.of(Map.entry("appendonly", "yes")), new Settings.Origin(true, false));
            assertThat(node.log().rewriteIsDue()).isFalse();
            node.log().prepareRewrite();
            node.log().beginRewrite();
            node.run("SET b 1");
            node.log().abandonRewrite();
            assertThat(node.log().isOpen()).isFalse();
            assertThat(node.log().rewriteIsDue()).isTrue();
            assertThat(folder.resolve(MANIFEST)).doesNotExist();
        }
    }

    @Test
    void growthMakesARewriteDue() throws IOException {
        try (Node node = Node.start(folder, "auto-aof-rewrite-min-size", "1000", "appendfsync", "always")) {
            node.run("SET a " + "x".repeat(500));
            assertThat(node.log().rewriteIsDue()).isFalse();
            node.run("SET a " + "x".repeat(500));
            assertThat(node.log().rewriteIsDue()).isTrue();
        }
        try (Node node = Node.start(folder, "auto-aof-rewrite-min-size", "1000", "appendfsync", "always")) {
            assertThat(node.log().rewriteIsDue())
                    .as("has not grown since the start")
                    .isFalse();
            node.run("SET a " + "x".repeat(1200));
            assertThat(node.log().rewriteIsDue()).isTrue();
        }
    }

    @Test
    void filesAreForTheirOwnerAlone() throws IOException {
        try (Node node = Node.start(folder)) {
            node.run("SET a 1");
            assertThat(Files.getPosixFilePermissions(folder.resolve(FIRST)))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void replacedFilesThatAreStillThereAreDeletedAtTheStart() throws IOException {
        write(MANIFEST, "file old seq 1 type h\nfile appendonly.aof.1.incr.aof seq 1 type i\n");
        write(FIRST, command("SET a 1"));
        write("appendonlydir/old", "whatever");
        Files.writeString(folder.resolve(FIRST), "", StandardOpenOption.APPEND);
        try (Node node = Node.start(folder)) {
            assertThat(files()).containsExactly("appendonly.aof.1.incr.aof", "appendonly.aof.manifest");
            assertThat(node.run("GET a")).isEqualTo("$1\r\n1\r\n");
        }
    }
}
