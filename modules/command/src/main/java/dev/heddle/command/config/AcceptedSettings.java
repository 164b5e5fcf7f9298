package dev.heddle.command.config;

import static dev.heddle.command.config.Row.accepted;

import dev.heddle.command.config.Row.Trait;
import java.util.List;

/**
 * Directives of Redis 7.2 for things that a standalone server on virtual threads does not have: replication, cluster,
 * TLS, defragmentation, tuning of the C process. They are read, checked, kept and shown, nothing more. Stateless.
 */
final class AcceptedSettings {
    private static final int INT_MAX = Integer.MAX_VALUE;

    private AcceptedSettings() {}

    static void declare(Catalogue rows) {
        replication(rows);
        replica(rows);
        cluster(rows);
        clusterAnnouncements(rows);
        tls(rows);
        tlsFiles(rows);
        defragmentation(rows);
        process(rows);
        development(rows);
    }

    private static void replication(Catalogue rows) {
        rows.add(accepted("replicaof").alias("slaveof").with(Trait.IMMUTABLE), "", new ReplicaOfCodec());
        rows.optional(accepted("masteruser").with(Trait.SENSITIVE));
        rows.optional(accepted("masterauth").with(Trait.SENSITIVE));
        rows.memory(accepted("repl-backlog-size"), 1L << 20, 1);
        rows.number(accepted("repl-backlog-ttl"), 3600, 0, Long.MAX_VALUE);
        rows.yesNo(accepted("repl-disable-tcp-nodelay"), false);
        rows.choice(
                accepted("repl-diskless-load").with(Trait.DENY_LOADING),
                "disabled",
                "disabled",
                "on-empty-db",
                "swapdb");
        rows.yesNo(accepted("repl-diskless-sync"), true);
        rows.integer(accepted("repl-diskless-sync-delay"), 5, 0, INT_MAX);
        rows.integer(accepted("repl-diskless-sync-max-replicas"), 0, 0, INT_MAX);
        rows.integer(accepted("repl-ping-replica-period").alias("repl-ping-slave-period"), 10, 1, INT_MAX);
        rows.integer(accepted("repl-timeout"), 60, 1, INT_MAX);
        rows.integer(accepted("min-replicas-to-write").alias("min-slaves-to-write"), 0, 0, INT_MAX);
        rows.integer(accepted("min-replicas-max-lag").alias("min-slaves-max-lag"), 10, 0, INT_MAX);
        rows.choice(accepted("propagation-error-behavior"), "ignore", "ignore", "panic", "panic-on-replicas");
    }

    private static void replica(Catalogue rows) {
        rows.optional(accepted("replica-announce-ip").alias("slave-announce-ip"));
        rows.integer(accepted("replica-announce-port").alias("slave-announce-port"), 0, 0, 65535);
        rows.yesNo(accepted("replica-announced"), true);
        rows.yesNo(accepted("replica-ignore-disk-write-errors"), false);
        rows.yesNo(accepted("replica-ignore-maxmemory").alias("slave-ignore-maxmemory"), true);
        rows.yesNo(accepted("replica-lazy-flush").alias("slave-lazy-flush"), false);
        rows.integer(accepted("replica-priority").alias("slave-priority"), 100, 0, INT_MAX);
        rows.yesNo(accepted("replica-read-only").alias("slave-read-only"), true);
        rows.yesNo(accepted("replica-serve-stale-data").alias("slave-serve-stale-data"), true);
    }

    private static void cluster(Catalogue rows) {
        rows.yesNo(accepted("cluster-enabled").with(Trait.IMMUTABLE), false);
        rows.text(accepted("cluster-config-file").with(Trait.IMMUTABLE), "nodes.conf", any -> {});
        rows.integer(accepted("cluster-port").with(Trait.IMMUTABLE), 0, 0, 65535);
        rows.yesNo(accepted("cluster-allow-pubsubshard-when-down"), true);
        rows.yesNo(accepted("cluster-allow-reads-when-down"), false);
        rows.yesNo(accepted("cluster-allow-replica-migration"), true);
        rows.memory(accepted("cluster-link-sendbuf-limit"), 0, 0);
        rows.integer(accepted("cluster-migration-barrier"), 1, 0, INT_MAX);
        rows.number(accepted("cluster-node-timeout"), 15_000, 0, Long.MAX_VALUE);
        rows.number(accepted("cluster-ping-interval").with(Trait.HIDDEN), 0, 0, Long.MAX_VALUE);
        rows.yesNo(accepted("cluster-replica-no-failover").alias("cluster-slave-no-failover"), false);
        rows.integer(
                accepted("cluster-replica-validity-factor").alias("cluster-slave-validity-factor"), 10, 0, INT_MAX);
        rows.yesNo(accepted("cluster-require-full-coverage"), true);
        rows.choice(accepted("cluster-preferred-endpoint-type"), "ip", "ip", "hostname", "unknown-endpoint");
    }

    private static void clusterAnnouncements(Catalogue rows) {
        rows.integer(accepted("cluster-announce-bus-port"), 0, 0, 65535);
        rows.optional(accepted("cluster-announce-hostname"), AcceptedSettings::checkHostname);
        rows.optional(accepted("cluster-announce-human-nodename"));
        rows.optional(accepted("cluster-announce-ip"));
        rows.integer(accepted("cluster-announce-port"), 0, 0, 65535);
        rows.integer(accepted("cluster-announce-tls-port"), 0, 0, 65535);
    }

    private static void checkHostname(String name) {
        if (name.length() >= 256) {
            throw new ConfigException("Hostnames must be less than 256 characters");
        }
        if (!name.matches("[A-Za-z0-9.-]*")) {
            throw new ConfigException("Hostnames may only contain alphanumeric characters, hyphens or dots");
        }
    }

    private static void tls(Catalogue rows) {
        rows.integer(accepted("tls-port"), 0, 0, 65535);
        rows.choice(accepted("tls-auth-clients"), "yes", "no", "yes", "optional");
        rows.yesNo(accepted("tls-cluster"), false);
        rows.yesNo(accepted("tls-replication"), false);
        rows.yesNo(accepted("tls-prefer-server-ciphers"), false);
        rows.yesNo(accepted("tls-session-caching"), true);
        rows.integer(accepted("tls-session-cache-size"), 20_480, 0, INT_MAX);
        rows.integer(accepted("tls-session-cache-timeout"), 300, 0, INT_MAX);
        rows.optional(accepted("tls-protocols"));
        rows.optional(accepted("tls-ciphers"));
        rows.optional(accepted("tls-ciphersuites"));
    }

    private static void tlsFiles(Catalogue rows) {
        for (String name : List.of(
                "tls-cert-file",
                "tls-key-file",
                "tls-client-cert-file",
                "tls-client-key-file",
                "tls-dh-params-file",
                "tls-ca-cert-file",
                "tls-ca-cert-dir")) {
            rows.optional(accepted(name).with(Trait.REREAD));
        }
        rows.optional(accepted("tls-key-file-pass"));
        rows.optional(accepted("tls-client-key-file-pass"));
    }

    private static void defragmentation(Catalogue rows) {
        rows.yesNo(accepted("activedefrag"), false).onChange(wanted -> {
            if (wanted) {
                throw new ConfigException(
                        "Active defragmentation cannot be enabled: it requires a Redis server compiled"
                                + " with a modified Jemalloc like the one shipped by default with the Redis source distribution");
            }
        });
        rows.integer(accepted("active-defrag-cycle-min"), 1, 1, 99);
        rows.integer(accepted("active-defrag-cycle-max"), 25, 1, 99);
        rows.memory(accepted("active-defrag-ignore-bytes"), 100L << 20, 1);
        rows.number(accepted("active-defrag-max-scan-fields"), 1000, 1, Long.MAX_VALUE);
        rows.integer(accepted("active-defrag-threshold-lower"), 10, 0, 1000);
        rows.integer(accepted("active-defrag-threshold-upper"), 100, 0, 1000);
        rows.yesNo(accepted("activerehashing"), true);
        rows.yesNo(accepted("jemalloc-bg-thread"), true);
    }

    private static void process(Catalogue rows) {
        rows.text(accepted("aclfile").with(Trait.IMMUTABLE), "", any -> {});
        rows.choice(accepted("acl-pubsub-default"), "resetchannels", "allchannels", "resetchannels");
        rows.optional(accepted("server_cpulist").with(Trait.IMMUTABLE));
        rows.optional(accepted("bio_cpulist").with(Trait.IMMUTABLE));
        rows.optional(accepted("aof_rewrite_cpulist").with(Trait.IMMUTABLE));
        rows.optional(accepted("bgsave_cpulist").with(Trait.IMMUTABLE));
        rows.yesNo(accepted("disable-thp").with(Trait.IMMUTABLE), true);
        rows.text(accepted("ignore-warnings"), "", any -> {});
        rows.text(accepted("locale-collate"), "", any -> {});
        rows.choice(accepted("oom-score-adj"), "no", "no", "yes", "relative", "absolute");
        rows.add(accepted("oom-score-adj-values"), List.of(0L, 200L, 800L), Codecs.scoreAdjustments());
        rows.text(
                accepted("proc-title-template"),
                "{title} {listen-addr} {server-mode}",
                AcceptedSettings::checkTitleTemplate);
        rows.yesNo(accepted("set-proc-title").with(Trait.IMMUTABLE), true);
    }

    private static void checkTitleTemplate(String template) {
        String variables = "title|listen-addr|server-mode|port|tls-port|unixsocket|config-file";
        if (!template.matches("(?s)([^{]|\\{\\{|\\{(" + variables + ")\\})+")) {
            throw new ConfigException("template format is invalid or contains unknown variables");
        }
    }

    /** Knobs of Redis's own tests. */
    private static void development(Catalogue rows) {
        rows.yesNo(accepted("use-exit-on-panic").with(Trait.HIDDEN), false);
        rows.integer(accepted("rdb-key-save-delay").with(Trait.HIDDEN), 0, Integer.MIN_VALUE, INT_MAX);
        rows.integer(accepted("key-load-delay").with(Trait.HIDDEN), 0, Integer.MIN_VALUE, INT_MAX);
        rows.integer(accepted("watchdog-period").with(Trait.HIDDEN), 0, 0, INT_MAX);
        rows.integer(accepted("loading-process-events-interval-bytes").with(Trait.HIDDEN), 2 << 20, 1024, INT_MAX);
    }

    /** {@code replicaof <host> <port>} or {@code replicaof no one}, kept as it is printed. */
    private static final class ReplicaOfCodec implements Codec<String> {
        @Override
        public boolean severalWords() {
            return true;
        }

        @Override
        public String parse(List<String> words, String current) {
            if (words.size() != 2) {
                throw new ConfigException("wrong number of arguments");
            }
            if (words.get(0).equalsIgnoreCase("no") && words.get(1).equalsIgnoreCase("one")) {
                return "";
            }
            long port = Codecs.count(words.get(1), -1);
            if (port < 0 || port > 65535) {
                throw new ConfigException("Invalid master port");
            }
            return words.get(0) + " " + port;
        }

        @Override
        public String text(String value) {
            return value;
        }

        @Override
        public List<FileLine> lines(String name, String value, String initial) {
            return value.isEmpty() ? List.of() : List.of(new FileLine(name + " " + value, true));
        }
    }
}
