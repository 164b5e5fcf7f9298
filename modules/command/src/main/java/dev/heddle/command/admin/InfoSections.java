package dev.heddle.command.admin;

import dev.heddle.command.Call;
import dev.heddle.command.CommandSpec;
import dev.heddle.command.CommandStats;
import dev.heddle.command.Engine;
import dev.heddle.command.PubSub;
import dev.heddle.command.PubSub.Kind;
import dev.heddle.command.ServerInfo;
import dev.heddle.command.ServerStats;
import dev.heddle.command.Session;
import dev.heddle.command.Tracking;
import dev.heddle.command.config.Settings;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * The sections of INFO with the names of their lines and their order as in Redis 7.2. Lines about things that this server does not do say
 * so with a zero where tools look for them, and are left out otherwise. Stateless.
 */
enum InfoSections {
    SERVER,
    CLIENTS,
    MEMORY,
    PERSISTENCE,
    STATS,
    REPLICATION,
    CPU,
    MODULES,
    COMMANDSTATS,
    ERRORSTATS,
    LATENCYSTATS,
    CLUSTER,
    KEYSPACE;

    /** Whether a word asks for this section. */
    boolean isNamed(String word) {
        return name().equalsIgnoreCase(word) || (this == MODULES && word.equalsIgnoreCase("module_list"));
    }

    /** Whether INFO without arguments has this section. */
    boolean isDefault() {
        return this != COMMANDSTATS && this != LATENCYSTATS;
    }

    void write(Call call, InfoText text) {
        switch (this) {
            case SERVER -> server(call, text);
            case CLIENTS -> clients(call, text);
            case MEMORY -> InfoMemory.write(call, text);
            case PERSISTENCE -> InfoPersistence.write(call, text);
            case STATS -> stats(call, text);
            case REPLICATION -> replication(call, text);
            case CPU -> cpu(call, text);
            case MODULES -> text.section("Modules");
            case COMMANDSTATS -> commandStats(call, text);
            case ERRORSTATS -> errorStats(call, text);
            case LATENCYSTATS -> latencyStats(call, text);
            case CLUSTER -> cluster(text);
            case KEYSPACE -> keyspace(call, text);
        }
    }

    private static void server(Call call, InfoText text) {
        Engine engine = call.engine();
        Settings settings = engine.settings();
        ServerInfo info = engine.serverInfo();
        Instant now = engine.clock().instant();
        long up = Math.max(0, (call.now() - info.startedMillis()) / 1000);
        text.section("Server");
        text.line("redis_version", ServerInfo.REDIS_VERSION);
        text.line("heddle_version", ServerInfo.version());
        text.line("redis_git_sha1", "00000000");
        text.line("redis_git_dirty", 0);
        text.line("redis_mode", "standalone");
        text.line("os", operatingSystem());
        text.line("arch_bits", 64);
        text.line("java_version", Runtime.version());
        text.line("multiplexing_api", "virtual-threads");
        text.line("process_id", ProcessHandle.current().pid());
        text.line("process_supervised", "no");
        text.line("run_id", info.runId());
        text.line("tcp_port", settings.network.port.value());
        text.line("server_time_usec", now.getEpochSecond() * 1_000_000 + now.getNano() / 1000);
        text.line("uptime_in_seconds", up);
        text.line("uptime_in_days", up / 86_400);
        text.line("hz", settings.server.hz.value());
        text.line("configured_hz", settings.server.hz.value());
        text.line("lru_clock", call.now() / 1000 & 0xffffff);
        text.line("executable", ProcessHandle.current().info().command().orElse(""));
        Path configFile = settings.configFile();
        text.line("config_file", configFile == null ? "" : configFile.toAbsolutePath());
        text.line("io_threads_active", false);
        listeners(settings, text);
    }

    private static void listeners(Settings settings, InfoText text) {
        int number = 0;
        if (settings.network.port.value() != 0) {
            List<String> binds =
                    settings.network.bind.value().stream().map("bind="::concat).toList();
            text.line("listener0", "name=tcp," + String.join(",", binds) + ",port=" + settings.network.port.value());
            number++;
        }
        if (!settings.network.unixSocket.value().isEmpty()) {
            text.line("listener" + number, "name=unix,bind=" + settings.network.unixSocket.value());
        }
    }

    private static String operatingSystem() {
        String architecture = System.getProperty("os.arch", "");
        return System.getProperty("os.name", "") + " " + System.getProperty("os.version", "") + " "
                + (architecture.equals("amd64") ? "x86_64" : architecture);
    }

    private static void clients(Call call, InfoText text) {
        int connected = 0;
        long maxInput = 0;
        long maxOutput = 0;
        for (Session session : call.engine().sessions().all()) {
            if (!session.closing() || session.id() == call.session().id()) {
                connected++;
                maxInput = Math.max(maxInput, session.connection().inputUsed());
                maxOutput = Math.max(
                        maxOutput, session.reply().size() + session.outbox().bytes());
            }
        }
        text.section("Clients");
        text.line("connected_clients", connected);
        text.line("cluster_connections", 0);
        text.line("maxclients", call.engine().settings().network.maxClients.value());
        text.line("client_recent_max_input_buffer", maxInput);
        text.line("client_recent_max_output_buffer", maxOutput);
        text.line(
                "blocked_clients",
                call.engine().pauses().waiting() + call.engine().waiters().count());
        text.line("tracking_clients", call.engine().tracking().clients());
        text.line("clients_in_timeout_table", 0);
        text.line("total_blocking_keys", call.engine().waiters().keys());
        text.line("total_blocking_keys_on_nokey", call.engine().waiters().keysThatMustStay());
    }

    private static void stats(Call call, InfoText text) {
        ServerStats stats = call.engine().stats();
        text.section("Stats");
        text.line("total_connections_received", stats.connections());
        text.line("total_commands_processed", stats.commands());
        text.line("instantaneous_ops_per_sec", (long) call.engine().rates().commandsPerSecond());
        text.line("total_net_input_bytes", stats.inputBytes());
        text.line("total_net_output_bytes", stats.outputBytes());
        text.line("total_net_repl_input_bytes", 0);
        text.line("total_net_repl_output_bytes", 0);
        text.decimal("instantaneous_input_kbps", call.engine().rates().inputBytesPerSecond() / 1024);
        text.decimal("instantaneous_output_kbps", call.engine().rates().outputBytesPerSecond() / 1024);
        text.line("instantaneous_input_repl_kbps", "0.00");
        text.line("instantaneous_output_repl_kbps", "0.00");
        text.line("rejected_connections", stats.rejectedConnections());
        zeros(text, "sync_full", "sync_partial_ok", "sync_partial_err");
        text.line("expired_keys", stats.expired());
        text.line("evicted_keys", stats.evicted());
        text.line("evicted_clients", stats.evictedClients());
        zeros(text, "total_eviction_exceeded_time", "current_eviction_exceeded_time");
        text.line("keyspace_hits", stats.hits());
        text.line("keyspace_misses", stats.misses());
        PubSub pubSub = call.engine().pubSub();
        text.line("pubsub_channels", pubSub.count(Kind.CHANNEL));
        text.line("pubsub_patterns", pubSub.count(Kind.PATTERN));
        text.line("pubsubshard_channels", pubSub.count(Kind.SHARD));
        zeros(text, "latest_fork_usec", "total_forks");
        zeros(text, "migrate_cached_sockets", "slave_expires_tracked_keys", "active_defrag_hits");
        zeros(text, "active_defrag_misses", "active_defrag_key_hits", "active_defrag_key_misses");
        Tracking tracking = call.engine().tracking();
        zeros(text, "total_active_defrag_time", "current_active_defrag_time");
        text.line("tracking_total_keys", tracking.keys());
        text.line("tracking_total_items", tracking.items());
        text.line("tracking_total_prefixes", tracking.prefixes());
        text.line("unexpected_error_replies", 0);
        text.line("total_error_replies", stats.errors());
        zeros(text, "dump_payload_sanitizations", "io_threaded_reads_processed", "io_threaded_writes_processed");
        zeros(text, "acl_access_denied_auth", "acl_access_denied_cmd", "acl_access_denied_key");
        zeros(text, "acl_access_denied_channel");
        text.line("client_output_buffer_limit_disconnections", stats.outputLimitClosings());
    }

    private static void zeros(InfoText text, String... names) {
        for (String name : names) {
            text.line(name, 0);
        }
    }

    private static void replication(Call call, InfoText text) {
        text.section("Replication");
        text.line("role", "master");
        text.line("connected_slaves", 0);
        text.line("master_failover_state", "no-failover");
        text.line("master_replid", call.engine().serverInfo().replicationId());
        text.line("master_replid2", "0".repeat(40));
        text.line("master_repl_offset", 0);
        text.line("second_repl_offset", -1);
        zeros(text, "repl_backlog_active", "repl_backlog_size", "repl_backlog_first_byte_offset");
        zeros(text, "repl_backlog_histlen");
    }

    private static void cpu(Call call, InfoText text) {
        ProcessTimes times = ProcessTimes.now();
        text.section("CPU");
        text.line("used_cpu_sys", seconds(times.systemMicros()));
        text.line("used_cpu_user", seconds(times.userMicros()));
        text.line("used_cpu_sys_children", seconds(0));
        text.line("used_cpu_user_children", seconds(0));
        text.line(
                "heddle_threads",
                ManagementFactory.getThreadMXBean().getThreadCount()
                        + call.engine().sessions().count());
    }

    private static String seconds(long micros) {
        return String.format(Locale.ROOT, "%d.%06d", micros / 1_000_000, micros % 1_000_000);
    }

    private static void commandStats(Call call, InfoText text) {
        text.section("Commandstats");
        call.engine().table().forEach(spec -> commandStats(spec, text));
    }

    private static void commandStats(CommandSpec spec, InfoText text) {
        CommandStats stats = spec.stats();
        long calls = stats.calls();
        if (calls == 0 && stats.rejected() == 0 && stats.failed() == 0) {
            return;
        }
        long micros = stats.nanos() / 1000;
        text.line(
                "cmdstat_" + spec.fullName(),
                "calls=" + calls + ",usec=" + micros
                        + ",usec_per_call=" + InfoText.decimals(calls == 0 ? 0 : micros / (double) calls, 2)
                        + ",rejected_calls=" + stats.rejected()
                        + ",failed_calls=" + stats.failed());
    }

    private static void errorStats(Call call, InfoText text) {
        text.section("Errorstats");
        new TreeMap<>(call.engine().stats().errorKinds())
                .forEach((code, count) -> text.line("errorstat_" + code, "count=" + count.sum()));
    }

    private static void latencyStats(Call call, InfoText text) {
        List<Double> percentiles =
                call.engine().settings().logging.latencyTrackingInfoPercentiles.value();
        text.section("Latencystats");
        call.engine().table().forEach(spec -> {
            if (spec.stats().latency().total() > 0) {
                List<String> figures = percentiles.stream()
                        .map(percent -> figure(spec.stats(), percent))
                        .toList();
                text.line("latency_percentiles_usec_" + spec.fullName(), String.join(",", figures));
            }
        });
    }

    private static String figure(CommandStats stats, double percent) {
        String name = percent == Math.rint(percent) ? Long.toString((long) percent) : Double.toString(percent);
        return "p" + name.toLowerCase(Locale.ROOT) + "="
                + InfoText.decimals(stats.latency().percentile(percent) / 1000.0, 3);
    }

    private static void cluster(InfoText text) {
        text.section("Cluster");
        text.line("cluster_enabled", false);
    }

    private static void keyspace(Call call, InfoText text) {
        text.section("Keyspace");
        for (StoreFigures.Database database :
                StoreFigures.databases(call.engine().store(), call.locks(), call.now())) {
            text.line(
                    "db" + database.index(),
                    "keys=" + database.keys() + ",expires=" + database.expiring() + ",avg_ttl="
                            + database.averageTtl());
        }
    }
}
