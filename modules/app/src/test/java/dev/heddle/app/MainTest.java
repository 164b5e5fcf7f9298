package dev.heddle.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.config.Settings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<Settings> started = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    @Test
    void versionIsTheBuildsOwn() {
        assertThat(run("", "--version")).isZero();
        assertThat(printed(out)).matches("Heddle server v=\\d+\\.\\d+\\.\\d+ redis=7\\.2\\.4 jvm=\\S+ bits=64\\R");
        assertThat(started).isEmpty();
    }

    @Test
    void helpShowsTheUsage() {
        assertThat(run("", "--help")).isZero();
        assertThat(printed(out)).startsWith("Usage: heddle [FILE]");
        assertThat(started).isEmpty();
    }

    @Test
    void theServerIsStartedWithWhatFileInputAndOptionsSay(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("test.conf"), "port 1\ntimeout 1\nmaxclients 1\ntls-port 5\n");

        assertThat(run("timeout 2\nmaxclients 2\n", "--maxclients", "3", file.toString(), "-"))
                .isEqualTo(7);

        Settings settings = started.getFirst();
        assertThat(settings.network.port.value()).isEqualTo(1);
        assertThat(settings.network.timeout.value()).isEqualTo(2);
        assertThat(settings.network.maxClients.value()).isEqualTo(3);
        assertThat(settings.configFile()).isEqualTo(file);
        assertThat(warnings)
                .containsExactly("tls-port (line 4 of " + file + "): known from Redis, but without effect here");
        assertThat(printed(err)).isEmpty();
    }

    /** The cases of the Redis project's own test of its command line. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "--no-such-flag, no-such-flag, Bad directive or wrong number of arguments",
        "--port, port, wrong number of arguments",
        "--port|6380|--loglevel, loglevel, wrong number of arguments",
        "--port|6379|6380, 'port \"6379\" \"6380\"', wrong number of arguments",
        "--port|--loglevel|verbose, 'port \"--loglevel\" \"verbose\"', wrong number of arguments",
        "--port|--bla|--loglevel|verbose, 'port \"--bla\"', argument couldn't be parsed into an integer",
        "--logfile|--my--log--file|--loglevel|--bla, 'loglevel \"--bla\"',"
                + " 'argument(s) must be one of the following: debug, verbose, notice, warning, nothing'",
        "--shutdown-on-sigint, shutdown-on-sigint,"
                + " 'argument(s) must be one of the following: default, save, nosave, now, force'",
        "--replicaof|127.0.0.1|abc, 'replicaof \"127.0.0.1\" \"abc\"', Invalid master port",
        "--replicaof|--127.0.0.1|--abc, 'replicaof \"--127.0.0.1\"', wrong number of arguments",
    })
    void aWrongOptionEndsWithOneAndItsReason(String arguments, String line, String reason) {
        assertThat(run("", arguments.split("\\|", -1))).isEqualTo(1);

        assertThat(printed(err))
                .isEqualTo("\n*** FATAL CONFIG FILE ERROR (Heddle " + Version.current() + ") ***\n"
                        + "Reading the command line\n>>> '" + line + "'\n" + reason + "\n");
        assertThat(started).isEmpty();
    }

    @Test
    void aMissingFileEndsWithOneAndItsReason(@TempDir Path folder) {
        assertThat(run("", folder.resolve("x.conf").toString())).isEqualTo(1);

        assertThat(printed(err)).contains("can't open config file '" + folder.resolve("x.conf") + "': No such file");
        assertThat(started).isEmpty();
    }

    @Test
    void aLogFileThatCannotBeWrittenEndsWithOne(@TempDir Path folder) {
        assertThat(run("", "--logfile", folder + "/no/x.log")).isEqualTo(1);

        assertThat(printed(err)).contains("Can't open the log file: No such file or directory");
    }

    private static String printed(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    private int run(String input, String... args) {
        Main main = new Main(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                (settings, messages) -> {
                    started.add(settings);
                    warnings.addAll(messages);
                    return 7;
                });
        return main.run(args);
    }
}
