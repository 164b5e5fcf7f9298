package dev.heddle.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The figures for Prometheus: what they say, and that their form is right, as promtool would check it. */
class MetricsTest {

    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{(.*)})? ([-+]?(?:[0-9.]+(?:E-?[0-9]+)?|Inf)|NaN)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

    private ConsoleTester http;

    @BeforeEach
    void open() throws Exception {
        http = new ConsoleTester();
        String session = http.open();
        http.run(session, """
                [["SET","k","v"],["GET","k"],["GET","none"],["LPUSH","k","x"],["SET","k"],["SET","t","1","EX","100"]]""");
    }

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void theyTellWhatHasHappened() throws Exception {
        String text = http.get("/metrics").body();

        assertThat(text)
                .contains("heddle_command_calls_total{command=\"get\"} 2.0\n")
                .contains("heddle_command_failed_total{command=\"lpush\"} 1.0\n")
                .contains("heddle_command_rejected_total{command=\"set\"} 1.0\n")
                .contains("heddle_command_duration_seconds_count{command=\"get\"} 2\n")
                .contains("heddle_keyspace_hits_total 1.0\n", "heddle_keyspace_misses_total 1.0\n")
                .contains("heddle_keys{database=\"0\"} 2.0\n", "heddle_keys_expiring{database=\"0\"} 1.0\n")
                .contains("heddle_connected_clients 1.0\n")
                .contains("heddle_error_replies_total{code=\"WRONGTYPE\"} 1.0\n")
                .contains("jvm_gc_pause_seconds_total{gc=");
    }

    @Test
    void theirFormIsRight() throws Exception {
        HttpResponse<String> answer = http.get("/metrics");
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
        Map<String, String> types = new HashMap<>();
        Set<String> helped = new HashSet<>();
        Set<String> samples = new HashSet<>();
        Map<String, Double> lastBucket = new HashMap<>();
        for (String line : answer.body().split("\n")) {
            if (line.startsWith("# HELP ")) {
                assertThat(helped.add(line.split(" ")[2])).as(line).isTrue();
            } else if (line.startsWith("# TYPE ")) {
                String[] words = line.split(" ");
                assertThat(types.put(words[2], words[3])).as(line).isNull();
            } else {
                check(line, types, samples, lastBucket);
            }
        }
        assertThat(answer.body()).endsWith("\n");
        assertThat(types.keySet()).isEqualTo(helped).isNotEmpty();
    }

    private static void check(
            String line, Map<String, String> types, Set<String> samples, Map<String, Double> lastBucket) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        assertThat(samples.add(line.substring(0, line.lastIndexOf(' '))))
                .as("twice: " + line)
                .isTrue();
        String name = sample.group(1);
        String labels = sample.group(3) == null ? "" : sample.group(3);
        assertThat(LABEL.matcher(labels).replaceAll("")).as(line).isEmpty();
        String family = name.replaceAll("_(bucket|count|sum)$", "");
        boolean histogram = "histogram".equals(types.get(family));
        String type = histogram ? "histogram" : types.get(name);
        assertThat(type).as("type of " + line).isNotNull();
        assertThat(name).matches("(heddle|jvm)_[a-z0-9_]+").doesNotContainPattern("milli|micro|_ms|_kb");
        if (type.equals("counter")) {
            assertThat(name).endsWith("_total");
        }
        if (histogram && name.endsWith("_bucket")) {
            String series = labels.replaceAll("le=\"[^\"]*\"", "");
            double value = Double.parseDouble(sample.group(4));
            assertThat(value).as(line).isGreaterThanOrEqualTo(lastBucket.getOrDefault(series, 0.0));
            lastBucket.put(series, value);
        } else if (histogram && name.endsWith("_count")) {
            assertThat(lastBucket.get(labels + ",")).as(line).isEqualTo(Double.parseDouble(sample.group(4)));
        }
    }

    @Test
    void theDashboardAsksForFiguresThatThereAre() throws Exception {
        String dashboard = Files.readString(Path.of("../../config/grafana-dashboard.json"));
        String figures = http.get("/metrics").body();
        Matcher names = Pattern.compile("(heddle|jvm)_[a-z_]+").matcher(dashboard);
        int count = 0;
        while (names.find()) {
            if (!names.group().startsWith("heddle_aof_")) { // these need the file
                assertThat(figures).contains("\n" + names.group());
                count++;
            }
        }
        assertThat(count).isGreaterThan(15);
    }

    @Test
    void openMetricsAreServedToWhoAsksForThem() throws Exception {
        HttpResponse<String> answer = http.get("/metrics", "Accept", "application/openmetrics-text; version=1.0.0");

        assertThat(answer.body()).endsWith("# EOF\n");
    }

    @Test
    void healthTellsWhetherItIsReady() throws Exception {
        assertThat(http.get("/healthz").body()).isEqualTo("alive\n");
        assertThat(http.get("/readyz").body()).isEqualTo("ready\n");
        http.engine.loading().begin(0, 100);
        assertThat(http.get("/readyz").statusCode()).isEqualTo(503);
        assertThat(http.get("/healthz").statusCode()).isEqualTo(200);
        assertThat(List.of(http.get("/readyz").body())).containsExactly("loading the data set\n");
    }
}
