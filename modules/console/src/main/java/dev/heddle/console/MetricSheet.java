package dev.heddle.console;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Collects the figures of one answer to Prometheus. Confined to one thread. */
final class MetricSheet {

    private final List<MetricSnapshot> metrics = new ArrayList<>();

    /** Takes a value for one value of a label. */
    @FunctionalInterface
    interface Values {
        void accept(String label, double value);

        default void accept(String label, long value) {
            accept(label, (double) value);
        }
    }

    static MetricMetadata metadata(String name, String help) {
        return new MetricMetadata(name, help);
    }

    void add(MetricSnapshot metric) {
        metrics.add(metric);
    }

    MetricSnapshots build() {
        return new MetricSnapshots(metrics);
    }

    /** One that always has the value 1, and tells by its label. */
    void info(String name, String help, String label, String value) {
        add(new InfoSnapshot(metadata(name, help), List.of(new InfoDataPointSnapshot(Labels.of(label, value)))));
    }

    /** Only grows; the suffix {@code _total} is added to its name. */
    void counter(String name, String help, long value) {
        add(new CounterSnapshot(metadata(name, help), List.of(counterPoint(Labels.EMPTY, (double) value))));
    }

    void counters(String name, String help, String label, Consumer<Values> source) {
        List<CounterDataPointSnapshot> points = new ArrayList<>();
        source.accept((labelValue, value) -> points.add(counterPoint(Labels.of(label, labelValue), value)));
        add(new CounterSnapshot(metadata(name, help), points));
    }

    private static CounterDataPointSnapshot counterPoint(Labels labels, double value) {
        return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
    }

    void gauge(String name, String help, long value) {
        gauge(name, help, (double) value);
    }

    void gauge(String name, String help, double value) {
        add(new GaugeSnapshot(metadata(name, help), List.of(gaugePoint(Labels.EMPTY, value))));
    }

    void gauges(String name, String help, String label, Consumer<Values> source) {
        List<GaugeDataPointSnapshot> points = new ArrayList<>();
        source.accept((labelValue, value) -> points.add(gaugePoint(Labels.of(label, labelValue), value)));
        add(new GaugeSnapshot(metadata(name, help), points));
    }

    private static GaugeDataPointSnapshot gaugePoint(Labels labels, double value) {
        return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
    }
}
