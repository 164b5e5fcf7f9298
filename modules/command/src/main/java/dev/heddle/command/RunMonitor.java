package dev.heddle.command;

import dev.heddle.command.config.LoggingSettings;
import dev.heddle.command.config.Settings;

/**
 * Looks at how long each command took, for those who want to know of slow ones.
 *
 * <p>Thread-safe.
 */
final class RunMonitor {

    private final SlowLog slowLog;
    private final LatencyMonitor latency;
    /** The smaller of both thresholds: commands that are faster, nearly all, pay for one comparison. */
    private volatile long noticeNanos;

    RunMonitor(Settings settings) {
        LoggingSettings logging = settings.logging;
        this.slowLog = new SlowLog(logging);
        this.latency = new LatencyMonitor(logging);
        settings.onChange(
                this::follow, logging.slowLogLogSlowerThan, logging.slowLogMaxLen, logging.latencyMonitorThreshold);
        follow();
    }

    SlowLog slowLog() {
        return slowLog;
    }

    LatencyMonitor latency() {
        return latency;
    }

    void ran(Call call, long nanos) {
        if (nanos >= noticeNanos) {
            notice(call, nanos);
        }
    }

    private void notice(Call call, long nanos) {
        CommandSpec spec = call.spec();
        latency.note(spec.has(Flag.FAST) ? "fast-command" : "command", call.now(), nanos);
        if (nanos >= slowLog.thresholdNanos() && !spec.has(Flag.SKIP_SLOWLOG)) {
            slowLog.add(call, nanos);
            new SlowCommandEvent(call, nanos).commit();
        }
    }

    private void follow() {
        noticeNanos = Math.min(slowLog.thresholdNanos(), latency.thresholdNanos());
    }
}
