package dev.heddle.command.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisConfFileTest {

    @TempDir
    Path folder;

    @Test
    void commentsBlanksAndQuotesAreUnderstood() {
        Settings settings = read("""
                # a comment
                   \t
                port   6380\r
                  PORT "6381"
                requirepass "a b\\x21"
                unixsocket '/tmp/my socket'
                loglevel debug
                """);

        assertThat(settings.network.port.value()).isEqualTo(6381);
        assertThat(settings.network.requirePass.value()).isEqualTo("a b!");
        assertThat(settings.network.unixSocket.value()).isEqualTo("/tmp/my socket");
        assertThat(settings.logging.logLevel.value()).isEqualTo(LogLevel.DEBUG);
    }

    @Test
    void severalWordsMayStandInOnePairOfQuotes() {
        Settings settings = read("bind \"127.0.0.1 -::1\"\nshutdown-on-sigterm 'now force'\n");

        assertThat(settings.network.bind.value()).containsExactly("127.0.0.1", "-::1");
        assertThat(settings.server.shutdownOnSigterm.text()).isEqualTo("now force");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "port 1, 3600 1 300 100 60 10000",
        "save 60 1, 60 1",
        "save 60 1|save 30 2, 60 1 30 2",
        "save 60 1 30 2|save 5 5, 60 1 30 2 5 5",
        "save 60 1|save '', ''",
        "save ''|save 60 1, 60 1",
        "save 60 1|save ''|save 5 5, 5 5",
        "save \"60 1 30 2\", 60 1 30 2",
    })
    void saveLinesAddUp(String lines, String points) {
        assertThat(read(lines.replace('|', '\n').replace("''", "\"\""))
                        .persistence
                        .save
                        .text())
                .isEqualTo(points);
    }

    @Test
    void limitsOfOutputAreSetClassByClass() {
        Settings settings = read("client-output-buffer-limit replica 1mb 0 0\nclient-output-buffer-limit pubsub 2 1 3");

        assertThat(settings.network.outputLimits.text()).isEqualTo("normal 0 0 0 slave 1048576 0 0 pubsub 2 1 3");
    }

    @Test
    void laterSourcesWin() throws IOException {
        Settings settings = new Settings();
        RedisConfFile configuration = new RedisConfFile(settings);
        configuration.readMain(write("main.conf", "port 1\ntimeout 1\nmaxclients 1\nsave 900 1"));
        configuration.readStream(
                new ByteArrayInputStream("timeout 2\nmaxclients 2".getBytes(StandardCharsets.ISO_8859_1)));
        configuration.readOptions("maxclients \"3\" \nsave \"100\" \"100\"");

        assertThat(settings.network.port.value()).isEqualTo(1);
        assertThat(settings.network.timeout.value()).isEqualTo(2);
        assertThat(settings.network.maxClients.value()).isEqualTo(3);
        assertThat(settings.persistence.save.text()).isEqualTo("900 1 100 100");
        assertThat(settings.configFile()).isEqualTo(folder.resolve("main.conf"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "no-such-thing 1, Bad directive or wrong number of arguments",
        "port, wrong number of arguments",
        "port 1 2, wrong number of arguments",
        "port x, argument couldn't be parsed into an integer",
        "loglevel loud, 'argument(s) must be one of the following: debug, verbose, notice, warning, nothing'",
        "shutdown-on-sigint, 'argument(s) must be one of the following: default, save, nosave, now, force'",
        "requirepass \"x, Unbalanced quotes in configuration line",
        "bind \"'a\", Unbalanced quotes in configuration line",
        "replicaof host abc, Invalid master port",
        "replicaof host, wrong number of arguments",
        "unixsocketperm 9, argument couldn't be parsed as an octal number",
        "unixsocketperm 1000, argument must be between 0 and 777 inclusive",
        "appendfilename a/b, 'appendfilename can''t be a path, just a filename'",
        "appendfilename \"\", appendfilename can't be empty",
        "include, Bad directive or wrong number of arguments",
        "sentinel monitor x, sentinel directive while not in sentinel mode",
        "loadmodule /x.so, loadmodule is not supported: modules are made for the C server",
        "graph.size 5, Module configuration without a module: modules are not supported",
        "list-max-ziplist-entries, Bad directive or wrong number of arguments",
    })
    void aBadLineIsReportedAsRedisDoes(String line, String reason) {
        Path file = write("bad.conf", "port 7000\n\n  " + line + " \nport 7001\n");

        ConfFileException e =
                catchThrowableOfType(ConfFileException.class, () -> new RedisConfFile(new Settings()).readMain(file));

        assertThat(e.report("Heddle 1.2.3"))
                .isEqualTo("\n*** FATAL CONFIG FILE ERROR (Heddle 1.2.3) ***\n"
                        + "Reading the configuration file, at line 3 of " + file + "\n"
                        + ">>> '" + line + "'\n"
                        + reason + "\n");
    }

    @Test
    void aBadOptionIsReportedWithItsText() {
        ConfFileException e = catchThrowableOfType(
                ConfFileException.class,
                () -> new RedisConfFile(new Settings()).readOptions("port \"6379\" \"6380\" "));

        assertThat(e.report("H"))
                .endsWith("Reading the command line\n>>> 'port \"6379\" \"6380\"'\nwrong number of arguments\n");
    }

    @Test
    void aMissingFileIsReported() {
        Path missing = folder.resolve("missing.conf");

        assertThatThrownBy(() -> new RedisConfFile(new Settings()).readMain(missing))
                .isInstanceOf(ConfFileException.class)
                .hasMessage("Fatal error, can't open config file '" + missing + "': No such file or directory");
        assertThatThrownBy(() -> new RedisConfFile(new Settings()).readMain(folder))
                .hasMessage("Fatal error, can't open config file '" + folder + "': Is a directory");
    }

    @Test
    void includesAreFoundInTheDataFolderAndBesideTheFile() throws IOException {
        Files.createDirectories(folder.resolve("data"));
        Files.createDirectories(folder.resolve("etc/conf.d"));
        write("data/local.conf", "port 1");
        write("etc/local.conf", "port 2\ntimeout 2");
        write("etc/beside.conf", "maxclients 3");
        write("etc/conf.d/20.conf", "databases 20");
        write("etc/conf.d/10.conf", "databases 10\nhz 11");
        write("etc/conf.d/.hidden.conf", "hz 99");
        Path main =
                write("etc/main.conf", """
                dir %s
                include local.conf
                include beside.conf
                include conf.d/*.conf
                include none.d/*.conf
                include %s
                """.formatted(folder.resolve("data"), write("absolute.conf", "tcp-backlog 5")));

        Settings settings = new Settings();
        new RedisConfFile(settings).readMain(main);

        assertThat(settings.network.port.value()).isEqualTo(1);
        assertThat(settings.network.timeout.value()).isZero();
        assertThat(settings.network.maxClients.value()).isEqualTo(3);
        assertThat(settings.server.databases.value()).isEqualTo(20);
        assertThat(settings.server.hz.value()).isEqualTo(11);
        assertThat(settings.network.tcpBacklog.value()).isEqualTo(5);
    }

    @Test
    void includesThatGoWrongAreReportedWhereTheyStand() {
        Path inner = write("inner.conf", "port 1\nport x");
        Path missing = folder.resolve("missing.conf");
        Path cycle = write("cycle.conf", "include " + folder.resolve("cycle.conf"));

        assertThat(failure("include " + inner).report("H"))
                .contains("at line 2 of " + inner + "\n>>> 'port x'\nargument couldn't be parsed into an integer\n");
        assertThat(failure("include " + missing).report("H"))
                .contains(">>> 'include " + missing + "'\nFatal error, can't open config file '" + missing
                        + "': No such file or directory\n");
        assertThat(failure("include " + cycle).report("H"))
                .contains("at line 1 of " + cycle)
                .endsWith("include of a file that is being read: " + cycle + "\n");
    }

    @Test
    void includesEndSomewhere() {
        for (int i = 0; i < 40; i++) {
            write("deep" + i + ".conf", "include " + folder.resolve("deep" + (i + 1) + ".conf"));
        }

        assertThat(failure("include " + folder.resolve("deep0.conf")))
                .hasMessage("include files are nested deeper than 16");
    }

    @Test
    void directivesWithoutEffectAreWarnedAboutByName() {
        RedisConfFile configuration = new RedisConfFile(new Settings());
        configuration.readOptions("""
                port 5
                activerehashing yes
                tls-port 6390
                daemonize yes
                repl-timeout 5
                repl-timeout 60
                slave-priority 1
                rename-command FLUSHALL ""
                user alice on >secret
                lua-replicate-commands yes
                """);

        assertThat(configuration.warnings())
                .containsExactly(
                        "rename-command (command line): not supported, command 'FLUSHALL' keeps its name and stays in"
                                + " reach of every client",
                        "user (command line): not supported, user 'alice' is not created",
                        "tls-port (command line): known from Redis, but without effect here",
                        "daemonize (command line): not supported, the server stays in the foreground: run it under a"
                                + " service manager",
                        "replica-priority (command line): known from Redis, but without effect here");
        assertThat(configuration.users()).containsExactly(List.of("alice", "on", ">secret"));
    }

    @Test
    void theLogFileIsTriedAtStart() {
        Settings settings = new Settings();
        RedisConfFile configuration = new RedisConfFile(settings);
        configuration.readOptions("dir " + folder + "\nlogfile out.log");
        configuration.checkLogFile();
        assertThat(folder.resolve("out.log")).isEmptyFile();

        configuration.readOptions("logfile no/such/folder.log");
        assertThatThrownBy(configuration::checkLogFile)
                .isInstanceOf(ConfFileException.class)
                .hasMessage("Can't open the log file: No such file or directory");
    }

    /** The file that Debian's package of redis-server installs, but for its data folder, which only its user may enter. */
    @Test
    void aFileMadeForRedisStartsWithWarningsOnly() throws IOException {
        Path debian = Path.of("/etc/redis/redis.conf");
        assumeTrue(Files.isReadable(debian), "skipped: needs /etc/redis/redis.conf (Debian package redis-server)");
        String text = Files.readString(debian, StandardCharsets.ISO_8859_1).replaceAll("(?m)^dir .*", "dir " + folder);
        Settings settings = new Settings();
        RedisConfFile configuration = new RedisConfFile(settings);

        configuration.readMain(write("redis.conf", text));

        assertThat(settings.network.tcpBacklog.value()).isEqualTo(511);
        assertThat(configuration.warnings()).anyMatch(warning -> warning.startsWith("daemonize (line "));
    }

    @Test
    void linesWithoutAnyWordAreSkipped() {
        for (String line : List.of("", " ", "\t\r", "\u000b", "\f", " \u000b\f ")) {
            Settings settings = new Settings();
            new RedisConfFile(settings).readOptions(line + "\nport 7000");
            assertThat(settings.network.port.value()).isEqualTo(7000);
        }
    }

    @Property
    void anyBytesGiveSettingsOrAnError(@ForAll("files") String text) {
        try {
            Settings settings = new Settings();
            new RedisConfFile(settings).readOptions(text);
            assertThat(settings.get(List.of("*"))).isNotEmpty();
        } catch (ConfFileException e) {
            assertThat(e.report("H")).contains(">>> '").endsWith("\n");
        }
    }

    @Provide
    Arbitrary<String> files() {
        List<String> names = new Settings().all().stream().map(Setting::name).toList();
        Arbitrary<String> anything =
                Arbitraries.strings().withCharRange('\0', '\u00ff').ofMaxLength(30);
        Arbitrary<String> word = Arbitraries.oneOf(
                Arbitraries.strings().withCharRange('\0', '\u00ff').ofMaxLength(8),
                Arbitraries.of("yes", "no", "1", "-1", "5%", "64mb", "\"\"", "99999999999999999999", "include", "."),
                Arbitraries.strings().withChars("0123456789kmgb%-+.e\"'\\x /*[").ofMaxLength(8));
        Arbitrary<String> line = Arbitraries.oneOf(Arbitraries.of(names), Arbitraries.of("include", "user", "sentinel"))
                .flatMap(name -> word.list().ofMaxSize(4).map(words -> name + " " + String.join(" ", words)));
        return Arbitraries.oneOf(
                anything,
                line,
                Arbitraries.oneOf(line, anything).list().ofMaxSize(4).map(l -> String.join("\n", l)));
    }

    private ConfFileException failure(String text) {
        return catchThrowableOfType(ConfFileException.class, () -> read(text));
    }

    private Settings read(String text) {
        Settings settings = new Settings();
        new RedisConfFile(settings).readMain(write("test.conf", text));
        return settings;
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
