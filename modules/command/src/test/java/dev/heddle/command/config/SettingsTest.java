package dev.heddle.command.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.command.config.Settings.Origin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** CONFIG GET and CONFIG SET. Names, defaults and error texts were recorded from redis-server 7.2.4. */
class SettingsTest {

    private static final Origin CLIENT = new Origin(true, false);

    private final Settings settings = new Settings();

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "defaults.csv", numLinesToSkip = 1)
    void everyDirectiveOfRedisHasItsDefault(String name, String text) {
        assertThat(get(name)).containsExactly(name, text);
    }

    @Test
    void onlyRedissDirectivesAreShown() {
        assertThat(settings.get(List.of("*"))).hasSize(195);
    }

    /** What CONFIG GET shows, CONFIG SET and a configuration file take. */
    @Test
    void everyValueIsReadBack() {
        RedisConfFile file = new RedisConfFile(settings);
        file.readOptions("enable-protected-configs yes");
        for (Setting<?> setting : settings.all()) {
            String before = setting.text();
            if (setting.mutable()) {
                set(setting.name(), before);
            }
            String several = setting.codec().severalWords() && !before.isEmpty() ? before : ConfigText.quote(before);
            if (setting == settings.server.enableProtectedConfigs) {
                continue;
            }
            if (!setting.name().equals("replicaof")) {
                file.readOptions(setting.name() + " " + several);
            }
            assertThat(setting.text()).as(setting.name()).isEqualTo(before);
            assertThat(setting.isInitial()).as(setting.name()).isTrue();
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvFileSource(resources = "refusals.csv", numLinesToSkip = 1)
    void aWrongValueIsRefusedInRedissWords(String name, String value, String reason) {
        new RedisConfFile(settings).readOptions("enable-protected-configs yes");
        String before = settings.get(List.of(name)).getFirst().getValue();

        assertThatThrownBy(() -> set(name, value))
                .isInstanceOf(ConfigException.class)
                .hasMessage("ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + reason);
        assertThat(get(name)).containsExactly(name, before);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "maxmemory, 1gB, 1073741824",
        "maxmemory, 5b, 5",
        "maxmemory, 100k, 100000",
        "maxmemory, 100kb, 102400",
        "maxmemory, 3m, 3000000",
        "maxmemory, '', 0",
        "maxmemory, gb, 0",
        "maxmemory-clients, 5%, 5%",
        "maxmemory-clients, 0%, 0",
        "maxmemory-clients, 10mb, 10485760",
        "hz, 0, 1",
        "hz, 9999, 500",
        "loglevel, VERBOSE, verbose",
        "protected-mode, NO, no",
        "save, 60 1 30 2, 60 1 30 2",
        "save, '', ''",
        "bind, 127.0.0.1 -::1, 127.0.0.1 -::1",
        "bind, '', ''",
        "shutdown-on-sigterm, force now nosave, nosave now force",
        "shutdown-on-sigint, now now default, now",
        "oom-score-adj, yes, yes",
        "latency-tracking-info-percentiles, 1.50 2e1 99.99999999 0, 1.5 20 100 0",
        "latency-tracking-info-percentiles, '', ''",
        "client-output-buffer-limit, replica 1mb 1k 1 SLAVE 1 1 1,"
                + " normal 0 0 0 slave 1 1 1 pubsub 33554432 8388608 60",
        "proc-title-template, {{x} {title}, {{x} {title}",
        "requirepass, s\u00c3\u00a9cret, s\u00c3\u00a9cret",
        "LUA-Time-Limit, 7, 7",
        "rdb-key-save-delay, -3, -3",
    })
    void valuesAreShownAsRedisShowsThem(String name, String value, String shown) {
        set(name, value);

        assertThat(get(name)).containsExactly(name, shown);
    }

    @ParameterizedTest
    @CsvSource({"KEA, AKE", "AKEm, AKEm", "AKEn, AKE", "n, n", "xe$lshzgtd, A", "Kgx, gxK", "'', ''", "Em$, $Em"})
    void eventClassesAreShownInRedissOrder(String letters, String shown) {
        set("notify-keyspace-events", letters);

        assertThat(get("notify-keyspace-events")).containsExactly("notify-keyspace-events", shown);
    }

    @Test
    void eventsAreOnlyPublishedSomewhere() {
        assertThat(KeyspaceEvents.parse("A").publishes('$')).isFalse();
        assertThat(KeyspaceEvents.parse("AK").publishes('$')).isTrue();
        assertThat(KeyspaceEvents.parse("gE").publishes('g')).isTrue();
        assertThat(KeyspaceEvents.parse("gE").publishes('m')).isFalse();
    }

    @Test
    void namesAndPatternsAreFoundOnceEach() {
        assertThat(get("maxmemory", "maxmemory*", "MAXMEMORY"))
                .containsExactly(
                        "maxmemory", "0",
                        "maxmemory-clients", "0",
                        "maxmemory-policy", "noeviction",
                        "maxmemory-samples", "5",
                        "maxmemory-eviction-tenacity", "10");
        assertThat(get("LUA-time-limit", "lua*")).containsExactly("LUA-time-limit", "5000");
        assertThat(get("*of")).containsExactly("replicaof", "", "slaveof", "");
        assertThat(get("H[x-z]")).containsExactly("hz", "10");
        assertThat(get("unknown", "?")).isEmpty();
    }

    @Test
    void hiddenDirectivesNeedTheirExactName() {
        assertThat(get("key-load*")).isEmpty();
        assertThat(get("key-load-delay")).containsExactly("key-load-delay", "0");
    }

    @Test
    void anAliasAndItsDirectiveAreTwoArguments() {
        settings.set(pairs("lua-time-limit", "10", "busy-reply-threshold", "11"), CLIENT);

        assertThat(settings.server.busyReplyThreshold.value()).isEqualTo(11);
        assertThatThrownBy(() -> set("hash-max-ziplist-entries", "-1"))
                .hasMessageStartingWith(
                        "ERR CONFIG SET failed (possibly related to argument 'hash-max-ziplist-entries')");
    }

    @Test
    void theFirstMistakeIsReportedAndNothingIsSet() {
        assertThatThrownBy(() -> settings.set(pairs("port", "1", "foo", "1", "timeout", "x"), CLIENT))
                .hasMessage("ERR Unknown option or number of arguments for CONFIG SET - 'foo'");
        assertThatThrownBy(() -> settings.set(pairs("timeout", "1", "TIMEOUT", "2"), CLIENT))
                .hasMessage("ERR CONFIG SET failed (possibly related to argument 'TIMEOUT') - duplicate parameter");
        assertThatThrownBy(() -> settings.set(pairs("maxmemory", "10000001", "maxmemory-clients", "200%"), CLIENT))
                .hasMessage("ERR CONFIG SET failed (possibly related to argument 'maxmemory-clients')"
                        + " - percentage argument must be less or equal to 100");
        assertThat(get("port", "timeout", "maxmemory"))
                .containsExactly("port", "6379", "timeout", "0", "maxmemory", "0");
    }

    @Test
    void immutableDirectivesStay() {
        assertThatThrownBy(() -> set("daemonize", "yes"))
                .hasMessage("ERR CONFIG SET failed (possibly related to argument 'daemonize')"
                        + " - can't set immutable config");
    }

    @Test
    void protectedDirectivesNeedPermission(@TempDir Path folder) {
        assertThatThrownBy(() -> set("dir", folder.toString()))
                .hasMessage("ERR CONFIG SET failed (possibly related to argument 'dir') - can't set protected config");

        new RedisConfFile(settings).readOptions("enable-protected-configs local");
        assertThatThrownBy(() -> settings.set(pairs("dir", folder.toString()), new Origin(false, false)))
                .hasMessageEndingWith("can't set protected config");
        set("dir", folder.toString());

        assertThat(settings.persistence.dir.value()).isEqualTo(folder);
    }

    @Test
    void theDataFolderIsAFolder(@TempDir Path folder) throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        Files.createDirectory(folder.resolve("inner"));
        new RedisConfFile(settings).readOptions("enable-protected-configs yes");

        assertThatThrownBy(() -> set("dir", folder + "/nowhere")).hasMessageEndingWith("- No such file or directory");
        assertThatThrownBy(() -> set("dir", file.toString())).hasMessageEndingWith("- Not a directory");
        set("dir", folder.toString());
        set("dir", "inner");
        set("dir", "./");
        assertThat(settings.persistence.dir.text())
                .isEqualTo(folder.resolve("inner").toString());
    }

    @Test
    void someDirectivesWaitForTheDataSet() {
        Origin whileLoading = new Origin(true, true);

        assertThatThrownBy(() -> settings.set(pairs("appendonly", "yes"), whileLoading))
                .hasMessage("LOADING Redis is loading the dataset in memory");
        settings.set(pairs("loglevel", "debug"), whileLoading);
        assertThat(settings.logging.logLevel.value()).isEqualTo(LogLevel.DEBUG);
    }

    @Test
    void listenersHearOfChangesOnly() {
        List<Long> heard = new ArrayList<>();
        settings.network.maxClients.onChange(heard::add);

        set("maxclients", "20");
        set("maxclients", "20");
        set("timeout", "3");

        assertThat(heard).containsExactly(20L);
    }

    @Test
    void aListenerThatRefusesTakesAllBack() {
        List<String> heard = new ArrayList<>();
        settings.network.timeout.onChange(value -> heard.add("timeout " + value));
        settings.network.port.onChange(value -> {
            throw new ConfigException("Unable to listen on this port. Check server logs.");
        });
        settings.network.maxClients.onChange(value -> heard.add("maxclients " + value));

        assertThatThrownBy(() -> settings.set(pairs("timeout", "5", "port", "7001", "maxclients", "9"), CLIENT))
                .hasMessage("ERR CONFIG SET failed (possibly related to argument 'port')"
                        + " - Unable to listen on this port. Check server logs.");

        assertThat(heard).containsExactly("timeout 5", "timeout 0");
        assertThat(get("timeout", "port", "maxclients"))
                .containsExactly("timeout", "0", "port", "6379", "maxclients", "10000");
    }

    @Test
    void aSharedListenerIsCalledOncePerChange() {
        List<String> heard = new ArrayList<>();
        settings.onChange(
                () -> heard.add(settings.network.bind.text() + ":" + settings.network.port.text()),
                settings.network.bind,
                settings.network.port);

        settings.set(pairs("port", "7001", "bind", "::1"), CLIENT);

        assertThat(heard).containsExactly("::1:7001");
    }

    @Test
    void defragmentationCannotBeSwitchedOn() {
        assertThatThrownBy(() -> set("activedefrag", "yes"))
                .hasMessageContaining("Active defragmentation cannot be enabled");
        assertThat(get("activedefrag")).containsExactly("activedefrag", "no");
    }

    @Test
    void aSettledDefaultGivesWayToAConfiguredValue() {
        settings.server.ioThreads.settle(2);
        assertThat(get("io-threads")).containsExactly("io-threads", "2");
        assertThat(settings.server.ioThreads.isInitial()).isTrue();

        Settings configured = new Settings();
        new RedisConfFile(configured).readOptions("io-threads 4");
        configured.server.ioThreads.settle(2);
        assertThat(configured.server.ioThreads.value()).isEqualTo(4);
        assertThat(configured.server.ioThreads.isInitial()).isFalse();
    }

    @Test
    void rewritingNeedsAFile() {
        assertThatThrownBy(settings::rewrite).hasMessage("ERR The server is running without a config file");
    }

    private void set(String name, String value) {
        settings.set(pairs(name, value), CLIENT);
    }

    private List<String> get(String... patterns) {
        return settings.get(List.of(patterns)).stream()
                .flatMap(entry -> Stream.of(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static List<Map.Entry<String, String>> pairs(String... words) {
        List<Map.Entry<String, String>> pairs = new ArrayList<>();
        for (int i = 0; i < words.length; i += 2) {
            pairs.add(Map.entry(words[i], words[i + 1]));
        }
        return pairs;
    }
}
