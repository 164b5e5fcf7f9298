package dev.heddle.command.config;

import static dev.heddle.command.config.Row.accepted;
import static dev.heddle.command.config.Row.active;

import dev.heddle.command.config.Row.Trait;
import java.util.List;

/** What the server says about itself: log, slow log, latency figures. Thread-safe, as its settings are. */
public final class LoggingSettings {

    /** How much is logged. */
    public final Setting<LogLevel> logLevel;

    /** Where the log goes; empty for the standard output. */
    public final Setting<String> logFile;

    /** Microseconds from which a command is noted in the slow log; 0 notes all, -1 none. */
    public final Setting<Long> slowLogLogSlowerThan;

    /** Entries that the slow log keeps. */
    public final Setting<Long> slowLogMaxLen;

    /** Milliseconds from which an event is noted for LATENCY; 0 notes none. */
    public final Setting<Long> latencyMonitorThreshold;

    /** Keep a latency histogram per command. */
    public final Setting<Boolean> latencyTracking;

    /** The percentiles that INFO latencystats prints. */
    public final Setting<List<Double>> latencyTrackingInfoPercentiles;

    LoggingSettings(Catalogue rows) {
        logLevel = rows.choice(active("loglevel"), LogLevel.NOTICE);
        logFile = rows.text(active("logfile").with(Trait.IMMUTABLE), "", any -> {});
        slowLogLogSlowerThan = rows.number(active("slowlog-log-slower-than"), 10_000, -1, Long.MAX_VALUE);
        slowLogMaxLen = rows.number(active("slowlog-max-len"), 128, 0, Long.MAX_VALUE);
        latencyMonitorThreshold = rows.number(active("latency-monitor-threshold"), 0, 0, Long.MAX_VALUE);
        latencyTracking = rows.yesNo(active("latency-tracking"), true);
        latencyTrackingInfoPercentiles =
                rows.add(active("latency-tracking-info-percentiles"), List.of(50.0, 99.0, 99.9), Codecs.percentiles());
        rows.yesNo(accepted("syslog-enabled").with(Trait.IMMUTABLE), false);
        rows.text(accepted("syslog-ident").with(Trait.IMMUTABLE), "redis", any -> {});
        rows.choice(
                accepted("syslog-facility").with(Trait.IMMUTABLE),
                "local0",
                "user",
                "local0",
                "local1",
                "local2",
                "local3",
                "local4",
                "local5",
                "local6",
                "local7");
        rows.yesNo(accepted("crash-log-enabled"), true);
        rows.yesNo(accepted("crash-memcheck-enabled"), true);
        rows.number(accepted("acllog-max-len"), 128, 0, Long.MAX_VALUE);
    }
}
