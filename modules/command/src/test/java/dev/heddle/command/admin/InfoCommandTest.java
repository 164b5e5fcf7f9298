package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.util.List;
import org.junit.jupiter.api.Test;

class InfoCommandTest {

    private final CommandTester tester = new CommandTester();

    private List<String> sections(String... arguments) {
        return tester.run(arguments)
                .lines()
                .filter(line -> line.startsWith("# "))
                .toList();
    }

    @Test
    void defaultAndAllSectionsInOrder() {
        assertThat(sections("INFO"))
                .containsExactly(
                        "# Server",
                        "# Clients",
                        "# Memory",
                        "# Persistence",
                        "# Stats",
                        "# Replication",
                        "# CPU",
                        "# Modules",
                        "# Errorstats",
                        "# Cluster",
                        "# Keyspace");
        assertThat(sections("INFO", "everything"))
                .containsExactly(
                        "# Server",
                        "# Clients",
                        "# Memory",
                        "# Persistence",
                        "# Stats",
                        "# Replication",
                        "# CPU",
                        "# Modules",
                        "# Commandstats",
                        "# Errorstats",
                        "# Latencystats",
                        "# Cluster",
                        "# Keyspace");
        assertThat(sections("INFO", "ALL")).isEqualTo(sections("INFO", "everything"));
        assertThat(sections("INFO", "default")).isEqualTo(sections("INFO"));
    }

    @Test
    void someSections() {
        assertThat(tester.run("INFO", "CLUSTER")).isEqualTo("$30\r\n# Cluster\r\ncluster_enabled:0\r\n\r\n");
        assertThat(tester.run("INFO", "keyspace", "cluster", "cluster"))
                .isEqualTo("$44\r\n# Cluster\r\ncluster_enabled:0\r\n\r\n# Keyspace\r\n\r\n");
        assertThat(tester.run("INFO", "sentinel")).isEqualTo("$0\r\n\r\n");
        tester.run("HELLO", "3");
        assertThat(tester.run("INFO", "cluster")).isEqualTo("=34\r\ntxt:# Cluster\r\ncluster_enabled:0\r\n\r\n");
    }

    @Test
    void serverTellsWhoItIs() {
        tester.advance(90_061_000);
        assertThat(tester.run("INFO", "server").lines())
                .contains(
                        "redis_version:7.2.4",
                        "redis_mode:standalone",
                        "arch_bits:64",
                        "tcp_port:6379",
                        "uptime_in_seconds:90061",
                        "uptime_in_days:1",
                        "hz:10",
                        "config_file:",
                        "process_id:" + ProcessHandle.current().pid(),
                        "run_id:" + tester.engine().serverInfo().runId(),
                        "listener0:name=tcp,bind=*,bind=-::*,port=6379");
    }

    @Test
    void keyspaceCountsKeys() {
        tester.run("SET", "a", "1");
        tester.run("SET", "b", "2", "PX", "5000");
        tester.run("SELECT", "3");
        tester.run("SET", "c", "3", "PX", "1000");
        tester.run("SET", "d", "3", "PX", "3000");
        assertThat(tester.run("INFO", "keyspace"))
                .endsWith(
                        "# Keyspace\r\ndb0:keys=2,expires=1,avg_ttl=5000\r\ndb3:keys=2,expires=2,avg_ttl=2000\r\n\r\n");
    }

    @Test
    void statisticsCount() {
        tester.run("CONFIG", "RESETSTAT");
        tester.run("SET", "a", "1");
        tester.run("GET", "a");
        tester.run("GET", "nokey");
        tester.run("GET");
        tester.run("INCR", "a", "b");
        tester.run("LRANGE-NOT-THERE");
        tester.run("APPEND", "a", "x");
        tester.run("INCR", "a");
        List<String> lines = tester.run("INFO", "stats", "commandstats", "errorstats", "persistence")
                .lines()
                .toList();
        assertThat(lines)
                .contains("keyspace_hits:1", "keyspace_misses:1", "total_error_replies:4", "errorstat_ERR:count=4")
                .anyMatch(line -> line.matches(
                        "cmdstat_get:calls=2,usec=\\d+,usec_per_call=\\d+\\.\\d\\d,rejected_calls=1,failed_calls=0"))
                .anyMatch(line -> line.matches("cmdstat_incr:calls=1,.*,rejected_calls=1,failed_calls=1"))
                .anyMatch(line -> line.matches("cmdstat_config\\|resetstat:calls=1,.*"))
                .contains("loading:0");
    }

    @Test
    void latencyStatsFollowTheSettings() {
        tester.run("CONFIG", "RESETSTAT");
        tester.run("CONFIG", "SET", "latency-tracking-info-percentiles", "0 99.5 100");
        tester.run("SET", "a", "1");
        assertThat(tester.run("INFO", "latencystats").lines())
                .anyMatch(line -> line.matches(
                        "latency_percentiles_usec_set:p0=\\d+\\.\\d{3},p99.5=\\d+\\.\\d{3},p100=\\d+\\.\\d{3}"));
        tester.run("CONFIG", "SET", "latency-tracking", "no");
        tester.run("GET", "a");
        assertThat(tester.run("INFO", "latencystats")).doesNotContain("usec_get:");
    }

    @Test
    void memoryHasSaneFigures() {
        assertThat(tester.run("INFO", "memory").lines())
                .contains("maxmemory:0", "maxmemory_human:0B", "maxmemory_policy:noeviction")
                .anyMatch(line -> line.matches("used_memory:[1-9]\\d*"))
                .anyMatch(line -> line.matches("used_memory_rss:[1-9]\\d*"))
                .anyMatch(line -> line.startsWith("mem_allocator:jvm-"));
    }

    @Test
    void bytesForPeople() {
        assertThat(InfoText.human(0)).isEqualTo("0B");
        assertThat(InfoText.human(1023)).isEqualTo("1023B");
        assertThat(InfoText.human(1024)).isEqualTo("1.00K");
        assertThat(InfoText.human(1363320)).isEqualTo("1.30M");
        assertThat(InfoText.human(25276026880L)).isEqualTo("23.54G");
        assertThat(InfoText.human(1L << 45)).isEqualTo("32.00T");
    }

    @Test
    void cpuTimesComeFromBehindTheName() {
        String stat = "1234 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 11 22 13 14";
        assertThat(ProcessTimes.parse(stat)).isEqualTo(new ProcessTimes(220_000, 110_000));
        assertThat(tester.run("INFO", "cpu")).containsPattern("used_cpu_user:\\d+\\.\\d{6}\r\n");
    }
}
