package dev.heddle.persistence.rdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckRdbTest {

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private int check(byte[] bytes) throws IOException {
        Path file = folder.resolve("dump.rdb");
        Files.write(file, bytes);
        return run(file.toString());
    }

    private int run(String... arguments) {
        output.reset();
        return new CheckRdb(new PrintStream(output, true, StandardCharsets.UTF_8)).run(List.of(arguments));
    }

    private String said() {
        return output.toString(StandardCharsets.UTF_8);
    }

    private static RdbBytes begun(int version) {
        return RdbBytes.file(version)
                .raw(250)
                .string("redis-ver")
                .string("6.2.0")
                .raw(254)
                .length(0);
    }

    @Test
    void tellsWhatAFileHolds() throws IOException {
        RdbBytes file = begun(11).raw(0).string("a").string("1");
        file.raw(252).little(1, 8).raw(0).string("b").string("1");
        file.raw(253).little(2_000_000_000, 4).raw(249, 5).raw(0).string("c").string("1");
        file.raw(244)
                .length(1)
                .length(2)
                .length(3)
                .raw(245)
                .string("#!lua name=x")
                .raw(1)
                .string("none")
                .length(0);
        assertThat(check(file.ended())).isZero();
        assertThat(said())
                .contains(
                        "AUX FIELD redis-ver = '6.2.0'",
                        "3 keys read",
                        "2 expires",
                        "1 already expired",
                        "1 libraries of functions",
                        "1 keys without elements",
                        "RDB looks OK!");
    }

    @Test
    void aFileWithoutAChecksum() throws IOException {
        assertThat(check(begun(4).raw(255).bytes())).isZero();
        assertThat(check(begun(9).raw(255).little(0, 8).bytes())).isZero();
    }

    private void assertBad(byte[] file, String reason) throws IOException {
        assertThat(check(file)).isEqualTo(1);
        assertThat(said()).contains("The file is not good: at offset ", reason);
    }

    @Test
    void tellsWhereItStopsMakingSense() throws IOException {
        byte[] wrong = begun(9).raw(0).string("a").string("hello").ended();
        wrong[wrong.length - 12] ^= 1;
        assertBad(wrong, "the checksum is wrong");
        assertBad(new byte[0], "does not begin with REDIS");
        assertBad(RdbBytes.latin("REDIS00x9"), "does not begin with REDIS");
        assertBad(RdbBytes.file(80).ended(), "version 80 of the snapshot format is not known");
        assertBad(RdbBytes.file(0).ended(), "version 0");
        assertBad(begun(9).bytes(), "the end has come too early");
        assertBad(begun(9).raw(26).string("s").bytes(), "a stream as Redis 8");
        assertBad(begun(9).raw(246).bytes(), "release candidates");
        assertBad(begun(9).raw(252).little(-1, 8).bytes(), "before 1970");
        assertBad(begun(9).raw(254).raw(0x80).big(-1, 4).bytes(), "cannot be");
    }

    @Test
    void namesTheModule() throws IOException {
        long id = 0;
        for (char c : "ReJSON-RL".toCharArray()) {
            id = id << 6 | "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".indexOf(c);
        }
        assertBad(begun(9).raw(247, 0x81).big(id << 10 | 3, 8).bytes(), "data of the module ReJSON-RL");
        assertBad(begun(9).raw(7).string("k").raw(0x81).big(id << 10 | 3, 8).bytes(), "the module ReJSON-RL");
    }

    @Test
    void bytesBehindTheEnd() throws IOException {
        assertThat(check(new RdbBytes().raw(begun(9).ended()).raw(1).bytes())).isEqualTo(1);
        assertThat(said()).contains("goes on behind its end");
    }

    @Test
    void aFileThatIsNotThere() {
        assertThat(run(folder.resolve("none").toString())).isEqualTo(1);
        assertThat(said()).contains("NoSuchFile");
        assertThat(run()).isEqualTo(1);
        assertThat(said()).contains("Usage: heddle check-rdb FILE");
    }
}
