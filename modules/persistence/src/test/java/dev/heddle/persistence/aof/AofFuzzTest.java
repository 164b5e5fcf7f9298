package dev.heddle.persistence.aof;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged files load, or are refused with a reason; they never make the server fail in another way. */
@Timeout(60)
class AofFuzzTest {

    private static final int CHANGES_PER_FILE = 3;
    private static final String FILE = "appendonlydir/appendonly.aof.1.incr.aof";

    @TempDir
    Path folder;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @RepeatedTest(150)
    void aDamagedFileLoadsOrIsRefused() throws IOException {
        Path file = folder.resolve(FILE);
        Files.createDirectories(file.getParent());
        Files.writeString(
                folder.resolve("appendonlydir/appendonly.aof.manifest"),
                damage("file appendonly.aof.1.incr.aof seq 1 type i\n", random.nextInt(20) == 0 ? 1 : 0),
                ISO_8859_1);
        Files.writeString(file, damage(text(), random.nextInt(CHANGES_PER_FILE + 1)), ISO_8859_1);

        check(file);
        try (Node node = Node.start(folder)) {
            assertThat(node.run("SET after 1")).isEqualTo("+OK\r\n");
        } catch (IOException refusal) {
            assertThat(refusal.getMessage()).as("seed %d", seed).isNotBlank();
            return;
        }
        try (Node node = Node.start(folder)) {
            assertThat(node.run("GET after")).as("seed %d", seed).isEqualTo("$1\r\n1\r\n");
        }
    }

    private static void check(Path file) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int code = new CheckAof(
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, true, ISO_8859_1),
                        false,
                        snapshot -> {
                            throw new IOException("no snapshot was written: " + snapshot);
                        })
                .run(List.of(file.toString()));
        assertThat(code).as(out.toString(ISO_8859_1)).isBetween(0, 1);
    }

    private String text() {
        StringBuilder text = new StringBuilder(command("SELECT 0"));
        for (int i = 0; i < 30; i++) {
            String k = Integer.toString(random.nextInt(5));
            text.append(
                    switch (random.nextInt(6)) {
                        case 0 -> command("SET s" + k + " " + "v".repeat(random.nextInt(300) + 1));
                        case 1 -> command("RPUSH l" + k + " a b c");
                        case 2 -> command("HSET h" + k + " f 1 g 2");
                        case 3 ->
                            command("MULTI") + command("INCR i" + k) + command("SADD t" + k + " x") + command("EXEC");
                        case 4 -> "#TS:" + i + "\r\n";
                        default -> command("ZADD z" + k + " 1.5 m");
                    });
        }
        return text.toString();
    }

    private String damage(String text, int changes) {
        StringBuilder damaged = new StringBuilder(text);
        for (int i = 0; i < changes && !damaged.isEmpty(); i++) {
            int at = random.nextInt(damaged.length());
            int end = Math.min(damaged.length(), at + 1 + random.nextInt(20));
            switch (random.nextInt(5)) {
                case 0 -> damaged.setCharAt(at, (char) random.nextInt(256));
                case 1 -> damaged.delete(at, end);
                case 2 -> damaged.insert(at, damaged.substring(at, end));
                case 3 -> damaged.setLength(at);
                default -> damaged.replace(at, end, "\0".repeat(end - at));
            }
        }
        return damaged.toString();
    }

    private static String command(String line) {
        String[] words = line.split(" ");
        StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return text.toString();
    }
}
