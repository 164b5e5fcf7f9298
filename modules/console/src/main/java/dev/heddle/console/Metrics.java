package dev.heddle.console;

import com.sun.net.httpserver.HttpExchange;
import dev.heddle.command.CommandSpec;
import dev.heddle.command.CommandStats;
import dev.heddle.command.Engine;
import dev.heddle.command.Journal;
import dev.heddle.command.LatencyHistogram;
import dev.heddle.command.Persistence;
import dev.heddle.command.ServerInfo;
import dev.heddle.command.ServerStats;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * The figures for Prometheus. Nothing is counted for them: each answer is made from what the server counts anyway, in base units.
 *
 * <p>Thread-safe.
 */
final class Metrics {

    /** Levels of the histograms: each is four times the one before, from 1 microsecond to a second. */
    private static final int LEVEL_STEP = 2;

    private final Engine engine;
    private final ExpositionFormats formats = ExpositionFormats.init();

    Metrics(Engine engine) {
        this.engine = engine;
    }

    void serve(HttpExchange exchange) throws IOException {
        String accepted = Guard.header(exchange, "Accept");
        ExpositionFormatWriter writer = accepted != null && accepted.contains("application/openmetrics-text")
                ? formats.getOpenMetricsTextFormatWriter()
                : formats.getPrometheusTextFormatWriter();
        ByteArrayOutputStream body = new ByteArrayOutputStream(64 * 1024);
        writer.write(body, collect(), EscapingScheme.UNDERSCORE_ESCAPING);
        Responses.bytes(exchange, 200, writer.getContentType(), body.toByteArray());
    }

    private MetricSnapshots collect() {
        MetricSheet sheet = new MetricSheet();
        server(sheet);
        clients(sheet);
        keyspace(sheet);
        memory(sheet);
        collectors(sheet);
        journal(sheet);
        snapshots(sheet);
        commands(sheet);
        return sheet.build();
    }

    private void server(MetricSheet sheet) {
        ServerStats stats = engine.stats();
        sheet.info("heddle_build", "Which version runs", "version", ServerInfo.version());
        sheet.gauge(
                "heddle_start_time_seconds",
                "When the server started, since the epoch",
                engine.serverInfo().startedMillis() / 1000.0);
        sheet.gauge(
                "heddle_loading",
                "1 while the data set is being loaded",
                engine.loading().active() ? 1 : 0);
        sheet.counter("heddle_commands_processed", "Commands that have run", stats.commands());
        sheet.counter("heddle_network_input_bytes", "Bytes received from clients", stats.inputBytes());
        sheet.counter("heddle_network_output_bytes", "Bytes sent to clients", stats.outputBytes());
        sheet.counters(
                "heddle_error_replies",
                "Error replies by their code",
                "code",
                add -> stats.errorKinds().forEach((code, count) -> add.accept(code, count.sum())));
        sheet.gauge(
                "heddle_slowlog_length",
                "Entries in the slow log",
                engine.slowLog().size());
    }

    private void clients(MetricSheet sheet) {
        ServerStats stats = engine.stats();
        sheet.gauge(
                "heddle_connected_clients",
                "Clients that are connected",
                engine.sessions().count());
        sheet.gauge(
                "heddle_blocked_clients",
                "Clients that wait in a command",
                engine.waiters().count());
        sheet.gauge(
                "heddle_max_clients",
                "Clients that may be connected at a time",
                engine.settings().network.maxClients.value());
        sheet.counter("heddle_connections_received", "Connections accepted", stats.connections());
        sheet.counter("heddle_connections_rejected", "Connections refused", stats.rejectedConnections());
        sheet.counter("heddle_evicted_clients", "Clients closed because memory was short", stats.evictedClients());
        sheet.counter(
                "heddle_output_limit_disconnections",
                "Clients closed because they did not read",
                stats.outputLimitClosings());
    }

    private void keyspace(MetricSheet sheet) {
        ServerStats stats = engine.stats();
        int databases = engine.keyspace().databases();
        sheet.gauges("heddle_keys", "Keys in a database", "database", add -> {
            for (int i = 0; i < databases; i++) {
                add.accept(Integer.toString(i), engine.keyspace().keys(i));
            }
        });
        sheet.gauges("heddle_keys_expiring", "Keys with a time to live", "database", add -> {
            for (int i = 0; i < databases; i++) {
                add.accept(Integer.toString(i), engine.keyspace().expiringKeys(i));
            }
        });
        sheet.counter("heddle_keyspace_hits", "Reads that found their key", stats.hits());
        sheet.counter("heddle_keyspace_misses", "Reads that did not find their key", stats.misses());
        sheet.counter("heddle_expired_keys", "Keys removed because their time was over", stats.expired());
        sheet.counter("heddle_evicted_keys", "Keys removed because memory was short", stats.evicted());
        sheet.counter("heddle_changes", "Changes of data", stats.changes());
    }

    private void memory(MetricSheet sheet) {
        sheet.gauge(
                "heddle_memory_used_bytes",
                "Data, clients, scripts and the server",
                engine.memory().counted());
        sheet.gauge(
                "heddle_memory_peak_bytes",
                "The most that was in use",
                engine.memory().peak());
        sheet.gauge(
                "heddle_memory_clients_bytes",
                "Buffers of clients",
                engine.clientMemory().total());
        sheet.gauge(
                "heddle_memory_heap_bytes",
                "Heap in use, garbage included",
                engine.memory().heapUsed());
        sheet.gauge(
                "heddle_memory_committed_bytes",
                "Heap taken from the system",
                engine.memory().committed());
        sheet.gauge(
                "heddle_memory_resident_bytes",
                "Physical memory of the process",
                engine.memory().resident());
        sheet.gauge(
                "heddle_memory_limit_bytes",
                "maxmemory, 0 for none",
                engine.settings().memory.maxMemory.value());
    }

    private static void collectors(MetricSheet sheet) {
        List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans();
        sheet.counters(
                "jvm_gc_collections",
                "Garbage collections",
                "gc",
                add -> beans.forEach(bean -> add.accept(bean.getName(), Math.max(0, bean.getCollectionCount()))));
        sheet.counters(
                "jvm_gc_pause_seconds",
                "Time spent in garbage collections",
                "gc",
                add -> beans.forEach(
                        bean -> add.accept(bean.getName(), Math.max(0, bean.getCollectionTime()) / 1000.0)));
    }

    private void journal(MetricSheet sheet) {
        Journal journal = engine.keyspace().journal();
        sheet.gauge("heddle_aof_enabled", "1 while changes are appended to the file", journal.isOpen() ? 1 : 0);
        if (!journal.isOpen()) {
            return;
        }
        Journal.Figures figures = journal.figures();
        sheet.gauge("heddle_aof_size_bytes", "Size of the append-only file", figures.currentSize());
        sheet.gauge("heddle_aof_base_size_bytes", "Its size after the last rewrite", figures.baseSize());
        sheet.gauge("heddle_aof_buffer_bytes", "What waits to be written to it", figures.buffered());
        sheet.gauge("heddle_aof_write_failing", "1 while it cannot be written", figures.failing() ? 1 : 0);
        sheet.counter("heddle_aof_delayed_fsyncs", "Times a write had to wait for the disk", figures.delayed());
    }

    private void snapshots(MetricSheet sheet) {
        Persistence.Figures figures = engine.persistence().figures();
        sheet.gauge("heddle_snapshot_running", "1 while a snapshot is being written", figures.saving() ? 1 : 0);
        sheet.gauge("heddle_snapshot_last_ok", "Whether the last one succeeded", figures.lastSaveOk() ? 1 : 0);
        sheet.gauge(
                "heddle_snapshot_last_time_seconds",
                "When the last one succeeded, since the epoch",
                figures.lastSave());
        sheet.gauge("heddle_snapshot_changes", "Changes since then", figures.changes());
        sheet.gauge(
                "heddle_aof_rewrite_running",
                "1 while the append-only file is being rewritten",
                figures.rewrites().rewriting() ? 1 : 0);
        sheet.counter(
                "heddle_aof_rewrites",
                "Rewrites of the append-only file",
                figures.rewrites().count());
    }

    private void commands(MetricSheet sheet) {
        List<CommandSpec> used = new ArrayList<>();
        engine.table().forEach(spec -> {
            CommandStats stats = spec.stats();
            if (stats.calls() + stats.rejected() > 0) {
                used.add(spec);
            }
        });
        sheet.counters(
                "heddle_command_calls",
                "Runs of a command",
                "command",
                add -> used.forEach(
                        spec -> add.accept(spec.fullName(), spec.stats().calls())));
        sheet.counters(
                "heddle_command_failed",
                "Runs of a command that answered an error",
                "command",
                add -> used.forEach(
                        spec -> add.accept(spec.fullName(), spec.stats().failed())));
        sheet.counters(
                "heddle_command_rejected",
                "Commands that were refused",
                "command",
                add -> used.forEach(
                        spec -> add.accept(spec.fullName(), spec.stats().rejected())));
        List<HistogramDataPointSnapshot> durations = new ArrayList<>();
        used.forEach(spec -> durations.add(durations(spec)));
        sheet.add(new HistogramSnapshot(
                MetricSheet.metadata("heddle_command_duration_seconds", "How long commands ran"), durations));
    }

    private static HistogramDataPointSnapshot durations(CommandSpec spec) {
        LatencyHistogram histogram = spec.stats().latency();
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        long before = 0;
        for (int level = 0; level < LatencyHistogram.LEVELS - 1; level += LEVEL_STEP) {
            long count = Math.max(before, histogram.atMost(level));
            buckets.bucket((1L << (10 + level)) / 1e9, count - before);
            before = count;
        }
        buckets.bucket(Double.POSITIVE_INFINITY, Math.max(0, histogram.total() - before));
        return HistogramDataPointSnapshot.builder()
                .labels(Labels.of("command", spec.fullName()))
                .classicHistogramBuckets(buckets.build())
                .sum(spec.stats().nanos() / 1e9)
                .build();
    }
}
