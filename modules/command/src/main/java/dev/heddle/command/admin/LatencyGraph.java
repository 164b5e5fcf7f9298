package dev.heddle.command.admin;

import dev.heddle.command.LatencyMonitor.Event;
import dev.heddle.command.LatencyMonitor.Sample;
import java.util.List;
import java.util.Locale;

/** The picture that LATENCY GRAPH draws: a column for each spike, its age below it, to be read from top to bottom. Stateless. */
final class LatencyGraph {

    private static final int COLUMNS = 80;
    private static final int ROWS = 4;

    private LatencyGraph() {}

    static String draw(Event event, long nowSeconds) {
        List<Sample> samples = event.samples();
        List<Sample> shown = samples.subList(Math.max(0, samples.size() - COLUMNS), samples.size());
        long high = shown.stream().mapToLong(Sample::millis).max().orElse(0);
        long low = shown.stream().mapToLong(Sample::millis).min().orElse(0);
        StringBuilder graph = new StringBuilder();
        graph.append(String.format(
                Locale.ROOT,
                "%s - high %d ms, low %d ms (all time high %d ms)\n",
                event.name(),
                high,
                low,
                event.maxMillis()));
        graph.append("-".repeat(COLUMNS)).append('\n');
        for (int row = ROWS; row > 0; row--) {
            for (Sample sample : shown) {
                graph.append(height(sample, low, high) >= row ? '#' : ' ');
            }
            graph.append('\n');
        }
        labels(graph, shown, nowSeconds);
        return graph.toString();
    }

    private static long height(Sample sample, long low, long high) {
        return high == low ? ROWS : 1 + (sample.millis() - low) * (ROWS - 1) / (high - low);
    }

    private static void labels(StringBuilder graph, List<Sample> samples, long nowSeconds) {
        List<String> labels = samples.stream()
                .map(sample -> age(Math.max(0, nowSeconds - sample.seconds())))
                .toList();
        int length = labels.stream().mapToInt(String::length).max().orElse(0);
        for (int i = 0; i < length; i++) {
            for (String label : labels) {
                graph.append(i < label.length() ? label.charAt(i) : ' ');
            }
            graph.append('\n');
        }
    }

    private static String age(long seconds) {
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return seconds / 60 + "m";
        }
        return seconds < 86_400 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
    }
}
