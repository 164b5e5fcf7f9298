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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckAofTest {

    private static final String SET = "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n"; // 27 bytes
    private static final String MULTI = "*1\r\n$5\r\nMULTI\r\n"; // 15 bytes
    private static final String EXEC = "*1\r\n$4\r\nEXEC\r\n";

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int code;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text, ISO_8859_1);
    }

    private String run(Object... arguments) {
        return run(false, "", List.of(arguments));
    }

    private String ask(String answer, Object... arguments) {
        return run(true, answer, List.of(arguments));
    }

    private String run(boolean asks, String answer, List<Object> arguments) {
        out.reset();
        CheckAof tool = new CheckAof(
                new ByteArrayInputStream(answer.getBytes(ISO_8859_1)),
                new PrintStream(out, true, ISO_8859_1),
                asks,
                file -> {
                    throw new IOException("no snapshot was written: " + file);
                });
        code = tool.run(arguments.stream().map(Object::toString).toList());
        return out.toString(ISO_8859_1);
    }

    @Test
    void aGoodFile() throws IOException {
        Path file = file("a", "#TS:1\r\n" + SET + MULTI + SET + EXEC);

        assertThat(run(file)).contains("4 commands").contains(": valid\n");
        assertThat(code).isZero();
    }

    @Test
    void aTornFileIsCutOnDemandOnly() throws IOException {
        Path file = file("a", SET + "*3\r\n$3");

        assertThat(run(file)).contains("valid up to offset 27").contains("it ends within the record at offset 27");
        assertThat(code).isEqualTo(1);
        assertThat(run("--fix", file)).contains("cut to 27 bytes");
        assertThat(code).isZero();
        assertThat(file).hasContent(SET);
        assertThat(Files.readString(folder.resolve("a.cut-at-27"))).isEqualTo("*3\r\n$3");
        assertThat(run(file)).contains(": valid\n");
    }

    @Test
    void anOpenTransactionIsCutAsAWhole() throws IOException {
        Path file = file("a", SET + MULTI + SET);

        assertThat(run("--fix", file)).contains("it ends within a transaction").contains("cut to 27 bytes");
        assertThat(file).hasContent(SET);
    }

    @Test
    void damageIsNamedWithItsPlace() throws IOException {
        Path file = file("a", SET + "*3\r\n$3\r\nSET\r\nx1" + SET);

        assertThat(run(file)).contains("at offset 40: expected '$', the beginning of argument 2 of 3");
        assertThat(code).isEqualTo(1);
        assertThat(run(file("b", SET + EXEC))).contains("EXEC without MULTI");
        assertThat(run(file("c", MULTI + MULTI))).contains("MULTI within a transaction");
    }

    @Test
    void whoIsThereIsAsked() throws IOException {
        Path file = file("a", SET + "*");

        assertThat(ask("n\n", "--fix", file)).contains("Continue? [y/N]").contains("left as it is");
        assertThat(code).isEqualTo(1);
        assertThat(ask("", "--fix", file)).contains("left as it is");
        assertThat(ask("y\n", "--fix", file)).contains("cut to 27 bytes");
        assertThat(code).isZero();
        file("a", SET + "*");
        assertThat(ask("", "--fix", "--yes", file)).doesNotContain("Continue?").contains("cut to 27 bytes");
    }

    @Test
    void aTimeToGoBackTo() throws IOException {
        Path file = file("a", "#TS:100\r\n" + SET + "#TS:200\r\n" + SET + "#TS:300\r\n" + SET);

        assertThat(run("--truncate-to-timestamp", "200", file)).contains("written after second 200");
        assertThat(code).isZero();
        assertThat(file).hasContent("#TS:100\r\n" + SET + "#TS:200\r\n" + SET);
        assertThat(run("--truncate-to-timestamp", "200", file)).contains(": valid\n");
        assertThat(run("--truncate-to-timestamp", "soon", file)).startsWith("Usage:");
        assertThat(code).isEqualTo(1);
    }

    @Test
    void aManifest() throws IOException {
        Path manifest = file("m.manifest", "file one seq 1 type b\nfile two seq 1 type i\n");
        file("one", SET);
        assertThat(run(manifest)).contains("two: missing");
        assertThat(code).isEqualTo(1);
        file("two", SET + "*");
        assertThat(run(manifest)).contains("two: not valid");
        assertThat(code).isEqualTo(1);
        assertThat(run("--fix", manifest)).contains("All files named by the manifest are valid");
        assertThat(code).isZero();

        file("one", SET + "*");
        assertThat(run("--fix", manifest)).contains("not cut, for it is not the last file");
        assertThat(code).isEqualTo(1);
        assertThat(run(file("n.manifest", "file x\n"))).contains("line 1");
    }

    @Test
    void wrongUse() throws IOException {
        assertThat(run()).startsWith("Usage: heddle check-aof");
        assertThat(run("--what", "x")).startsWith("Usage:");
        assertThat(run(folder.resolve("none"))).contains("there is no such file");
        assertThat(run(file("r", "REDIS0011"))).contains("no snapshot was written: ");
        assertThat(code).isEqualTo(1);
    }
}
