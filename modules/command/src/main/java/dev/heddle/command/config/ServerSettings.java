package dev.heddle.command.config;

import static dev.heddle.command.config.Row.accepted;
import static dev.heddle.command.config.Row.active;

import dev.heddle.command.config.Row.Trait;
import java.util.List;
import java.util.Set;

/** The process, its databases, and who may use the dangerous commands. Thread-safe, as its settings are. */
public final class ServerSettings {

    /** Number of databases, fixed at start. */
    public final Setting<Integer> databases;

    /** Carrier threads of the virtual threads; 0 leaves the choice to the launcher, which then settles it. */
    public final Setting<Integer> ioThreads;

    /** Rounds of background work a second, between 1 and 500; other numbers count as the nearer end. */
    public final Setting<Integer> hz;

    /** File that holds the process id while the server runs; empty for none. */
    public final Setting<String> pidFile;

    /** Print the logo at start even when the output is no terminal. */
    public final Setting<Boolean> alwaysShowLogo;

    /** Who may use DEBUG. */
    public final Setting<Permission> enableDebugCommand;

    /** Who may set protected directives such as {@code dir}. */
    public final Setting<Permission> enableProtectedConfigs;

    /** Who may use MODULE. */
    public final Setting<Permission> enableModuleCommand;

    /** Milliseconds after which a running script makes the others hear {@code -BUSY}; 0 for never. */
    public final Setting<Long> busyReplyThreshold;

    /** Which changes of keys are published. */
    public final Setting<KeyspaceEvents> keyspaceEvents;

    /** What to do on SIGINT: a subset of {@code save nosave now force}; empty is the default behaviour. */
    public final Setting<Set<String>> shutdownOnSigint;

    /** The same for SIGTERM. */
    public final Setting<Set<String>> shutdownOnSigterm;

    /** Seconds that a shutdown waits for replicas. */
    public final Setting<Integer> shutdownTimeout;

    ServerSettings(Catalogue rows) {
        databases = rows.integer(active("databases").with(Trait.IMMUTABLE), 16, 1, Integer.MAX_VALUE);
        ioThreads = rows.integer(active("io-threads").with(Trait.IMMUTABLE), 0, 0, 128);
        rows.yesNo(accepted("io-threads-do-reads").with(Trait.IMMUTABLE), false);
        hz = rows.integer(active("hz"), 10, 0, Integer.MAX_VALUE, number -> Math.clamp(number, 1, 500));
        rows.yesNo(accepted("dynamic-hz"), true);
        rows.yesNo(
                accepted("daemonize")
                        .with(Trait.IMMUTABLE)
                        .note("not supported, the server stays in the foreground: run it under a service manager"),
                false);
        rows.choice(
                accepted("supervised").with(Trait.IMMUTABLE).note("not supported: the server tells no service manager"),
                "no",
                "upstart",
                "systemd",
                "auto",
                "no");
        pidFile = rows.optional(active("pidfile").with(Trait.IMMUTABLE));
        alwaysShowLogo = rows.yesNo(accepted("always-show-logo").with(Trait.IMMUTABLE), false);
        enableProtectedConfigs = rows.choice(active("enable-protected-configs").with(Trait.IMMUTABLE), Permission.NO);
        enableDebugCommand = rows.choice(active("enable-debug-command").with(Trait.IMMUTABLE), Permission.NO);
        enableModuleCommand = rows.choice(active("enable-module-command").with(Trait.IMMUTABLE), Permission.NO);
        busyReplyThreshold =
                rows.number(active("busy-reply-threshold").alias("lua-time-limit"), 5000, 0, Long.MAX_VALUE);
        keyspaceEvents =
                rows.add(active("notify-keyspace-events"), KeyspaceEvents.NONE, new KeyspaceEvents.EventsCodec());
        shutdownOnSigint = rows.add(accepted("shutdown-on-sigint"), Set.of(), shutdownFlags());
        shutdownOnSigterm = rows.add(accepted("shutdown-on-sigterm"), Set.of(), shutdownFlags());
        shutdownTimeout = rows.integer(accepted("shutdown-timeout"), 10, 0, Integer.MAX_VALUE);
    }

    private static Codec<Set<String>> shutdownFlags() {
        return new Codecs.Flags("default", List.of("save", "nosave", "now", "force"), flags -> {
            if (flags.contains("save") && flags.contains("nosave")) {
                throw new ConfigException("shutdown options SAVE and NOSAVE can't be used simultaneously");
            }
        });
    }
}
