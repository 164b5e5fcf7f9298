package dev.heddle.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.app.Options.Action;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments are separated by {@code |} here; lines of the result by a line feed, and trailing blanks do not matter. */
class OptionsTest {

    @ParameterizedTest(name = "heddle {0}")
    @CsvSource({
        "'', ''",
        "--port|6380, 'port \"6380\"'",
        "--port|6380|--loglevel|debug, 'port \"6380\";loglevel \"debug\"'",
        "--save|60|1, 'save \"60\" \"1\"'",
        "--save|60 1, 'save \"60 1\"'",
        "--port, port",
        "--port|--loglevel|verbose, 'port \"--loglevel\" \"verbose\"'",
        "--port|--bla|--loglevel|verbose, 'port \"--bla\";loglevel \"verbose\"'",
        "--port 6380|--loglevel|debug, 'port 6380;loglevel \"debug\"'",
        "--port 6380|7, 'port 6380 \"7\"'",
        "--maxmemory '700mb'|--hz|5, 'maxmemory ''700mb'';hz \"5\"'",
        "--save|--loglevel|verbose, 'save \"\";loglevel \"verbose\"'",
        "--loglevel|verbose|--save, 'loglevel \"verbose\";save \"\"'",
        "--SAVE, 'SAVE \"\"'",
        "--save||--port|1, 'save \"\";port \"1\"'",
        "--proc-title-template|--save|--save||--loglevel|x,"
                + " 'proc-title-template \"--save\";save \"\";loglevel \"x\"'",
        "--requirepass|a\"b, 'requirepass \"a\\\"b\"'",
        "-p|6379, '\"-p\" \"6379\"'",
    })
    void optionsAreDirectives(String arguments, String lines) {
        Options options = parse(arguments);

        assertThat(lines(options)).isEqualTo(lines);
        assertThat(options.configFile()).isNull();
        assertThat(options.standardInput()).isFalse();
    }

    @ParameterizedTest(name = "heddle {0}")
    @CsvSource({
        "my.conf, my.conf, ''",
        "heddle, heddle, ''",
        "/etc/h.conf|--port|1, /etc/h.conf, 'port \"1\"'",
        "--port|1|/etc/h, /etc/h, 'port \"1\"'",
        "--port|1|h.conf, h.conf, 'port \"1\"'",
        "--port 1|h.conf, h.conf, 'port 1'",
        "--port|1|h.conf|--appendonly|yes, h.conf, 'port \"1\";appendonly \"yes\"'",
        "--save|60|1|./x, ./x, 'save \"60\" \"1\"'",
        "--logfile|/a|/b.conf, /b.conf, 'logfile \"/a\"'",
        "my.conf|loglevel|verbose|--hz|5, my.conf, '\"loglevel\" \"verbose\" ;hz \"5\"'",
    })
    void theFileStandsFirstOrBehindACompleteOption(String arguments, String file, String lines) {
        Options options = parse(arguments);

        assertThat(options.configFile()).isEqualTo(file);
        assertThat(lines(options)).isEqualTo(lines.replace(" ;", ";"));
    }

    @ParameterizedTest(name = "heddle {0}")
    @CsvSource({
        "--port|6379|6380, 'port \"6379\" \"6380\"'",
        "--logfile|/a/b.log, 'logfile \"/a/b.log\"'",
        "--unixsocket|/s|--port|1, 'unixsocket \"/s\";port \"1\"'",
        "--bind|/a|b|1, 'bind \"/a\" \"b\" \"1\"'",
    })
    void aValueIsNoFile(String arguments, String lines) {
        assertThat(parse(arguments).configFile()).isNull();
        assertThat(lines(parse(arguments))).isEqualTo(lines);
    }

    @Test
    void aSecondFileIsAValue() {
        Options options = parse("a.conf|--port|1|b.conf");

        assertThat(options.configFile()).isEqualTo("a.conf");
        assertThat(lines(options)).isEqualTo("port \"1\" \"b.conf\"");
    }

    @Test
    void aLoneDashReadsTheStandardInput() {
        assertThat(parse("-")).isEqualTo(new Options(Action.RUN, null, true, ""));
        assertThat(parse("x.conf|--port|1|-").standardInput()).isTrue();
        assertThat(parse("x.conf|--port|1|-").configFile()).isEqualTo("x.conf");
        assertThat(parse("--port|1|x.conf|-").configFile()).isEqualTo("x.conf");
        assertThat(parse("--requirepass|-|--port|1").standardInput()).isFalse();
        assertThat(lines(parse("-|--port|1"))).isEqualTo("port \"1\"");
    }

    @ParameterizedTest
    @CsvSource({"--version, VERSION", "-v, VERSION", "--help, HELP", "-h, HELP", "--versions, RUN"})
    void versionAndHelp(String argument, Action action) {
        assertThat(parse(argument).action()).isEqualTo(action);
    }

    @Property
    void everyCommandLineGivesOptions(@ForAll("commandLines") List<String> arguments) {
        Options options = Options.parse(arguments.toArray(String[]::new));
        @Nullable String file = options.configFile();

        assertThat(file == null || arguments.contains(file)).isTrue();
    }

    @Provide
    Arbitrary<List<String>> commandLines() {
        return Arbitraries.of("--port", "--save", "-", "--", "", "x.conf", "/y", "1", "'", "--a 'b", "--help", "\u00e9")
                .list()
                .ofMaxSize(6);
    }

    private static Options parse(String arguments) {
        return Options.parse(arguments.isEmpty() ? new String[0] : arguments.split("\\|", -1));
    }

    private static String lines(Options options) {
        return String.join(
                ";",
                Arrays.stream(options.directives().split("\n", -1))
                        .map(String::strip)
                        .toList());
    }
}
