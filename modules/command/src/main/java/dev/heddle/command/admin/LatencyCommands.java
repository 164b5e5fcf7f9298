package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Arity.exactly;
import static dev.heddle.command.Flag.ADMIN;
import static dev.heddle.command.Flag.LOADING;
import static dev.heddle.command.Flag.NOSCRIPT;
import static dev.heddle.command.Flag.STALE;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandSpec;
import dev.heddle.command.CommandTable;
import dev.heddle.command.LatencyHistogram;
import dev.heddle.command.LatencyMonitor;
import dev.heddle.command.LatencyMonitor.Event;
import dev.heddle.command.LatencyMonitor.Sample;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** LATENCY: spikes, and how long commands take. Stateless. */
public final class LatencyCommands {

    private static final String[] VARYING = {
        "nondeterministic_output", "request_policy:all_nodes", "response_policy:special"
    };

    private LatencyCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.container("LATENCY")
                .docs(SERVER, "2.8.13", "Depends on subcommand.", "", "A container for commands about latency.")
                .subcommands(LatencyCommands::declareSubcommands);
    }

    private static void declareSubcommands(CommandTable.Builder t) {
        t.other("LATEST", exactly(0), LatencyCommands::latest, ADMIN, NOSCRIPT, LOADING, STALE)
                .tips(VARYING)
                .docs(SERVER, "2.8.13", "O(1)", "", "Answers the last spike of each event.");
        t.other("HISTORY", exactly(1), LatencyCommands::history, ADMIN, NOSCRIPT, LOADING, STALE)
                .tips(VARYING)
                .docs(SERVER, "2.8.13", "O(1)", "event", "Answers the spikes of an event.");
        t.other("GRAPH", exactly(1), LatencyCommands::graph, ADMIN, NOSCRIPT, LOADING, STALE)
                .tips(VARYING)
                .docs(SERVER, "2.8.13", "O(1)", "event", "Draws the spikes of an event.");
        t.other("DOCTOR", exactly(0), LatencyCommands::doctor, ADMIN, NOSCRIPT, LOADING, STALE)
                .tips(VARYING)
                .docs(SERVER, "2.8.13", "O(1)", "", "Says in words what spikes there were.");
        t.other("RESET", atLeast(0), LatencyCommands::reset, ADMIN, NOSCRIPT, LOADING, STALE)
                .tips("request_policy:all_nodes", "response_policy:agg_sum")
                .docs(SERVER, "2.8.13", "O(1)", "[event [event ...]]", "Forgets all events, or some.");
        t.other("HISTOGRAM", atLeast(0), LatencyCommands::histogram, ADMIN, NOSCRIPT, LOADING, STALE)
                .tips(VARYING)
                .docs(
                        SERVER,
                        "7.0.0",
                        "O(N) where N is the number of commands",
                        "[command [command ...]]",
                        "Answers how many runs of commands took up to 1, 2, 4, ... microseconds.");
        t.other("HELP", exactly(0), Subcommands::help, LOADING, STALE)
                .docs(SERVER, "2.8.13", "O(1)", "", "Lists the subcommands.");
    }

    private static void latest(Call call) {
        List<Event> events = call.engine().latency().events();
        call.reply().array(events.size());
        for (Event event : events) {
            call.reply().array(4);
            call.reply().bulk(event.name());
            call.reply().integer(event.latest().seconds());
            call.reply().integer(event.latest().millis());
            call.reply().integer(event.maxMillis());
        }
    }

    /** {@code LATENCY HISTORY event} */
    private static void history(Call call) {
        Event event = call.engine().latency().find(call.text(2));
        List<Sample> samples = event == null ? List.of() : event.samples();
        call.reply().array(samples.size());
        for (Sample sample : samples) {
            call.reply().array(2);
            call.reply().integer(sample.seconds());
            call.reply().integer(sample.millis());
        }
    }

    /** {@code LATENCY GRAPH event} */
    private static void graph(Call call) {
        Event event = call.engine().latency().find(call.text(2));
        if (event == null) {
            throw CommandException.err("No samples available for event '" + call.text(2) + "'");
        }
        text(call, LatencyGraph.draw(event, call.now() / 1000));
    }

    private static void doctor(Call call) {
        LatencyMonitor monitor = call.engine().latency();
        List<Event> events = monitor.events();
        if (events.isEmpty()) {
            text(
                    call,
                    monitor.enabled()
                            ? "Not one event has been slower than latency-monitor-threshold.\n"
                            : "Nothing is being watched. CONFIG SET latency-monitor-threshold <milliseconds> changes that.\n");
            return;
        }
        StringBuilder report = new StringBuilder("Events slower than latency-monitor-threshold:\n\n");
        for (Event event : events) {
            double average =
                    event.samples().stream().mapToLong(Sample::millis).average().orElse(0);
            report.append(String.format(
                    Locale.ROOT,
                    "- %s: %d time(s), on average %.0f ms, at worst %d ms, last %d s ago.\n",
                    event.name(),
                    event.samples().size(),
                    average,
                    event.maxMillis(),
                    call.now() / 1000 - event.latest().seconds()));
        }
        report.append("\nSLOWLOG GET shows which commands took long.\n");
        text(call, report.toString());
    }

    private static void text(Call call, String text) {
        call.reply().verbatim("txt", text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** {@code LATENCY RESET [event ...]} */
    private static void reset(Call call) {
        LatencyMonitor monitor = call.engine().latency();
        if (call.argc() == 2) {
            call.reply().integer(monitor.reset());
            return;
        }
        int count = 0;
        for (int i = 2; i < call.argc(); i++) {
            count += monitor.reset(call.text(i)) ? 1 : 0;
        }
        call.reply().integer(count);
    }

    /** {@code LATENCY HISTOGRAM [command ...]} */
    private static void histogram(Call call) {
        call.session().endBatch();
        List<CommandSpec> asked = new ArrayList<>();
        if (call.argc() == 2) {
            call.engine().table().forEach(asked::add);
        }
        for (int i = 2; i < call.argc(); i++) {
            CommandSpec spec = call.engine().table().find(call.text(i));
            if (spec != null) {
                asked.add(spec);
                asked.addAll(spec.subcommands().values());
            }
        }
        asked.removeIf(spec -> spec.stats().latency().total() == 0);
        CommandReplies.map(
                call.reply(), asked, spec -> distribution(call, spec.stats().latency()));
    }

    private static void distribution(Call call, LatencyHistogram histogram) {
        call.reply().map(2);
        call.reply().bulk("calls");
        call.reply().integer(histogram.total());
        call.reply().bulk("histogram_usec");
        int mark = call.reply().deferred();
        int levels = 0;
        long before = 0;
        for (int level = 0; level < LatencyHistogram.LEVELS; level++) {
            long count = histogram.atMost(level);
            if (count > before) {
                call.reply().integer(LatencyHistogram.levelMicros(level));
                call.reply().integer(count);
                levels++;
            }
            before = count;
        }
        call.reply().closeMap(mark, levels);
    }
}
